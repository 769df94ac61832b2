/** Rules about several settings, or about settings and the rest of the Service or the cluster. */

import { type Collector, collector, type Diagnostic, type AnnotationCode } from "../../../diagnostics";
import type { ClusterFacts } from "../../../schema/facts";
import type { LoadBalancerType } from "../../../schema/load-balancer-type";
import type { ListenerProtocol, PortOfService } from "../../../schema/protocols";
import { backendTypeOf, listenersManaged } from "../defaults";
import { keyOfSetting } from "../keys";
import type { SettingName, Settings } from "../../../schema/settings";

/** Facts of a Service whose own fields are valid. */
export interface RuleContext {
    readonly type: LoadBalancerType;
    readonly settings: Settings;
    /** Settings that are present, even with a refused value: a rule must not report them as missing. */
    readonly attempted: ReadonlySet<SettingName>;
    readonly facts: ClusterFacts;
    /** `undefined` if `spec.ports` is not readable. */
    readonly ports:
        readonly (PortOfService & { readonly targetPort: number | string; readonly nodePort?: number })[] | undefined;
    readonly externalTrafficPolicy: "Cluster" | "Local";
    /** Listener protocol of each of `ports`. `undefined` if `ports` or `protocol-port` is not readable. */
    readonly protocols: readonly ListenerProtocol[] | undefined;
}

export type SettingsRule = (context: RuleContext) => readonly Diagnostic[];

/** Makes a rule. All its reports have this code and this source, unless the report gives others. */
export function rule(
    code: AnnotationCode,
    source: string | undefined,
    check: (context: RuleContext, report: Collector) => void,
): SettingsRule {
    return (context) => {
        const report = collector(code, { source });
        check(context, report);
        return report.diagnostics;
    };
}

/**
 * True if a managed listener, or a server group of an NLB, has one of the protocols, and false if the protocols are not
 * known.
 */
export const hasListener = (context: RuleContext, ...among: readonly ListenerProtocol[]): boolean =>
    (context.type === "nlb" || listenersManaged(context.settings)) &&
    (context.protocols?.some((protocol) => among.includes(protocol)) ?? false);

/** The same, but true if the protocols are not known. */
export const mayHaveListener = (context: RuleContext, ...among: readonly ListenerProtocol[]): boolean =>
    context.protocols === undefined || hasListener(context, ...among);

/** Returns the Service ports with a managed listener of this protocol, and their places in `spec.ports`. */
export const portsOf = ({ ports = [], protocols, settings }: RuleContext, protocol: ListenerProtocol) =>
    !listenersManaged(settings)
        ? []
        : ports.map((port, index) => ({ ...port, index })).filter(({ index }) => protocols?.[index] === protocol);

/** True if the weights of nodes follow the number of their pods. */
export const weightsNodesByPods = ({ settings, facts, externalTrafficPolicy }: RuleContext): boolean =>
    externalTrafficPolicy === "Local" && backendTypeOf(settings, facts) !== "eni";

/** Returns the values that were in the list before. */
export function repeated<Value>(values: readonly Value[]): Value[] {
    const seen = new Set<Value>();
    return values.filter((value) => {
        const isRepeated = seen.has(value);
        seen.add(value);
        return isRepeated;
    });
}

/** Returns the remedy for a port that the Service does not have. */
export function portNames(ports: NonNullable<RuleContext["ports"]>): string {
    const first = ports.slice(0, 10).map(({ port }) => port);
    return `use one of ${first.join(", ")}${ports.length > first.length ? ", …" : ""}, or add the port to spec.ports`;
}

export function requireCertificate(
    listener: string,
    ports: readonly PortOfService[],
    { attempted }: RuleContext,
    report: Collector,
): void {
    if (ports.length === 0 || attempted.has("certId")) return;
    const key = keyOfSetting("certId");
    const cause = `${listener} listener (port ${ports.map(({ port }) => port).join(", ")}) needs ${key}`;
    report.error("protocolPort", cause, `add ${key} with the id of a certificate`);
}

export function requireIpvs({ kubeProxyMode }: ClusterFacts, report: Collector): void {
    const needed = "needs kube-proxy in IPVS mode";
    if (kubeProxyMode === "iptables") {
        const remedy = `remove ${keyOfSetting("ipVersion")}, or use a cluster with IPVS`;
        report.error("ipVersion", `${needed}, but the cluster runs it in iptables mode`, remedy);
    } else if (kubeProxyMode === undefined) {
        const remedy = "make sure of it, and state it (kubeProxyMode, --kube-proxy-mode ipvs)";
        report.warning("ipVersion", `${needed}, which is not known here`, remedy, { code: "annotation-effect" });
    }
}

/** Returns the listeners of redirects that `protocol-port`, where it is set, does not name. */
export const missingListeners = ({ protocolPort, forwardPort = [] }: Settings) =>
    forwardPort
        .flatMap(({ http, https }) => [
            { protocol: "http", port: http },
            { protocol: "https", port: https },
        ])
        .filter(
            ({ protocol, port }) =>
                protocolPort?.every((entry) => entry.port !== port || entry.protocol !== protocol) ?? false,
        );

export const HTTP_CHECK_SETTINGS = [
    "healthCheckUri",
    "healthCheckHttpcode",
    "healthCheckDomain",
    "healthCheckMethod",
    "healthCheckHttpVersion",
] as const;
