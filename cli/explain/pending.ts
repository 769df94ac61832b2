/** Checks of a Service without a working address. */

import { diagnose } from "../../provider/cloud";
import { formatCause, isError } from "../../provider/diagnostics";
import { CLB_INTRODUCTION, faqDocument, notesDocument } from "../../provider/schema/documents";
import { STACK_ANNOTATION } from "../../provider/service/controller";
import { addressesOf, loadBalancerManagerOf, serviceNameOf } from "../inspect/model";
import { broken, drifted, type Examine, type Explanation, notSeen, setBack, some, suspect } from "./explanation";

const MANAGED = notesDocument("Notes on CCM-managed load balancers");

/** Reason by which CCM warns, in each run, of a load balancer that outlives its Service. */
const PRESERVED = "PreservedOnDelete";

/** Reason by which CCM reports any error. The message tells which. */
const ANY_ERROR = "SyncLoadBalancerFailed";

/** Reasons of success. CCM's other normal events tell of changes to come, or of missing backends. */
const SUCCESSES = ["EnsuredLoadBalancer", "CleanLoadBalancer"];

/** Reports up to five different warnings among the events. Warnings before a later success are history. */
export const events: Examine = ({ object: { metadata }, events: all }) => {
    const success = all.find(({ reason }) => SUCCESSES.includes(reason))?.at ?? "";
    const warnings = all.filter(({ warning }) => warning);
    const first = warnings.filter(
        (one, index) => warnings.findIndex(({ message }) => message === one.message) === index,
    );
    return first.slice(0, 5).map(({ reason, message, count, at }): Explanation => {
        const known = diagnose(message) ?? (reason === ANY_ERROR ? undefined : diagnose({ code: reason }));
        const found = (reason === PRESERVED ? suspect : broken)(
            known?.cause ?? `its controller reports ${reason}`,
            [`event ${reason}, ${count} times: ${message.trim()}`],
            known?.remedy ?? `read all events: kubectl -n ${metadata.namespace} describe service ${metadata.name}`,
            known?.source ?? faqDocument("Service synchronization"),
        );
        return success > at ? { ...found, verdict: "history" } : found;
    });
};

export const mistakes: Examine = ({ diagnostics }) =>
    diagnostics.map((diagnostic) =>
        (isError(diagnostic) ? broken : suspect)(
            formatCause(diagnostic),
            [`the Service object, as the API server has it (${diagnostic.code})`],
            diagnostic.remedy ?? "nothing needs to be done",
            diagnostic.source ?? CLB_INTRODUCTION,
        ),
    );

export const withoutAddress: Examine = ({ object, cloud, events: all }) => {
    const { type, loadBalancerClass } = object.spec ?? {};
    if (type !== "LoadBalancer")
        return broken(
            `the Service is of type ${type ?? "ClusterIP"}, and gets no load balancer`,
            [`spec.type of ${serviceNameOf(object)}`],
            "set spec.type to LoadBalancer",
            CLB_INTRODUCTION,
        );
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

export const stuck: Examine = ({ object }) => {
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp === undefined || finalizers.length === 0) return undefined;
    return broken(
        "the Service is being deleted, and finalizers keep it",
        [`deleted at ${deletionTimestamp}`, `finalizers: ${some(finalizers)}`],
        "let the controller that owns the finalizers finish: its events say what hinders it. Take a finalizer " +
            "away by hand only if that controller is gone, and delete the load balancer yourself",
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
