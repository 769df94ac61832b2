import { LIMITS } from "../quotas/limits";
import {
    applyRules,
    backendTypeOf,
    isJoined,
    mergeSettings,
    readAnnotations,
    readTypedSettings,
    recognise,
} from "./annotations";
import { nlbOwnershipKey } from "../schema/names";
import { listenerProtocolOf, nlbProtocol } from "../schema/protocols";
import type { SettingName, Settings } from "../schema/settings";
import { clbDocument, notesDocument } from "../schema/documents";
import type { Collector, Diagnostic, FieldPath } from "../diagnostics";
import { collector, inFileOrder, isError, locate } from "../diagnostics";
import type { ServiceDocument } from "./manifests";
import { assignmentOf, checkClass, chosenType, refuseManagedByCcm, warnOfOther, withoutOwnMark } from "./controller";
import {
    CLUSTER_TYPES,
    type ClusterFacts,
    compatibilityOf,
    DEFAULT_NODE_PORTS,
    NETWORK_PLUGINS,
} from "../schema/facts";
import { type CommonFields, readFields, refuseUnknownFields, type ServiceFields } from "./fields";
import { checkPorts, type NodePortRange, readPorts, type ServicePort } from "./ports";
import { checkSourceRanges } from "./source-ranges";
import { type LoadBalancerType, typeOfClass } from "../schema/load-balancer-type";
import { defined } from "../schema/defined";
import { isCidr } from "../schema/cidr";
import { NEWEST_CCM, parseCcmVersion, parseKubernetesVersion } from "../schema/versions";

export type { ServicePort } from "./ports";

export type KubernetesObject = Readonly<Record<string, unknown>>;

/** Service of type LoadBalancer without errors. Its `uid` is absent until it is in a cluster. */
export interface Service extends CommonFields {
    readonly selector: Readonly<Record<string, string>>;
    /** Ports in the order of the Service, never empty. */
    readonly ports: readonly ServicePort[];
    /** From the program, the annotation `type` or `loadBalancerClass`. */
    readonly loadBalancerType: LoadBalancerType;
    /** From annotations and typed settings. Defaults are not filled in. */
    readonly settings: Settings;
}

export interface ParsedService {
    /** Absent if there is an error, and if the Service is not of type LoadBalancer. */
    readonly service?: Service;
    /** Errors and warnings, in the order of the file if positions are known. */
    readonly diagnostics: readonly Diagnostic[];
}

/** Document of a Service, with what was read from it without settings in code. */
export interface ParsedDocument extends ServiceDocument {
    readonly parsed: ParsedService & { readonly service: Service };
}

/**
 * Reads a Service object with its annotations. Reports all problems at once, and throws nothing. A Service of another
 * type and a Service that its class or an annotation assigns to another controller give a warning and no Service.
 *
 * @param typed settings given in code. They follow the same rules and must not contradict the annotations.
 * @param requestedType type given by the program. It must not contradict the annotation `type` and
 *   `spec.loadBalancerClass`. Default: theirs, else a CLB.
 */
