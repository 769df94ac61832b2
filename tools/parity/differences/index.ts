/** The known differences between this package and the Cloud Controller Manager, each with its reason. */
import type { DifferenceContext, KnownDifference } from "../context";
import { NETWORK_DIFFERENCES } from "../nlb/differences";
import { AFTERMATH_DIFFERENCES } from "./after";
import { ATTRIBUTE_DIFFERENCES } from "./attributes";
import { BACKEND_DIFFERENCES } from "./backends";
import { PORT_DIFFERENCES } from "./ports";
import { REFUSAL_DIFFERENCES } from "./refusals";
import { REUSE_DIFFERENCES } from "./reuse";
import { RUN_DIFFERENCES } from "./runs";

/** All of them, in the order in which they are asked. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
    ...REUSE_DIFFERENCES,
    ...NETWORK_DIFFERENCES,
    ...REFUSAL_DIFFERENCES,
    ...ATTRIBUTE_DIFFERENCES,
    ...RUN_DIFFERENCES,
    ...BACKEND_DIFFERENCES,
    ...PORT_DIFFERENCES,
    ...AFTERMATH_DIFFERENCES,
];

/** Returns the reason of a difference, or `undefined` if it is unknown. */
export function reasonFor(context: DifferenceContext): string | undefined {
    const known = KNOWN_DIFFERENCES.find(({ explains }) => explains(context));
    return known === undefined ? undefined : `${known.title}. ${known.reason}`;
}
