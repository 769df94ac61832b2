/** Reasons to refuse a run, in the order in which they are told. Each is a function of what was observed before. */
import { formatSentences, isError } from "../../diagnostics";
import { servingController } from "../../plan/controller";
import { violations } from "../../plan/immutability";
import { checkReuse } from "../../plan/reuse";
import { checkDroppedListeners } from "../../plan/reuse/ownership";
import type { ImmutableFields } from "../../schema/settings";
import { isUnknown } from "../handlers/handler";
import type { ContractInputs } from "./inputs";

/** A run, compared with the run before. */
export interface Compared {
    readonly olds: Partial<ContractInputs>;
    readonly news: ContractInputs;
    /** Values that the instance has. */
    readonly established: ImmutableFields;
    /** Reason why they could not be read. */
    readonly unread: string | undefined;
    readonly problems: readonly string[];
    /** Problems that the program found, of a Service that is new to the stack. */
    readonly firstProblems: readonly string[];
}

const WITHDRAWN =
    "handBack cannot be withdrawn: the run would hand the Service to the Cloud Controller Manager (CCM), while this " +
    "stack keeps its load balancer. Remedy: leave handBack set, or hand the Service back and adopt it again.";

const RULES: readonly ((compared: Compared) => readonly string[])[] = [
    ({ problems }) => problems,
    ({ firstProblems }) => firstProblems,
    otherController,
    ({ unread }) => (unread === undefined ? [] : [unread]),
    immutableChanges,
    impossibleReuse,
    ({ olds, news }) => (olds.handsBack && !news.handsBack ? [WITHDRAWN] : []),
];

/** Returns the reasons to refuse a run, none if it may proceed. */
export const refusals = (compared: Compared): string[] => RULES.flatMap((rule) => rule(compared));

/** The problems of a first run explain its controller better than the Service's status. */
function otherController({ olds, news: { live, reuse }, firstProblems }: Compared): string[] {
    if (live === undefined || isUnknown(live) || firstProblems.length > 0) return [];
    const served = servingController(live, olds.requested !== undefined || reuse !== undefined);
    return served === undefined ? [] : [served];
}

function immutableChanges({ established, news, olds }: Compared): string[] {
    const requested = Object.fromEntries(
        Object.entries(news.requested).map(([setting, value]) => [
            setting,
            isUnknown(value) ? (established[setting] ?? "") : value,
        ]),
    );
    const allowed = new Set(news.allowReplacement ?? []);
    return violations(established, requested, news.askedBy, olds.requested)
        .filter(({ field, final }) => final || !allowed.has(field))
        .map(formatSentences);
}

function impossibleReuse({ olds, news: { reuse, allowReplacement = [] } }: Compared): string[] {
    if (reuse === undefined || isUnknown(reuse)) return [];
    return [
        // Allowing another instance implies knowledge of the binding to the present instance.
        ...checkReuse(reuse.request, reuse.found, allowReplacement.includes("id")),
        ...checkDroppedListeners(olds.reuse?.request, reuse.request, reuse.found),
    ]
        .filter(isError)
        .map(formatSentences);
}