export function parseService(
    document: ServiceDocument,
    facts: ClusterFacts,
    typed: Settings = {},
    requestedType?: LoadBalancerType,
): ParsedService {
    const problems = checkFacts(facts);
    if (problems.length > 0) return { diagnostics: problems };
    const report = collector("service-field");
    const located = (settings?: ReadonlyMap<SettingName, FieldPath>): Diagnostic[] => {
        const origin = { subject: document.subject, locate: document.locate, ...(settings && { settings }) };
        return inFileOrder(report.diagnostics.map((diagnostic) => locate(diagnostic, origin)));
    };
    const fields = readFields(document.object, facts, report, document.written);
    if (fields === undefined) return { diagnostics: located() };
    if (document.observed !== true) refuseUnknownFields(document.object, report);
    const { ports, diagnostics: wrongPorts } = readPorts(fields.ports, facts);
    if (fields.type !== "LoadBalancer") {
        checkOtherType(fields, report);
        if (fields.portsRequired) report.add(...wrongPorts);
        return { diagnostics: located() };
    }
    refuseManagedByCcm(fields, report);
    const annotations = withoutOwnMark(fields.annotations);
    const chosen = chosenType(annotations, typed);
    const type = requestedType ?? chosen ?? typeOfClass(fields.loadBalancerClass) ?? "clb";
    const other = assignmentOf({ annotations, ...defined({ loadBalancerClass: fields.loadBalancerClass }) }, type);
    if (other !== undefined) {
        warnOfOther(other, report);
        return { diagnostics: located() };
    }
    report.add(...checkClass(fields.loadBalancerClass, { program: requestedType, annotation: chosen }, facts));
    warnOfFields(fields, type, report);
    report.add(...wrongPorts);
    const read = mergeSettings(readAnnotations(annotations, document.written, type), readTypedSettings(typed, type));
    const { settings, paths } = read;
    report.add(
        ...read.diagnostics,
        ...checkPorts(ports, settings, facts, fields.nodePortsAssigned),
        ...checkSourceRanges(type, fields.loadBalancerSourceRanges, settings),
        ...(type === "nlb" ? checkGroupNames(fields, ports, settings, facts) : []),
    );
    // With wrong ports, rules that compare settings with ports would report the same again.
    const readable = Array.isArray(fields.ports) && fields.ports.length > 0 && fields.ports.length === ports.length;
    const mapped = settings.protocolPort !== undefined || !paths.has("protocolPort");
    report.add(
        ...applyRules({
            type,
            settings,
            attempted: new Set(paths.keys()),
            facts,
            ports: readable ? ports : undefined,
            externalTrafficPolicy: fields.externalTrafficPolicy,
            protocols: readable && mapped ? ports.map((port) => listenerProtocolOf(port, settings)) : undefined,
        }),
    );
    const diagnostics = located(paths);
    if (diagnostics.some(isError)) return { diagnostics };
    return { service: serviceOf(fields, { ports, loadBalancerType: type, settings }), diagnostics };
}

const serviceOf = (
    { namespace, name, uid, selector = {}, externalTrafficPolicy, loadBalancerClass, ...fields }: ServiceFields,
    read: Pick<Service, "ports" | "loadBalancerType" | "settings">,
): Service => ({
    namespace,
    name,
    ...defined({ uid, loadBalancerClass }),
    selector,
    externalTrafficPolicy,
    loadBalancerSourceRanges: fields.loadBalancerSourceRanges,
    object: fields.object,
    ...read,
});

function warnOfFields({ selector, labels }: ServiceFields, type: LoadBalancerType, report: Collector): void {
    if (selector !== undefined && Object.keys(selector).length === 0)
        report.warning(
            ["spec", "selector"],
            "the Service selects no pods: " +
                "it serves what is written to its EndpointSlices by hand or by another controller",
            "add spec.selector with the labels of the pods that serve, unless that is meant",
        );
    for (const key of Object.keys(labels).filter((label) => recognise(label, type).kind !== "other")) {
        const details = { code: "annotation-scope", part: "key" } as const;
        const about = ["metadata", "labels", key];
        report.warning(about, "an annotation among the labels has no effect", "move it to annotations", details);
    }
}

/** Refuses a Service whose NLB server groups would have too long names: their names are ownership marks. */
function checkGroupNames(
    { namespace, name }: ServiceFields,
    ports: readonly ServicePort[],
    settings: Settings,
    facts: ClusterFacts,
): readonly Diagnostic[] {
    const { most, source } = LIMITS.serverGroupName;
    const report = collector("service-field", { source });
    const owner = { namespace, name, clusterId: facts.clusterId ?? "" };
    const { from } = facts.nodePortRange ?? DEFAULT_NODE_PORTS;
    const made = ports.filter((port) => !isJoined(settings, port));
    const lengths = made.map((port) => {
        const range = settings.listenerPortRange?.find((entry) => entry.port === port.port);
        const own = backendTypeOf(settings, facts) === "eni" ? port.targetPort : (port.nodePort ?? from);
        const text = range === undefined ? own : `${range.from}_${range.to}`;
        return nlbOwnershipKey(text, nlbProtocol(listenerProtocolOf(port, settings)), owner).length;
    });
    const excess = Math.max(0, ...lengths) - most;
    if (excess > 0)
        report.error(
            ["metadata", "name"],
            `a server group of the NLB would have a name of ${most + excess} characters, and the cloud takes ` +
                `${most}: it has port, protocol, name, namespace and cluster id`,
            `use a name or a namespace that is shorter by ${excess}`,
        );
    return report.diagnostics;
}

