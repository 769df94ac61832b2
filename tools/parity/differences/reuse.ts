/** User-managed instances. */
import { annotation } from "../annotations";
import {
    annotated,
    type DifferenceContext,
    type KnownDifference,
    exposureEnded,
    refusedEarlier,
    servicesSoFar,
    untouched,
} from "../context";
import { keyOf } from "../run-case";

export const REUSE_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "An invalid reuse is refused before anything is changed",
        reason:
            "Instance and vServer groups are checked first, and everything that is wrong is reported at once. " +
            "CCM fails midway, leaves its tag and its groups behind, " +
            "and silently skips a port whose group does not exist.",
        explains: ({ result }) =>
            untouched(result) &&
            result.outcome.errors.some((text) =>
                /ServiceContract resource.*(?:load balancer n?lb-|[sS]erver group (?:rsp|sgp)-)/s.test(text),
            ),
    },
    {
        title: "Two Services on one listener are refused",
        reason: "The documents forbid it. Under CCM the Service that was reconciled last has the listener.",
        explains: (context) =>
            shareListener(context) &&
            (context.result.outcome.errors.some((text) => /both use listener/.test(text)) || refusedEarlier(context)),
    },
    {
        title: "The tag of reuse is removed with the last Service",
        reason:
            "When no Service uses an instance any more, the tags that were set are removed " +
            "or get their former values back. CCM leaves kubernetes.reused.by.user.",
        explains: (context) =>
            /^tag \S+ kubernetes\.reused\.by\.user$/.test(context.difference.where) &&
            context.difference.actual === "" &&
            exposureEnded(context),
    },
    {
        title: "A reused instance is tagged, whatever other tags it has",
        reason:
            "The cloud allows twenty tags. " +
            "CCM does not add its tag to an instance with ten or more tags, and never to an NLB.",
        explains: ({ difference }) =>
            /^tag \S+ kubernetes\.reused\.by\.user$/.test(difference.where) &&
            difference.expected === "" &&
            difference.actual === "true",
    },
    {
        title: "A reused instance says which cluster uses its id there",
        reason:
            "Names and marks carry the id of the cluster alone. The tag ack-loadbalancer.io/<cluster id> holds " +
            "the cluster's UID, and a second cluster of the same id is refused.",
        explains: ({ difference }) =>
            /^tag \S+ ack-loadbalancer\.io\/\S+$/.test(difference.where) && difference.expected === "",
    },
    {
        title: "User-managed tags stay on a reused instance",
        reason:
            "additional-resource-tags sets the named tags. " +
            "CCM removes all others, also from a user-managed instance.",
        explains: (context) => {
            const [, id = "", key = ""] = /^tag (\S+) (.+)$/.exec(context.difference.where) ?? [];
            const tags = (context.recorded.cloudBefore.loadBalancers ?? []).find(({ ref }) => ref === id)?.tags ?? {};
            const reuses =
                annotated(context, "id") === id && annotated(context, "additional-resource-tags") !== undefined;
            return (
                reuses && context.difference.expected === "" && key in tags && context.difference.actual === tags[key]
            );
        },
    },
    {
        title: "User-managed backends of a server group stay",
        reason:
            "A backend that was in a server group before a Service used it is user-managed: it keeps its " +
            "weight and description, and stays when the Service is detached. CCM takes it over and removes it.",
        explains: ({ difference, recorded }) => {
            const [, name, identity = "", what] =
                /^backend (\S+) (.+?)(?: (weight|description))?$/.exec(difference.where) ?? [];
            const given = (recorded.cloudBefore.serverGroups ?? [])
                .filter((group) => group.name === name)
                .flatMap(({ backends }) => backends)
                .filter(
                    ({ serverId, port }) => identity.split(" ").includes(serverId) && identity.endsWith(` ${port}`),
                );
            return given.some((backend) =>
                what === "weight"
                    ? String(backend.weight) === difference.actual
                    : what === "description"
                      ? backend.description === difference.actual
                      : difference.actual === "present",
            );
        },
    },
    {
        title: "A Service can be detached from a reused IPv6 instance",
        reason:
            "CCM compares the IP version of a Service that is being deleted, " +
            "assumes IPv4, and fails in every reconcile.",
        explains: ({ step, result }) =>
            /AddressIPVersion once created/.test(step.expect.error ?? "") && result.outcome.ok,
    },
    {
        title: "A listener of another protocol is replaced as well",
        reason:
            "With force-override the listener on the Service's port is replaced, " +
            "with any of the protocols tcp, http, https and tcpssl, since a port has only one of them. " +
            "CCM replaces only one of the same protocol, and fails on any other.",
        explains: ({ step, result }) =>
            /ListenerAlreadyExists|ResourceAlreadyExist\.Listener/.test(step.expect.error ?? "") && result.outcome.ok,
    },
    {
        title: "Listeners that are no longer managed are deleted",
        reason:
            "Removing force-override deletes the managed listeners, as the preview shows. " +
            "CCM leaves them, and then fails to delete their server groups.",
        explains: ({ step, result }) =>
            /DeleteVServerGroup.*RspoolVipExist/.test(step.expect.error ?? "") && result.outcome.ok,
    },
    {
        title: "A weight is never divided down to 0",
        reason:
            "Each backend of a Service with a weight gets at least 1. CCM gives pods on virtual nodes weight 0, " +
            "and they get no traffic.",
        explains: (context) => {
            const weight = Number(annotated(context, "weight") ?? 0);
            return (
                / eni .* weight$/.test(context.difference.where) &&
                context.difference.expected === "0" &&
                context.difference.actual === "1" &&
                weight >= 1
            );
        },
    },
];

/** Reports whether two Services use the same port of an instance. */
function shareListener(context: DifferenceContext): boolean {
    const expected = new Map(
        servicesSoFar(context).map((service) => [
            keyOf(service),
            (service.spec?.ports ?? []).map(
                ({ port, protocol = "TCP" }) => `${annotation(service, "id")} ${protocol}:${port}`,
            ),
        ]),
    );
    const all = [...expected.values()].flat().filter((listener) => !listener.startsWith("undefined "));
    return new Set(all).size < all.length;
}
