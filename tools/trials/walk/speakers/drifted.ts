/** The answers about edits in the console: `show`, `explain`, a preview with a refresh, and the run that mends them. */
import type { Explanation } from "../../../../cli/explain/explanation";
import type { PreviewDigest } from "../../../../cli/report/preview";
import { nameOf, type Version } from "../../service";
import { changesOf } from "./previewed";

/** An edited Service, with what `explain` then says of it. */
export interface Edited {
    readonly version: Version;
    /** The edit, as text. */
    readonly edit: string;
    readonly isLeft: boolean;
    /** True if the stack may differ where the cloud does not, which a refresh alone sees. */
    readonly isRecorded: boolean;
    readonly found: readonly Explanation[];
}

/** Remedies that are runs. */
const MENDS = /pulumi up --refresh|run pulumi up, which brings load balancer and binding up to date/;

/** Remedy for what is not the Service's: `explain` cannot tell it from what a run has set and is to set no more. */
const LEFT_ALONE = /a run leaves alone what the Service does not set/;

/** Returns the resources of a Service that a preview changes. */
function changedOf(digest: PreviewDigest, { name }: { readonly name: string }): string[] {
    return changesOf(digest)
        .filter(({ urn }) => new RegExp(`::${name}(?:/|$)`).test(urn))
        .map(({ op, urn }) => `${op} ${urn.split(/[$:/]/).slice(-4).join(" ")}`);
}

/** Returns a line for each edit of which `explain` and the preview do not say the same. */
export function disagreements(edited: readonly Edited[], digest: PreviewDigest): string[] {
    return edited.flatMap(({ version, edit, isLeft, isRecorded, found }) => {
        const name = nameOf(version);
        const changed = changedOf(digest, { name });
        const said = found.map(({ what }) => what);
        const wrong = [
            ...(said.length === 0 && changed.length > 0 && !isRecorded
                ? [`explain finds nothing, but a refresh: ${changed.join("; ")}`]
                : []),
            ...(said.length > 0 && changed.length === 0
                ? [`a refresh finds nothing, but explain: ${said.join("; ")}`]
                : []),
            ...(said.length === 0 && changed.length === 0 && !isLeft ? ["neither explain nor a refresh finds it"] : []),
            ...found
                .filter(({ remedy }) => !MENDS.test(remedy) && !(isRecorded && LEFT_ALONE.test(remedy)))
                .map(({ what, remedy }) => `explain: ${what}: no run mends it by the remedy ${remedy}`),
        ];
        return wrong.map((line) => `${name}: after ${edit}: ${line}`);
    });
}
