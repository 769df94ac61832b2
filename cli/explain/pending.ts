/** Checks of a Service without a working address. */

import { diagnose } from "../../provider/cloud";
import { formatCause, isError } from "../../provider/diagnostics";
import { CLB_INTRODUCTION, faqDocument, notesDocument } from "../../provider/schema/documents";
import { PROFILE } from "../../provider/cluster/discovery";
import { CLASS_ANNOTATION, STACK_ANNOTATION } from "../../provider/service/controller";
import { ownerOf } from "../inspect/groups";
import { editedFields } from "./edits";
import { addressesOf, loadBalancerManagerOf, serviceNameOf } from "../inspect/model";
import { aside, broken, drifted, type Examine, notSeen, setBack, some, suspect } from "./explanation";

const MANAGED = notesDocument("Notes on CCM-managed load balancers");

export const mistakes: Examine = (live) => {
    const { metadata } = live.object;
    const edited = editedFields(live);
    // That the Service is of another type is a finding of its own.
    const others = live.diagnostics.filter(({ code }) => code !== "service-type");
    return others.map((diagnostic) => {
        const { code, place, remedy = "nothing needs to be done", source = CLB_INTRODUCTION } = diagnostic;
        const key = place.path?.[0] === "metadata" ? String(place.path.at(-1)) : "";
        const isAdded = edited.some(({ field }) => key !== "" && field === `metadata.annotations.${key}`);
        const evidence = [`the Service object, as the API server has it (${code})`];
        const what =
            isAdded && code === "service-class"
                ? `annotation ${key} names another controller, and was added by hand: no run acts on it`
                : formatCause(diagnostic);
        const way = isAdded
            ? `remove it: kubectl -n ${metadata.namespace} annotate service ${metadata.name} ${key}- (a run leaves ` +
              "alone an annotation that its manifest does not state)"
            : remedy;
        return (isError(diagnostic) ? broken : suspect)(what, evidence, way, source);
    });
};

export const withoutAddress: Examine = ({ object, cloud, events: all }) => {
    const { type, loadBalancerClass } = object.spec ?? {};
    if (type !== "LoadBalancer") {
        const stack = object.metadata.annotations?.[STACK_ANNOTATION];
        return broken(
            `the Service is of type ${type ?? "ClusterIP"}, ` +
                (stack === undefined ? "and gets no load balancer" : `and stack ${stack} made a load balancer for it`),
            [`spec.type of ${serviceNameOf(object)}`],
            stack === undefined
                ? "set spec.type to LoadBalancer"
                : `run pulumi up --refresh in ${stack}, which sets spec.type back; or take the Service off the stack`,
            CLB_INTRODUCTION,
        );
    }
    if (addressesOf(object).length > 0) return undefined;
    const manager = loadBalancerManagerOf(object);
    const evidence = ["status.loadBalancer has no address", `loadBalancerClass ${loadBalancerClass ?? "is not set"}`];
    if (manager.kind === "other")
        return broken(
            `the Service belongs to the controller "${manager.controller}", which has not given it an address`,
            evidence,
            "look at that controller; or create the Service again without spec.loadBalancerClass " +
                `"${manager.controller}", because the class of a Service cannot be changed`,
            MANAGED,
        );
    if (manager.kind === "stack" || manager.kind === "follower") {
        const made = cloud.kind === "found" ? `${cloud.instance.id} exists in the cloud` : "";
        const program = manager.kind === "stack" ? manager.stack : "the program that follows the Service";
        return broken(
            "the Service has no address: no run has finished, or its status was emptied",
            [...evidence, made || "there is no load balancer of its mark"],
            `run pulumi up --refresh in ${program}, and read its output: it finishes a run that was interrupted, ` +
                "and writes the address again (without --refresh a run does not see that the status is empty)",
            "docs/recovery.md",
        );
    }
    if (all.length > 0) return undefined;
    return broken(
        "the Cloud Controller Manager (CCM) has not worked on it: there is no event",
        [...evidence, "no event of the Service (events are kept for an hour)"],
        "check that CCM runs, and its version: before v1.9.3.276-g372aa98-aliyun it writes no events. Or let " +
            "this package manage the Service",
        faqDocument("Why are no events collected during Service and LoadBalancer synchronization"),
    );
};

/** Reports another cluster id than that of the marks: each run is refused, because it would change all names. */
export const identity: Examine = (live) => {
    const { object, clusterId } = live;
    const manager = loadBalancerManagerOf(object);
    const owner = ownerOf(live);
    if (manager.kind !== "stack" && manager.kind !== "follower") return undefined;
    if (owner === undefined || clusterId === undefined || clusterId === owner.clusterId) return undefined;
    return aside(
        `each run is refused: the cluster's id is ${clusterId} now, and the load balancer bears ${owner.clusterId}`,
        [
            `clusterid in the ConfigMap kube-system/${PROFILE}: ${clusterId}`,
            `mark of the listeners: ${owner.clusterId}`,
        ],
        `if the ConfigMap was edited, write clusterid ${owner.clusterId} back: kubectl -n kube-system edit ` +
            `configmap ${PROFILE}; if this is another cluster, correct kubeconfig or context`,
        "docs/recovery.md",
    );
};

