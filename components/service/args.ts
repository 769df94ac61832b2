import type * as pulumi from "@pulumi/pulumi";
import { UNKNOWN_REFERENCE } from "../../provider/annotations";
import type { Settings } from "../../provider/schema/settings";
import { type Diagnostic, DiagnosticsError } from "../../provider/diagnostics";
import { documentOf, readManifests, type ServiceDocument } from "../../provider/kubernetes/manifests";
import type { ClusterFacts } from "../../provider/schema/facts";
import { parseService, type Service } from "../../provider/kubernetes/service/service";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";

/** A port of a Service that is described in code. */
export interface ServicePortArgs {
    readonly name?: string;
    readonly port: number;
    /** Default TCP. */
    readonly protocol?: "TCP" | "UDP";
    /** Default: the port. */
    readonly targetPort?: number | string;
    /** Default: chosen by the cluster. */
    readonly nodePort?: number;
}

/** A Service that is described in code instead of YAML. */
export interface ServiceArgs {
    /** Default "default". */
    readonly namespace?: string;
    readonly name: string;
    readonly selector: Readonly<Record<string, string>>;
    readonly ports: readonly ServicePortArgs[];
    /** Default "Cluster". */
    readonly externalTrafficPolicy?: "Cluster" | "Local";
}

/** Settings that refer to other resources; they may be outputs of those. */
export interface ReferenceArgs {
    /** vSwitch of an internal instance. Same as the annotation vswitch-id. */
    readonly vswitchId?: pulumi.Input<string>;
    /** Certificate of the HTTPS listeners. Same as the annotation cert-id. */
    readonly certId?: pulumi.Input<string>;
    /** Access control list of the listeners. Same as the annotation acl-id. */
    readonly aclId?: pulumi.Input<string>;
    /** vSwitches of an NLB, by the id of their zone. Same as the annotation zone-maps. */
    readonly zoneVswitches?: Readonly<Record<string, pulumi.Input<string>>>;
    /** Security groups of an NLB. Same as the annotation security-group-ids. */
    readonly securityGroupIds?: readonly pulumi.Input<string>[];
    /** Internet Shared Bandwidth package of an NLB. Same as the annotation bandwidth-package-id. */
    readonly bandwidthPackageId?: pulumi.Input<string>;
    /** Resource group of the instance. Same as the annotation resource-group-id. */
    readonly resourceGroupId?: pulumi.Input<string>;
}

/** Where a Service comes from: YAML text, an object (or a document that {@link readManifests} read), or a description in code; settings say the same as annotations and must not contradict them. */
export interface ServiceSource {
    readonly manifest?: string | object;
    readonly service?: ServiceArgs;
    readonly settings?: Settings;
    /** Kind of load balancer. Default: as `spec.loadBalancerClass` says, which it must not contradict; a CLB if that says nothing. */
    readonly loadBalancerType?: LoadBalancerType;
    readonly references?: ReferenceArgs;
}

/** A Service that was read, and what is only worth a warning. */
export interface ReadService {
    readonly service: Service;
    readonly warnings: readonly Diagnostic[];
}

/**
 * Reads a Service from its source.
 *
 * @throws DiagnosticsError with every problem of the source at once.
 */
export function readService(source: ServiceSource, facts: ClusterFacts): ReadService {
    const { document, diagnostics } = documentFrom(source);
    if (document === undefined) {
        throw new DiagnosticsError(diagnostics);
    }
    const parsed = parseService(
        document,
        facts,
        { ...source.settings, ...knownLater(source.references ?? {}) },
        source.loadBalancerType,
    );
    const all = [...diagnostics, ...parsed.diagnostics];
    if (parsed.service === undefined || all.some((diagnostic) => diagnostic.severity === "error")) {
        throw new DiagnosticsError(all);
    }
    return { service: parsed.service, warnings: all };
}

/** A value that cannot be checked yet, for each setting that refers to a resource. */
function knownLater(references: ReferenceArgs): Settings {
    const { zoneVswitches, securityGroupIds, ...single } = references;
    return {
        ...Object.fromEntries(
            Object.entries(single).flatMap(([setting, value]) =>
                value === undefined ? [] : [[setting, UNKNOWN_REFERENCE]],
            ),
        ),
        ...(zoneVswitches === undefined
            ? {}
            : { zoneMaps: Object.keys(zoneVswitches).map((zoneId) => ({ zoneId, vswitchId: UNKNOWN_REFERENCE })) }),
        ...(securityGroupIds === undefined ? {} : { securityGroupIds: securityGroupIds.map(() => UNKNOWN_REFERENCE) }),
    };
}

function documentFrom(source: ServiceSource): { document?: ServiceDocument; diagnostics: readonly Diagnostic[] } {
    const { manifest, service } = source;
    if ((manifest === undefined) === (service === undefined)) {
        return refuse("give either manifest or service, not both and not neither");
    }
    if (typeof manifest === "string") {
        const read = readManifests(manifest);
        if (read.services.length !== 1 && !read.diagnostics.some((diagnostic) => diagnostic.severity === "error")) {
            return refuse(
                `the manifest holds ${read.services.length} Services; a ServiceLoadBalancer exposes exactly one`,
                read.diagnostics,
            );
        }
        return { ...(read.services[0] ? { document: read.services[0] } : {}), diagnostics: read.diagnostics };
    }
    const object = manifest ?? manifestOf(service as ServiceArgs);
    return { document: isDocument(object) ? object : documentOf(object), diagnostics: [] };
}

/** A document that was read from a file keeps its positions. */
function isDocument(manifest: object): manifest is ServiceDocument {
    return "locate" in manifest && typeof manifest.locate === "function";
}

function refuse(cause: string, diagnostics: readonly Diagnostic[] = []): { diagnostics: Diagnostic[] } {
    const remedy = "Pass one Service, as YAML text, as an object or as a description in code.";
    return {
        diagnostics: [
            ...diagnostics,
            {
                code: "component-arguments",
                severity: "error",
                place: { subject: "ServiceLoadBalancer", path: ["args"] },
                cause,
                remedy,
            },
        ],
    };
}

function manifestOf(service: ServiceArgs): object {
    const { namespace, name, ...spec } = service;
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: { namespace: namespace ?? "default", name },
        spec: {
            type: "LoadBalancer",
            ...spec,
            ports: spec.ports.map((port) => ({ protocol: "TCP", targetPort: port.port, ...port })),
        },
    };
}
