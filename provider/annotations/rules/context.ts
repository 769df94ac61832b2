/** What a rule about several settings can see. */

import type { ClusterFacts } from "../../schema/facts";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { Diagnostic } from "../../diagnostics";
import type { ListenerProtocol, PortOfService } from "../../schema/protocols";
import type { SettingName, Settings } from "../../schema/settings";

/** The facts of one Service, after its own fields were found to be in order. */
export interface RuleContext {
    /** The kind of load balancer that the Service gets. */
    readonly type: LoadBalancerType;
    readonly settings: Settings;
    /** Settings that are present, even if their value was refused: a rule must not report them as missing. */
    readonly attempted: ReadonlySet<SettingName>;
    readonly facts: ClusterFacts;
    /** `undefined` if `spec.ports` is not readable. */
    readonly ports: readonly (PortOfService & { readonly targetPort: number | string })[] | undefined;
    readonly externalTrafficPolicy: "Cluster" | "Local";
    /** The protocol of the listener of every port, in the order of `ports`. `undefined` if `ports` or `protocol-port` is not readable. */
    readonly protocols: readonly ListenerProtocol[] | undefined;
}

/** A rule. It reports everything that it finds, not just the first thing. */
export type Rule = (context: RuleContext) => readonly Diagnostic[];

/** Whether one of the listeners speaks one of the protocols; true where that is not known, so that no rule complains. */
export function hasListener(context: RuleContext, ...protocols: readonly ListenerProtocol[]): boolean {
    return context.protocols === undefined || context.protocols.some((protocol) => protocols.includes(protocol));
}

export { keyOfSetting as keyOf } from "../keys";
