import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";

/** The finalizers that the Cloud Controller Manager adds to the Services that it manages. */
const FINALIZERS = { clb: "service.k8s.alibaba/resources", nlb: "service.k8s.alibaba/nlb" } as const;

/** A list in a manifest replaces the one in the cluster: without the controller's finalizer the load balancer is not released. */
export const finalizers: ResourceRule = {
    name: "lifecycle-finalizers",
    title: "The finalizer of the Cloud Controller Manager stays on its Services.",
    group: "lifecycle",
    severity: "high",
    level: "mandatory",
    remedy: "Leave metadata.finalizers out, or include the controller's finalizer.",
    source: notesDocument("Notes"),
    service: (service) => {
        const { finalizers: listed, controller, loadBalancerType } = service;
        const finalizer = FINALIZERS[loadBalancerType];
        const lost =
            listed === undefined
                ? service.before?.finalizers?.includes(finalizer) === true
                : !listed.includes(finalizer);
        return controller === "ccm" && lost
            ? [
                  `metadata.finalizers leaves out "${finalizer}": the cloud resources of the Service would not be released when it is deleted`,
              ]
            : [];
    },
};
