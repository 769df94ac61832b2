import { ccmMarks, type Marked, RELEASE_REMEDY } from "../kubernetes/service/controller";

/** A Service as it is in the cluster, as far as it tells who serves it. */
export interface ObservedService extends Marked {
    /** Addresses in its status. */
    readonly addresses: readonly string[];
}

/**
 * Why a Service that is new to a stack cannot become the stack's because a stack applies it; undefined if none does. One of this stack's own that has no address is what an
 * interrupted run has left.
 *
 * @param live the Service's mark of the stack that applies it, and whether it has an address.
 * @param own mark of this stack.
 */
export function otherStack(
    { applying, serves }: { readonly applying: string | undefined; readonly serves: boolean },
    own: string,
): string | undefined {
    if (applying === undefined || (applying === own && !serves)) {
        return undefined;
    }
    return applying === own
        ? `this stack (${own}) applies the Service already, but has it under another name or not in its state. ` +
              "Remedy: name component, namespace and Service as before (as texts or as Outputs, as before), or give " +
              "the component the resource option aliases: [{ name }] with its name before; if the state was lost, " +
              "restore it, or delete the Service if nothing needs it."
        : `the stack ${applying} applies this Service, and this stack is ${own}: each would give it a load balancer. ` +
              "Remedy: remove the Service from one of the stacks, or give it another name or namespace in one of them.";
}

/**
 * Why a Service must not be touched because another controller serves it; undefined if none does.
 *
 * @param known whether this stack has served the Service before; then its address is the stack's own.
 */
export function servingController(live: ObservedService, known: boolean): string | undefined {
    const marks = ccmMarks(live);
    if (marks.length > 0) {
        return (
            `the Cloud Controller Manager (CCM) looks after this Service: ${marks.join(", ")}. Remedy: ` +
            `${RELEASE_REMEDY}.`
        );
    }
    if (!known && live.addresses.length > 0) {
        return (
            `another controller serves this Service: its status has the address ${live.addresses.join(", ")}, which ` +
            "this stack has not given it. " +
            "Remedy: let the other controller go first, or take the resources into this stack's state with pulumi " +
            "import if the state was lost."
        );
    }
    return undefined;
}
