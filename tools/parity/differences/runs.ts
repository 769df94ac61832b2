/** How a run goes: drift, remnants, failures. */
import { annotation } from "../annotations";
import { type KnownDifference, subject } from "../context";
import { specOf } from "../spec";

const OWNER_TAGS = ["kubernetes.do.not.delete", "ack.aliyun.com"];

export const RUN_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "Drift is healed",
        reason: "A run with --refresh compares instance, tags, listeners and groups with the cloud and puts right what was changed from outside; an instance that is gone is made anew. CCM notices only changed members, and gives up on an instance that it does not find.",
        explains: (context) =>
            context.recorded.steps.slice(0, context.index + 1).some(({ cloudCalls }) => cloudCalls !== undefined) &&
            !/^listener [a-z]+:.* status$/.test(context.difference.where) &&
            (context.result.outcome.ok || context.difference.where !== "outcome"),
    },
    {
        title: "A listener that somebody stopped stays stopped",
        reason: "The alicloud plugin does not tell the status of a listener, and asking for it at every change would cost a call for each. CCM starts it when the Service is next changed, whatever it was stopped for.",
        explains: ({ difference, recorded, index }) =>
            /^listener .* status$/.test(difference.where) &&
            difference.actual === "stopped" &&
            recorded.steps
                .slice(0, index + 1)
                .some(({ cloudCalls }) => cloudCalls?.some(({ action }) => action === "StopLoadBalancerListener")),
    },
    {
        title: "The stack's state says what is actual",
        reason: "An instance that merely carries the tags of a Service is not adopted, and two of them are no obstacle: what a stack has not made, or imported, it leaves alone. CCM finds its instance by tag.",
        explains: ({ recorded }) =>
            (recorded.cloudBefore.loadBalancers ?? []).some(({ tags }) => OWNER_TAGS.some((tag) => tag in tags)) &&
            recorded.steps.every(({ service }) => service === undefined || annotation(service, "id") === undefined),
    },
    {
        title: "What an interrupted create left is removed",
        reason: "An instance without listeners that has the name that only this Service gives is the remnant of a run that was cut off: it is deleted and made anew, instead of being adopted half made.",
        explains: (context) => {
            const service = subject(context);
            const own =
                service === undefined
                    ? undefined
                    : specOf(
                          { ...service, metadata: { ...service.metadata, annotations: {} } },
                          "instance",
                          "LoadBalancerName",
                      );
            const { loadBalancers = [], listeners = [] } = context.recorded.cloudBefore;
            return (
                listeners.length === 0 && loadBalancers.some(({ attributes }) => attributes["LoadBalancerName"] === own)
            );
        },
    },
    {
        title: "Passing failures are repeated within the run",
        reason: "Throttling and outages are waited out by plugin and client. CCM fails at once and comes back later.",
        explains: ({ step, result }) => step.fail !== undefined && step.expect.error !== null && result.outcome.ok,
    },
    {
        title: "A run stops where it fails",
        reason: "The engine starts nothing that depends on what failed; listeners wait for their groups and groups for their instance. CCM carries on with everything else, and never looks again at what it left half done. The next run finishes the work.",
        explains: ({ step, result }) => step.fail !== undefined && step.expect.error !== null && !result.outcome.ok,
    },
];
