import type { ServiceObject } from "../../../provider/service/objects";
import { annotation, zonesOf } from "../annotations";
import type { Sent } from "../case";
import {
    annotated,
    asSpecified,
    attribute,
    type DifferenceContext,
    endsExposure,
    exposureEnded,
    type KnownDifference,
    nodesNow,
    refusedFor,
    servicesSoFar,
    stepsSoFar,
    subject,
    missingBackend,
    surplusBackend,
} from "../context";
import { annotationOf, ownName } from "../spec";

/** Kind of load balancer that a Service requests. */
function kindOf(service: ServiceObject): "clb" | "nlb" {
    return service.spec?.loadBalancerClass === "alibabacloud.com/nlb" || annotation(service, "type") === "nlb"
        ? "nlb"
        : "clb";
}

/** A Service that names everyone among those who may connect. */
function admitsEveryone(service: ServiceObject | undefined): boolean {
    return (service?.spec?.loadBalancerSourceRanges ?? []).some((range) => range === "0.0.0.0/0" || range === "::/0");
}

/** Reports whether the steps so far had a fault in any of these actions. */
function failedSoFar(context: DifferenceContext, actions: RegExp): boolean {
    return stepsSoFar(context).some(({ fail }) => Object.keys(fail ?? {}).some((action) => actions.test(action)));
}

/** Reports whether a zone mapping follows the Service, or was removed because the Service does not name the zone. */
function zoneAsWished(context: DifferenceContext): boolean {
    const [, id, name = ""] = /^zone \S+ +(\S+) (\w+)$/.exec(context.difference.where) ?? [];
    const zone: Sent | undefined = zonesOf(subject(context)).findLast(({ ZoneId }) => ZoneId === id);
    return id !== undefined && (zone?.[name] ?? "") === context.difference.actual;
}

/** Reports whether the type of the Service's server groups has changed. */
function changedGroupType(context: DifferenceContext): boolean {
    return (
        new Set(servicesSoFar(context).map((service) => annotation(service, "server-group-type") ?? "Instance")).size >
        1
    );
}

const GUARD_ACTIONS = /SecurityGroup/;

const concernsGuard = (context: DifferenceContext): boolean =>
    context.difference.where.startsWith("guard ") || attribute(context)?.name === "SecurityGroupIds";

