/** Reads and checks the Service of a component. */
import * as pulumi from "@pulumi/pulumi";
import * as diagnosis from "../../provider/diagnostics";
import { defined } from "../../provider/schema/defined";
import type { Settings } from "../../provider/schema/settings";
import { UNKNOWN_REFERENCE } from "../../provider/service/annotations";
import { documentOf, readManifests, type ServiceDocument } from "../../provider/service/manifests";
import type { ServiceObject } from "../../provider/service/objects";
import { type ParsedDocument, type ParsedService, parseService, type Service } from "../../provider/service/service";
import type { ReferenceArgs, ServiceArgs, ServiceSource } from "./args";
import { idFields } from "../cluster/args";
import type { Cluster } from "../cluster/cluster";
import { orFailure } from "../run/failures";
import * as outputs from "../run/outputs";

export interface ReadService {
    /** Has a stand-in for a namespace and a name that are Outputs. */
    readonly service: Service;
    readonly ids: ServiceIds;
    /** Service with the values of its namespace and name. */
    readonly known: pulumi.Output<Service>;
    readonly warnings: readonly diagnosis.Diagnostic[];
    /** Selector and labels that are Outputs. `service` then has none. */
    readonly maps: SeparateMaps;
    /** Problems with the values of the Outputs, undefined if there are no Outputs. */
    readonly problems: pulumi.Output<readonly string[]> | undefined;
}

export interface LiveService {
    /** Undefined if it does not exist. */
    readonly live?: ServiceObject;
    /** Read error, which the contract reports once. */
    readonly failure?: string;
}

/** Reads a Service from the cluster after the component's dependencies, which may apply it. */
export function readLive(
    cluster: Cluster,
    service: pulumi.Output<Service>,
    dependsOn: pulumi.ResourceOptions["dependsOn"],
): pulumi.Output<LiveService> {
    const done = pulumi
        .output(dependsOn as pulumi.Input<undefined>)
        .apply((resources: undefined | pulumi.Resource | pulumi.Resource[]) =>
            pulumi.all([resources ?? []].flat().map(({ urn }) => urn)),
        );
    return pulumi
        .all([service, cluster.connection.kubeconfig, done])
        .apply(([{ namespace, name }]) =>
            orFailure(cluster.reads.service(namespace, name).then((live) => defined({ live }))),
        );
}

/**
 * Returns the name of an existing Service that is read before the first resource is registered.
 *
 * @throws RunError if an Output of it, or of the cluster's id, is not known yet
 */
export async function knownName(
    { namespace, name }: ServiceIds,
    cluster: Cluster,
): Promise<{ namespace: string; name: string }> {
    const unknown = await outputs.unknownFields({ namespace, name, ...idFields(cluster.ids) });
    if (unknown.length > 0)
        throw new pulumi.RunError(
            `${unknown.join(" and ")} of a Service that is read before anything is registered ` +
                "cannot be known in this preview, because another resource of the program is still to be made. " +
                "Remedy: make that resource first, in a separate run (pulumi up --target); " +
                "or describe the Service in the component itself (service, manifest), " +
                "where namespace, name and clusterId may be unknown.",
        );
    return outputs.promiseOf(pulumi.output({ namespace, name }));
}

export interface ServiceIds {
    readonly namespace: pulumi.Input<string>;
    readonly name: pulumi.Input<string>;
}

export const nameFields = ({ namespace, name }: ServiceIds): outputs.Fields => ({
    "metadata.namespace": namespace,
    "metadata.name": name,
});

/**
 * Reads a Service from its source.
 *
 * @param name component name, used in messages if the Service's own is an Output
 * @throws RunError with all problems of the source: other errors are shown with a stack trace
 */
export function readService(source: ServiceSource, cluster: Cluster, name: string): ReadService {
    const { document, parsed: before, diagnostics, maps = {}, later = {} } = documentFrom(source, name);
    const misplaced = outputs.refuseOutputs(
        `ServiceLoadBalancer ${name}`,
        outputs.findOutputs({ settings: source.settings, loadBalancerType: source.loadBalancerType }),
    );
    if (document === undefined || misplaced.length > 0)
        throw new pulumi.RunError(diagnosis.formatDiagnostics([...diagnostics, ...misplaced]));
    const typed = { ...source.settings, ...knownLater(source.references ?? {}) };
    const parsed = before ?? parseService(document, cluster.facts, typed, source.loadBalancerType);
    const all = [...diagnostics, ...parsed.diagnostics];
    const { service } = parsed;
    if (service === undefined || all.some(diagnosis.isError))
        throw new pulumi.RunError(diagnosis.formatDiagnostics(all));
    const ids: ServiceIds = { namespace: service.namespace, name: service.name, ...later };
    const known = pulumi.output(ids).apply((values): Service => ({
        ...service,
        ...values,
        object: { ...service.object, metadata: { ...(service.object["metadata"] as object), ...values } },
    }));
    const fields = { ...nameFields(ids), ...idFields(cluster.ids) };
    if (Object.keys(outputs.outputsOf(fields)).length === 0)
        return { service, ids, known, warnings: all, maps, problems: undefined };
    const problems = pulumi
        .all([outputs.valueless(fields), known, cluster.known])
        .apply(([empty, { object }, facts]) =>
            empty.length > 0
                ? empty.map(
                      (field) =>
                          `${field} is an Output without a value. ` +
                          "Remedy: look where it comes from: an output that another stack does not have is undefined.",
                  )
                : parseService(documentOf(object), facts, typed, source.loadBalancerType)
                      .diagnostics.filter(diagnosis.isError)
                      .map((diagnostic) =>
                          diagnosis.formatSentences({ ...diagnostic, cause: diagnosis.formatCause(diagnostic) }),
                      ),
        );
    return { service, ids, known, warnings: all, maps, problems };
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
    /** Absent if the document is still to be read. */
    readonly parsed?: ParsedService;
    readonly diagnostics: readonly diagnosis.Diagnostic[];
    readonly maps?: SeparateMaps;
    /** Namespace and name, if they are Outputs. */
    readonly later?: Partial<ServiceIds>;
}

