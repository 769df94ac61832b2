/**
 * Settings without an effect on the load balancer of their Service. Each is reported once, and no other rule, policy or
 * advice regards it.
 */
import { clbDocument, notesDocument } from "../../../schema/documents";
import type { LoadBalancerType } from "../../../schema/load-balancer-type";
import type { SettingName, Settings } from "../../../schema/settings";
import type { Diagnostic } from "../../../diagnostics";
import { anyRowOf, rowsOf } from "../catalogue";
import { backendTypeOf, isJoined, listenersManaged } from "../defaults";
import { keyOfSetting as keyOf } from "../keys";
import { nlbHealthCheckRows, nlbServerGroupRows } from "../nlb/backend";
import type { AnnotationGroup } from "../row";
import {
    hasListener,
    HTTP_CHECK_SETTINGS,
    mayHaveListener,
    rule,
    type RuleContext,
    weightsNodesByPods,
} from "./context";

/** Groups of settings that only listeners regard. */
const OF_LISTENERS: Readonly<Record<LoadBalancerType, readonly AnnotationGroup[]>> = {
    clb: ["listener", "health-check"],
    nlb: ["listener"],
};

/** Settings of those groups that act on server groups, or that assign listeners to ports. */
const ACT_ANYWAY: Readonly<Record<LoadBalancerType, readonly string[]>> = {
    clb: ["protocolPort"],
    nlb: ["protocolPort", "listenerPortRange", ...Object.keys(nlbServerGroupRows)],
};

/** Settings of a reused instance that only creation and deletion, or listeners that are not managed, would regard. */
const unmanaged = rule("annotation-scope", notesDocument("Load balancing update policies"), (context, report) => {
    const { type, settings } = context;
    if (settings.id === undefined) return;
    const ineffective = (field: SettingName, cause: string, remedy = `remove ${keyOf(field)}`): void => {
        if (settings[field] === undefined) return;
        report.warning(field, `${cause}; it has no effect`, remedy, { part: "key" });
    };
    for (const field of ["vswitchId", "networkType"] as const)
        ineffective(field, "counts when an instance is created, but the Service uses an existing one");
    ineffective("preserveLbOnDelete", "an existing instance stays in any case when the Service is deleted");
    if (listenersManaged(settings)) return;
    for (const { field, group } of rowsOf(type)) {
        if (ACT_ANYWAY[type].includes(field) || !OF_LISTENERS[type].includes(group)) continue;
        const remedy =
            `remove it, or set ${keyOf("forceOverrideListeners")}: "true" ` +
            "to manage the listeners of this Service's ports";
        ineffective(field, "belongs to listeners, which are not managed on an existing instance", remedy);
    }
});

/** Settings of the server groups of an NLB, where those of all ports are user-managed. */
const joined = rule("annotation-scope", anyRowOf("vgroupPort").source, ({ type, settings, ports }, report) => {
    if (type !== "nlb" || ports?.every((port) => isJoined(settings, port)) !== true) return;
    for (const field of Object.keys({ ...nlbServerGroupRows, ...nlbHealthCheckRows }) as SettingName[]) {
        if (settings[field] === undefined) continue;
        const cause = "belongs to server groups, and those of all ports are user-managed; it has no effect";
        report.warning(field, cause, "remove it, and set it in your server groups", { part: "key" });
    }
});

const UNMANAGED = [unmanaged, joined];

