/** Settings that an instance was created with, as recorded and as observed. */
import { openAccount } from "../../cloud";
import { formatSentences } from "../../diagnostics";
import { errorMessage } from "../../net";
import { isObserved, observedFields, unobserved } from "../../plan/immutability";
import { movesAddresses, withAddresses, withKeptAddresses } from "../../plan/interruptions";
import type { ObservedInstance } from "../../plan/observed";
import { instancesOf } from "../../plan/reuse/instances";
import type { Account } from "../../schema/account";
import { filtered } from "../../schema/defined";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { ImmutableFields } from "../../schema/settings";
import { isUnknown } from "../handlers/handler";
import type { ContractInputs } from "./inputs";

/**
 * Returns the established values to compare. `checkReuse` compares a reused instance. A Service's own instance is
 * read, with one call, if the Service states a setting for the first time, because its value may be in use already.
 */
export async function observe(
    recorded: ImmutableFields,
    { requested, reuse, allowReplacement = [], mark, origin }: ContractInputs,
    find: typeof findInstances,
): Promise<{ readonly established: ImmutableFields; readonly problem?: string }> {
    if (reuse !== undefined) return { established: filtered(recorded, (field) => !isObserved(field)) };
    const stated = unobserved(recorded, knownOf(requested));
    // Another instance than before has nothing to be compared with.
    const isOther = "id" in recorded || "id" in requested;
    if (stated.length === 0 || isOther || isUnknown([mark, origin?.account])) return { established: recorded };
    try {
        const found = mark === undefined ? [] : await find(mark, requested["loadBalancerType"], origin?.account);
        const [instance] = found;
        if (instance === undefined || found.length > 1)
            throw new Error(`${found.length === 0 ? "none bears" : "several bear"} the mark ${mark}`);
        const observed = Object.entries(observedFields(instance)).filter(([field]) => stated.includes(field));
        if (observed.length < stated.length) throw new Error(`the cloud does not tell all values of ${instance.id}`);
        return { established: { ...recorded, ...Object.fromEntries(observed) } };
    } catch (error) {
        const names = stated.filter((field) => !allowReplacement.includes(field)).join(" and ");
        if (names === "") return { established: recorded };
        const cause = `${names} cannot be compared with the load balancer: ${errorMessage(error)}`;
        return { established: recorded, problem: formatSentences({ cause, remedy: `remove ${names}, or try again` }) };
    }
}

/**
 * Returns the disruptive settings of a Service before this run. If this run gives an NLB other addresses, the NLB is
 * read, with one call: it may have them already. A run that failed has recorded what it asked for, and the NLB is read
 * until a run has found its addresses changed. An NLB that cannot be read counts as unchanged: a release that was said
 * twice is better than a silent release.
 */
export async function disruptiveBefore(
    { disruptive: asked, disruptiveBefore: former = {} }: Partial<ContractInputs>,
    { requested, disruptive: next = {}, mark, origin }: ContractInputs,
    find: typeof findInstances,
): Promise<ContractInputs["disruptiveBefore"]> {
    const isOwn = mark !== undefined && !("id" in requested) && !isUnknown([mark, origin?.account]);
    if (asked === undefined || !isOwn) return asked;
    const settled = movesAddresses(former, asked) ? former : asked;
    if (settled === asked && !movesAddresses(asked, withKeptAddresses(asked, next))) return asked;
    try {
        const [instance, ...others] = await find(mark, requested["loadBalancerType"], origin?.account);
        if (instance === undefined) return asked;
        const observed = instance.kind === "nlb" && others.length === 0 ? instance : undefined;
        return withAddresses(asked, observed, settled, next);
    } catch {
        return withAddresses(asked, undefined, settled);
    }
}

export const findInstances = (
    mark: string,
    type: string | undefined,
    account: Account = {},
): Promise<readonly ObservedInstance[]> => instancesOf(openAccount(account), type as LoadBalancerType).findMarked(mark);

export const knownOf = (fields: ImmutableFields = {}): ImmutableFields =>
    filtered(fields, (_, value) => !isUnknown(value));
