import { CCM_LABELS, ccmMarks, type Marked, RELEASE_REMEDY } from "../service/controller";
import type { ServiceObject } from "../service/objects";

/** Marks and addresses of a Service in the cluster. */
export interface ObservedService extends Marked {
    /** Addresses in its status. */
    readonly addresses: readonly string[];
}

/** Returns the marks and addresses of a Service, none if it does not exist. */
export function observeService(service: ServiceObject | undefined): ObservedService {
    const { labels = {}, finalizers = [] } = service?.metadata ?? {};
    const ingress = service?.status?.loadBalancer?.ingress ?? [];
    return {
        labels: Object.fromEntries(Object.entries(labels).filter(([label]) => CCM_LABELS.includes(label))),
        finalizers,
        addresses: ingress.flatMap(({ ip, hostname }) => ip ?? hostname ?? []),
    };
}

/**
 * Returns the reason why a Service that is new to a stack belongs to another stack, or undefined if it does not.
 *
 * A Service of this stack without an address is the remnant of an interrupted run.
 *
 * @param live stack mark of the Service, and true if it has an address.
 * @param component its name, where a program chose it. A stack of manifests names components after their Services.
 * @param own mark of this stack.
 */
export function otherStack(
    live: { readonly applying: string | undefined; readonly serves: boolean; readonly component?: string | undefined },
    own: string,
): string | undefined {
    const { applying, serves, component } = live;
    if (applying === undefined || (applying === own && !serves)) return undefined;
    return applying === own
        ? `this stack (${own}) applies the Service already, but has it under another name or not in its state. ` +
              "Remedy: " +
              (component === undefined
                  ? ""
                  : "name component, namespace and Service as before (as texts or as Outputs, as before), or give " +
                    `the component ${component} the resource option aliases: [{ name }] with its name before; `) +
              "if the state was lost, restore it, or delete the Service if nothing needs it."
        : `the stack ${applying} applies this Service, and this stack is ${own}: each would give it a load balancer. ` +
              "Remedy: remove the Service from one of the stacks, or give it another name or namespace in one of them.";
}

/**
 * Returns the reason why another controller serves a Service, or undefined if none does.
 *
 * @param known true if this stack served the Service before, and the address is therefore the stack's.
 */
export function servingController(live: ObservedService, known: boolean): string | undefined {
    const marks = ccmMarks(live);
    if (marks.length > 0)
        return (
            `the Cloud Controller Manager (CCM) manages this Service: ${marks.join(", ")}. Remedy: ` +
            `${RELEASE_REMEDY}.`
        );
    if (!known && live.addresses.length > 0)
        return (
            `another controller serves this Service: its status has the address ${live.addresses.join(", ")}, which ` +
            "this stack has not given it. " +
            "Remedy: remove the claim of the other controller first, or take the resources into this stack's state " +
            "with pulumi import if the state was lost."
        );
    return undefined;
}
