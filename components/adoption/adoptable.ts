import * as pulumi from "@pulumi/pulumi";
import type { ServiceObject } from "../../provider/kubernetes";
import { CLASS_CHANGE_ANNOTATION, chosenType, STACK_ANNOTATION } from "../../provider/kubernetes/service/controller";
import { type Service } from "../../provider/kubernetes/service/service";
import { LOAD_BALANCER_CLASSES, LOAD_BALANCER_NAMES, typeOfClass } from "../../provider/schema/load-balancer-type";
import type { ServiceView } from "../service/cluster";

/**
 * The Service as it is in the cluster, if the Cloud Controller Manager can have made a load balancer for it.
 *
 * @throws RunError otherwise, with what to do.
 */
export function adoptable(service: Service, { live }: ServiceView): ServiceObject {
    const refuse = (cause: string, remedy: string) =>
        new pulumi.RunError(
            `Service ${service.namespace}/${service.name} cannot be taken over: ${cause}. Remedy: ${remedy}.`,
        );
    if (live === undefined) {
        throw refuse(
            "it is not in the cluster, so that there is nothing to take over",
            "apply it first, or take it off the list of those to adopt",
        );
    }
    if (live.metadata.deletionTimestamp !== undefined) {
        throw refuse(
            "it is being deleted, and its load balancer with it",
            "wait until it is gone, or rescue the load balancer first",
        );
    }
    // A takeover that was interrupted while the class changed goes on.
    const changing = CLASS_CHANGE_ANNOTATION in (live.metadata.annotations ?? {});
    if (live.spec?.type !== "LoadBalancer" && !changing) {
        throw refuse(
            `it is of type ${live.spec?.type ?? "ClusterIP"} in the cluster`,
            "make it one of type LoadBalancer again; its load balancer was deleted when it ceased to be one",
        );
    }
    const applied = live.metadata.annotations?.[STACK_ANNOTATION];
    if (applied !== undefined || live.spec?.loadBalancerClass === LOAD_BALANCER_CLASSES.clb) {
        throw refuse(
            applied === undefined
                ? "it is this package's already, by its loadBalancerClass"
                : `the stack ${applied} of this package applies it already`,
            "take it off the list of those to adopt",
        );
    }
    const type = typeOfClass(live.spec?.loadBalancerClass);
    const asked = chosenType(live.metadata.annotations ?? {}, {}) ?? type;
    if (!changing && asked !== service.loadBalancerType) {
        throw refuse(
            asked === undefined
                ? `it is another controller's, by its loadBalancerClass "${live.spec?.loadBalancerClass ?? ""}"`
                : `it has ${LOAD_BALANCER_NAMES[asked]} in the cluster, and its manifest asks for ${LOAD_BALANCER_NAMES[service.loadBalancerType]}`,
            "write the manifest as the Service is in the cluster, or take it off the list of those to adopt",
        );
    }
    return live;
}
