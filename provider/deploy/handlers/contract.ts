/**
 * The contract of a Service: what was established when its instance was made, and the refusal of changes that the cloud cannot make.
 *
 * Where the Service names an instance that is there already, also whether it may use that. It calls nothing: the program has looked. It exists because `check` is the one place that sees the old inputs at preview, before any other resource of the Service is looked at.
 */
import {
    establish,
    interruptions,
    checkDroppedListeners,
    checkReuse,
    type FormerTags,
    formerTags,
    type IdentityComparison,
    type ObservedService,
    type StackIdentity,
    servingController,
    recordedRequest,
    violations,
} from "../../plan";
import type { ObservedLoadBalancer, ReuseRequest } from "../../model/observed";
import type { ImmutableFields } from "../../model/clb/load-balancer";
import { formatSentences } from "../../diagnostics";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { compareOrigin, type RunOrigin } from "../identity";
import { type CheckResult, isUnknown } from "./values";
import { defined } from "../../schema/defined";

/** A Service that another controller has taken back. */
export interface RetakenService {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly loadBalancerType: LoadBalancerType;
    /** What the other controller has left on it, for people. */
    readonly marks: readonly string[];
}

/** Inputs of the contract. */
export interface ContractInputs {
    /** `namespace/name`. */
    readonly service: string;
    /** Whose settings these are, for people. */
    readonly subject?: string;
    /** Create-only settings as the Service states them now. */
    readonly requested: ImmutableFields;
    /** What holds where the Service states nothing, from the creation of its instance on. {@link check} adds it to what is requested, as it was established. Default: nothing. */
    readonly initial?: ImmutableFields;
    /** The settings that ask for the value of a field of `requested`, where that is not the field alone. Default: each is asked for by its own name. */
    readonly askedBy?: Readonly<Record<string, readonly string[]>>;
    /** The same as they were in the last run that went through. Written by {@link check}; policies compare it with `requested`, also where a change was allowed. */
    readonly established?: ImmutableFields;
    /** What can change only at the price of an outage, as the Service states it now. Nothing is refused for it. */
    readonly disruptive?: Readonly<Record<string, string>>;
    /** The same as it was in the last run that went through. Written by {@link check}, for policies to compare. */
    readonly disruptiveBefore?: Readonly<Record<string, string>>;
    /** What the program has found that cannot work. It is refused, and so never stored. */
    readonly problems?: readonly string[];
    /** The same for a Service that is new to the stack. Never stored either. */
    readonly firstProblems?: readonly string[];
    /** Where the run reads and writes. It is compared, and never stored. */
    readonly origin?: RunOrigin;
    /** The cluster, account and region that the Service belongs to. Written by {@link check}. */
    readonly identity?: StackIdentity;
    /** Where it belonged to before, in a run that moves it on purpose. Written by {@link check}. */
    readonly movedFrom?: StackIdentity;
    /** Settings whose change, and with it a new instance and address, was allowed in so many words. */
    readonly allowReplacement?: readonly string[];
    /** The Service in the cluster. Absent: it does not exist, or nothing is known of it. */
    readonly live?: ObservedService;
    /** A Service that is taken over, where the Cloud Controller Manager has taken it back since. Kept by {@link check} where the stack has it already. */
    readonly retaken?: RetakenService;
    /** Whether the Service has, or once had, an address. Until then nothing is established: whoever could not get an instance may ask for another one. */
    readonly bound?: boolean;
    /** What the Service wants of an instance that is there already, and what the cloud says of it; `found` is absent if there is no such instance. */
    readonly reuse?: { readonly request: ReuseRequest; readonly found?: ObservedLoadBalancer };
    /** What the tags that the Service sets on that instance were before. Written by {@link check}, so that it is recorded before the first of them is set. */
    readonly formerTags?: FormerTags;
}

