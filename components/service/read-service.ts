/** Reads and checks the Service of a component. */
import * as pulumi from "@pulumi/pulumi";
import { backendTypeOf, UNKNOWN_REFERENCE } from "../../provider/service/annotations";
import {
    type Diagnostic,
    DiagnosticsError,
    type FieldPath,
    formatCause,
    formatSentences,
    isError,
    isMapping,
} from "../../provider/diagnostics";
import { documentOf, readManifests, type ServiceDocument } from "../../provider/service/manifests";
import { parseService, type Service } from "../../provider/service/service";
import { defined } from "../../provider/schema/defined";
import type { ClusterFacts } from "../../provider/schema/facts";
import type { Settings } from "../../provider/schema/settings";
import type { ReferenceArgs, ServiceArgs, ServiceSource } from "./args";
import { findOutputs, GivenOutputs, isOutput, placeholderFor, portPlaceholder, refuseOutputs } from "./outputs";

/** Checked Service with its warnings. */
export interface ReadService {
    readonly service: Service;
    readonly warnings: readonly Diagnostic[];
    /** Selector and labels that are Outputs; `service` has none then. */
    readonly maps: SeparateMaps;
    /** Outputs in the Service and its cluster. */
    readonly outputs: GivenOutputs;
    /** Problems with the values of the Outputs; undefined if there are no Outputs. */
    readonly problems: pulumi.Output<readonly string[]> | undefined;
}

/**
 * Reads a Service from its source.
 *
 * @param name component name, used in messages if the Service's own is an Output
 * @throws DiagnosticsError with all problems of the source
 */
export function readService(source: ServiceSource, facts: ClusterFacts, name: string): ReadService {
    const { document, diagnostics, maps = {} } = documentFrom(source, name);
    const misplaced = refuseOutputs(
        `ServiceLoadBalancer ${name}`,
        findOutputs({ settings: source.settings, loadBalancerType: source.loadBalancerType }),
    );
    if (document === undefined || misplaced.length > 0) throw new DiagnosticsError([...diagnostics, ...misplaced]);
    const typed = { ...source.settings, ...knownLater(source.references ?? {}) };
    const parsed = parseService(document, facts, typed, source.loadBalancerType);
    const all = [...diagnostics, ...parsed.diagnostics];
    const { service } = parsed;
    if (service === undefined || all.some(isError)) throw new DiagnosticsError(all);
    const outputs = new GivenOutputs({ object: service.object, facts });
    if (outputs.none) return { service, warnings: all, maps, outputs, problems: undefined };
    const unnamed = refuseOutputs(document.subject, targetPortsOfNames(service, facts));
    if (unnamed.length > 0) throw new DiagnosticsError(unnamed);
    const problems = pulumi
        .all([outputs.valueless, outputs.fill({ object: service.object, facts })])
        .apply(([valueless, known]) =>
            valueless.length > 0
                ? valueless.map(
                      (field) =>
                          `${field} is an Output without a value. ` +
                          "Remedy: look where it comes from: an output that another stack does not have is undefined.",
                  )
                : parseService(documentOf(known.object), known.facts, typed, source.loadBalancerType)
                      .diagnostics.filter(isError)
                      .map((diagnostic) => formatSentences({ ...diagnostic, cause: formatCause(diagnostic) })),
        );
    return { service, warnings: all, maps, outputs, problems };
}

/** Paths of targetPorts that are Outputs although the name or check of a server group needs their value. */
function targetPortsOfNames({ ports, settings }: Service, facts: ClusterFacts): (string | number)[][] {
    const named = backendTypeOf(settings, facts) === "eni" || settings.listenerPortRange !== undefined;
    return ports.flatMap(({ targetPort }, index) =>
        named && !new GivenOutputs(targetPort).none ? [["spec", "ports", index, "targetPort"]] : [],
    );
}

/** Builds a setting without a checkable value for each reference. */
function knownLater(references: ReferenceArgs): Settings {
    const { zoneVswitches, securityGroupIds, ...single } = references;
    return {
        ...Object.fromEntries(
            Object.entries(single).flatMap(([setting, value]) =>
                value === undefined ? [] : [[setting, UNKNOWN_REFERENCE]],
            ),
        ),
        ...(zoneVswitches && {
            zoneMaps: Object.keys(zoneVswitches).map((zoneId) => ({ zoneId, vswitchId: UNKNOWN_REFERENCE })),
        }),
        ...defined({ securityGroupIds: securityGroupIds?.map(() => UNKNOWN_REFERENCE) }),
    };
}

interface Source {
    readonly document?: ServiceDocument;
    readonly diagnostics: readonly Diagnostic[];
    readonly maps?: SeparateMaps;
}

