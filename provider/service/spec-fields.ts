/** Fields of a Service's spec: who uses each of them, and the values that the API server takes. */

import { type Collector, type FieldPath, isMapping } from "../diagnostics";
import { quote } from "../net/redact";
import { type ClusterFacts, isKubernetesBelow } from "../schema/facts";

/** `package`: this package reads it. `cluster`: it has an effect inside the cluster only. `none`: it has no effect. */
type FieldUse = "package" | "cluster" | "none";

interface SpecField {
    readonly use: FieldUse;
    /** Its effect, or what has the effect that its name promises. */
    readonly doc: string;
    /** Warning about a value that its author may expect to change the load balancer. */
    readonly advice?: {
        /** True for values that differ from those of a Service without the field. */
        readonly applies: (value: unknown) => boolean;
        readonly cause: string;
        readonly remedy: string;
    };
}

const OWN = (doc: string): SpecField => ({ use: "package", doc });
const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== "" && value !== 0;
const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/**
 * Every field of a Service's spec. Source: Kubernetes 1.36, API reference, ServiceSpec. The Cloud Controller
 * Manager reads the fields of `package` only.
 */
export const SPEC_FIELDS = {
    allocateLoadBalancerNodePorts: OWN("Without node ports, pods have to be the backends."),
    clusterIP: OWN("`None`, a headless Service, is refused. Any other address is the cluster's."),
    clusterIPs: { use: "cluster", doc: "Addresses inside the cluster." },
    externalIPs: {
        use: "cluster",
        doc: "Nodes take traffic to these addresses. Deprecated from Kubernetes 1.36 on. See `id` and `ip`.",
        advice: {
            applies: isFilled,
            cause:
                "the load balancer does not get these addresses; nodes take traffic to them, " +
                "also that of others (deprecated from Kubernetes 1.36 on, CVE-2020-8554)",
            remedy: "remove it; the annotation id names an existing load balancer, ip the address of an internal CLB",
        },
    },
    externalName: {
        use: "none",
        doc: "For the type ExternalName only.",
        advice: {
            applies: isSet,
            cause: "it has no effect on a Service of type LoadBalancer",
            remedy: "remove it; the annotation hostname shows a name as the address of a CLB",
        },
    },
    externalTrafficPolicy: OWN("Decides which nodes are backends, and their weights."),
    healthCheckNodePort: {
        use: "cluster",
        doc: "Nodes answer on it while externalTrafficPolicy is Local. The load balancer does not ask it.",
        advice: {
            applies: isSet,
            cause:
                "the load balancer's health checks do not ask this port, " +
                "which exists with externalTrafficPolicy Local only",
            remedy: "remove it; the annotation health-check-connect-port sets the port of health checks",
        },
    },
    internalTrafficPolicy: {
        use: "cluster",
        doc: "For traffic from inside the cluster. See `externalTrafficPolicy`.",
        advice: {
            applies: (value) => value === "Local",
            cause: "it is for clients inside the cluster and has no effect on the load balancer's traffic",
            remedy: "set externalTrafficPolicy for the load balancer's traffic, unless it is meant for clients inside",
        },
    },
    ipFamilies: {
        use: "cluster",
        doc: "IP versions inside the cluster. Those of the load balancer are set by `ip-version`.",
    },
    ipFamilyPolicy: {
        use: "cluster",
        doc: "IP versions inside the cluster. Those of the load balancer are set by `ip-version`.",
        advice: {
            applies: (value) => value === "PreferDualStack" || value === "RequireDualStack",
            cause: "it and ipFamilies are for addresses inside the cluster; the load balancer does not follow them",
            remedy: "set the annotation ip-version for the load balancer, or leave it if only the cluster is meant",
        },
    },
    loadBalancerClass: OWN("Decides between a CLB and an NLB, and who serves the Service."),
    loadBalancerIP: {
        use: "none",
        doc: "Deprecated from Kubernetes 1.24 on. See `id` and `ip`, and `zone-maps` of an NLB.",
        advice: {
            applies: isSet,
            cause: "the load balancer does not get this address: neither a CLB nor an NLB follows the field",
            remedy:
                "remove it; the annotation id names an existing load balancer, ip the address of an internal CLB, " +
                "zone-maps the addresses of an NLB",
        },
    },
    loadBalancerSourceRanges: OWN("Becomes an access control list, or rules of a security group."),
    ports: OWN("Each port becomes a listener."),
    publishNotReadyAddresses: OWN("Pods that are not ready may be backends: their EndpointSlices call them ready."),
    selector: OWN("Selects the pods."),
    sessionAffinity: {
        use: "cluster",
        doc: "Nodes keep a client on a pod. The load balancer follows `persistence-timeout` and `sticky-session`.",
        advice: {
            applies: (value) => value === "ClientIP",
            cause: "nodes keep a client on a pod, but the load balancer may send its next connection to another node",
            remedy:
                "set persistence-timeout (TCP and UDP listeners of a CLB), sticky-session (HTTP and HTTPS) or " +
                'the scheduler "sch", by source address',
        },
    },
    sessionAffinityConfig: { use: "cluster", doc: "The timeout of `sessionAffinity`." },
    trafficDistribution: {
        use: "cluster",
        doc: "Which pods nodes prefer. The load balancer sends traffic to all backends.",
        advice: {
            applies: isSet,
            cause: "nodes follow it; the load balancer itself sends traffic to the backends of all zones",
            remedy: "for an NLB set cross-zone-enabled, or leave it if only traffic from nodes to pods is meant",
        },
    },
    type: OWN("Services of type LoadBalancer get one."),
} satisfies Readonly<Record<string, SpecField>>;

