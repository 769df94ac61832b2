import * as pulumi from "@pulumi/pulumi";
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
    /** Labels of the pods; also those of a Deployment of the same program, whose pods are then waited for. */
    readonly selector: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
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
    /** The selector, if it is only known once another resource of the program is. The Service has none then. */
    readonly selector?: pulumi.Output<Readonly<Record<string, string>>>;
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
    const selector = source.service && selectorOutput(source.service);
    return { service: parsed.service, warnings: all, ...(selector === undefined ? {} : { selector }) };
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
    if (!isDocument(object)) {
        const outputs = findOutputs(object);
        if (outputs.length > 0) {
            return refuseOutputs(outputs);
        }
    }
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

/** Fields that hold an Output, which nobody can read before the run has made it. */
function findOutputs(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
    if (pulumi.Output.isInstance(value) || pulumi.Resource.isInstance(value) || value instanceof Promise) {
        return [path];
    }
    if (typeof value !== "object" || value === null) {
        return [];
    }
    return Object.entries(value).flatMap(([key, item]) =>
        findOutputs(item, [...path, Array.isArray(value) ? Number(key) : key]),
    );
}

function refuseOutputs(fields: readonly (readonly (string | number)[])[]): { diagnostics: Diagnostic[] } {
    return {
        diagnostics: fields.map((path) => ({
            code: "component-arguments",
            severity: "error",
            place: { subject: "ServiceLoadBalancer", path: [...path] },
            cause: "this is an Output, whose value is only known once another resource is made; names, marks and listeners follow from it, and a preview could not show them",
            remedy: "write the value itself here and in the other resource (a name of its own instead of a generated one), and name that resource in dependsOn. Outputs are taken as service.selector, in references and as the Cluster's kubeconfig",
        })),
    };
}

/** The selector as an Output, if it is one or has one in it. */
function selectorOutput({ selector }: ServiceArgs): pulumi.Output<Readonly<Record<string, string>>> | undefined {
    return findOutputs(selector).length === 0
        ? undefined
        : pulumi.output(selector as pulumi.Input<Record<string, string>>);
}

/** Stands for a selector that is an Output, in what is checked; the Service that is applied has the Output. */
const KNOWN_LATER = { "ack-loadbalancer.io/selector": "output" };

function manifestOf(service: ServiceArgs): object {
    const { namespace, name, selector, ...spec } = service;
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: { namespace: namespace ?? "default", name },
        spec: {
            type: "LoadBalancer",
            ...spec,
            selector: selectorOutput(service) === undefined ? selector : KNOWN_LATER,
            ports: spec.ports.map((port) => ({ protocol: "TCP", targetPort: port.port, ...port })),
        },
    };
}
