/** Texts that the formats of a report share. */

import type { AddressReport, BillingChange, FieldChange, GroupReport } from "./model";
import type { LoadBalancerReport, Report, SubjectReport } from "./model";
import type { Change } from "./step";
import { VERDICT_WORDS } from "./verdict";

/** Signs of changes. */
export const SIGNS: Readonly<Record<Change, string>> = {
    same: " ",
    create: "+",
    update: "~",
    replace: "±",
    delete: "-",
    import: ">",
    keep: "<",
};

/** Changes as printed. */
export const CHANGE_WORDS: Readonly<Record<Change, string>> = {
    same: "unchanged",
    create: "new",
    update: "changed",
    replace: "replaced",
    delete: "deleted",
    import: "taken over",
    keep: "left as it is",
};

/** Summarises the report in a sentence. */
export function headline({ project, stack, subjects, verdict, failed }: Report): string {
    const changing = subjects.filter((subject) => subject.verdict !== "nothing").length;
    const where = `${project}/${stack}`;
    if (failed) {
        const refused = subjects.filter((subject) => subject.refused).length;
        const those = refused === 0 ? "" : `: ${refused} of ${count(subjects.length, "Service")} refused`;
        return `${where}: the preview failed${those}`;
    }
    if (changing === 0) return `${where}: nothing changes for ${count(subjects.length, "Service")}`;
    const change = changing === 1 ? "changes" : "change";
    const services = count(subjects.length, "Service");
    return `${where}: ${changing} of ${services} ${change}; gravest: ${VERDICT_WORDS[verdict]}`;
}

/** Formats a number with its noun: `1 Service`, `2 Services`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

const INCOMPLETE =
    "The preview does not list what stays as it is: run pulumi preview with --json --show-sames for Services, " +
    "listeners and backends that do not change.";

const FAILED =
    "An update is refused too. The findings say what is wrong; of everything else this report shows what the preview " +
    "got to.";

/** Returns the reason for an incomplete report. */
export const caveats = ({ failed, complete }: Report): string[] => (failed ? [FAILED] : complete ? [] : [INCOMPLETE]);

/** Formats the verdict. */
export function describeVerdict({ verdict, refused }: Pick<SubjectReport, "verdict" | "refused">): string {
    if (!refused) return VERDICT_WORDS[verdict];
    return verdict === "nothing" ? "refused" : `refused (${VERDICT_WORDS[verdict]})`;
}

/** Formats a load balancer: `CLB lb-0001, made for this Service`. */
export function loadBalancerText({ kind, origin, id }: LoadBalancerReport): string {
    return `${kind.toUpperCase()}${id === null ? "" : ` ${id}`}, ${ORIGINS[origin]}`;
}

const ORIGINS = {
    created: "made for this Service",
    shared: "made by the program for several Services",
    reused: "user-managed",
} as const;

/** Formats the address before and after. */
export function describeAddress({ before, after, change }: LoadBalancerReport): string {
    if (before === null) return formatAddress(after, change === "import" ? "its present address" : "a new address");
    if (change === "delete") return `${formatAddress(before)} → none`;
    const [was, is] = [formatAddress(before), formatAddress(after)];
    return was === is ? was : `${was} → ${is}`;
}

function formatAddress(address: AddressReport | null, unknown = "a new address"): string {
    if (address === null) return "no address";
    return `${address.value ?? unknown} (${address.public ? "public" : "internal"})`;
}

/** Formats a listener: `tcp:80`, or `tcp:8443 → http:8443`. */
export function listenerText({ before, after }: SubjectReport["listeners"][number]): string {
    const [was, is] = [before, after].map((facts) => (facts === null ? undefined : `${facts.protocol}:${facts.port}`));
    return was === undefined || is === undefined || was === is ? (is ?? was ?? "?") : `${was} → ${is}`;
}

