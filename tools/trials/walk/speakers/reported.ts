/** The sentences of a report against the cloud before and after the run. */
import { reportOf } from "../../../../cli/report/main";
import type { PreviewDigest } from "../../../../cli/report/preview";
import type { StatedCloud } from "../../../../lab/cloud";
import { untrue } from "../../../../test/support/report-check";
import type { Write } from "../../world";

/** A run: the cloud before and after it, and the calls by which it changed the cloud, in order. */
export interface Run {
    readonly before: StatedCloud;
    readonly after: StatedCloud;
    readonly writes: readonly Write[];
}

/** Returns what a report on a preview says and the run does not do. */
export const untrueIn = (digest: PreviewDigest, { before, after, writes }: Run): string[] =>
    untrue(reportOf(digest, []), {
        before: before,
        after: after,
        writes: writes.map(({ action }) => action),
    }).map((line) => `report: ${line}`);
