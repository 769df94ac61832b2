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
    /** What can change only at the price of an outage, as the Service states it now. Nothing is refused for it. */
    readonly disruptive?: Readonly<Record<string, string>>;
    /** The same as it was in the last run that went through. Written by {@link check}, for policies to compare. */
    readonly disruptiveBefore?: Readonly<Record<string, string>>;
    /** Settings whose change, and with it a new instance and address, was allowed in so many words. */
    readonly allowReplacement?: readonly string[];
}

/** Refuses, with cause and remedy, every change of a create-only setting that was not allowed. What is not known yet is compared once it is. */
export async function check(olds: Partial<ContractInputs>, news: ContractInputs): Promise<CheckResult<ContractInputs>> {
    if (olds.requested === undefined || news.requested === undefined) {
        return { inputs: { ...news, established: news.requested, ...disruptiveBefore(olds) }, failures: [] };
    }
    const established = { ...olds.established, ...olds.requested };
    const requested = Object.fromEntries(Object.entries(news.requested).map(([setting, value]) => [setting, isUnknown(value) ? (established[setting] ?? "") : value]));
    const allowed = new Set(news.allowReplacement ?? []);
    const refused = violations(established, requested).filter((violation) => !allowed.has(violation.setting));
    return {
        inputs: { ...news, established, ...disruptiveBefore(olds) },
        // Without a property: the engine would print its whole value in front of the reason.
        failures: refused.map((violation) => ({ property: "", reason: `Service ${news.service}: ${violation.message}` })),
    };
}

function disruptiveBefore({ disruptive }: Partial<ContractInputs>): Pick<ContractInputs, "disruptiveBefore"> {
    return disruptive === undefined ? {} : { disruptiveBefore: disruptive };
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
