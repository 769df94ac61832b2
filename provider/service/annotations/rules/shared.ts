import { LIMITS, OWN_TAGS } from "../../../quotas/limits";
import { clbDocument, edgeDocument, faqDocument, RELEASE_NOTES } from "../../../schema/documents";
import { compatibilityOf, follows } from "../../../schema/facts";
import { CCM_SINCE } from "../../../schema/versions";
import { anyRowOf, rowsOf } from "../catalogue";
import { missingListeners, portNames, rule, type RuleContext, type SettingsRule, weightsNodesByPods } from "./context";
import { CLUSTER_TAG, OWNER_TAG, REUSED_TAG } from "../../../schema/names";
import { quote } from "../../../net/redact";
import { transportOf } from "../../../schema/protocols";
import { backendTypeOf, defaultOf, listenersManaged, missingVersion } from "../defaults";
import { keyOfSetting as keyOf } from "../keys";
import { effectiveSettings } from "./effect";

/** Tags by which the owner of an instance is recognised. */
export const SYSTEM_TAGS: readonly string[] = [OWNER_TAG, CLUSTER_TAG, REUSED_TAG];

const PRESERVATION = clbDocument("Preserve the CLB instance when deleting a Service");

/** Algorithms by which a backend with more weight gets more traffic. */
const WEIGHTED: readonly (string | undefined)[] = ["wrr", "wlc"];

/**
 * Returns the scheduler in front of the Service's backends, or undefined if its value was refused or, on a CLB, if it
 * is that of user-managed listeners.
 */
function schedulerOf({ type, settings, attempted, facts }: RuleContext): string | undefined {
    if (type === "clb" && !listenersManaged(settings)) return undefined;
    if (settings.scheduler === undefined && attempted.has("scheduler")) return undefined;
    return settings.scheduler ?? defaultOf("scheduler", facts, type);
}