const FIELDS: Readonly<Record<string, SpecField>> = SPEC_FIELDS;

/** Returns the advice about a field of the spec, or undefined if the load balancer follows the field. */
export const remedyOfField = (name: string): string | undefined => FIELDS[name]?.advice?.remedy;

/**
 * Warns of fields that do not do to the load balancer what their names promise.
 *
 * @param isLive true for an object of a cluster, which sets ports for itself.
 */
export function adviseOnFields(spec: Readonly<Record<string, unknown>>, isLive: boolean, report: Collector): void {
    for (const [name, { advice }] of Object.entries(FIELDS)) {
        if (advice === undefined || !advice.applies(spec[name])) continue;
        if (isLive && name === "healthCheckNodePort") continue;
        report.warning(["spec", name], advice.cause, advice.remedy, { part: "key" });
    }
    const { ports } = spec;
    const at = Array.isArray(ports) ? ports.findIndex((port) => isMapping(port) && isSet(port["appProtocol"])) : -1;
    if (at < 0) return;
    const cause = "it tells ingress controllers the protocol of the pods; the listener does not follow it";
    const remedy = 'set the annotation protocol-port for the listener\'s protocol, such as "http:80"';
    report.warning(["spec", "ports", at, "appProtocol"], cause, remedy, { part: "key" });
}

/** First Kubernetes version with these values by default. Source: Kubernetes, Service, traffic distribution. */
const DISTRIBUTIONS: Readonly<Record<string, number>> = { PreferClose: 31, PreferSameZone: 34, PreferSameNode: 34 };

const ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
    internalTrafficPolicy: ["Cluster", "Local"],
    ipFamilyPolicy: ["SingleStack", "PreferDualStack", "RequireDualStack"],
    sessionAffinity: ["None", "ClientIP"],
    trafficDistribution: Object.keys(DISTRIBUTIONS),
};

const IP_FAMILIES = ["IPv4", "IPv6"];

/** Most seconds of a session's affinity, a day. Source: Kubernetes API reference, ClientIPConfig. */
const MOST_AFFINITY_SECONDS = 86_400;