function documentFrom({ manifest, service }: ServiceSource, name: string): Source {
    if ((manifest === undefined) === (service === undefined))
        return refuse("give either manifest or service, not both and not neither");
    const misplaced = (found: readonly diagnosis.FieldPath[]): Source => ({
        diagnostics: outputs.refuseOutputs(`ServiceLoadBalancer ${name}`, found),
    });
    const given = manifest ?? service;
    const whole = outputs.isOutput(given) || typeof given === "string" ? outputs.findOutputs(given) : [];
    if (whole.length > 0) return misplaced([[manifest === undefined ? "service" : "manifest"]]);
    if (typeof manifest === "string") return documentOfText(manifest);
    const object = manifest ?? manifestOf(service as ServiceArgs);
    if (isParsed(object)) return { document: object, parsed: object.parsed, diagnostics: [] };
    if (isDocument(object)) return { document: object, diagnostics: [] };
    const { plain, maps, later } = separateOutputs(object);
    const left = outputs.findOutputs(plain);
    if (left.length > 0) return misplaced(left);
    const document = documentOf(plain);
    const subject = Object.keys(later).length === 0 ? document.subject : `Service ${name}`;
    return { document: { ...document, subject }, diagnostics: [], maps, later };
}

function documentOfText(text: string): Source {
    const { services, diagnostics } = readManifests(text);
    return services.length === 1 || diagnostics.some(diagnosis.isError)
        ? { ...defined({ document: services[0] }), diagnostics }
        : refuse(
              `the manifest holds ${services.length} Services; a ServiceLoadBalancer exposes exactly one`,
              diagnostics,
          );
}

/** True for a document of `readManifests`, which has line positions. */
function isDocument(manifest: object): manifest is ServiceDocument {
    return "locate" in manifest && typeof manifest.locate === "function";
}

/** True for a document of the GitOps stack, whose Services have no settings in code. */
const isParsed = (manifest: object): manifest is ParsedDocument => isDocument(manifest) && "parsed" in manifest;

function refuse(cause: string, diagnostics: readonly diagnosis.Diagnostic[] = []): Source {
    const remedy = "Pass one Service, as YAML text, as an object or as a description in code.";
    return { diagnostics: [...diagnostics, outputs.problem("ServiceLoadBalancer", ["args"], cause, remedy)] };
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
                ? ports.map((port) =>
                      outputs.isOutput(port) ? port : { protocol: "TCP", targetPort: port.port, ...port },
                  )
                : ports,
        },
    };
}

/** Maps of a Service that are Outputs: applied unchecked. */
export interface SeparateMaps {
    readonly labels?: pulumi.Output<Readonly<Record<string, string>>>;
    readonly selector?: pulumi.Output<Readonly<Record<string, string>>>;
}

/** Selector to check if the real selector is an Output. */
const SELECTOR = { "ack-loadbalancer.io/selector": "output" };

/** Takes the permitted Outputs out of a Service. `later` has namespace and name, if they are Outputs. */
function separateOutputs(object: object): {
    readonly plain: object;
    readonly maps: SeparateMaps;
    readonly later: Partial<ServiceIds>;
} {
    const { metadata, spec, ...rest } = object as Record<string, unknown>;
    if (!isPlainMapping(metadata) || !isPlainMapping(spec)) return { plain: object, maps: {}, later: {} };
    const { labels: given, ...others } = metadata;
    const labels = mapOutput(given);
    const selector = mapOutput(spec["selector"]);
    const later = outputs.outputsOf({ namespace: metadata["namespace"], name: metadata["name"] });
    const standIns = Object.fromEntries(Object.keys(later).map((field) => [field, outputs.KNOWN_LATER]));
    return {
        plain: {
            ...rest,
            metadata: { ...(labels === undefined ? metadata : others), ...standIns },
            spec: { ...spec, ...(selector && { selector: SELECTOR }) },
        },
        maps: defined({ labels, selector }),
        later,
    };
}

function isPlainMapping(value: unknown): value is Record<string, unknown> {
    return diagnosis.isMapping(value) && !outputs.isOutput(value) && !pulumi.Resource.isInstance(value);
}

/** Returns the map as an Output if it is or contains an Output. */
function mapOutput(map: unknown): pulumi.Output<Record<string, string>> | undefined {
    const inside = isPlainMapping(map) ? Object.values(map) : [];
    return outputs.isOutput(map) || inside.some(outputs.isOutput)
        ? pulumi.output(map as pulumi.Input<Record<string, string>>)
        : undefined;
}
