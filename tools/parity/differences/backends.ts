/** Differences in backends and their weights. */
import type { CaseNode } from "../case";
import {
    backendOfNode,
    endpointsNow,
    type DifferenceContext,
    isServer,
    type KnownDifference,
    missingBackend,
    nodeOfBackend,
    nodesNow,
    surplusBackend,
    untouched,
} from "../context";

/** Message of CCM's controllers for CLB and NLB about pods whose network interface they do not find. */
const INVALID_BACKEND = /has invalid (?:backend|server) in/;

const isEdge = ({ labels }: CaseNode): boolean =>
    labels["alibabacloud.com/is-edge-worker"] === "true" || "alibabacloud.com/ens-instance-id" in labels;

export const BACKEND_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "A failed read of a server group is an error",
        reason: "CCM ignores the error and treats the group as empty.",
        explains: ({ step, result }) =>
            step.fail?.["DescribeVServerGroupAttribute"] !== undefined &&
            step.expect.error === null &&
            !result.outcome.ok,
    },
    {
        title: "The last backends are kept",
        reason:
            "If a Service has no endpoints any more, its server groups keep their backends and the run warns, " +
            "unless allowEmpty permits their removal. The health check takes failed backends out of service; " +
            "an emptied server group would be an outage.",
        explains: (context) => {
            const name = /^backend (\S+) /.exec(context.difference.where)?.[1];
            const group = context.step.expect.cloud.serverGroups.find((one) => one.name === name);
            return surplusBackend(context) && group?.backends.length === 0;
        },
    },
    {
        title: "Control-plane nodes are never backends",
        reason: "By either of their labels. CCM knows only node-role.kubernetes.io/master.",
        explains: (context) =>
            missingBackend(context) &&
            backendOfNode(context, ({ labels }) => "node-role.kubernetes.io/control-plane" in labels),
    },
    {
        title: "Virtual nodes are never backends",
        reason: "Their pods are attached directly. CCM also adds the node itself, which is not a server.",
        explains: (context) =>
            missingBackend(context) && backendOfNode(context, ({ labels }) => labels["type"] === "virtual-kubelet"),
    },
    {
        title: "Edge nodes are never backends",
        reason: "The label that ACK Edge sets decides, whatever the providerID is. CCM does not know edge nodes.",
        explains: (context) => missingBackend(context) && backendOfNode(context, isEdge),
    },
    {
        title: "externalTrafficPolicy Local is refused if pods run at the edge",
        reason:
            "According to the documents, forwarding to the edge needs externalTrafficPolicy Cluster. " +
            "Under CCM the pods get no traffic.",
        explains: (context) =>
            nodesNow(context).some(isEdge) &&
            untouched(context.result) &&
            context.result.outcome.errors.some((text) => /ServiceContract.*pods at the edge/s.test(text)),
    },
    {
        title: "An endpoint without a ready condition is ready",
        reason: "The EndpointSlice API defines it so. CCM treats it as not ready.",
        explains: (context) =>
            surplusBackend(context) &&
            endpointsNow(context).some(
                ({ nodeName, addresses, conditions }) =>
                    (conditions?.ready ?? undefined) === undefined &&
                    (nodeName === nodeOfBackend(context) ||
                        addresses.some((address) => context.difference.where.includes(` ${address} `))),
            ),
    },
    {
        title: "Runs do not set readiness gates",
        reason:
            "CCM adds pods that are not ready while they wait for its own readiness gate. The sync controller " +
            "does so too, and sets the gate; a run does not: for it a pod that is not ready is not a backend.",
        explains: (context) => {
            const gated = (context.recorded.cluster.pods ?? []).filter(
                ({ conditions }) => conditions["Ready"] !== "True",
            );
            const member =
                missingBackend(context) &&
                gated.some(
                    ({ ip, node }) => node === nodeOfBackend(context) || context.difference.where.includes(` ${ip} `),
                );
            return (
                member ||
                (context.difference.where === "outcome" &&
                    gated.length > 0 &&
                    INVALID_BACKEND.test(context.step.expect.error ?? "") &&
                    context.result.outcome.ok)
            );
        },
    },
    {
        title: "A node without an ECS instance is skipped",
        reason: "A warning names it. CCM fails the port and the Service, with an unrelated error.",
        explains: (context) =>
            nodesNow(context).some((node) => !isServer(node)) &&
            (context.step.expect.error !== null || recordedErrorBefore(context)) &&
            context.result.outcome.ok,
    },
    {
        title: "A pod without a network interface blocks what depends on its server group",
        reason:
            "The other pods are added, nothing is removed, and the error names the pod; " +
            "a new listener is created once the group is complete. CCM creates the listener and fails afterwards.",
        explains: ({ step, result }) =>
            INVALID_BACKEND.test(step.expect.error ?? "") &&
            result.outcome.errors.some((text) => /no ENI of the VPC holds/.test(text)),
    },
    {
        title: "Pods outside the VPC are skipped",
        reason: "The cloud cannot send to them; a warning names them. CCM does so for a CLB, and fails for an NLB.",
        explains: (context) =>
            INVALID_BACKEND.test(context.step.expect.error ?? "") &&
            context.result.outcome.ok &&
            endpointsNow(context).some(({ addresses }) => addresses.some(isOutsideVpc)),
    },
    {
        title: "An endpoint without a node is skipped",
        reason:
            "CCM stops at such an endpoint, also with externalTrafficPolicy Cluster: " +
            "the port is not updated, or the Service fails with an unrelated error.",
        explains: (context) =>
            endpointsNow(context).some(({ nodeName }) => nodeName === undefined) &&
            context.result.outcome.ok &&
            (context.step.expect.error !== null || missingBackend(context) || surplusBackend(context)),
    },
    {
        title: "Weights are limited to 100",
        reason:
            "The cloud accepts weights from 0 to 100; with more pods on a node, " +
            "all weights are scaled down in proportion. CCM sends the number of pods, and the call fails.",
        explains: ({ difference }) =>
            / weight$/.test(difference.where) && Number(difference.expected) > 100 && Number(difference.actual) <= 100,
    },
];

/** The VPC of every case is 10.0.0.0/8. */
function isOutsideVpc(address: string): boolean {
    return !address.includes(":") && !address.startsWith("10.");
}

function recordedErrorBefore({ recorded, index }: DifferenceContext): boolean {
    return recorded.steps.slice(0, index).some(({ expect }) => expect.error !== null);
}