function checkOtherType({ type, annotations }: ServiceFields, report: Collector): void {
    const [code, about] = ["service-type", ["spec", "type"]] as const;
    const idle = Object.keys(annotations).some((key) => recognise(key).kind !== "other");
    const cause =
        `not a LoadBalancer Service (its type is ${type}): nothing is created` +
        (idle ? ", and its load balancer annotations have no effect" : "");
    const remedy = "set spec.type to LoadBalancer if it should be reached through a load balancer";
    report.warning(about, cause, remedy, { code, source: notesDocument("Notes") });
    if (!hasSetting(annotations, "preserveLbOnDelete")) return;
    report.error(
        about,
        "the Service asks to preserve its load balancer, which is done by deleting the Service, " +
            `not by changing its type to ${type}`,
        "delete the Service, or remove the annotation that preserves the instance and only then change the type",
        { code, source: clbDocument("Preserve the CLB instance when deleting a Service") },
    );
}

export const hasSetting = (annotations: Readonly<Record<string, unknown>>, field: SettingName): boolean =>
    Object.entries(annotations).some(([key, value]) => {
        const known = recognise(key);
        return known.kind === "setting" && known.row.field === field && value !== "";
    });

/**
 * Remedy for clients inside the cluster with externalTrafficPolicy Local, where only nodes with a pod of the Service
 * answer for the load balancer's address. The recommended way comes first. Source: "FAQ about Services", Connectivity
 * issues, and "Notes on service load balancing configuration", access from within the cluster.
 *
 * @param clusterName DNS name of the Service inside the cluster.
 */
export const insideRemedy = (clusterName: string): string =>
    `let callers inside use ${clusterName}; or use externalTrafficPolicy Cluster, with which pods see a node's ` +
    'address instead of their caller\'s; or, with Terway, Cluster and backend-type "eni", which keeps that; ' +
    "or set hostname";

/** Checks those facts about a cluster that the rules for Services rely on. */
export function checkFacts(facts: ClusterFacts): readonly Diagnostic[] {
    const report = collector("cluster-facts");
    const refuse = (field: keyof ClusterFacts, cause: string, remedy: string): void =>
        report.error({ subject: "cluster facts", path: [field] }, cause, remedy);
    const { clusterId, compatibility, clusterType, networkPlugin, kubernetesVersion, createdAt, nodePortRange } = facts;
    if (clusterId === "")
        refuse("clusterId", "the id is empty", "give the id of the ACK cluster; names and ownership marks contain it");
    if (parseCcmVersion(compatibilityOf(facts)) === undefined) {
        const remedy = `write it as kubectl shows it, for example ${NEWEST_CCM} or v1.9.3.164-g2105d2e-aliyun`;
        refuse("compatibility", `"${compatibility}" is not a Cloud Controller Manager version`, remedy);
    }
    if (clusterType !== undefined && !CLUSTER_TYPES.includes(clusterType))
        refuse("clusterType", `"${clusterType}" is no type of cluster`, `write one of ${CLUSTER_TYPES.join(", ")}`);
    if (networkPlugin !== undefined && !NETWORK_PLUGINS.includes(networkPlugin)) {
        const cause = `"${networkPlugin}" is no network plug-in of ACK`;
        refuse("networkPlugin", cause, `write one of ${NETWORK_PLUGINS.join(", ")}`);
    }
    if (clusterType === "edge" && networkPlugin === "terway") {
        const cause = "an ACK Edge cluster runs Terway Edge or Flannel (VXLAN), not Terway";
        refuse("networkPlugin", cause, "write terway-edge or flannel, as the console shows it");
    }
    if (kubernetesVersion !== undefined && parseKubernetesVersion(kubernetesVersion) === undefined) {
        const cause = `"${kubernetesVersion}" is not a Kubernetes version`;
        refuse("kubernetesVersion", cause, "write it as kubectl version shows it, for example v1.34.1");
    }
    if (createdAt !== undefined && Number.isNaN(Date.parse(createdAt)))
        refuse("createdAt", `"${createdAt}" is not a date`, "write an ISO 8601 date, for example 2024-05-17T08:00:00Z");
    if (nodePortRange !== undefined && !isPortRange(nodePortRange)) {
        const cause = `${nodePortRange.from}-${nodePortRange.to} is not a range of ports`;
        refuse("nodePortRange", cause, "give two whole numbers from 1 to 65535, the smaller one first");
    }
    for (const cidr of facts.vpcCidrs ?? [])
        if (!isCidr(cidr)) {
            const cause = `"${cidr}" is not an address range`;
            refuse("vpcCidrs", cause, "write the VPC's ranges in CIDR notation, for example 10.0.0.0/8");
        }
    return report.diagnostics;
}

const isPortRange = ({ from, to }: NodePortRange): boolean =>
    Number.isInteger(from) && Number.isInteger(to) && from >= 1 && from <= to && to <= 65535;
