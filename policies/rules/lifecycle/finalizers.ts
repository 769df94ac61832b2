import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";

/** What the Cloud Controller Manager writes on Services that it looks after. */
const FINALIZERS = { clb: "service.k8s.alibaba/resources", nlb: "service.k8s.alibaba/nlb" } as const;

/** A list in a manifest replaces the one in the cluster: without the controller's finalizer nobody releases the load balancer. */
export const finalizers: ResourceRule = {
    name: "lifecycle-finalizers",
    title: "Nobody takes the finalizer of the Cloud Controller Manager off a Service.",
    group: "lifecycle",
    severity: "high",
    level: "mandatory",
    remedy: "Do not list metadata.finalizers at all, or keep the controller's among them.",
    source: notesDocument("Notes"),
    service: (service) => {
        const { finalizers: listed, controller, loadBalancerType } = service;
        const wanted = FINALIZERS[loadBalancerType];
        const lost =
            listed === undefined ? service.before?.finalizers?.includes(wanted) === true : !listed.includes(wanted);
        return controller === "ccm" && lost
            ? [
                  `metadata.finalizers leaves out "${wanted}": the cloud resources of the Service would not be released when it is deleted`,
              ]
            : [];
    },
};
