/** Checks of the load balancer itself: its state, that of its listeners, and attributes that were edited. */

import { clbDocument, faqDocument, notesDocument } from "../../provider/schema/documents";
import { isOwnClass } from "../../provider/schema/load-balancer-type";
import { ccmMarks, CLASS_ANNOTATION, managedByCcm, STACK_ANNOTATION } from "../../provider/service/controller";
import { driftOf } from "../inspect/drift";
import { listenerViews } from "../inspect/groups";
import { broken, type Examine, some } from "./explanation";

/** Ways back from a state in which an instance passes nothing on. */
const WAYS_BACK: Readonly<Record<string, string>> = {
    locked: "settle what the account owes (Expenses and Costs), or see the console for another cause; it unlocks then",
    inactive: "start it in the console, or by SetLoadBalancerStatus with LoadBalancerStatus=active",
};

/** Reports an instance that passes nothing on, and managed listeners that are stopped. */
export const state: Examine = (live) => {
    const { cloud } = live;
    if (cloud.kind !== "found") return undefined;
    const { id, status } = cloud.instance;
    const source = clbDocument("Listeners");
    const way = WAYS_BACK[status ?? ""];
    const stopped = listenerViews(live).flatMap(({ listener, own }) => {
        const name = `${listener?.protocol}:${listener?.port}`;
        const found = cloud.listeners[name]?.status ?? "";
        if (found.toLowerCase() !== "stopped") return [];
        const remedy = own ? "run pulumi up --refresh, which starts it" : "start it in the console: it is user-managed";
        return broken(`listener ${name} of ${id} is stopped`, [`status ${found}`], remedy, source);
    });
    if (way === undefined) return stopped;
    return [
        broken(`load balancer ${id} is ${status}: no listener answers`, [`status ${status}`], way, source),
        ...stopped,
    ];
};

/** Reports attributes that differ from what the Service asks for, by object. */
export const attributes: Examine = (live) =>
    [...Map.groupBy(driftOf(live), ({ object }) => object)].map(([object, own]) => ({
        ...broken(
            `${object} differs from what the Service asks for: ${some(own.map(({ attribute }) => attribute))}`,
            own.map(({ attribute, observed, desired }) => `${attribute}: ${observed} in the cloud, ${desired} desired`),
            "run pulumi up --refresh, which sets it back; or state in the Service what the cloud has",
            faqDocument("Service annotation not taking effect"),
        ),
        drift: true,
    }));

/** Reports a Service that two controllers manage. */
export const controllers: Examine = ({ object }) => {
    const { metadata, spec } = object;
    const { annotations = {}, namespace = "default", name } = metadata;
    if (!managedByCcm(object)) return undefined;
    const fields = [
        ...(isOwnClass(spec?.loadBalancerClass ?? "") ? [`spec.loadBalancerClass ${spec?.loadBalancerClass}`] : []),
        ...[CLASS_ANNOTATION, STACK_ANNOTATION]
            .filter((key) => (annotations[key] ?? "") !== "")
            .map((key) => `annotation ${key}: ${annotations[key]}`),
    ];
    if (fields.length === 0) return undefined;
    return broken(
        "two controllers manage the Service: this package and the Cloud Controller Manager (CCM)",
        [...fields, ...ccmMarks(metadata)],
        "run pulumi up with the Service under adopt (docs/migrate-from-ccm.md), which takes it from CCM; or hand " +
            `it back. Look at the fields: kubectl -n ${namespace} get service ${name} -o yaml`,
        notesDocument("Notes on CCM-managed load balancers"),
    );
};
