/** Attributes of instances and listeners. */
import type { ServiceObject } from "../../../provider/service/objects";
import { annotation, entriesOf } from "../annotations";
import { isOff, SWITCHES } from "../compare-parts";
import {
    annotated,
    asSpecified,
    attribute,
    type DifferenceContext,
    exposureEnded,
    type KnownDifference,
    servicesSoFar,
    subject,
    wasRemoved,
} from "../context";
import { documentedDefault } from "../defaults";
import { specOf } from "../spec";

export const ATTRIBUTE_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "A named load balancer has its owner in the modification protection reason",
        reason:
            "Names are not unique and tags are set after the create. The modification protection " +
            "reason of an instance with an annotated name is therefore managed.by.ack.<owner>.",
        explains: (context) =>
            attribute(context)?.name === "ModificationProtectionReason" &&
            context.difference.actual.startsWith("managed.by.ack.a"),
    },
    {
        title: "Words are sent in the cloud's spelling",
        reason: "CCM compares instance-charge-type without case and sends it as it is written.",
        explains: (context) => {
            const { actual, expected } = context.difference;
            return attribute(context)?.name === "InstanceChargeType" && actual.toLowerCase() === expected.toLowerCase();
        },
    },
    {
        title: "A preserved instance keeps its listeners and server groups",
        reason:
            'The documents say that "existing servers in the vServer group remain unchanged"; CCM deletes ' +
            "listeners and server groups, which ends all traffic, and fails for an IPv6 instance. After v2.15.0 it " +
            "keeps the listeners of an NLB. Both " +
            "protections, both ownership tags and the protection reason are removed.",
        explains: (context) =>
            servicesSoFar(context).some((service) => annotation(service, "preserve-lb-on-delete") !== undefined) &&
            exposureEnded(context) &&
            (/^(?:group|listener|tag) /.test(context.difference.where) ||
                attribute(context)?.name === "ModificationProtectionReason" ||
                ["outcome", "status"].includes(context.difference.where) ||
                asPreserved(context)),
    },
    {
        title: "Source ranges restrict a CLB",
        reason:
            "spec.loadBalancerSourceRanges becomes a managed access control list. " +
            "CCM applies source ranges to an NLB only and leaves a CLB open.",
        explains: (context) =>
            (subject(context).spec?.loadBalancerSourceRanges?.length ?? 0) > 0 &&
            ["AclStatus", "AclType", "AclId"].includes(attribute(context)?.name ?? ""),
    },
    {
        title: "A redirecting listener has a server group",
        reason: "The listener never uses it, but the alicloud plugin cannot create a listener without one.",
        explains: ({ difference, step }) =>
            /^listener http:\d+ group$/.test(difference.where) &&
            difference.expected === "" &&
            step.expect.cloud.listeners.some(
                ({ protocol, port, sent }) =>
                    difference.where === `listener ${protocol}:${port} group` && sent["ListenerForward"] === "on",
            ),
    },
    {
        title: "The timeout of a health check is at least its interval",
        reason:
            '"If this value is less than the check interval, the interval takes effect": the effective value is ' +
            "set, and the console shows it.",
        explains: (context) => {
            const interval = annotated(context, "health-check-interval");
            return (
                ["HealthCheckConnectTimeout", "HealthCheckTimeout"].includes(attribute(context)?.name ?? "") &&
                interval !== undefined &&
                context.difference.actual === interval
            );
        },
    },
    {
        title: "health-check-timeout applies to HTTP health checks of TCP listeners",
        reason:
            "The document lists health-check-timeout for HTTP health checks of TCP listeners too. " +
            "CCM sends it for HTTP and HTTPS listeners only.",
        explains: (context) => {
            const what = attribute(context);
            return (
                what?.kind === "tcp" &&
                what.name === "HealthCheckConnectTimeout" &&
                annotated(context, "health-check-type") === "http" &&
                context.difference.actual === annotated(context, "health-check-timeout")
            );
        },
    },
    {
        title: "Health check settings are sent only with the health check",
        reason:
            "While the health check of an HTTP or HTTPS listener is off, or that of a TCP listener is of type tcp, " +
            "the settings of an HTTP check are not sent; the cloud would not use them.",
        explains: (context) => {
            const what = attribute(context);
            if (what === undefined || !/^(?:HealthCheck|Healthy|Unhealthy)/.test(what.name)) return false;
            const off = ["http", "https"].includes(what.kind)
                ? annotated(context, "health-check-flag") !== "on"
                : annotated(context, "health-check-switch") === "off";
            const plain =
                what.kind === "tcp" &&
                annotated(context, "health-check-type") !== "http" &&
                ["HealthCheckDomain", "HealthCheckURI", "HealthCheckHttpCode", "HealthCheckMethod"].includes(what.name);
            return off || plain;
        },
    },
    {
        title: "The settings of an option are sent only while it is on",
        reason:
            "While ALPN, client certificates, Proxy Protocol, sticky sessions, " +
            "access control or connection draining is off, its other settings have no effect and are not sent. " +
            "CCM sends what is annotated, and former values stay.",
        explains: (context) => {
            const what = attribute(context);
            const option = SWITCHES[what?.name ?? ""];
            return (
                what !== undefined &&
                option !== undefined &&
                isOff(specOf(subject(context), what.kind, option) ?? "") &&
                ["", documentedDefault(what.kind, what.name)].includes(context.difference.actual)
            );
        },
    },
    {
        title: "A specification belongs to pay-by-specification",
        reason:
            "An instance that pays by usage (PayByCLCU) has no specification of its own: " +
            "the cloud gives it slb.lcu.elastic. CCM was recorded with the specification that it had sent before.",
        explains: (context) =>
            attribute(context)?.name === "LoadBalancerSpec" &&
            specOf(subject(context), "instance", "InstanceChargeType") === "PayByCLCU" &&
            ["", "slb.lcu.elastic"].includes(context.difference.actual),
    },
    {
        title: "charge-type paybybandwidth means pay-by-specification",
        reason:
            "Pay-as-you-go instances (PayByCLCU) are sold with pay-by-traffic only. CCM requests both, " +
            "which the API refuses. Such an instance stays as it is when the annotation is removed.",
        explains: (context) => {
            const asked =
                servicesSoFar(context).some((before) => annotation(before, "charge-type") === "paybybandwidth") &&
                annotated(context, "instance-charge-type") === undefined;
            return (
                asked && attribute(context)?.name === "InstanceChargeType" && context.difference.actual === "PayBySpec"
            );
        },
    },
    {
        title: "A removed annotation restores the default",
        reason:
            "CCM compares annotated attributes only, and former values stay. Here every documented default is " +
            "sent, and that of the API where the documents state none but the parameter has one: " +
            "connection-drain off, established-timeout 900, health-check-domain $_ip, health-check-timeout 5, " +
            "health-check-uri /, health-check-method head of HTTP and HTTPS listeners. Only how an instance is paid for stays as it was when the instance was made: the cloud " +
            "changes PayBySpec into PayByCLCU, and never back.",
        explains: (context) =>
            (wasRemoved(context) && (asSpecified(context) || isUnlimited(context))) ||
            removedEntry(context) ||
            removedSecurityGroups(context),
    },
    {
        title: "Attributes follow the Service after every run",
        reason:
            "After a run every attribute has the annotated or the documented default value. CCM compares " +
            "listeners and instance only if the Service changed since the last success; drift and the leftovers " +
            "of an interrupted reconcile stay.",
        explains: (context) => asSpecified(context),
    },
];