/** Rules of both types of load balancer. */
export const sharedRules = {
    /** Refuses what the Cloud Controller Manager of the cluster does not support yet. */
    supportedVersion: rule("annotation-version", RELEASE_NOTES, (context, report) => {
        const { type, settings, attempted, facts } = context;
        const current = compatibilityOf(facts);
        for (const row of rowsOf(type)) {
            const lacking = attempted.has(row.field) ? missingVersion(facts, row.since) : undefined;
            if (lacking === undefined) continue;
            const remedy = "upgrade the Cloud Controller Manager, or remove the annotation";
            report.error(row.field, `needs ${lacking}`, remedy, { part: "key", source: row.source });
        }
        if (type !== "clb") return;
        const forZero = missingVersion(facts, CCM_SINCE.zeroWeight);
        if (settings.weight === 0 && forZero !== undefined)
            report.error(
                "weight",
                `a weight of 0 needs ${forZero}`,
                "upgrade the Cloud Controller Manager, or write 1 or more",
            );
        if (settings.aclId?.includes(",")) {
            const forLists = missingVersion(facts, CCM_SINCE.severalLists);
            if (forLists === undefined)
                report.warning(
                    "aclId",
                    "several access control lists are named, which the document does not support; the release notes " +
                        `and the API do, from Cloud Controller Manager ${CCM_SINCE.severalLists} on`,
                    "keep one list, with the entries of all, if the document is to count",
                    { code: "annotation-effect", source: clbDocument("Configure an access control list") },
                );
            else {
                const remedy = "upgrade the Cloud Controller Manager, or keep one list";
                report.error("aclId", `several access control lists need ${forLists}`, remedy);
            }
        }
        if (settings.id !== undefined && !follows(facts, "sharing")) {
            const cause =
                `before Cloud Controller Manager ${CCM_SINCE.sharing} only one Service can use an existing instance; ` +
                `the cluster is at ${current}`;
            const remedy = "upgrade the Cloud Controller Manager before a second Service uses the instance";
            report.warning("id", cause, remedy, { source: faqDocument("Why does reusing a CLB instance fail?") });
        }
    }),
    companions: rule("annotation-companion", undefined, ({ type, settings, attempted }, report) => {
        for (const row of rowsOf(type)) {
            const value = settings[row.field];
            if (value === undefined) continue;
            const missing = (row.companions ?? []).filter(({ field, equals, when }) => {
                if (when !== undefined && value !== when) return false;
                // The rule of redirects names a missing certificate with the missing listener.
                if (row.field === "forwardPort" && field === "certId" && missingListeners(settings).length > 0)
                    return false;
                const other = settings[field];
                const refused = other === undefined && attempted.has(field);
                return !refused && (equals === undefined ? other === undefined : other !== equals);
            });
            // All annotations that are required together are one choice: to add them, or to remove this annotation.
            for (const [severity, choice] of Map.groupBy(missing, (one) => one.severity)) {
                const needed = choice.map(({ field, equals }) =>
                    equals === undefined ? keyOf(field) : `${keyOf(field)}: "${equals}"`,
                );
                const condition = choice.some(({ when }) => when !== undefined) ? `"${String(value)}" ` : "";
                const verb = severity === "error" ? "needs" : "should come with";
                const reasons = choice.map(({ because }, index) => `${needed[index]}, because ${because}`);
                // What is stated otherwise is meant.
                const remedy = choice.some(({ field }) => settings[field] !== undefined)
                    ? `remove ${keyOf(row.field)}, or set ${needed.join(" and ")}`
                    : `add ${needed.join(" and ")}, or remove ${keyOf(row.field)}`;
                const cause = `${condition}${verb} ${reasons.join("; and ")}`;
                report[severity](row.field, cause, remedy, { source: row.source });
            }
        }
    }),
    tags: rule("annotation-value", PRESERVATION, ({ settings, facts }, report) => {
        if (settings.additionalResourceTags === undefined) return;
        for (const key of Object.keys(settings.additionalResourceTags).filter((tag) => SYSTEM_TAGS.includes(tag))) {
            const cause = `the tag "${key}" marks the owner of the instance and cannot be set`;
            report.error("additionalResourceTags", cause, `remove "${key}" from the tags`);
        }
        const count = Object.keys(settings.additionalResourceTags).length;
        const most = LIMITS.tags.most - OWN_TAGS;
        if (count > most)
            report.error(
                "additionalResourceTags",
                `has ${count} tags, but an instance has ${LIMITS.tags.most} at most, and ${OWN_TAGS} of them are its ` +
                    "owner's marks",
                `leave ${most} of them`,
                { source: LIMITS.tags.source },
            );
        const current = compatibilityOf(facts);
        if (settings.id !== undefined && !follows(facts, "tagsOnReused"))
            report.error(
                "additionalResourceTags",
                `an existing instance can be tagged from Cloud Controller Manager ${CCM_SINCE.tagsOnReused} on; ` +
                    `the cluster is at ${current}`,
                `remove ${keyOf("additionalResourceTags")}, or upgrade the Cloud Controller Manager`,
                { code: "annotation-exclusion", source: clbDocument("Use an existing CLB instance") },
            );
    }),
    preservation: rule("annotation-effect", PRESERVATION, ({ settings }, report) => {
        const value = settings.preserveLbOnDelete;
        if (value === undefined || !/^(?:|false|off|no|0)$/i.test(value.trim())) return;
        const remedy = 'remove the annotation to delete the instance with the Service, or write "true" to keep it';
        report.warning("preserveLbOnDelete", `any text preserves the instance, even ${quote(value)}`, remedy);
    }),
    protocolPort: rule("annotation-port", clbDocument("Create an HTTP listener"), ({ settings, ports }, report) => {
        const seen = new Map<string, string>();
        for (const { protocol, port } of settings.protocolPort ?? []) {
            const entry = `${protocol}:${port}`;
            const transport = transportOf(protocol);
            const earlier = seen.get(`${transport}:${port}`);
            if (earlier === undefined) seen.set(`${transport}:${port}`, entry);
            else report.error("protocolPort", `"${entry}" and "${earlier}" name the same port`, "keep one of them");
            const named = ports?.filter((candidate) => candidate.port === port);
            if (ports === undefined || named?.some((candidate) => candidate.protocol === transport)) continue;
            const other = named?.[0];
            if (other === undefined) {
                const cause = `"${entry}" names port ${port}, which the Service does not have`;
                report.error("protocolPort", cause, portNames(ports));
            } else {
                const needed = `"${entry}" needs a ${transport} port`;
                const cause = `${needed}, but port ${port} of the Service is ${other.protocol}`;
                const remedy = `change the protocol of port ${port} in spec.ports, or remove the entry`;
                report.error("protocolPort", cause, remedy);
            }
        }
    }),
    vgroupPort: rule("annotation-port", anyRowOf("vgroupPort").source, ({ settings, ports, facts }, report) => {
        const { vgroupPort = [], listenerPortRange = [] } = settings;
        const backendPort = backendTypeOf(settings, facts) === "eni" ? "targetPort" : "nodePort";
        const portsAt = (port: number) => ports?.filter((candidate) => candidate.port === port) ?? [];
        // Pods answer ranges of ports on the port that the client asked for.
        const isRange = (port: number): boolean => listenerPortRange.some((range) => range.port === port);
        // Pods answer all ports with the same targetPort alike.
        const targetOf = (port: number): number | string | undefined => {
            if (isRange(port)) return "any";
            return backendPort === "targetPort" ? portsAt(port)[0]?.targetPort : port;
        };
        for (const [vgroupId, entries] of Map.groupBy(vgroupPort, (entry) => entry.vgroupId)) {
            if (new Set(entries.map(({ port }) => targetOf(port))).size < 2) continue;
            const cause = `"${vgroupId}" is named for ports with different backends: each would reach those of all`;
            report.error("vgroupPort", cause, "name another group for each port");
        }
        const seen = new Set<number>();
        for (const { vgroupId, port } of vgroupPort) {
            const entry = `${vgroupId}:${port}`;
            if (seen.has(port))
                report.error("vgroupPort", `"${entry}" is the second entry for port ${port}`, "keep one of them");
            seen.add(port);
            const stated = new Set(portsAt(port).flatMap(({ [backendPort]: one }) => one ?? []));
            if (stated.size > 1 && !isRange(port)) {
                const cause = `"${entry}" is about a TCP and a UDP port with different backends`;
                report.error("vgroupPort", cause, `give both the same ${backendPort} in spec.ports`);
            }
            if (ports === undefined || portsAt(port).length > 0) continue;
            report.error(
                "vgroupPort",
                `"${entry}" names port ${port}, which the Service does not have`,
                portNames(ports),
            );
        }
    }),
    backendType: rule("annotation-exclusion", undefined, ({ type, settings, facts }, report) => {
        if (settings.backendType !== "eni" || facts.networkPlugin !== "flannel") return;
        const byAddress = type === "nlb" && settings.serverGroupType === "Ip";
        const cause = byAddress
            ? "pods can be reached by their addresses from outside the cluster only with Terway Edge (or Terway), " +
              "but the cluster uses Flannel"
            : "pods have their own network interfaces only with Terway, but the cluster uses Flannel";
        report.error("backendType", cause, `set ${keyOf("backendType")}: "ecs", or remove it`, {
            source: byAddress ? edgeDocument("Prerequisites") : clbDocument("Use Pod ENIs as backend servers"),
        });
    }),
    gracefulShutdown: rule("annotation-effect", anyRowOf("gracefulShutdown").source, (context, report) => {
        if (context.settings.gracefulShutdown !== "true") return;
        if (effectiveSettings(context).gracefulShutdown === undefined) return;
        const algorithm = schedulerOf(context);
        if (algorithm === undefined || WEIGHTED.includes(algorithm)) return;
        report.warning(
            "gracefulShutdown",
            `the Cloud Controller Manager recommends a scheduler that regards weights with it, and "${algorithm}" ` +
                "does not",
            `set ${keyOf("scheduler")}: "wrr"`,
        );
    }),
    undocumented: rule("annotation-undocumented", undefined, ({ type, settings }, report) => {
        for (const { field, source } of rowsOf(type).filter((row) => row.undocumented === true)) {
            if (settings[field] === undefined) continue;
            const cause =
                "no document describes the annotation; it is known from the source of the Cloud Controller Manager";
            const remedy = "do without it if the Service may go back to the Cloud Controller Manager, or keep it";
            report.warning(field, cause, remedy, { part: "key", source });
        }
    }),
    weighted: rule("annotation-effect", undefined, (context, report) => {
        const { type, settings } = context;
        const algorithm = weightsNodesByPods(context) ? schedulerOf(context) : undefined;
        if (algorithm === undefined || WEIGHTED.includes(algorithm)) return;
        const section = "Use only nodes running Pods as backend servers";
        report.warning(
            settings.scheduler === undefined ? ["spec", "externalTrafficPolicy"] : "scheduler",
            "with externalTrafficPolicy Local, nodes have weights by their number of pods, and " +
                `"${algorithm}" does not regard weights: pods on crowded nodes get less traffic`,
            `set ${keyOf("scheduler")}: "wrr"`,
            { source: type === "clb" ? clbDocument(section) : edgeDocument("Choose an external traffic policy") },
        );
    }),
} satisfies Readonly<Record<string, SettingsRule>>;
