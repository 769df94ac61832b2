import { ccmMarks, type Marked, RELEASE_REMEDY } from "../kubernetes/service/ccm-marks";

/** A Service as it is in the cluster, as far as it tells who serves it. */
export interface ObservedService extends Marked {
    /** Addresses in its status. */
    readonly addresses: readonly string[];
}

/**
 * Why a Service must not be touched because another controller serves it; undefined if none does.
 *
 * @param known whether this stack has served the Service before; then its address is the stack's own.
 */
export function otherController(live: ObservedService, known: boolean): string | undefined {
    const marks = ccmMarks(live);
    if (marks.length > 0) {
        return `the Cloud Controller Manager (CCM) looks after this Service: ${marks.join(", ")}. Remedy: ${RELEASE_REMEDY}.`;
    }
    if (!known && live.addresses.length > 0) {
        return (
            `another controller serves this Service: its status has the address ${live.addresses.join(", ")}, which this stack has not given it. ` +
            "Remedy: let the other controller go first, or take the resources into this stack's state with pulumi import if the state was lost."
        );
    }
    return undefined;
}
