/** Who is a backend, and with what weight. */
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

const isEdge = ({ labels }: CaseNode): boolean =>
    labels["alibabacloud.com/is-edge-worker"] === "true" || "alibabacloud.com/ens-instance-id" in labels;

export const BACKEND_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "A failed look at a group is a failure",
        reason: "CCM drops the error and takes the group for empty.",
        explains: ({ step, result }) =>
            step.fail?.["DescribeVServerGroupAttribute"] !== undefined &&
            step.expect.error === null &&
            !result.outcome.ok,
    },
    {
        title: "The last backends stay",
        reason: "A group whose Service has lost all its endpoints keeps its backends and the run warns, until allowEmpty says otherwise. A dead backend is taken out by the health check; a group that was emptied by mistake is an outage.",
        explains: (context) => {
            const name = /^backend (\S+) /.exec(context.difference.where)?.[1];
            const group = context.step.expect.cloud.serverGroups.find((one) => one.name === name);
            return surplusBackend(context) && group?.backends.length === 0;
        },
    },
    {
        title: "Control-plane nodes are no backends",
        reason: "By either of their labels. CCM knows only node-role.kubernetes.io/master.",
        explains: (context) =>
            missingBackend(context) &&
            backendOfNode(context, ({ labels }) => "node-role.kubernetes.io/control-plane" in labels),
    },
    {
        title: "A virtual node is no backend",
        reason: "Pods on it are attached directly. CCM also adds the node itself, which is no server.",
        explains: (context) =>
            missingBackend(context) && backendOfNode(context, ({ labels }) => labels["type"] === "virtual-kubelet"),
    },
    {
        title: "A node at the edge is no backend",
        reason: "By the label that ACK Edge gives it, whatever its providerID is. CCM does not know edge nodes.",
        explains: (context) => missingBackend(context) && backendOfNode(context, isEdge),
    },
    {
        title: "Local is refused where pods run at the edge",
        reason: "The documents say that forwarding to the edge needs externalTrafficPolicy Cluster. CCM leaves the pods without traffic.",
        explains: (context) =>
            nodesNow(context).some(isEdge) &&
            untouched(context.result) &&
            context.result.outcome.errors.some((text) => /ServiceContract.*pods at the edge/s.test(text)),
    },
    {
        title: "An endpoint whose readiness is not said is ready",
        reason: "So the EndpointSlice API has it. CCM takes it for not ready.",
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
        title: "Readiness gates are not served",
        reason: "CCM adds pods that are not ready when they wait for its own gate. Nobody sets that gate here, and no document mentions it: a pod that is not ready is no backend.",
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
                    /has invalid server/.test(context.step.expect.error ?? "") &&
                    context.result.outcome.ok)
            );
        },
    },
    {
        title: "A node without an ECS instance is passed over",
        reason: "It is named in a warning. CCM fails the whole port, and with it the Service, with an error that speaks of something else.",
        explains: (context) =>
            nodesNow(context).some((node) => !isServer(node)) &&
            (context.step.expect.error !== null || recordedErrorBefore(context)) &&
            context.result.outcome.ok,
    },
    {
        title: "A pod that the VPC does not know holds up what comes after its group",
        reason: "The other pods are added, nothing is removed, and the error names the pod; a new listener waits until the group is whole. CCM makes the listener and fails afterwards.",
        explains: ({ step, result }) =>
            /has invalid server/.test(step.expect.error ?? "") &&
            result.outcome.errors.some((text) => /no ENI of the VPC holds/.test(text)),
    },
    {
        title: "An endpoint without a node is passed over",
        reason: "It says nothing about nodes. CCM stops at it, in Cluster mode too: the port is left as it is, or the whole Service fails with an error that speaks of something else.",
        explains: (context) =>
            endpointsNow(context).some(({ nodeName }) => nodeName === undefined) &&
            context.result.outcome.ok &&
            (context.step.expect.error !== null || missingBackend(context) || surplusBackend(context)),
    },
    {
        title: "Weights end at 100",
        reason: "The cloud takes weights from 0 to 100, so more pods on one node are scaled down in proportion. CCM sends the number of pods, and the call fails.",
        explains: ({ difference }) =>
            / weight$/.test(difference.where) && Number(difference.expected) > 100 && Number(difference.actual) <= 100,
    },
];

function recordedErrorBefore({ recorded, index }: DifferenceContext): boolean {
    return recorded.steps.slice(0, index).some(({ expect }) => expect.error !== null);
}
