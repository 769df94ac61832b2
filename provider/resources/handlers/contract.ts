/**
 * Contract of a Service. It records the settings established at the creation of the instance. From facts read by the
 * program, it refuses changes the cloud cannot make, and a reuse it cannot carry out.
 *
 * `check` is the only method to get the old inputs at preview, before any other resource of the Service.
 */
import { isNewer, packageVersion } from "../../host/version";
import { establish } from "../../plan/immutability";
import { interruptions, withKeptAddresses } from "../../plan/interruptions";
import { formerTags } from "../../plan/reuse/changes";
import { defined, filtered, unlessEmpty } from "../../schema/defined";
import { disruptiveBefore, findInstances, knownOf, observe } from "../contract/established";
import type { ContractInputs } from "../contract/inputs";
import { compareOrigin } from "../contract/origin";
import { refusals } from "../contract/rules";
import { type Checked, isUnknown, recording, refuse } from "./handler";

export const { create, update } = recording<ContractInputs>();

/**
 * Refuses problems, and changes of immutable settings unless they are allowed. Compares unknown values once they are
 * known.
 */
export async function check(
    olds: Partial<ContractInputs>,
    { problems, firstProblems, origin, mark, movedFrom: _, retaken, ...given }: ContractInputs,
    find = findInstances,
): Promise<Checked<ContractInputs>> {
    const { version } = olds;
    const subject = given.subject ?? `Service ${given.service}`;
    if (version !== undefined && isNewer(version, packageVersion()))
        return refuse({ ...given, version }, [`${subject}: ${tooOld(version)}`]);
    const isFirst = olds.requested === undefined;
    const bound = olds.bound === true || (given.bound ?? true);
    const recorded =
        olds.requested === undefined || !bound
            ? { ...knownOf(given.initial), ...given.requested }
            : establish(olds.established ?? {}, olds.requested);
    const { initial = {} } = given;
    const kept = filtered(recorded, (field) => field in initial);
    const news = { ...given, requested: { ...kept, ...given.requested } };
    const { established, problem: unread } = await observe(recorded, { ...news, ...defined({ mark, origin }) }, find);
    const refusedHere = refusals({
        olds,
        news,
        established,
        unread,
        problems: isUnknown(problems) ? [] : (problems ?? []),
        firstProblems: isFirst && !isUnknown(firstProblems) ? (firstProblems ?? []) : [],
    });
    // A run already refused makes no call.
    const compared = await compareOrigin(olds.identity, origin, refusedHere.length === 0);
    const { identity, movedFrom } = compared;
    const refused = [...compared.refused, ...refusedHere];
    const before =
        refused.length > 0
            ? olds.disruptive
            : await disruptiveBefore(olds, { ...news, ...defined({ mark, origin }) }, find);
    return refuse(
        {
            ...news,
            established,
            bound,
            version: packageVersion(),
            ...defined({
                identity: unlessEmpty(identity),
                disruptive: news.disruptive && before && withKeptAddresses(before, news.disruptive),
                disruptiveBefore: before,
                movedFrom,
                formerTags: isUnknown(news.reuse) ? olds.formerTags : formerTags(olds, news),
                retaken: isFirst ? undefined : retaken,
            }),
        },
        refused.map((reason) => `${subject}: ${reason}`),
    );
}

const tooOld = (version: string): string =>
    `version ${version} of ack-loadbalancer has run for it, and this run has version ${packageVersion()}, ` +
    "which may misread the state. " +
    `Remedy: install version ${version} or a newer one: the npm package, or the plugin for other languages.`;

/**
 * Compares the requested and the disruptive settings. A newly established value is not a change, nor is a newer version
 * of this package, which the engine records all the same.
 *
 * A move on purpose and a retaken Service are changes, because the preview must show them.
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
            interruptions(news.disruptiveBefore, news.disruptive).length > 0,
    };
}
