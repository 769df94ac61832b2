/** The fields that Kubernetes has for a Service. A misspelt one has no effect: the API server drops it without a word, and what it was to restrict stays open. */

import type { ClientIPConfig, ServicePort, ServiceSpec, SessionAffinityConfig } from "kubernetes-types/core/v1";
import type { ObjectMeta } from "kubernetes-types/meta/v1";
import { closest } from "../../annotations/closest";
import { type Collector, type FieldPath, isMapping } from "../../diagnostics";

/** A field whose members are free or the API server's: a map of labels, a text, a list of texts. */
const ANY = true;

type Known = typeof ANY | Fields;
interface Fields {
    readonly [field: string]: Known;
}

const METADATA = {
    annotations: ANY,
    creationTimestamp: ANY,
    deletionGracePeriodSeconds: ANY,
    deletionTimestamp: ANY,
    finalizers: ANY,
    generateName: ANY,
    generation: ANY,
    labels: ANY,
    managedFields: ANY,
    name: ANY,
    namespace: ANY,
    ownerReferences: ANY,
    resourceVersion: ANY,
    selfLink: ANY,
    uid: ANY,
} satisfies Record<keyof ObjectMeta, Known>;

const PORT = {
    appProtocol: ANY,
    name: ANY,
    nodePort: ANY,
    port: ANY,
    protocol: ANY,
    targetPort: ANY,
} satisfies Record<keyof ServicePort, Known>;

const CLIENT_IP = { timeoutSeconds: ANY } satisfies Record<keyof ClientIPConfig, Known>;

const AFFINITY = { clientIP: CLIENT_IP } satisfies Record<keyof SessionAffinityConfig, Known>;

const SPEC = {
    allocateLoadBalancerNodePorts: ANY,
    clusterIP: ANY,
    clusterIPs: ANY,
    externalIPs: ANY,
    externalName: ANY,
    externalTrafficPolicy: ANY,
    healthCheckNodePort: ANY,
    internalTrafficPolicy: ANY,
    ipFamilies: ANY,
    ipFamilyPolicy: ANY,
    loadBalancerClass: ANY,
    loadBalancerIP: ANY,
    loadBalancerSourceRanges: ANY,
    ports: PORT,
    publishNotReadyAddresses: ANY,
    selector: ANY,
    sessionAffinity: ANY,
    sessionAffinityConfig: AFFINITY,
    trafficDistribution: ANY,
    type: ANY,
} satisfies Record<keyof ServiceSpec, Known>;

/**
 * The fields of a Service, v1; those of a list are the fields of its entries.
 *
 * Source: Kubernetes API reference, v1.30 (kubernetes-types), Service v1 core. Up to v1.34 none was added.
 */
export const SERVICE_FIELDS = {
    apiVersion: ANY,
    kind: ANY,
    metadata: METADATA,
    spec: SPEC,
    status: ANY,
} satisfies Fields;

/** Reports every field that Kubernetes does not have, by its path, with the nearest one that it has. */
export function refuseUnknownFields(object: unknown, report: Collector): void {
    walk(object, SERVICE_FIELDS, [], report);
}

function walk(value: unknown, known: Known, path: FieldPath, report: Collector): void {
    if (known === ANY) return;
    if (Array.isArray(value)) {
        value.forEach((entry, index) => walk(entry, known, [...path, index], report));
        return;
    }
    if (!isMapping(value)) return;
    for (const field of Object.keys(value)) {
        const inside = Object.hasOwn(known, field) ? known[field] : undefined;
        if (inside !== undefined) {
            walk(value[field], inside, [...path, field], report);
            continue;
        }
        const near = closest(field, Object.keys(known));
        report.error(
            [...path, field],
            "Kubernetes has no such field, so that it would have no effect",
            near === undefined ? "remove it; kubectl explain service lists the fields" : `did you mean "${near}"?`,
            { part: "key" },
        );
    }
}
