/** Attributes of instances and listeners. */
import type { ServiceObject } from "../../../provider/kubernetes";
import { annotation } from "../annotations";
import { asWished, attribute, type Found, type KnownDifference, servicesSoFar, subject, wasRemoved } from "../found";

export const ATTRIBUTE_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "A load balancer's name leaves a mark in the protection reason",
        reason: "Names are not unique and tags come after the create, so an instance with an annotated name carries its owner in the reason of its modification protection: managed.by.ack.<owner>.",
        explains: (found) =>
            attribute(found)?.name === "ModificationProtectionReason" &&
            found.difference.actual.startsWith("managed.by.ack.a"),
    },
    {
        title: "A preserved instance keeps its listeners and groups",
        reason: 'The documents say that "existing servers in the vServer group remain unchanged"; CCM deletes listeners and groups, so that the instance serves nobody (and cannot let go of an IPv6 instance at all). Both protections and both marks of the owner are taken away, the reason of the protection with them.',
        explains: (found) =>
            servicesSoFar(found).some((service) => annotation(service, "preserve-lb-on-delete") !== undefined) &&
            found.recorded.steps.slice(0, found.index + 1).some(({ op }) => op === "delete") &&
            (/^(?:group|listener|tag) /.test(found.difference.where) ||
                attribute(found)?.name === "ModificationProtectionReason" ||
                ["outcome", "status"].includes(found.difference.where) ||
                asPreserved(found)),
    },
    {
        title: "Source ranges guard a CLB",
        reason: "spec.loadBalancerSourceRanges becomes an access control list of the Service's own; CCM does so for NLB and leaves a CLB open to everybody.",
        explains: (found) =>
            (subject(found)?.spec?.loadBalancerSourceRanges?.length ?? 0) > 0 &&
            ["AclStatus", "AclType", "AclId"].includes(attribute(found)?.name ?? ""),
    },
    {
        title: "A redirecting listener has a server group",
        reason: "It never uses it. The alicloud plugin makes no listener without one.",
        explains: ({ difference, step }) =>
            /^listener http:\d+ group$/.test(difference.where) &&
            difference.expected === "" &&
            step.expect.cloud.listeners.some(
                ({ protocol, port, sent }) =>
                    difference.where === `listener ${protocol}:${port} group` && sent["ListenerForward"] === "on",
            ),
    },
    {
        title: "A health check waits at least as long as its interval",
        reason: '"If this value is less than the check interval, the interval takes effect": the time that takes effect is what is set, so that what the console shows is true.',
        explains: (found) => {
            const service = subject(found);
            const interval = service === undefined ? undefined : annotation(service, "health-check-interval");
            return (
                ["HealthCheckConnectTimeout", "HealthCheckTimeout"].includes(attribute(found)?.name ?? "") &&
                interval !== undefined &&
                found.difference.actual === interval
            );
        },
    },
    {
        title: "A check by HTTP of a TCP listener waits as long as health-check-timeout says",
        reason: "The document lists health-check-timeout for the checks by HTTP of TCP listeners too. CCM sends it for HTTP and HTTPS listeners only, so that it has no effect on TCP ones.",
        explains: (found) => {
            const service = subject(found);
            const what = attribute(found);
            return (
                service !== undefined &&
                what?.kind === "tcp" &&
                what.name === "HealthCheckConnectTimeout" &&
                annotation(service, "health-check-type") === "http" &&
                found.difference.actual === annotation(service, "health-check-timeout")
            );
        },
    },
    {
        title: "Health check settings wait for the health check",
        reason: "While the health check of an HTTP or HTTPS listener is off, or that of a TCP listener is of type tcp, what belongs to an HTTP check is not sent; the cloud would not use it.",
        explains: (found) => {
            const service = subject(found);
            const what = attribute(found);
            if (service === undefined || what === undefined || !/^(?:HealthCheck|Healthy|Unhealthy)/.test(what.name)) {
                return false;
            }
            const off = ["http", "https"].includes(what.kind)
                ? annotation(service, "health-check-flag") !== "on"
                : annotation(service, "health-check-switch") === "off";
            const plain =
                what.kind === "tcp" &&
                annotation(service, "health-check-type") !== "http" &&
                ["HealthCheckDomain", "HealthCheckURI", "HealthCheckHttpCode", "HealthCheckMethod"].includes(what.name);
            return off || plain;
        },
    },
    {
        title: "An instance whose traffic is paid for by bandwidth is paid for by specification",
        reason: "The cloud sells instances that are paid for by usage (PayByCLCU) with traffic by volume only. CCM asks for both, which the API refuses.",
        explains: (found) => {
            const service = subject(found);
            const asked =
                service !== undefined &&
                annotation(service, "charge-type") === "paybybandwidth" &&
                annotation(service, "instance-charge-type") === undefined;
            return asked && attribute(found)?.name === "InstanceChargeType" && found.difference.actual === "PayBySpec";
        },
    },
    {
        title: "A removed annotation goes back to its default",
        reason: "CCM compares only what is annotated, so what was once set stays for ever. Here every documented default is written out.",
        explains: (found) => (wasRemoved(found) && (asWished(found) || isUnlimited(found))) || removedTag(found),
    },
    {
        title: "What the Service says holds",
        reason: "After a run every attribute is as the Service or the documented default says. CCM looks at listeners and instance only when the Service has changed since its last success, so changes from outside, and what an interrupted reconcile left behind, stay.",
        explains: (found) => asWished(found),
    },
];

/** What the documents say of an instance that is left to itself. */
function asPreserved(found: Found): boolean {
    const name = attribute(found)?.name;
    const { actual } = found.difference;
    return (
        (name === "DeleteProtection" && actual === "off") ||
        (name === "DeletionProtectionEnabled" && actual === "false") ||
        (name === "ModificationProtectionStatus" && actual === "NonProtection")
    );
}

/** Whether it is the bandwidth of an instance that pays by traffic: the cloud gives it what it has. */
function isUnlimited(found: Found): boolean {
    const service = subject(found);
    return (
        attribute(found)?.name === "Bandwidth" &&
        service !== undefined &&
        annotation(service, "charge-type") !== "paybybandwidth"
    );
}

/** A tag that an earlier version of the Service asked for, and that is gone now. */
function removedTag(found: Found): boolean {
    const key = /^tag \S+ (.+)$/.exec(found.difference.where)?.[1];
    const service = subject(found);
    const asks = (one: ServiceObject) =>
        (annotation(one, "additional-resource-tags") ?? "")
            .split(",")
            .some((pair) => pair.split("=")[0]?.trim() === key);
    return (
        key !== undefined &&
        service !== undefined &&
        found.difference.actual === "" &&
        !asks(service) &&
        servicesSoFar(found).some(asks)
    );
}
