import type { ServiceObject } from "../../provider/cluster";
import { annotation } from "./annotations";
import type { CaseNode } from "./case";
import {
    asWished,
    attribute,
    backendOfNode,
    endpointsNow,
    type Found,
    isServer,
    type KnownDifference,
    missingBackend,
    nodeOfBackend,
    nodesNow,
    refusedAnnotation,
    refusedEarlier,
    refusedFor,
    servicesSoFar,
    subject,
    surplusBackend,
    untouched,
    wasRemoved,
} from "./found";
import { NETWORK_DIFFERENCES } from "./nlb/differences";
import { keyOf } from "./run-case";
import { wishOf } from "./wish";

/** Why something is meant to be different; undefined if it is not. */
export function reasonFor(found: Found): string | undefined {
    const known = KNOWN_DIFFERENCES.find(({ explains }) => explains(found));
    return known === undefined ? undefined : `${known.title}. ${known.reason}`;
}

const isEdge = ({ labels }: CaseNode): boolean => labels["alibabacloud.com/is-edge-worker"] === "true" || "alibabacloud.com/ens-instance-id" in labels;

/** Annotations of CCM that the documents do not have. */
const UNDOCUMENTED = ["backend-ip-version", "class", "default-weight", "external-ip-type", "health-check-connect-port", "network-type", "tunnel-type", "type"];

const OWNER_TAGS = ["kubernetes.do.not.delete", "ack.aliyun.com"];

