/** Fields of a Kubernetes Service. The API server drops a misspelt one silently, with any restriction in it. */

import type {
    ClientIPConfig,
    Service,
    ServicePort,
    ServiceSpec,
    SessionAffinityConfig,
} from "kubernetes-types/core/v1";
import type { ObjectMeta } from "kubernetes-types/meta/v1";
import { ANY, type Known, unknownNames } from "../../annotations/unknown-names";
import type { Collector } from "../../diagnostics";

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

const AFFINITY = {
    clientIP: { timeoutSeconds: ANY } satisfies Record<keyof ClientIPConfig, Known>,
} satisfies Record<keyof SessionAffinityConfig, Known>;

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
 * Fields of a Service, v1; those of a list are the fields of its entries.
 * Source: Kubernetes API reference, v1.30 (kubernetes-types), Service v1 core. Up to v1.34 none was added.
 */
export const SERVICE_FIELDS = {
    apiVersion: ANY,
    kind: ANY,
    metadata: METADATA,
    spec: SPEC,
    status: ANY,
} satisfies Record<keyof Service, Known>;

/** Reports every field that Kubernetes does not have, and the most similar one that it has. */
export function refuseUnknownFields(object: unknown, report: Collector): void {
    for (const { path, nearest } of unknownNames(object, SERVICE_FIELDS))
        report.error(
            path,
            "Kubernetes has no such field, so that it would have no effect",
            nearest === undefined
                ? "remove it; kubectl explain service lists the fields"
                : `did you mean "${nearest}"?`,
            { part: "key" },
        );
}
