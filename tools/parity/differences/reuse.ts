/** Instances that somebody else has made. */
import { annotation } from "../annotations";
import {
    type DifferenceContext,
    type KnownDifference,
    refusedEarlier,
    servicesSoFar,
    subject,
    untouched,
} from "../context";
import { keyOf } from "../run-case";

export const REUSE_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "What must not be reused is refused before anything is touched",
        reason: "Whether an instance and a vServer group may be used is looked at first, and everything that is wrong is told at once. CCM finds out in the middle, leaves its tag and its groups behind, and passes over a port whose group it does not find without a word.",
        explains: ({ result }) =>
            untouched(result) &&
            result.outcome.errors.some((text) =>
                /ServiceContract resource.*(?:load balancer n?lb-|[sS]erver group (?:rsp|sgp)-)/s.test(text),
            ),
    },
    {
        title: "Two Services on one listener are refused",
        reason: "The documents forbid it. Under CCM whichever was reconciled last has the listener.",
        explains: (context) =>
            shareListener(context) &&
            (context.result.outcome.errors.some((text) => /both use listener/.test(text)) || refusedEarlier(context)),
    },
    {
        title: "The tag of reuse goes with the last Service",
        reason: "An instance that nobody uses any more is as it was before: tags that were set are taken away, or get their former values back. CCM leaves kubernetes.reused.by.user.",
        explains: ({ difference, recorded, index }) =>
            /^tag \S+ kubernetes\.reused\.by\.user$/.test(difference.where) &&
            difference.actual === "" &&
            recorded.steps.slice(0, index + 1).some(({ op }) => op === "delete"),
    },
    {
        title: "A reused instance is tagged, whatever other tags it has",
        reason: "The cloud takes twenty tags. CCM does not add its own from ten on, and never to an NLB.",
        explains: ({ difference }) =>
            /^tag \S+ kubernetes\.reused\.by\.user$/.test(difference.where) &&
            difference.expected === "" &&
            difference.actual === "true",
    },
    {
        title: "Tags of others stay on a reused instance",
        reason: "additional-resource-tags sets the tags that it names. CCM takes away every other one, also from an instance that somebody else has made.",
        explains: (context) => {
            const [, id = "", key = ""] = /^tag (\S+) (.+)$/.exec(context.difference.where) ?? [];
            const tags = (context.recorded.cloudBefore.loadBalancers ?? []).find(({ ref }) => ref === id)?.tags ?? {};
            const service = subject(context);
            const reuses =
                service !== undefined &&
                annotation(service, "id") === id &&
                annotation(service, "additional-resource-tags") !== undefined;
            return (
                reuses && context.difference.expected === "" && key in tags && context.difference.actual === tags[key]
            );
        },
    },
    {
        title: "A Service can leave a reused IPv6 instance",
        reason: "CCM compares the IP version of a Service that is being deleted, which it takes for IPv4, and fails for ever.",
        explains: ({ step, result }) =>
            /AddressIPVersion once created/.test(step.expect.error ?? "") && result.outcome.ok,
    },
    {
        title: "A listener of another protocol stands in the way as well",
        reason: "With force-override the listener on the Service's port is replaced, whichever of tcp, http, https and tcpssl it speaks, since a port has one of them. CCM replaces only one of the same protocol, and fails on any other.",
        explains: ({ step, result }) =>
            /ListenerAlreadyExists|ResourceAlreadyExist\.Listener/.test(step.expect.error ?? "") && result.outcome.ok,
    },
    {
        title: "Listeners that are no longer managed go",
        reason: "A Service that gives up force-override gives up the listeners that it has made, and the preview says so. CCM leaves them, and then fails to delete their groups.",
        explains: ({ step, result }) =>
            /DeleteVServerGroup.*RspoolVipExist/.test(step.expect.error ?? "") && result.outcome.ok,
    },
    {
        title: "A share of the traffic never falls to nothing by division",
        reason: "Each backend of a Service with a weight gets at least 1. CCM lets pods on virtual nodes fall to 0, which takes them out.",
        explains: (context) => {
            const service = subject(context);
            const weight = Number(service === undefined ? 0 : (annotation(service, "weight") ?? 0));
            return (
                / eni .* weight$/.test(context.difference.where) &&
                context.difference.expected === "0" &&
                context.difference.actual === "1" &&
                weight >= 1
            );
        },
    },
];

/** Whether two Services use one port of one instance. */
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