/** Differences that apply to NLB only. */
export const NETWORK_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "Only a managed instance is preserved",
        reason:
            "A reused NLB stays in any case, and the server groups are deleted with the Service. " +
            "CCM removes the tags from the server groups and leaves them.",
        explains: (context) =>
            context.recorded.controller === "nlb" &&
            /^(?:group|backend) /.test(context.difference.where) &&
            context.difference.actual === "" &&
            exposureEnded(context) &&
            servicesSoFar(context).some(
                (service) =>
                    annotation(service, "id") !== undefined &&
                    annotation(service, "preserve-lb-on-delete") !== undefined,
            ),
    },
    {
        title: "Server groups that no listener uses are deleted",
        reason:
            "preserve-lb-on-delete is about the deletion of the Service. CCM also preserves the server group of a " +
            "port that was removed or that has another nodePort: it removes the tags and leaves the server group.",
        explains: ({ difference, step }) => {
            const name = /^(?:group|backend|tag) (\S+)/.exec(difference.where)?.[1];
            const group = step.expect.cloud.serverGroups.find((one) => one.name === name && one.lb === undefined);
            return (
                difference.actual === "" &&
                group !== undefined &&
                Object.keys(group.tags ?? {}).length === 0 &&
                !step.expect.cloud.listeners.some(({ serverGroup }) => serverGroup === group.ref)
            );
        },
    },
    {
        title: "The ownership tag alone decides which NLB is managed",
        reason:
            "The tags of an NLB are set at creation: an NLB that only has the name derived from a Service is " +
            "user-managed. It is not changed, and the Service gets a new one. CCM adopts it.",
        explains: ({ recorded }) =>
            (recorded.cloudBefore.loadBalancers ?? []).some(
                ({ product, attributes, tags }) =>
                    product === "nlb" &&
                    !("kubernetes.do.not.delete" in tags) &&
                    recorded.steps.some(
                        ({ service }) =>
                            service !== undefined &&
                            annotation(service, "id") === undefined &&
                            ownName(service) === attributes["LoadBalancerName"],
                    ),
            ),
    },
    {
        title: "An NLB without zone-maps is refused",
        reason: "CCM's CLB controller ignores such a Service, and its NLB controller fails.",
        explains: (context) =>
            kindOf(subject(context)) === "nlb" &&
            annotated(context, "zone-maps") === undefined &&
            refusedFor(context.result, "annotation-companion"),
    },
    {
        title: "One program manages both kinds of load balancer",
        reason: "Each of CCM's two controllers ignores the Services of the other one, and was recorded separately.",
        explains: (context) => {
            const other = kindOf(subject(context)) !== context.recorded.controller;
            return (
                other &&
                context.result.outcome.ok &&
                (/^(?:instance|group) \S+$/.test(context.difference.where)
                    ? context.difference.expected === ""
                    : context.difference.where === "status")
            );
        },
    },
    {
        title: "A Service that changes its kind of load balancer leaves nothing behind",
        reason:
            "The former load balancer is deleted with everything that belongs to it. CCM leaves it behind, and it " +
            "is billed.",
        explains: (context) =>
            new Set(servicesSoFar(context).map(kindOf)).size > 1 &&
            context.result.outcome.ok &&
            /^(?:instance|group) \S+$/.test(context.difference.where) &&
            context.difference.expected === "present" &&
            (endsExposure(context.step) || context.step.expect.cloud.loadBalancers.length > 1),
    },
    {
        title: "The annotation type needs no feature gate",
        reason:
            "It chooses the kind of load balancer, and an advisory says that the documents do not have it. " +
            "CCM ignores it unless its feature gate LoadBalancerTypeAnnotation is enabled.",
        explains: (context) =>
            annotated(context, "type") !== undefined &&
            context.recorded.cluster.featureGates?.["LoadBalancerTypeAnnotation"] !== true,
    },
    {
        title: "A Service that an annotation leaves to another controller later leaves nothing behind",
        reason:
            "The preview shows that its load balancer is deleted. CCM forgets the load balancer, and it is " +
            "billed.",
        explains: (context) => {
            const service = subject(context);
            return (
                service.metadata.annotations?.["service.beta.kubernetes.io/class"] !== undefined &&
                context.result.outcome.ok &&
                /^instance \S+$/.test(context.difference.where) &&
                context.difference.expected === "present"
            );
        },
    },
    {
        title: "backend-ip-version needs no feature gate",
        reason: "CCM treats backend-ip-version as ipv4 unless its feature gate IPv6DualStack is enabled.",
        explains: (context) => {
            const asked =
                annotated(context, "backend-ip-version") !== undefined &&
                context.recorded.cluster.featureGates?.["IPv6DualStack"] !== true;
            const member = missingBackend(context) || surplusBackend(context);
            return (
                asked &&
                (member || ["AddressIPVersion", "IpVersionAffinityMode"].includes(attribute(context)?.name ?? ""))
            );
        },
    },
    {
        title: "A node without an address is skipped",
        reason: "It cannot be in a server group of type Ip; the other nodes are. CCM fails the whole Service.",
        explains: (context) => {
            const addresses = annotated(context, "server-group-type") === "Ip";
            return (
                addresses &&
                nodesNow(context).some(({ internalIP }) => internalIP === "") &&
                /get node address/.test(context.step.expect.error ?? "") &&
                context.result.outcome.ok
            );
        },
    },
    {
        title: "The connection draining timeout applies while draining is on",
        reason:
            "While draining is off, the documented default is sent. " +
            "CCM sends 0 with every update of a server group, which the cloud ignores.",
        explains: (context) =>
            attribute(context)?.name === "ConnectionDrainTimeout" &&
            annotated(context, "connection-drain") !== "on" &&
            context.difference.expected === "0",
    },
    {
        title: "Health check annotations of an NLB apply without health-check-flag",
        reason: "Its documented default is on. CCM ignores them unless the flag is set.",
        explains: (context) => {
            const what = attribute(context);
            const suffix = annotationOf(what?.name ?? "");
            const said =
                suffix !== undefined &&
                annotated(context, suffix) !== undefined &&
                annotated(context, "health-check-flag") === undefined;
            return (
                said &&
                what?.kind === "group" &&
                /^(?:HealthCheck|Healthy|Unhealthy|HttpCheck)/.test(what.name) &&
                asSpecified(context)
            );
        },
    },
    {
        title: "Protections of an NLB can be switched off",
        reason:
            "The annotations delete-protection and modification-protection apply. " +
            "CCM switches both on and ignores the annotations.",
        explains: (context) => {
            const what = attribute(context);
            if (what?.kind !== "nlb") return false;
            const unprotected =
                annotated(context, "modification-protection") === "NonProtection" && context.difference.actual === "";
            return what.name === "ModificationProtectionReason"
                ? unprotected
                : /^(?:Deletion|Modification)Protection/.test(what.name) && asSpecified(context);
        },
    },
    {
        title: "Source ranges with all addresses create no security group",
        reason:
            "CCM creates one whose deny rule never takes effect, " +
            "and sends an IPv6 range where the API expects an IPv4 range.",
        explains: (context) => concernsGuard(context) && admitsEveryone(subject(context)),
    },
    {
        title: "An NLB is not reachable without its security group",
        reason:
            "If the security group for source ranges cannot be created, the run fails, and the next one creates it. " +
            "CCM ignores the error and leaves the load balancer open.",
        explains: (context) =>
            (subject(context).spec?.loadBalancerSourceRanges ?? []).length > 0 &&
            failedSoFar(context, GUARD_ACTIONS) &&
            (!context.result.outcome.ok || concernsGuard(context)),
    },
    {
        title: "A conflict that the alicloud plugin does not retry ends the run",
        reason: "The next run finishes the work. CCM repeats the call.",
        explains: ({ step, result }) =>
            step.expect.error === null &&
            !result.outcome.ok &&
            Object.values(step.fail ?? {}).some(({ code }) => code.startsWith("Conflict")),
    },
    {
        title: "A node is one backend of a server group of type Ip",
        reason:
            "With externalTrafficPolicy Local its weight is the number of its pods. " +
            "CCM adds the node once for each pod, with weight 1, in one call.",
        explains: (context) =>
            subject(context).spec?.externalTrafficPolicy === "Local" &&
            / Ip \S+ \S+ \d+ weight$/.test(context.difference.where) &&
            context.difference.expected === "1",
    },
    {
        title: "Another server group type creates a new server group",
        reason:
            "The new server group is created and filled, the listener is switched to it, and the former group " +
            "is deleted. CCM tries to delete the former group while the listener uses it, and fails at first.",
        explains: (context) =>
            changedGroupType(context) && context.result.outcome.ok && context.step.expect.error !== null,
    },
    {
        title: "Spaces around the entries of lists are ignored",
        reason:
            "A document writes them. CCM ignores them in some lists only: those of zone-maps it sends to the cloud " +
            "as part of the zone's name, and vgroup-port it refuses.",
        explains: (context) =>
            context.difference.where.startsWith("zone ") &&
            /\s/.test(annotated(context, "zone-maps") ?? "") &&
            (/^zone \S+ {2}/.test(context.difference.where) || zoneAsWished(context)),
    },
    {
        title: "A zone that zone-maps no longer names is removed",
        reason: "CCM only ever adds zones.",
        explains: (context) => zoneAsWished(context),
    },
    {
        title: "User-managed listeners of an NLB stay",
        reason:
            "Only managed objects are changed, as for a CLB. " +
            "CCM deletes every listener of its own NLB that no port of the Service needs.",
        explains: (context) =>
            context.difference.expected === "" &&
            stepsSoFar(context)
                .flatMap(({ cloudCalls = [] }) => cloudCalls)
                .some(
                    ({ action, params }) =>
                        action === "CreateListener" &&
                        context.difference.where === `listener ${params["ListenerProtocol"]}:${params["ListenerPort"]}`,
                ),
    },
];
