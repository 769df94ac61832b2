/** Who manages the load balancer of a Service. */

import type { ServiceObject } from "../../kubernetes";
import { ccmMarks, CLASS_ANNOTATION } from "../../kubernetes/service/ccm-marks";
import { STACK_ANNOTATION } from "../../kubernetes/service/service";
import { isOwnClass, NLB_CLASS } from "../../schema/load-balancer-type";

/** What manages a Service: a stack of this package, the Cloud Controller Manager, another controller, or nothing. */
export type Controller =
    | { readonly kind: "stack"; readonly stack: string | undefined }
    | { readonly kind: "ccm" }
    | { readonly kind: "other"; readonly name: string };

/** Who manages a Service, by its class and by the marks that managers leave. */
export function controllerOf({ metadata, spec }: ServiceObject): Controller {
    const { annotations = {}, labels = {}, finalizers = [] } = metadata;
    const name = spec?.loadBalancerClass ?? annotations[CLASS_ANNOTATION];
    if (isOwnClass(name)) return { kind: "stack", stack: annotations[STACK_ANNOTATION] };
    if (ccmMarks({ labels, finalizers: [...finalizers] }).length > 0) return { kind: "ccm" };
    return name === undefined || name === "" || name === NLB_CLASS ? { kind: "ccm" } : { kind: "other", name };
}

/** The manager in a cell of a table. */
export function describeController(controller: Controller): string {
    if (controller.kind === "stack") return controller.stack === undefined ? "a stack" : `stack ${controller.stack}`;
    return controller.kind === "ccm" ? "CCM" : controller.name;
}
