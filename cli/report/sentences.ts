/** Texts that the formats of a report share. */

import { count } from "../command/output";
import type * as model from "./model";
import type { BackendReport, Finding, GroupReport, LoadBalancerReport, Report, SubjectReport } from "./model";
import type { Change } from "./step";

/** Each verdict, and its consequence for connections. Without one, none breaks. */
const VERDICT_WORDS: Readonly<Record<model.Verdict, readonly [words: string, consequence?: string]>> = {
    nothing: ["nothing changes"],
    "backends-only": ["backends only"],
    "in-place": ["changes in place"],
    adopts: ["taken over"],
    leaves: ["left as it is"],
    creates: ["new"],
    interrupts: ["interrupts traffic", "traffic is interrupted"],
    "replaces-listener": ["replaces a listener", "connections break"],
    "replaces-address": ["replaces the address", "an address changes"],
    deletes: ["deleted", "traffic ends"],
};

interface ChangeWords {
    readonly sign: string;
    readonly word: string;
    /** Predicates of an object and of several, in a sum. Absent: not counted. */
    readonly counted?: readonly [one: string, several: string];
}

export const CHANGE_WORDS: Readonly<Record<Change, ChangeWords>> = {
    same: { sign: " ", word: "unchanged" },
    create: { sign: "+", word: "new", counted: ["is new", "are new"] },
    update: { sign: "~", word: "changed", counted: ["changes in place", "change in place"] },
    replace: { sign: "±", word: "replaced", counted: ["is replaced", "are replaced"] },
    delete: { sign: "-", word: "deleted", counted: ["is deleted", "are deleted"] },
    import: { sign: ">", word: "taken over", counted: ["is taken over", "are taken over"] },
    keep: { sign: "<", word: "left as it is", counted: ["is left as it is", "are left as they are"] },
};

/** Formats the verdict and the sum: `p/dev: 1 of 10 Services: 2 listeners change in place, no connection breaks`. */
export function headline(report: Report): string {
    const { project, stack, subjects, verdict, failed } = report;
    const changing = subjects.filter((subject) => subject.verdict !== "nothing").length;
    const refused = refusedSubjects(report);
    const services = count(new Set([...subjects.map(({ subject }) => subject), ...refused]).size, "Service");
    const where = `${project}/${stack}`;
    const failure = `${where}: the preview failed`;
    if (failed) return refused.length === 0 ? failure : `${failure}: ${refused.length} of ${services} refused`;
    if (changing === 0) return `${where}: nothing changes for ${services}`;
    const quiet = subjects.some(endsConnections) ? "connections to removed backends end" : "no connection breaks";
    const [, consequence = quiet] = VERDICT_WORDS[verdict];
    return `${where}: ${changing} of ${services}: ${[...sumOf(report), consequence].join(", ")}`;
}

/** Services that the preview refused, in the report or only in its findings. */
const refusedSubjects = ({ subjects, findings }: Report): string[] => [
    ...subjects.filter(({ refused }) => refused).map(({ subject }) => subject),
    ...new Set(findings.flatMap(({ severity, subject }) => (severity === "error" && subject !== null ? subject : []))),
];

const endsConnections = ({ groups }: SubjectReport): boolean =>
    groups.some(({ change, backends }) => change === "same" && backends.some((one) => one.change === "delete"));

/** Returns the number of objects that change, by kind and change. Backends of a new Service are not counted. */
function sumOf({ subjects }: Report): string[] {
    const kinds: readonly (readonly [string, readonly Change[]])[] = [
        ["load balancer", subjects.flatMap(({ loadBalancer }) => loadBalancer?.change ?? [])],
        ["listener", subjects.flatMap(({ listeners }) => listeners.map(({ change }) => change))],
        [
            "backend",
            subjects
                .filter(({ verdict }) => verdict !== "creates" && verdict !== "deletes")
                .flatMap(({ groups }) => groups.flatMap(({ backends }) => backends.map(({ change }) => change))),
        ],
    ];
    return kinds.flatMap(([noun, changes]) =>
        Object.entries(CHANGE_WORDS).flatMap(([kind, { counted }]) => {
            const number = changes.filter((change) => change === kind).length;
            return number === 0 || counted === undefined
                ? []
                : `${count(number, noun)} ${counted[number === 1 ? 0 : 1]}`;
        }),
    );
}

const INCOMPLETE =
    "The preview does not list what stays as it is: run pulumi preview with --json --show-sames for Services, " +
    "listeners and backends that do not change.";