/** Reports whether protection is off, as the documents say of an instance that is left to itself. */
function asPreserved(context: DifferenceContext): boolean {
    const name = attribute(context)?.name;
    const { actual } = context.difference;
    return (
        (name === "DeleteProtection" && actual === "off") ||
        (name === "DeletionProtectionEnabled" && actual === "false") ||
        (name === "ModificationProtectionStatus" && actual === "NonProtection")
    );
}

/** Reports whether it is the bandwidth of an instance that pays by traffic, which the cloud sets. */
function isUnlimited(context: DifferenceContext): boolean {
    return attribute(context)?.name === "Bandwidth" && annotated(context, "charge-type") !== "paybybandwidth";
}

/** A tag or domain extension that an earlier version of the Service requested, and that is removed now. */
function removedEntry(context: DifferenceContext): boolean {
    const [, kind, key] = /^(tag|domain) \S+ (.+)$/.exec(context.difference.where) ?? [];
    const [suffix, mark] = kind === "tag" ? ["additional-resource-tags", "="] : ["domain-extensions", ":"];
    const asks = (one: ServiceObject) =>
        entriesOf(one, suffix).some((entry) => entry.split(mark)[0]?.trim() === key?.trim());
    return (
        key !== undefined &&
        context.difference.actual === "" &&
        !asks(subject(context)) &&
        servicesSoFar(context).some(asks)
    );
}

/** Security groups that an earlier version of the Service named, and that are detached now. */
function removedSecurityGroups(context: DifferenceContext): boolean {
    const { expected, actual } = context.difference;
    const left = expected.split(",").filter((id) => !actual.split(",").includes(id));
    const named = servicesSoFar(context).flatMap((one) => (annotation(one, "security-group-ids") ?? "").split(","));
    return (
        attribute(context)?.name === "SecurityGroupIds" && wasRemoved(context) && left.every((id) => named.includes(id))
    );
}