/** Refuses values of the spec's enumerations that the API server refuses. */
export function checkEnumerations(
    spec: Readonly<Record<string, unknown>>,
    facts: ClusterFacts,
    report: Collector,
): void {
    const refuse = (path: FieldPath, cause: string, remedy: string): void =>
        report.error(["spec", ...path], cause, remedy);
    for (const [name, words] of Object.entries(ENUMERATIONS)) {
        const value = spec[name];
        if (!isSet(value) && value !== 0) continue;
        if (!words.some((word) => word === value))
            refuse([name], `${quote(value)} is not allowed`, `write ${listed(words)}, in this case, or remove it`);
    }
    const { trafficDistribution, ipFamilies, ipFamilyPolicy, sessionAffinity, sessionAffinityConfig } = spec;
    const since = typeof trafficDistribution === "string" ? DISTRIBUTIONS[trafficDistribution] : undefined;
    if (since !== undefined && isKubernetesBelow(facts, since)) {
        const needed = `${quote(trafficDistribution)} needs Kubernetes 1.${since}`;
        const cause = `${needed}, but the cluster runs ${facts.kubernetesVersion}`;
        const older =
            since > 31 && !isKubernetesBelow(facts, 31) ? "write PreferClose, or upgrade the cluster" : "remove it";
        refuse(["trafficDistribution"], cause, older);
    }
    if (ipFamilies !== undefined && ipFamilies !== null) checkFamilies(ipFamilies, ipFamilyPolicy, refuse);
    if (!isMapping(sessionAffinityConfig)) return;
    if ((sessionAffinity ?? "None") === "None" && Object.keys(sessionAffinityConfig).length > 0)
        refuse(["sessionAffinityConfig"], "sessionAffinity is None", "set sessionAffinity to ClientIP, or remove it");
    const { clientIP } = sessionAffinityConfig;
    const seconds = isMapping(clientIP) ? clientIP["timeoutSeconds"] : undefined;
    if (seconds === undefined || seconds === null) return;
    if (typeof seconds === "number" && Number.isInteger(seconds) && seconds >= 1 && seconds <= MOST_AFFINITY_SECONDS)
        return;
    const remedy = `write a whole number from 1 to ${MOST_AFFINITY_SECONDS}, unquoted`;
    refuse(["sessionAffinityConfig", "clientIP", "timeoutSeconds"], `${quote(seconds)} is not allowed`, remedy);
}

function checkFamilies(
    families: unknown,
    policy: unknown,
    refuse: (path: FieldPath, cause: string, remedy: string) => void,
): void {
    const remedy = "write a list of IPv4, IPv6 or both, each once";
    const isList = Array.isArray(families) && families.every((one) => IP_FAMILIES.includes(one as string));
    if (!isList || new Set(families).size !== families.length)
        refuse(["ipFamilies"], `${quote(families)} is not allowed`, remedy);
    else if (families.length > 1 && policy !== "PreferDualStack" && policy !== "RequireDualStack")
        refuse(
            ["ipFamilies"],
            "two IP versions need an ipFamilyPolicy of two",
            "set ipFamilyPolicy to PreferDualStack or RequireDualStack, or name one version",
        );
}

const listed = (words: readonly string[]): string => `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/**
 * Reports a Service's name that begins with a digit, if the cluster is known to be too old for it. Source: KEP 5311,
 * RelaxedServiceNameValidation, on by default from Kubernetes 1.36 on.
 */
export function checkFirstDigit(name: string, facts: ClusterFacts, report: Collector): void {
    if (!/^[0-9]/.test(name) || !isKubernetesBelow(facts, 36)) return;
    report.error(
        ["metadata", "name"],
        `"${name}" begins with a digit, which Kubernetes takes from 1.36 on; ` +
            `the cluster runs ${facts.kubernetesVersion}`,
        "begin the name with a letter, or upgrade the cluster",
    );
}