function documentFrom(source: ServiceSource, name: string): Source {
    const { manifest, service } = source;
    if ((manifest === undefined) === (service === undefined)) {
        return refuse("give either manifest or service, not both and not neither");
    }
    const whole = manifest === undefined ? { service } : { manifest };
    const misplaced = Object.values(whole).some((given) => isOutput(given) || typeof given === "string")
        ? findOutputs(whole)
        : [];
    return misplaced.length > 0
        ? { diagnostics: refuseOutputs(`ServiceLoadBalancer ${name}`, misplaced) }
        : documentOfSource(source, name);
}

function documentOfSource({ manifest, service }: ServiceSource, name: string): Source {
    if (typeof manifest === "string") {
        const read = readManifests(manifest);
        if (read.services.length !== 1 && !read.diagnostics.some(isError)) {
            return refuse(
                `the manifest holds ${read.services.length} Services; a ServiceLoadBalancer exposes exactly one`,
                read.diagnostics,
            );
        }
        return { ...(read.services[0] ? { document: read.services[0] } : {}), diagnostics: read.diagnostics };
    }
    const object = manifest ?? manifestOf(service as ServiceArgs);
    if (isDocument(object)) return { document: object, diagnostics: [] };
    const { object: plain, maps, misplaced } = separateOutputs(object, name);
    if (misplaced.length > 0) return { diagnostics: refuseOutputs(`ServiceLoadBalancer ${name}`, misplaced) };
    const document = documentOf(plain);
    // Messages must not contain placeholders.
    const subject = new GivenOutputs(document.subject).none ? document.subject : `Service ${name}`;
    return { document: { ...document, subject }, diagnostics: [], maps };
}

/** True for a document of `readManifests`, which has line positions. */
function isDocument(manifest: object): manifest is ServiceDocument {
    return "locate" in manifest && typeof manifest.locate === "function";
}

function refuse(cause: string, diagnostics: readonly Diagnostic[] = []): Source {
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
    const { namespace, name, labels, ports, ...spec } = service;
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: { namespace: namespace ?? "default", name, ...defined({ labels }) },
        spec: {
            type: "LoadBalancer",
            ...spec,
            ports: Array.isArray(ports)
                ? ports.map((port) => (isOutput(port) ? port : { protocol: "TCP", targetPort: port.port, ...port }))
                : ports,
        },
    };
}

/** Maps of a Service that are Outputs: applied unchecked. */
export interface SeparateMaps {
    readonly labels?: pulumi.Output<Readonly<Record<string, string>>>;
    readonly selector?: pulumi.Output<Readonly<Record<string, string>>>;
}

/** Service as plain data, with its Outputs replaced or moved to `maps`. */
export interface SeparatedService {
    readonly object: object;
    readonly maps: SeparateMaps;
    /** Fields that must not be Outputs. */
    readonly misplaced: readonly FieldPath[];
}

/** Selector to check if the real one is an Output. */
const KNOWN_LATER = { "ack-loadbalancer.io/selector": "output" };

/**
 * Replaces the permitted Outputs of a Service by placeholders.
 *
 * @param name unique name of its component
 */
export function separateOutputs(object: object, name: string): SeparatedService {
    const { metadata, spec, ...rest } = object as Record<string, unknown>;
    if (!isPlainMapping(metadata) || !isPlainMapping(spec)) return { object, maps: {}, misplaced: findOutputs(object) };
    const labels = mapOutput(metadata["labels"]);
    const selector = mapOutput(spec["selector"]);
    const { labels: _, ...withoutLabels } = metadata;
    const plain = {
        ...rest,
        metadata: {
            ...(labels === undefined ? metadata : withoutLabels),
            ...placeholders(metadata, name),
        },
        spec: {
            ...spec,
            ...(selector && { selector: KNOWN_LATER }),
            ...(Array.isArray(spec["ports"])
                ? { ports: spec["ports"].map((port, index) => portOf(port, index, name)) }
                : {}),
        },
    };
    return {
        object: plain,
        maps: defined({ labels, selector }),
        misplaced: findOutputs(plain),
    };
}

function isPlainMapping(value: unknown): value is Record<string, unknown> {
    return isMapping(value) && !isOutput(value) && !pulumi.Resource.isInstance(value);
}

/** Returns the map as an Output if it is or contains one. */
function mapOutput(map: unknown): pulumi.Output<Record<string, string>> | undefined {
    const inside = isPlainMapping(map) ? Object.values(map) : [];
    return isOutput(map) || inside.some(isOutput)
        ? pulumi.output(map as pulumi.Input<Record<string, string>>)
        : undefined;
}

function placeholders(metadata: Readonly<Record<string, unknown>>, scope: string): Record<string, string> {
    return Object.fromEntries(
        ["namespace", "name"].flatMap((field) =>
            isOutput(metadata[field])
                ? [[field, placeholderFor(scope, `metadata.${field}`, metadata[field] as pulumi.Input<string>)]]
                : [],
        ),
    );
}

function portOf(port: unknown, index: number, scope: string): unknown {
    return isPlainMapping(port) && isOutput(port["targetPort"])
        ? { ...port, targetPort: portPlaceholder(scope, `spec.ports[${index}].targetPort`, port["targetPort"]) }
        : port;
}