const FAILED =
    "An update is refused too. The findings name the cause. The report covers the steps of the preview before its " +
    "failure.";

export const caveats = ({ failed, complete }: Report): string[] => (failed ? [FAILED] : complete ? [] : [INCOMPLETE]);

export function describeVerdict({ verdict, refused }: Pick<SubjectReport, "verdict" | "refused">): string {
    const [words] = VERDICT_WORDS[verdict];
    if (!refused) return words;
    return verdict === "nothing" ? "refused" : `refused (${words})`;
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

function formatAddress(address: model.AddressReport | null, unknown = "a new address"): string {
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

/** Formats a value before and after, or one value if it does not change or a side is missing. */
export function arrow(before: string | number | null | undefined, after: string | number | null | undefined): string {
    if ((before ?? null) === null || (after ?? null) === null || before === after) return String(after ?? before ?? "");
    return `${before} → ${after}`;
}

/** Formats a field: `scheduler: wrr → rr`. */
export const describeField = ({ field, before, after }: model.FieldChange): string =>
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

/** Returns the lists about a Service by their titles. Some may be empty. */
export const listsOf = ({ notices, userManaged, billing }: SubjectReport): [string, readonly string[]][] => [
    ["Clients notice", notices.map(({ about, effect, duration }) => `${about}: ${effect} (${duration})`)],
    ["User-managed on the instance", userManaged],
    ["Billing", billing.map(({ what, change }) => `${what}: ${BILLING_WORDS[change]}`)],
];

/** Findings as they are printed: those of this change, and those that a rule had before it. */
export interface PrintedFindings {
    readonly fresh: readonly Finding[];
    readonly known: readonly Finding[];
}

/**
 * Returns the findings of each Service as they are printed, by subject, and of the whole preview under the empty text:
 * each remedy once in a report, and none of a released address that stands at the top of it.
 */
export function printedFindings(report: Report): (subject?: string) => PrintedFindings {
    const remedies = new Set<string | null>(report.losses.map(({ remedy }) => remedy));
    const releasing = new Set(report.losses.map(({ subject }) => subject));
    const print = (findings: readonly Finding[]): Finding[] =>
        findings.map((finding) => {
            const { remedy } = finding;
            if (remedies.has(remedy)) return { ...finding, remedy: null };
            remedies.add(remedy);
            return finding;
        });
    const divided = (findings: readonly Finding[]): PrintedFindings => {
        const isKnown = ({ known, severity }: Finding): boolean => known && severity !== "error";
        return { fresh: print(findings.filter((one) => !isKnown(one))), known: print(findings.filter(isKnown)) };
    };
    const isListed = ({ subject, rule, severity }: Finding): boolean =>
        !releasing.has(subject ?? "") || rule !== "address-released" || severity === "error";
    const listed = [...divide(report).loud.flatMap(({ findings }) => findings), ...report.findings].filter(isListed);
    const bySubject = Map.groupBy(listed, ({ subject }) => subject ?? "");
    const printed = new Map([...bySubject].map(([subject, findings]) => [subject, divided(findings)]));
    return (subject = "") => printed.get(subject) ?? { fresh: [], known: [] };
}

/** Returns the subjects that only findings name, such as Services whose manifest is refused, in their order. */
export const otherSubjects = ({ findings }: Report): string[] => [
    ...new Set(findings.flatMap(({ subject }) => subject ?? [])),
];

/** Returns the number of findings that a report had before this change: `2 warnings`. */
export const knownTitle = (known: readonly Finding[]): string =>
    `Known before this change: ${count(known.length, "finding")}`;

/** Divides backends into those that are listed, changes first, and the rest. */
export function foldBackends({ backends }: GroupReport, most: number): Record<"shown" | "folded", BackendReport[]> {
    const changing = backends.filter(({ change }) => change !== "same");
    const chosen = new Set([...changing, ...backends.filter(({ change }) => change === "same")].slice(0, most));
    return { shown: backends.filter((one) => chosen.has(one)), folded: backends.filter((one) => !chosen.has(one)) };
}

/** Formats folded backends: `180 more: 3 new, 177 unchanged, 90 % of new connections`. */
export function describeFolded(folded: readonly BackendReport[]): string {
    const kinds = Object.entries(CHANGE_WORDS)
        .map(([change, { word }]) => `${folded.filter((one) => one.change === change).length} ${word}`)
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
