/** Texts that the formats of a report share. */

import type { AddressReport, BackendReport, FieldChange, Finding, GroupReport, LoadBalancerReport } from "./model";
import type { Report, SubjectReport, Verdict } from "./model";
import type { Change } from "./step";

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
    nothing: "nothing changes",
    "backends-only": "backends only",
    "in-place": "changes in place",
    adopts: "taken over",
    leaves: "left as it is",
    creates: "new",
    interrupts: "interrupts traffic",
    "replaces-listener": "replaces a listener",
    "replaces-address": "replaces the address",
    deletes: "deleted",
};

export const SIGNS: Readonly<Record<Change, string>> = {
    same: " ",
    create: "+",
    update: "~",
    replace: "±",
    delete: "-",
    import: ">",
    keep: "<",
};

export const CHANGE_WORDS: Readonly<Record<Change, string>> = {
    same: "unchanged",
    create: "new",
    update: "changed",
    replace: "replaced",
    delete: "deleted",
    import: "taken over",
    keep: "left as it is",
};

export function headline({ project, stack, subjects, verdict, failed }: Report): string {
    const changing = subjects.filter((subject) => subject.verdict !== "nothing").length;
    const refused = subjects.filter((subject) => subject.refused).length;
    const services = count(subjects.length, "Service");
    const where = `${project}/${stack}`;
    if (failed) return `${where}: the preview failed${refused === 0 ? "" : `: ${refused} of ${services} refused`}`;
    if (changing === 0) return `${where}: nothing changes for ${services}`;
    const change = changing === 1 ? "changes" : "change";
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

export const caveats = ({ failed, complete }: Report): string[] => (failed ? [FAILED] : complete ? [] : [INCOMPLETE]);

export function describeVerdict({ verdict, refused }: Pick<SubjectReport, "verdict" | "refused">): string {
    if (!refused) return VERDICT_WORDS[verdict];
    return verdict === "nothing" ? "refused" : `refused (${VERDICT_WORDS[verdict]})`;
}

export type Changed = Pick<SubjectReport["listeners"][number], "change" | "fields">;

/** Formats a load balancer: `CLB lb-0001, made for this Service: 203.0.113.7 (public)`. */
export const loadBalancerText = (balancer: LoadBalancerReport): string =>
    `${describeInstance(balancer)}: ${describeAddress(balancer)}`;

/** Formats an instance: `CLB lb-0001, made for this Service`. */
export const describeInstance = ({ kind, origin, id }: LoadBalancerReport): string =>
    `${kind.toUpperCase()}${id === null ? "" : ` ${id}`}, ${ORIGINS[origin]}`;

const ORIGINS = {
    created: "made for this Service",
    shared: "made by the program for several Services",
    reused: "user-managed",
} as const;

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

/** Formats a backend: `node-3 (i-bp1…)`, or its key alone if its node or pod is not known. */
export const describeBackend = ({ key, name }: BackendReport): string => (name === null ? key : `${name} (${key})`);

export function describeWeight({ before, after }: BackendReport): string {
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

const BILLING_WORDS = {
    starts: "becomes billable",
    stops: "is no longer billable",
    changes: "changes in quantity",
} as const;

/** Title of the Services without changes. A preview that failed may not have got to their changes. */
export const quietTitle = ({ failed }: Report): string =>
    failed ? "Without a change before the preview failed" : "Unchanged";

/** Divides the Services into those that have a section, and those without changes and errors. */
export function divide({ subjects }: Report): Record<"loud" | "quiet", SubjectReport[]> {
    const isQuiet = ({ verdict, findings }: SubjectReport): boolean =>
        verdict === "nothing" && findings.every(({ severity }) => severity !== "error");
    return { loud: subjects.filter((one) => !isQuiet(one)), quiet: subjects.filter(isQuiet) };
}

/** Returns the lists about a Service by their titles; some may be empty. */
export const listsOf = ({ notices, userManaged, billing }: SubjectReport): [string, readonly string[]][] => [
    ["Clients notice", notices.map(({ about, effect, duration }) => `${about}: ${effect} (${duration})`)],
    ["User-managed on the instance", userManaged],
    ["Billing", billing.map(({ what, change }) => `${what}: ${BILLING_WORDS[change]}`)],
];

/**
 * Returns the findings of a Service as they are printed: each remedy once, and none of a released address that stands
 * at the top of the report.
 */
export function printedFindings({ subject, findings }: SubjectReport, { losses }: Report): Finding[] {
    const released = losses.filter((loss) => loss.subject === subject);
    const remedies = new Set<string | null>(released.map(({ remedy }) => remedy));
    return findings
        .filter(({ rule, severity }) => released.length === 0 || rule !== "address-released" || severity === "error")
        .map((finding) => {
            const { remedy } = finding;
            if (remedies.has(remedy)) return { ...finding, remedy: null };
            remedies.add(remedy);
            return finding;
        });
}

/** Divides backends into those that are listed, changes first, and the rest. */
export function foldBackends({ backends }: GroupReport, most: number): Record<"shown" | "folded", BackendReport[]> {
    const changing = backends.filter(({ change }) => change !== "same");
    const chosen = new Set([...changing, ...backends.filter(({ change }) => change === "same")].slice(0, most));
    return { shown: backends.filter((one) => chosen.has(one)), folded: backends.filter((one) => !chosen.has(one)) };
}

/** Formats folded backends: `180 more: 3 new, 177 unchanged, 90 % of new connections`. */
export function describeFolded(folded: readonly BackendReport[]): string {
    const kinds = Object.entries(CHANGE_WORDS)
        .map(([change, word]) => `${folded.filter((one) => one.change === change).length} ${word}`)
        .filter((text) => !text.startsWith("0 "));
    const share = folded.reduce((sum, { after }) => sum + (after?.share ?? 0), 0);
    const known = folded.some(({ after }) => after !== null && after.share !== null);
    const shares = known ? `, ${Math.round(share * 10) / 10} % of new connections` : "";
    return `${folded.length} more: ${kinds.join(", ")}${shares}`;
}

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
