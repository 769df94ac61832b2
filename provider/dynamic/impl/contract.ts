/**
 * The contract of a Service: what was established when its instance was made, and the refusal of changes that the cloud cannot make.
 *
 * It calls nothing. It exists because `check` is the one place that sees the old inputs at preview, before any other resource of the Service is looked at.
 */
import { violations } from "../../plan";
import type { EstablishedFacts } from "../../model/loadbalancer";
import { type CheckResult, isUnknown } from "./values";

/** Inputs of the contract. */
export interface ContractInputs {
    /** `namespace/name`. */
    readonly service: string;
    /** Create-only settings as the Service states them now. */
    readonly requested: EstablishedFacts;
    /** The same as they were in the last run that went through. Written by {@link check}; policies compare it with `requested`, also where a change was allowed. */
    readonly established?: EstablishedFacts;
    /** What the program has found that cannot work. It is refused, and so never stored. */
    readonly problems?: readonly string[];
    /** Settings whose change, and with it a new instance and address, was allowed in so many words. */
    readonly allowReplacement?: readonly string[];
}

/** Refuses, with cause and remedy, what cannot work and every change of a create-only setting that was not allowed. What is not known yet is compared once it is. */
export async function check(olds: Partial<ContractInputs>, { problems = [], ...news }: ContractInputs): Promise<CheckResult<ContractInputs>> {
    const established = olds.requested === undefined ? news.requested : { ...olds.established, ...olds.requested };
    const refused = [...problems, ...refusedChanges(established, news)];
    return {
        inputs: { ...news, established },
        // Without a property: the engine would print its whole value in front of the reason.
        failures: refused.map((reason) => ({ property: "", reason: `Service ${news.service}: ${reason}` })),
    };
}

function refusedChanges(established: EstablishedFacts, news: ContractInputs): string[] {
    const requested = Object.fromEntries(Object.entries(news.requested).map(([setting, value]) => [setting, isUnknown(value) ? (established[setting] ?? "") : value]));
    const allowed = new Set(news.allowReplacement ?? []);
    return violations(established, requested)
        .filter(({ setting }) => !allowed.has(setting))
        .map(({ message }) => message);
}

/** Only what is requested counts as a change: that it has become established in the meantime is nothing to do. */
export async function diff(_id: string, olds: ContractInputs, news: ContractInputs): Promise<{ changes: boolean }> {
    const settings = new Set([...Object.keys(olds.requested), ...Object.keys(news.requested)]);
    return { changes: [...settings].some((setting) => olds.requested[setting] !== news.requested[setting]) };
}

/** Records the contract. */
export async function create(inputs: ContractInputs): Promise<{ id: string; outs: ContractInputs }> {
    return { id: inputs.service, outs: inputs };
}

/** Records the contract as it is now. */
export async function update(_id: string, _olds: ContractInputs, news: ContractInputs): Promise<{ outs: ContractInputs }> {
    return { outs: news };
}