/** Formats a server group: `server group tcp-80 (rsp-1), user-managed`. */
export function describeGroup({ key, id, origin, synced, pending }: GroupReport): string {
    const notes = [
        ...(origin === "user-managed" ? ["user-managed"] : []),
        ...(synced ? ["kept by the sync controller between runs, members as of the last run"] : []),
        ...(pending === null ? [] : [`backends are known during the update, after ${pending}`]),
    ];
    return [`server group ${key}${id === null ? "" : ` (${id})`}`, ...notes].join(", ");
}

/** Formats weight and share before and after. */
export function describeWeight({ before, after }: GroupReport["backends"][number]): string {
    const share = arrow(percent(before?.share), percent(after?.share));
    const weight = `weight ${arrow(before?.weight, after?.weight)}`;
    return share === "" ? weight : `${weight}, ${share} of new connections`;
}

const percent = (share: number | null | undefined): string | undefined =>
    share === undefined || share === null ? undefined : `${share} %`;

/** Formats a value before and after; one value if it does not change or one side is missing. */
export function arrow(before: string | number | null | undefined, after: string | number | null | undefined): string {
    if ((before ?? null) === null || (after ?? null) === null || before === after) return String(after ?? before ?? "");
    return `${before} → ${after}`;
}

/** Formats a field: `scheduler: wrr → rr`. */
export const describeField = ({ field, before, after }: FieldChange): string =>
    `${field}: ${shorten(before ?? "not set")} → ${shorten(after ?? "not set")}`;

/** Cuts a text to 120 characters, or as many as given. */
export const shorten = (text: string, longest = 120): string =>
    text.length > longest ? `${text.slice(0, longest - 1)}…` : text;

/** Formats a billing change: `a CLB (PayByCLCU): becomes billable`. */
export const describeBilling = ({ what, change }: BillingChange): string => `${what}: ${BILLING_WORDS[change]}`;

const BILLING_WORDS = {
    starts: "becomes billable",
    stops: "is no longer billable",
    changes: "changes in quantity",
} as const;

/** True for a Service without changes and errors. */
export const isQuiet = ({ verdict, findings }: SubjectReport): boolean =>
    verdict === "nothing" && findings.every(({ severity }) => severity !== "error");

/** Divides backends into those that are listed, changes first, and the rest. */
export function foldBackends(
    backends: GroupReport["backends"],
    most: number,
): Record<"shown" | "folded", GroupReport["backends"]> {
    if (backends.length <= most) return { shown: backends, folded: [] };
    const changing = backends.filter(({ change }) => change !== "same");
    const chosen = new Set([...changing, ...backends.filter(({ change }) => change === "same")].slice(0, most));
    return { shown: backends.filter((one) => chosen.has(one)), folded: backends.filter((one) => !chosen.has(one)) };
}

/** Formats folded backends: `180 more: 3 new, 177 unchanged, 90 % of new connections`. */
export function describeFolded(folded: GroupReport["backends"]): string {
    const kinds = Object.entries(CHANGE_WORDS).flatMap(([change, word]) => {
        const number = folded.filter((one) => one.change === change).length;
        return number === 0 ? [] : [`${number} ${word}`];
    });
    const share = folded.reduce((sum, { after }) => sum + (after?.share ?? 0), 0);
    const known = folded.some(({ after }) => after !== null && after.share !== null);
    const shares = known ? `, ${Math.round(share * 10) / 10} % of new connections` : "";
    return `${folded.length} more: ${kinds.join(", ")}${shares}`;
}

/** Formats notices as lines. */
export const describeNotices = ({ notices }: SubjectReport): string[] =>
    notices.map(({ about, effect, duration }) => `${about}: ${effect} (${duration})`);

/** Returns the cells of a Service in the overview: name, verdict, address, first notice. */
export function overviewCells(subject: SubjectReport): string[] {
    const { loadBalancer, notices } = subject;
    const [first] = notices;
    return [
        subject.subject,
        describeVerdict(subject),
        loadBalancer === null ? "" : describeAddress(loadBalancer),
        first === undefined ? "nothing" : `${first.effect} (${first.duration})`,
    ];
}