/** Rules by the reason why a setting has no effect. The first reason of a setting counts. */
const RULES = [
    ...UNMANAGED,
    rule("annotation-scope", undefined, (context, report) => {
        const list = (protocols: Iterable<string>): string =>
            [...new Set(protocols)].map((protocol) => protocol.toUpperCase()).join(" and ");
        for (const { field, protocols, source } of rowsOf(context.type)) {
            if (protocols === undefined || context.settings[field] === undefined) continue;
            if (mayHaveListener(context, ...protocols)) continue;
            const present = list(context.protocols ?? []);
            const cause =
                `applies to ${list(protocols)} listeners only, ` +
                `but the Service has ${present} listeners; it has no effect`;
            const remedy = "remove it, or give a port such a listener by protocol-port";
            report.warning(field, cause, remedy, { part: "key", source });
        }
    }),
    rule("annotation-scope", undefined, ({ settings, attempted, facts }, report) => {
        if (settings.backendType === undefined && attempted.has("backendType")) return;
        if (backendTypeOf(settings, facts) !== "eni") return;
        for (const field of ["backendLabel", "removeUnscheduledBackend"] as const) {
            if (settings[field] === undefined) continue;
            const cause = "selects nodes, but pods are the backends of this Service; it has no effect";
            const remedy = `remove ${keyOf(field)}, or set ${keyOf("backendType")}: "ecs"`;
            report.warning(field, cause, remedy, { part: "key", source: anyRowOf(field).source });
        }
    }),
    rule("annotation-scope", anyRowOf("defaultWeight").source, (context, report) => {
        const { defaultWeight, weight } = context.settings;
        const cause = weightsNodesByPods(context)
            ? "with externalTrafficPolicy Local, nodes are weighted by their number of pods"
            : weight !== undefined && context.ports?.every((port) => isJoined(context.settings, port))
              ? `the backends of all ports share ${keyOf("weight")}`
              : undefined;
        if (defaultWeight === undefined || cause === undefined) return;
        report.warning("defaultWeight", `${cause}; it has no effect`, `remove ${keyOf("defaultWeight")}`, {
            part: "key",
        });
    }),
    rule("annotation-scope", anyRowOf("gracefulShutdown").source, (context, report) => {
        const { settings, attempted, facts } = context;
        const field = "gracefulShutdown";
        if (settings.gracefulShutdown !== "true") return;
        const ineffective = (cause: string, remedy: string): void =>
            report.warning(field, `${cause}; it has no effect`, remedy, { part: "key" });
        if (backendTypeOf(settings, facts) !== "eni") {
            if (settings.backendType === undefined && attempted.has("backendType")) return;
            const cause = "nodes are the backends of this Service, and weight 0 would stop all pods of a node";
            return ineffective(cause, `set ${keyOf("backendType")}: "eni" in a cluster with Terway, or remove it`);
        }
        if (settings.ignoreWeightUpdate !== "on") return;
        const other = keyOf("ignoreWeightUpdate");
        const cause = `with ${other}: "on" no weight becomes 0, and pods that terminate are removed at once`;
        ineffective(cause, `remove ${keyOf(field)} or ${other}`);
    }),
    rule("annotation-scope", undefined, ({ type, settings }, report) => {
        if (type !== "clb" || settings.hostname === undefined || settings.externalIpType === undefined) return;
        const remedy = `remove ${keyOf("externalIpType")} or ${keyOf("hostname")}`;
        report.warning("externalIpType", "the hostname is shown instead; it has no effect", remedy, {
            part: "key",
            source: clbDocument("Set a hostname for the Service"),
        });
    }),
    /** TCP listeners of a CLB, and server groups of an NLB, check by opening a connection unless told otherwise. */
    rule("annotation-scope", undefined, (context, report) => {
        const { type, settings, attempted } = context;
        const { healthCheckType: how } = settings;
        if (how === "http" || (how === undefined && attempted.has("healthCheckType"))) return;
        const isClb = type === "clb";
        if (isClb && (mayHaveListener(context, "http", "https") || !hasListener(context, "tcp"))) return;
        const cause = isClb
            ? "only checks by HTTP use it, but TCP listeners check by opening a connection " +
              `unless ${keyOf("healthCheckType")} is "http"`
            : `only checks by HTTP use it, but backends are checked by ${how ?? "tcp"}`;
        for (const field of [...HTTP_CHECK_SETTINGS, ...(isClb ? (["healthCheckTimeout"] as const) : [])]) {
            if (settings[field] === undefined) continue;
            const remedy = `add ${keyOf("healthCheckType")}: "http", or remove ${keyOf(field)}`;
            const source = isClb ? clbDocument("Configure HTTP health checks") : anyRowOf(field).source;
            report.warning(field, cause, remedy, { part: "key", source });
        }
    }),
];

/** Returns a warning for each setting without an effect. */
export function ineffective(context: RuleContext): Diagnostic[] {
    const found = new Map<SettingName, Diagnostic>();
    for (const one of RULES.flatMap((check) => check(context)))
        if (one.setting !== undefined && !found.has(one.setting)) found.set(one.setting, one);
    return [...found.values()];
}

function without(settings: Settings, left: readonly Diagnostic[]): Settings {
    const idle = new Set<string | undefined>(left.map(({ setting }) => setting));
    return Object.fromEntries(Object.entries(settings).filter(([field]) => !idle.has(field)));
}

/** Returns the settings that have an effect on the load balancer of a Service. */
export const effectiveSettings = (context: RuleContext): Settings => without(context.settings, ineffective(context));

/** Returns the settings of what is managed: without those that only user-managed listeners or groups would regard. */
export const managedSettings = (context: RuleContext): Settings =>
    without(
        context.settings,
        UNMANAGED.flatMap((check) => check(context)),
    );
