/** A preview, as the engine prints it. */
import type { PreviewDigest } from "../../../../cli/report/preview";

const UNCHANGED = /^(?:same|refresh|read)$/;

/** Returns the steps that change something. */
export const changesOf = ({ steps }: PreviewDigest): PreviewDigest["steps"] =>
    steps.filter(({ op }) => !UNCHANGED.test(op));

/** Returns a line for each step of a preview that is to be empty. */
export const left = (digest: PreviewDigest): string[] =>
    changesOf(digest).map(
        ({ op, urn, diffReasons }) => `a second preview has ${op} ${urn.split("$").at(-1)} ${diffReasons.join(", ")}`,
    );

/** Returns the errors of a preview, a text each. */
export const errorsOf = ({ diagnostics }: PreviewDigest): string[] =>
    (diagnostics ?? []).filter(({ severity }) => severity === "error").map(({ message }) => message.trim());
