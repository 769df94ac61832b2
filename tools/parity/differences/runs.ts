/** Drift, leftovers and failures. */
import { annotation } from "../annotations";
import { annotated, type KnownDifference, stepsSoFar, subject } from "../context";
import { ownName } from "../spec";

const OWNER_TAGS = ["kubernetes.do.not.delete", "ack.aliyun.com"];

export const RUN_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "Drift is corrected",
        reason:
            "A run with --refresh compares instance, tags, listeners and server groups with " +
            "the cloud and reverts changes from outside; a deleted instance is created again. " +
            "CCM notices changed backends only, and fails if the instance does not exist.",
        explains: (context) =>
            stepsSoFar(context).some(({ cloudCalls }) => cloudCalls !== undefined) &&
            !/^listener [a-z]+:.* status$/.test(context.difference.where) &&
            (context.result.outcome.ok || context.difference.where !== "outcome"),
    },
    {
        title: "A stopped listener is started",
        reason:
            "A run with --refresh starts a listener that was stopped in the console. " +
            "CCM starts it when the Service changes next.",
        explains: (context) =>
            /^listener .* status$/.test(context.difference.where) &&
            context.difference.actual === "running" &&
            stepsSoFar(context).some(({ cloudCalls }) =>
                cloudCalls?.some(({ action }) => action === "StopLoadBalancerListener"),
            ),
    },
    {
        title: "The state decides what is managed",
        reason:
            "An instance with the tags of a Service is not adopted, and two of them are no error: " +
            "a stack changes only what it created or imported. CCM finds its instance by tag.",
        explains: ({ recorded }) =>
            (recorded.cloudBefore.loadBalancers ?? []).some(({ tags }) => OWNER_TAGS.some((tag) => tag in tags)) &&
            recorded.steps.every(({ service }) => service === undefined || annotation(service, "id") === undefined),
    },
    {
        title: "Leftovers of an interrupted create are removed",
        reason:
            "An instance without listeners that has the name derived from the Service was left " +
            "behind by an interrupted run: it is deleted and created again instead of being adopted.",
        explains: (context) => {
            const own = ownName(subject(context));
            const { loadBalancers = [], listeners = [] } = context.recorded.cloudBefore;
            return (
                listeners.length === 0 && loadBalancers.some(({ attributes }) => attributes["LoadBalancerName"] === own)
            );
        },
    },
    {
        title: "disablePublicSLB does not apply",
        reason:
            "It is an entry of CCM's own configuration, by which CCM ignores Services with a public address. " +
            "A program exposes the Services that it names; policies can forbid public addresses.",
        explains: (context) => {
            const disabled = context.recorded.cluster.cloudConfig?.["disablePublicSLB"];
            return (
                String(disabled) === "true" &&
                annotated(context, "address-type") !== "intranet" &&
                (context.difference.expected === "" || context.difference.where === "status")
            );
        },
    },
    {
        title: "Temporary failures are retried within the run",
        reason:
            "Plugin and client retry after throttling and outages. " +
            "CCM fails at once and retries in a later reconcile.",
        explains: ({ step, result }) => step.fail !== undefined && step.expect.error !== null && result.outcome.ok,
    },
    {
        title: "A run stops where it fails",
        reason:
            "The engine starts nothing that depends on a failed resource: " +
            "listeners depend on their server groups, and those on their instance. The next run finishes the work. " +
            "CCM continues with everything else, and may never finish the failed part.",
        explains: ({ step, result }) => step.fail !== undefined && step.expect.error !== null && !result.outcome.ok,
    },
];