/** Refuses, with cause and remedy, what cannot work and every change of a create-only setting that was not allowed. What is not known yet is compared once it is. */
export async function check(
    olds: Partial<ContractInputs>,
    { problems, firstProblems, origin, movedFrom: _, retaken, ...given }: ContractInputs,
): Promise<CheckResult<ContractInputs>> {
    const bound = olds.bound === true || (given.bound ?? true);
    const established =
        olds.requested === undefined || !bound
            ? { ...knownOf(given.initial), ...given.requested }
            : establish(olds.established ?? {}, olds.requested);
    const news = { ...given, requested: { ...kept(established, given.initial), ...given.requested } };
    const ofFirstRun = olds.requested === undefined && !isUnknown(firstProblems) ? (firstProblems ?? []) : [];
    // What is known better needs no guess from the Service's status.
    const served =
        news.live === undefined || isUnknown(news.live) || ofFirstRun.length > 0
            ? undefined
            : servingController(news.live, olds.requested !== undefined || news.reuse !== undefined);
    const refusedHere = [
        ...(problems === undefined || isUnknown(problems) ? [] : problems),
        ...ofFirstRun,
        ...(served === undefined ? [] : [served]),
        ...refusedChanges(established, news),
        ...refusedReuse(olds, news),
    ];
    // A run that is refused anyway asks the cloud for nothing.
    const compared = await compareKnown(olds.identity, origin, refusedHere.length === 0);
    const { identity, movedFrom } = compared;
    const refused = [...compared.refused, ...refusedHere];
    const former = isUnknown(news.reuse) ? olds.formerTags : formerTags(olds, news);
    return {
        inputs: {
            ...news,
            established,
            bound,
            ...disruptiveBefore(olds),
            ...(Object.keys(identity).length === 0 ? {} : { identity }),
            ...defined({ movedFrom, formerTags: former }),
            ...(retaken === undefined || olds.requested === undefined ? {} : { retaken }),
        },
        // Without a property: the engine would print its whole value in front of the reason.
        failures: refused.map((reason) => ({
            property: "",
            reason: `${news.subject ?? `Service ${news.service}`}: ${reason}`,
        })),
    };
}

/** What the Service states nothing of, as it was established. */
const kept = (established: ImmutableFields, initial: ImmutableFields = {}): ImmutableFields =>
    Object.fromEntries(Object.entries(established).filter(([field]) => field in initial));

/** Fields whose values are known already. */
const knownOf = (fields: ImmutableFields = {}): ImmutableFields =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => !isUnknown(value)));

/** A cluster that is made in the same run is compared once it is there. */
async function compareKnown(
    recorded: StackIdentity = {},
    origin: RunOrigin | undefined,
    asksCloud: boolean,
): Promise<IdentityComparison> {
    if (origin === undefined || isUnknown(origin.account)) {
        return { refused: [], identity: recorded };
    }
    const { cluster, ...rest } = origin;
    return compareOrigin(
        recorded,
        cluster === undefined || isUnknown(cluster) ? rest : { cluster, ...rest },
        asksCloud,
    );
}

function disruptiveBefore({ disruptive }: Partial<ContractInputs>): Pick<ContractInputs, "disruptiveBefore"> {
    return disruptive === undefined ? {} : { disruptiveBefore: disruptive };
}

function refusedChanges(established: ImmutableFields, news: ContractInputs): string[] {
    const requested = Object.fromEntries(
        Object.entries(news.requested).map(([setting, value]) => [
            setting,
            isUnknown(value) ? (established[setting] ?? "") : value,
        ]),
    );
    const allowed = new Set(news.allowReplacement ?? []);
    return violations(established, requested, news.askedBy)
        .filter(({ field, final }) => final || !allowed.has(field))
        .map(formatSentences);
}

function refusedReuse(olds: Partial<ContractInputs>, { reuse, allowReplacement = [] }: ContractInputs): string[] {
    if (reuse === undefined || isUnknown(reuse)) {
        return [];
    }
    const findings = [
        ...checkReuse(reuse.request, reuse.found),
        ...checkDroppedListeners(recordedRequest(olds.reuse), reuse.request, reuse.found),
    ].filter(({ severity }) => severity === "error");
    // Whoever allows another instance knows that the Service is bound to the present one.
    return findings
        .filter(({ code }) => !(code === "bound-elsewhere" && allowReplacement.includes("id")))
        .map(formatSentences);
}

/**
 * Only what is requested, and what is interrupted, counts as a change: that something has become established in the meantime is nothing to do.
 *
 * A stack that moves on purpose, a Service that is taken over again, and what is interrupted do, so that the preview shows a line for it and the program is asked to speak of it.
 */
export async function diff(_id: string, olds: ContractInputs, news: ContractInputs): Promise<{ changes: boolean }> {
    const settings = new Set([...Object.keys(olds.requested), ...Object.keys(news.requested)]);
    const changed = [...settings].some((setting) => olds.requested[setting] !== news.requested[setting]);
    const tagged = Object.keys(news.formerTags ?? {}).some((key) => olds.formerTags?.[key] === undefined);
    return {
        changes:
            changed ||
            tagged ||
            news.movedFrom !== undefined ||
            news.retaken !== undefined ||
            interruptions(olds.disruptive, news.disruptive).length > 0,
    };
}

/** Records the contract. */
export async function create(inputs: ContractInputs): Promise<{ id: string; outs: ContractInputs }> {
    return { id: inputs.service, outs: inputs };
}

/** Records the contract as it is now. */
export async function update(
    _id: string,
    _olds: ContractInputs,
    news: ContractInputs,
): Promise<{ outs: ContractInputs }> {
    return { outs: news };
}
