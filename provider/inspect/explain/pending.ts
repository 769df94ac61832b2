/** Why a Service has no address, or none that works. */

import { diagnose } from "../../alicloud";
import { formatCause, isError } from "../../diagnostics";
import { CLB_INTRODUCTION, faqDocument, notesDocument } from "../../schema/documents";
import { addressesOf, managerOf, serviceNameOf } from "../live/model";
import { type Examine, some } from "./explanation";

const SYNCHRONISATION = faqDocument("Service synchronization");

/** Errors that stand in the events of whoever manages the Service. */
export const events: Examine = ({ object, events: all }) =>
    all
        .filter(({ warning }) => warning)
        .filter(({ message }, index, own) => own.findIndex((other) => other.message === message) === index)
        .slice(0, 5)
        .map(({ reason, message, count }) => {
            const known = diagnose(message);
            return {
                verdict: "broken",
                what: known?.cause ?? `its controller reports ${reason}`,
                evidence: [`event ${reason}, ${count} times: ${message.trim()}`],
                remedy:
                    known?.remedy ??
                    `read all events: kubectl -n ${object.metadata.namespace} describe service ${object.metadata.name}`,
                source: known?.source ?? SYNCHRONISATION,
            };
        });

/** What is wrong with the Service object itself. */
export const mistakes: Examine = ({ diagnostics }) =>
    diagnostics.map((diagnostic) => ({
        verdict: isError(diagnostic) ? "broken" : "suspect",
        what: formatCause(diagnostic),
        evidence: [`the Service object, as the API server has it (${diagnostic.code})`],
        remedy: diagnostic.remedy ?? "nothing needs to be done",
        source: diagnostic.source ?? CLB_INTRODUCTION,
    }));

/** Nobody makes a load balancer for it. */
export const unmanaged: Examine = ({ object, cloud, events: all }) => {
    const { type, loadBalancerClass } = object.spec ?? {};
    if (type !== "LoadBalancer")
        return [
            {
                verdict: "broken",
                what: `the Service is of type ${type ?? "ClusterIP"}, and gets no load balancer`,
                evidence: [`spec.type of ${serviceNameOf(object)}`],
                remedy: "set spec.type to LoadBalancer",
                source: CLB_INTRODUCTION,
            },
        ];
    const pending = addressesOf(object).length === 0;
    const manager = managerOf(object);
    if (!pending) return [];
    const evidence = [`status.loadBalancer has no address`, `loadBalancerClass ${loadBalancerClass ?? "is not set"}`];
    if (manager.kind === "other")
        return [
            {
                verdict: "broken",
                what: `the Service belongs to the controller "${manager.controller}", which has not given it an address`,
                evidence,
                remedy: `look at that controller; or create the Service again without spec.loadBalancerClass "${manager.controller}", because the class of a Service cannot be changed`,
                source: notesDocument("Notes on CCM-managed load balancers"),
            },
        ];
    if (manager.kind === "stack" || manager.kind === "follower")
        return [
            {
                verdict: "broken",
                what: "no run of its stack has given it an address yet",
                evidence: [
                    ...evidence,
                    cloud.kind === "found"
                        ? `${cloud.instance.id} exists in the cloud`
                        : "there is no load balancer of its mark",
                ],
                remedy: `run pulumi up in ${manager.kind === "stack" ? manager.stack : "the program that follows the Service"}, and read what it says`,
                source: "docs/recovery.md",
            },
        ];
    return all.length > 0
        ? []
        : [
              {
                  verdict: "broken",
                  what: "the Cloud Controller Manager (CCM) has not worked on it: there is no event",
                  evidence: [...evidence, "no event of the Service (events are kept for an hour)"],
                  remedy: "check that CCM runs, and its version: before v1.9.3.276-g372aa98-aliyun it writes no events. Or let this package manage the Service",
                  source: faqDocument("Why are no events collected during Service and LoadBalancer synchronization"),
              },
          ];
};

/** It is to be deleted, and a finalizer keeps it. */
export const stuck: Examine = ({ object }) => {
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp === undefined || finalizers.length === 0) return [];
    return [
        {
            verdict: "broken",
            what: "the Service is being deleted, and finalizers keep it",
            evidence: [`deleted at ${deletionTimestamp}`, `finalizers: ${some(finalizers)}`],
            remedy: "let the controller that owns the finalizers finish: its events say what hinders it. Take a finalizer away by hand only if that controller is gone, and delete the load balancer yourself",
            source: notesDocument("Notes on CCM-managed load balancers"),
        },
    ];
};

/** The cloud has no such load balancer, or does not answer. */
export const missing: Examine = ({ object, cloud }) => {
    const addresses = addressesOf(object);
    if (cloud.kind === "failed") {
        const known = diagnose({ code: cloud.code, message: cloud.message });
        return [
            {
                verdict: "not seen",
                what: `the cloud could not be asked, so that only the cluster is explained${known === undefined ? "" : `: ${known.cause}`}`,
                evidence: [`${cloud.code} ${cloud.message}`.trim()],
                remedy: known?.remedy ?? "check region, credentials and network: ack-loadbalancer doctor",
                source: known?.source ?? "docs/ram-policy.md",
            },
        ];
    }
    if (cloud.kind !== "missing" || addresses.length === 0) return [];
    return [
        {
            verdict: "broken",
            what: "the load balancer of its address does not exist any more, or is in another region or account",
            evidence: [`status: ${some(addresses)}`, `not found in the cloud: ${cloud.lookedFor}`],
            remedy: "look the address up in the console. If the load balancer is gone and the Service is managed by a stack, run pulumi up --refresh: it is made again, with a new address",
            source: faqDocument("errors"),
        },
    ];
};