/* ---- the rules, in the order in which they are asked ---- */

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "What must not be reused is refused before anything is touched",
        reason: "Whether an instance and a vServer group may be used is looked at first, and everything that is wrong is told at once. CCM finds out in the middle, leaves its tag and its groups behind, and passes over a port whose group it does not find without a word.",
        explains: ({ result }) =>
            untouched(result) && result.outcome.errors.some((text) => /ServiceContract resource.*(?:load balancer n?lb-|[sS]erver group (?:rsp|sgp)-)/s.test(text)),
    },
    {
        title: "Two Services on one listener are refused",
        reason: "The documents forbid it. Under CCM whichever was reconciled last has the listener.",
        explains: (found) => shareListener(found) && (found.result.outcome.errors.some((text) => /both use listener/.test(text)) || refusedEarlier(found)),
    },
    {
        title: "The tag of reuse goes with the last Service",
        reason: "An instance that nobody uses any more is as it was before: tags that were set are taken away, or get their former values back. CCM leaves kubernetes.reused.by.user.",
        explains: ({ difference, recorded, index }) =>
            /^tag \S+ kubernetes\.reused\.by\.user$/.test(difference.where) && difference.actual === "" && recorded.steps.slice(0, index + 1).some(({ op }) => op === "delete"),
    },
    {
        title: "A reused instance is tagged, whatever other tags it has",
        reason: "The cloud takes twenty tags. CCM does not add its own from ten on, and never to an NLB.",
        explains: ({ difference }) => /^tag \S+ kubernetes\.reused\.by\.user$/.test(difference.where) && difference.expected === "" && difference.actual === "true",
    },
    {
        title: "Tags of others stay on a reused instance",
        reason: "additional-resource-tags sets the tags that it names. CCM takes away every other one, also from an instance that somebody else has made.",
        explains: (found) => {
            const [, id = "", key = ""] = /^tag (\S+) (.+)$/.exec(found.difference.where) ?? [];
            const tags = (found.recorded.cloudBefore.loadBalancers ?? []).find(({ ref }) => ref === id)?.tags ?? {};
            const service = subject(found);
            const reuses = service !== undefined && annotation(service, "id") === id && annotation(service, "additional-resource-tags") !== undefined;
            return reuses && found.difference.expected === "" && key in tags && found.difference.actual === tags[key];
        },
    },
    {
        title: "A Service can leave a reused IPv6 instance",
        reason: "CCM compares the IP version of a Service that is being deleted, which it takes for IPv4, and fails for ever.",
        explains: ({ step, result }) => /AddressIPVersion once created/.test(step.expect.error ?? "") && result.outcome.ok,
    },
    {
        title: "A listener of another protocol stands in the way as well",
        reason: "With force-override the listener on the Service's port is replaced, whichever of tcp, http, https and tcpssl it speaks, since a port has one of them. CCM replaces only one of the same protocol, and fails on any other.",
        explains: ({ step, result }) => /ListenerAlreadyExists|ResourceAlreadyExist\.Listener/.test(step.expect.error ?? "") && result.outcome.ok,
    },
    {
        title: "Listeners that are no longer managed go",
        reason: "A Service that gives up force-override gives up the listeners that it has made, and the preview says so. CCM leaves them, and then fails to delete their groups.",
        explains: ({ step, result }) => /DeleteVServerGroup.*RspoolVipExist/.test(step.expect.error ?? "") && result.outcome.ok,
    },
    {
        title: "A share of the traffic never falls to nothing by division",
        reason: "Each backend of a Service with a weight gets at least 1. CCM lets pods on virtual nodes fall to 0, which takes them out.",
        explains: (found) => {
            const service = subject(found);
            const weight = Number(service === undefined ? 0 : (annotation(service, "weight") ?? 0));
            return / eni .* weight$/.test(found.difference.where) && found.difference.expected === "0" && found.difference.actual === "1" && weight >= 1;
        },
    },
    ...NETWORK_DIFFERENCES,
    {
        title: "Undocumented annotations are refused",
        reason: "CCM acts on annotations that no document describes. A Service that carries one is refused and the annotation named, so that nobody relies on what is not there; nothing is touched.",
        explains: ({ result }) => refusedAnnotation(result, UNDOCUMENTED),
    },
    {
        title: "Values that the documents do not allow are refused",
        reason: "They are found before anything is touched, all at once and with their place. CCM passes them to the cloud, reads them as something else or ignores them. Upper and lower case count, as the documents say.",
        explains: ({ result }) => refusedFor(result, "annotation-value", "annotation-placeholder"),
    },
    {
        title: "Annotations that need another one, or exclude one, are refused",
        reason: "The documents say which belong together. CCM takes each for itself, so that half of a setting silently does nothing.",
        explains: ({ result }) => refusedFor(result, "annotation-companion", "annotation-exclusion", "annotation-scope"),
    },
    {
        title: "protocol-port and forward-port must fit the ports of the Service",
        reason: "An entry has to name a port of the Service, once, and with its transport protocol: a UDP listener in front of a TCP port would reach nothing. CCM ignores stray entries and makes such listeners.",
        explains: ({ result }) => refusedFor(result, "annotation-port"),
    },
    {
        title: "Unknown annotations are refused",
        reason: "A key with the prefix of load balancer annotations that names none is a typing error. CCM ignores it.",
        explains: ({ result }) => refusedFor(result, "annotation-unknown"),
    },
    {
        title: "A Service for another controller is refused",
        reason: "A Service that a program hands to this package and that names another controller's loadBalancerClass is a contradiction; it is told. CCM passes it over in silence.",
        explains: ({ result }) => refusedFor(result, "service-class"),
    },
    {
        title: "Ports that no CLB listener can serve are refused at once",
        reason: "CCM makes the instance first and fails at the listener.",
        explains: ({ result }) => refusedFor(result, "service-port", "service-field"),
    },
    {
        title: "Settings that an instance cannot change are refused",
        reason: "The run stops before anything is touched and names the way out. CCM ignores some of these changes and reports others after it has made the rest; a removed annotation counts as a change to its default.",
        explains: ({ result }) => refusedFor(result, "contract"),
    },
    {
        title: "A load balancer's name leaves a mark in the protection reason",
        reason: "Names are not unique and tags come after the create, so an instance with an annotated name carries its owner in the reason of its modification protection: managed.by.ack.<owner>.",
        explains: (found) => attribute(found)?.name === "ModificationProtectionReason" && found.difference.actual.startsWith("managed.by.ack.a"),
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
        explains: (found) => (subject(found)?.spec?.loadBalancerSourceRanges?.length ?? 0) > 0 && ["AclStatus", "AclType", "AclId"].includes(attribute(found)?.name ?? ""),
    },
    {
        title: "A redirecting listener has a server group",
        reason: "It never uses it. The alicloud plugin makes no listener without one.",
        explains: ({ difference, step }) =>
            /^listener http:\d+ group$/.test(difference.where) &&
            difference.expected === "" &&
            step.expect.cloud.listeners.some(({ protocol, port, sent }) => difference.where === `listener ${protocol}:${port} group` && sent["ListenerForward"] === "on"),
    },
    {
        title: "A health check waits at least as long as its interval",
        reason: '"If this value is less than the check interval, the interval takes effect": the time that takes effect is what is set, so that what the console shows is true.',
        explains: (found) => {
            const service = subject(found);
            const interval = service === undefined ? undefined : annotation(service, "health-check-interval");
            return ["HealthCheckConnectTimeout", "HealthCheckTimeout"].includes(attribute(found)?.name ?? "") && interval !== undefined && found.difference.actual === interval;
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
            const off = ["http", "https"].includes(what.kind) ? annotation(service, "health-check-flag") !== "on" : annotation(service, "health-check-switch") === "off";
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
            const asked = service !== undefined && annotation(service, "charge-type") === "paybybandwidth" && annotation(service, "instance-charge-type") === undefined;
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
    {
        title: "Drift is healed",
        reason: "A run with --refresh compares instance, tags, listeners and groups with the cloud and puts right what was changed from outside; an instance that is gone is made anew. CCM notices only changed members, and gives up on an instance that it does not find.",
        explains: (found) =>
            found.recorded.steps.slice(0, found.index + 1).some(({ cloudCalls }) => cloudCalls !== undefined) &&
            !/^listener [a-z]+:.* status$/.test(found.difference.where) &&
            (found.result.outcome.ok || found.difference.where !== "outcome"),
    },
    {
        title: "A listener that somebody stopped stays stopped",
        reason: "The alicloud plugin does not tell the status of a listener, and asking for it at every change would cost a call for each. CCM starts it when the Service is next changed, whatever it was stopped for.",
        explains: ({ difference, recorded, index }) =>
            /^listener .* status$/.test(difference.where) &&
            difference.actual === "stopped" &&
            recorded.steps.slice(0, index + 1).some(({ cloudCalls }) => cloudCalls?.some(({ action }) => action === "StopLoadBalancerListener")),
    },
    {
        title: "The stack's state says what is ours",
        reason: "An instance that merely carries the tags of a Service is not adopted, and two of them are no obstacle: what a stack has not made, or imported, it leaves alone. CCM finds its instance by tag.",
        explains: ({ recorded }) =>
            (recorded.cloudBefore.loadBalancers ?? []).some(({ tags }) => OWNER_TAGS.some((tag) => tag in tags)) &&
            recorded.steps.every(({ service }) => service === undefined || annotation(service, "id") === undefined),
    },
    {
        title: "What an interrupted create left is removed",
        reason: "An instance without listeners that has the name that only this Service gives is the remnant of a run that was cut off: it is deleted and made anew, instead of being adopted half made.",
        explains: (found) => {
            const service = subject(found);
            const own = service === undefined ? undefined : wishOf({ ...service, metadata: { ...service.metadata, annotations: {} } }, "instance", "LoadBalancerName");
            const { loadBalancers = [], listeners = [] } = found.recorded.cloudBefore;
            return listeners.length === 0 && loadBalancers.some(({ attributes }) => attributes["LoadBalancerName"] === own);
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
    {
        title: "A failed look at a group is a failure",
        reason: "CCM drops the error and takes the group for empty.",
        explains: ({ step, result }) => step.fail?.["DescribeVServerGroupAttribute"] !== undefined && step.expect.error === null && !result.outcome.ok,
    },
    {
        title: "The last backends stay",
        reason: "A group whose Service has lost all its endpoints keeps its backends and the run warns, until allowEmpty says otherwise. A dead backend is taken out by the health check; a group that was emptied by mistake is an outage.",
        explains: (found) => {
            const name = /^backend (\S+) /.exec(found.difference.where)?.[1];
            const group = found.step.expect.cloud.serverGroups.find((one) => one.name === name);
            return surplusBackend(found) && group?.backends.length === 0;
        },
    },
    {
        title: "Control-plane nodes are no backends",
        reason: "By either of their labels. CCM knows only node-role.kubernetes.io/master.",
        explains: (found) => missingBackend(found) && backendOfNode(found, ({ labels }) => "node-role.kubernetes.io/control-plane" in labels),
    },
    {
        title: "A virtual node is no backend",
        reason: "Pods on it are attached directly. CCM also adds the node itself, which is no server.",
        explains: (found) => missingBackend(found) && backendOfNode(found, ({ labels }) => labels["type"] === "virtual-kubelet"),
    },
    {
        title: "A node at the edge is no backend",
        reason: "By the label that ACK Edge gives it, whatever its providerID is. CCM does not know edge nodes.",
        explains: (found) => missingBackend(found) && backendOfNode(found, isEdge),
    },
    {
        title: "Local is refused where pods run at the edge",
        reason: "The documents say that forwarding to the edge needs externalTrafficPolicy Cluster. CCM leaves the pods without traffic.",
        explains: (found) => nodesNow(found).some(isEdge) && untouched(found.result) && found.result.outcome.errors.some((text) => /ServiceContract.*pods at the edge/s.test(text)),
    },
    {
        title: "An endpoint whose readiness is not said is ready",
        reason: "So the EndpointSlice API has it. CCM takes it for not ready.",
        explains: (found) =>
            surplusBackend(found) &&
            endpointsNow(found).some(
                ({ nodeName, addresses, conditions }) =>
                    (conditions?.ready ?? undefined) === undefined &&
                    (nodeName === nodeOfBackend(found) || addresses.some((address) => found.difference.where.includes(` ${address} `))),
            ),
    },
    {
        title: "Readiness gates are not served",
        reason: "CCM adds pods that are not ready when they wait for its own gate. Nobody sets that gate here, and no document mentions it: a pod that is not ready is no backend.",
        explains: (found) => {
            const gated = (found.recorded.cluster.pods ?? []).filter(({ conditions }) => conditions["Ready"] !== "True");
            const member = missingBackend(found) && gated.some(({ ip, node }) => node === nodeOfBackend(found) || found.difference.where.includes(` ${ip} `));
            return member || (found.difference.where === "outcome" && gated.length > 0 && /has invalid server/.test(found.step.expect.error ?? "") && found.result.outcome.ok);
        },
    },
    {
        title: "A node without an ECS instance is passed over",
        reason: "It is named in a warning. CCM fails the whole port, and with it the Service, with an error that speaks of something else.",
        explains: (found) => nodesNow(found).some((node) => !isServer(node)) && (found.step.expect.error !== null || recordedErrorBefore(found)) && found.result.outcome.ok,
    },
    {
        title: "A pod that the VPC does not know holds up what comes after its group",
        reason: "The other pods are added, nothing is removed, and the error names the pod; a new listener waits until the group is whole. CCM makes the listener and fails afterwards.",
        explains: ({ step, result }) => /has invalid server/.test(step.expect.error ?? "") && result.outcome.errors.some((text) => /no ENI of the VPC holds/.test(text)),
    },
    {
        title: "An endpoint without a node is passed over",
        reason: "It says nothing about nodes. CCM stops at it, in Cluster mode too: the port is left as it is, or the whole Service fails with an error that speaks of something else.",
        explains: (found) =>
            endpointsNow(found).some(({ nodeName }) => nodeName === undefined) &&
            found.result.outcome.ok &&
            (found.step.expect.error !== null || missingBackend(found) || surplusBackend(found)),
    },
    {
        title: "Weights end at 100",
        reason: "The cloud takes weights from 0 to 100, so more pods on one node are scaled down in proportion. CCM sends the number of pods, and the call fails.",
        explains: ({ difference }) => / weight$/.test(difference.where) && Number(difference.expected) > 100 && Number(difference.actual) <= 100,
    },
    {
        title: "Ports of one nodePort have groups of their own",
        reason: "A TCP and a UDP port may have the same nodePort, so that both groups have one name. CCM makes one group for both.",
        explains: (found) =>
            /^group \S+$/.test(found.difference.where) &&
            found.difference.actual === "present" &&
            found.step.expect.cloud.serverGroups.some(({ name }) => found.difference.where === `group ${name}`),
    },
    {
        title: "An http entry speaks of the TCP port",
        reason: "A Service with TCP and UDP on one port keeps its UDP listener. CCM turns both into HTTP, and the second fails.",
        explains: (found) => sharesPort(found) && /^(?:outcome|listener )/.test(found.difference.where),
    },
    {
        title: "The certificate of a further domain can be changed",
        reason: "CCM sends the old certificate and no id, and fails for ever.",
        explains: ({ difference, step }) =>
            /SetDomainExtensionAttribute/.test(step.expect.error ?? "") && (difference.where === "outcome" || difference.where.startsWith("domain ")),
    },
    {
        title: "After a refusal",
        reason: "What a refused step would have made was never made, so there is nothing to complain about, or to keep, later.",
        explains: (found) =>
            refusedEarlier(found) &&
            found.result.outcome.ok &&
            (found.difference.where === "outcome" || (attribute(found) !== undefined && found.difference.actual === "") || (isMissing(found) && wasThereWhenRefused(found))),
    },
];

/** Whether two Services use one port of one instance. */
function shareListener(found: Found): boolean {
    const wanted = new Map(
        servicesSoFar(found).map((service) => [
            keyOf(service),
            (service.spec?.ports ?? []).map(({ port, protocol = "TCP" }) => `${annotation(service, "id")} ${protocol}:${port}`),
        ]),
    );
    const all = [...wanted.values()].flat().filter((listener) => !listener.startsWith("undefined "));
    return new Set(all).size < all.length;
}

function isMissing({ difference }: Found): boolean {
    return difference.expected === "present" && difference.actual === "";
}

/** Whether what is missing was already recorded in a step that was refused here. */
function wasThereWhenRefused({ difference, recorded, results, index }: Found): boolean {
    const [, ref = "", name = ""] = /^(?:instance (\S+)|group (\S+))$/.exec(difference.where) ?? [];
    return results.slice(0, index).some((result, at) => {
        const cloud = recorded.steps[at]?.expect.cloud;
        return untouched(result) && (cloud?.loadBalancers.some((one) => one.ref === ref) || cloud?.serverGroups.some((one) => one.name === name));
    });
}

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
    return attribute(found)?.name === "Bandwidth" && service !== undefined && annotation(service, "charge-type") !== "paybybandwidth";
}

/** A tag that an earlier version of the Service asked for, and that is gone now. */
function removedTag(found: Found): boolean {
    const key = /^tag \S+ (.+)$/.exec(found.difference.where)?.[1];
    const service = subject(found);
    const asks = (one: ServiceObject) => (annotation(one, "additional-resource-tags") ?? "").split(",").some((pair) => pair.split("=")[0]?.trim() === key);
    return key !== undefined && service !== undefined && found.difference.actual === "" && !asks(service) && servicesSoFar(found).some(asks);
}

function recordedErrorBefore({ recorded, index }: Found): boolean {
    return recorded.steps.slice(0, index).some(({ expect }) => expect.error !== null);
}

/** Whether a TCP and a UDP port have one number, and protocol-port speaks of it. */
function sharesPort(found: Found): boolean {
    const service = subject(found);
    const numbers = (service?.spec?.ports ?? []).map(({ port }) => port);
    return service !== undefined && new Set(numbers).size < numbers.length && annotation(service, "protocol-port") !== undefined;
}