/** Reports a Service that this package serves and nothing in the cluster declares: a CCM takes it. */
export const adopted: Examine = (live) => {
    const { object, service } = live;
    if (loadBalancerManagerOf(object).kind !== "nobody" || service === undefined) return undefined;
    const owner = ownerOf(live);
    const { annotations = {} } = object.metadata;
    const stack = annotations[STACK_ANNOTATION];
    if (stack === undefined && (owner === undefined || live.cloud.kind !== "found")) return undefined;
    return aside(
        "nothing keeps the Cloud Controller Manager (CCM) away: the Service has neither its finalizer nor a class of " +
            "this package, and a CCM takes it at its next event",
        [
            `annotation ${CLASS_ANNOTATION} is not set`,
            stack === undefined
                ? "its load balancer bears the mark of the Service"
                : `annotation ${STACK_ANNOTATION}: ${stack}`,
        ],
        `run pulumi up --refresh in ${stack ?? "the stack that serves it"}, which sets the annotation again; if no ` +
            "stack serves it, let CCM have it",
        "docs/migrate-from-ccm.md",
    );
};

export const stuck: Examine = ({ object }) => {
    const { deletionTimestamp, finalizers = [], annotations = {} } = object.metadata;
    if (deletionTimestamp === undefined || finalizers.length === 0) return undefined;
    const stack = annotations[STACK_ANNOTATION];
    return broken(
        "the Service is being deleted, and finalizers keep it",
        [`deleted at ${deletionTimestamp}`, `finalizers: ${some(finalizers)}`],
        "let the controller that owns the finalizers finish: its events say what hinders it. Remove a finalizer by " +
            "hand only if that controller is gone" +
            (stack === undefined
                ? ", and delete the load balancer yourself"
                : `. Then run pulumi up --refresh in ${stack}, which creates the Service again, with its address`),
        MANAGED,
    );
};

/** Reports a load balancer that the cloud does not have, or cannot be read. */
export const missingInstance: Examine = ({ object, service, cloud }) => {
    if (cloud.kind === "failed") {
        const known = diagnose({ code: cloud.code, message: cloud.message });
        return notSeen(
            `the load balancer, because the cloud refuses to answer${known === undefined ? "" : `: ${known.cause}`}`,
            [`${cloud.code} ${cloud.message}`.trim()],
            known?.remedy ?? "check region, credentials and network: ack-loadbalancer doctor",
            known?.source ?? "docs/ram-policy.md",
        );
    }
    const addresses = addressesOf(object);
    if (cloud.kind !== "missing" || addresses.length === 0) return undefined;
    return broken(
        "the load balancer of its address does not exist any more, or is in another region or account",
        [`status: ${some(addresses)}`, `not found in the cloud: ${cloud.lookedFor}`],
        service?.settings.id === undefined
            ? "look the address up in the console. If the load balancer is gone and the Service is managed by a " +
                  "stack, run pulumi up --refresh: it is made again, with a new address"
            : `the Service reuses ${service.settings.id}, which no run makes again: create a load balancer, and name ` +
                  "it in alibaba-cloud-loadbalancer-id; or remove the annotation, and create the Service again",
        faqDocument("errors"),
    );
};

/** Reports a status whose addresses do not lead to the load balancer. */
export const otherAddress: Examine = (live) => {
    const { object, cloud, service } = live;
    const shown = addressesOf(object);
    if (cloud.kind !== "found" || service === undefined || shown.length === 0) return undefined;
    const { hostname, externalIpType } = service.settings;
    const { id, address } = cloud.instance;
    const { elasticAddresses } = cloud;
    const own = elasticAddresses.length > 0 ? elasticAddresses : [address ?? []].flat();
    const right = hostname === undefined ? own : [hostname];
    if (right.length === 0) return undefined;
    if (shown.every((one) => right.includes(one)) && right.every((one) => shown.includes(one))) return undefined;
    const associate = externalIpType === "eip" ? `associate the elastic IP address with ${id} again, or ` : "";
    return drifted(
        "broken",
        `the Service shows ${some(shown)}, and clients reach load balancer ${id} at ${some(right)}`,
        [`status.loadBalancer: ${some(shown)}`, `addresses of ${id}: ${some(right)}`],
        associate + setBack(live, ", which writes the address again"),
        faqDocument("errors"),
    );
};

/** Reports load balancers of a former Service of this name, which Cloud Controller Manager does not know of. */
export const former: Examine = ({ object, cloud }) =>
    (cloud.kind === "found" ? cloud.former : []).map(({ id, address = "no address" }) => {
        const stack = object.metadata.annotations?.[STACK_ANNOTATION];
        const holder = stack === undefined ? "the stack that made it" : `stack ${stack}`;
        return suspect(
            `${holder} still holds load balancer ${id} (${address}) for this Service, and it is billed`,
            [`listeners of ${id} bear the mark of ${serviceNameOf(object)}`, "CCM serves the Service with another one"],
            `run pulumi preview in ${holder}, which says how to go on: adopt the Service, or take it out of the ` +
                `stack. If no stack has ${id}, delete it in the console`,
            "docs/migrate-from-ccm.md",
        );
    });
