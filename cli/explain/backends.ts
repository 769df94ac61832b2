/** Checks of the way from a load balancer to the pods. */

import { nodeRole } from "../../provider/backends/nodes";
import { parseBackendKey } from "../../provider/schema/backend";
import { faqDocument, clbDocument } from "../../provider/schema/documents";
import type { PodObject } from "../../provider/service/objects";
import { backendsOfGroups, type GroupView, labelsOf } from "../inspect/groups";
import { splitRemedy } from "./events";
import { describeAbsence, restartRemedy } from "../inspect/lease";
import { type InspectedService, serviceNameOf } from "../inspect/model";
import { aside, broken, drifted, type Examine, type Explanation, notSeen, setBack, some, suspect } from "./explanation";

const ERRORS = faqDocument("errors");
const BACKENDS = clbDocument("Backend servers");

const isReady = ({ status }: PodObject): boolean =>
    (status?.conditions ?? []).some(({ type, status: state }) => type === "Ready" && state === "True");

/** Reports a selector without ready pods, and ports that no pod has. */
export const pods: Examine = (live) => {
    const { object, pods: all, slices, deployments } = live;
    const { namespace } = object.metadata;
    const selector = Object.entries(object.spec?.selector ?? {}).map(([key, value]) => `${key}=${value}`);
    if (selector.length === 0) return undefined;
    const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
    if (endpoints.some(({ conditions }) => conditions?.ready !== false))
        return [...wrongPorts(live), ...unreadyPods(all, namespace)];
    const none = [`selector ${some(selector)}`, `no pod of namespace ${namespace} has these labels`];
    const idle = deployments.filter(({ replicas }) => replicas === 0).map(({ name }) => name);
    if (all.length === 0 && idle.length > 0)
        return broken(
            `no pod serves it: Deployment ${some(idle)} is scaled to 0`,
            none,
            `scale it: kubectl -n ${namespace} scale deployment ${idle[0]} --replicas=2`,
            ERRORS,
        );
    if (all.length === 0)
        return broken(
            "no pod has the labels of the Service's selector",
            none,
            "correct spec.selector, or the labels of the Deployment's pods",
            ERRORS,
        );
    const waiting = all.filter((pod) => !isReady(pod));
    return broken(
        "none of its pods is ready",
        [some(waiting.map((pod) => `${placeOf(pod)}: ${reasonOf(pod)}`))],
        `look at the pods: kubectl -n ${namespace} describe pods -l ${selector.join(",")}`,
        ERRORS,
    );
};

const unreadyPods = (all: readonly PodObject[], namespace = "default"): Explanation[] =>
    all
        .filter((pod) => !isReady(pod) && pod.metadata.deletionTimestamp === undefined)
        .map((pod) =>
            suspect(
                `pod ${placeOf(pod)} gets no traffic: it is not ready`,
                [reasonOf(pod)],
                `look at the pod: kubectl -n ${namespace} describe pod ${pod.metadata.name}`,
                ERRORS,
            ),
        );

const placeOf = ({ metadata, spec }: PodObject): string => `${metadata.name} on node ${spec?.nodeName ?? "(none)"}`;

/** Returns the cause that a pod itself gives for not being ready. */
function reasonOf({ status }: PodObject): string {
    const condition = (status?.conditions ?? []).find(({ type }) => type === "Ready");
    const words = [status?.phase ?? "unknown", condition?.reason, condition?.message];
    return `phase ${words.filter((word) => word !== undefined && word !== "").join(", ")}`;
}

/** Reports nodes that are no backend, each with the reason, where nodes are backends. */
export const nodes: Examine = ({ service, nodes: all, desired, cloud, seen }) => {
    if (service === undefined || cloud.kind !== "found" || seen.backends === undefined) return undefined;
    const keys = desired.flatMap(({ backends }) => Object.keys(backends));
    if (keys.length > 0 && !keys.some((key) => key.startsWith("i-"))) return undefined;
    const named = desired.flatMap(({ notes }) => notes).join("\n");
    return all.flatMap((node) => {
        const role = nodeRole(node, service.settings);
        const { name } = node.metadata;
        const cordoned = node.spec?.unschedulable === true && role.kind === "backend";
        if (role.kind !== "excluded" && !cordoned) return [];
        // Nodes that can never be a backend, and those that a group names already, are no news.
        if (role.kind === "excluded" && (role.outside || /control-plane/.test(role.reason))) return [];
        if (new RegExp(`node ${name}\\b`).test(named)) return [];
        return suspect(
            role.kind === "excluded"
                ? `node ${name} is not a backend: ${role.reason}`
                : `node ${name} is cordoned, and stays a backend (remove-unscheduled-backend is off)`,
            [`node ${name} as the cluster has it`],
            "kubectl describe node tells why it is not ready; remove the label, or uncordon it, if it is to take " +
                "traffic",
            BACKENDS,
        );
    });
};

/** A named targetPort that no container has is absent from the slices. */
function wrongPorts({ object, slices }: InspectedService): Explanation[] {
    const known = new Set(slices.flatMap((slice) => slice.ports ?? []).map((port) => port.name ?? ""));
    return (object.spec?.ports ?? [])
        .filter((port) => !known.has(port.name ?? ""))
        .map((port) =>
            broken(
                `no pod has the targetPort ${port.targetPort ?? port.port} of port ${port.port}`,
                [`the EndpointSlices of ${serviceNameOf(object)} do not list port ${port.name ?? port.port}`],
                "correct spec.ports[].targetPort, or name the container's port so",
                ERRORS,
            ),
        );
}

/** Backends that a run keeps are no backends that are missing. */
export const skippedBackends: Examine = (live) => {
    if (live.seen.backends === undefined) return undefined;
    const kept = new Set(backendsOfGroups(live).flatMap((group) => (isKept(group) ? group.key : [])));
    const others = live.desired.filter(({ model }) => !kept.has(model.key));
    return others.flatMap(({ model: { key }, notes }) =>
        notes.map((text) => broken(text, [`server group ${key}`], wayOfSkipped(text), BACKENDS)),
    );
};

/** Returns the remedy for a backend that is left out, by the reason. */
function wayOfSkipped(text: string): string {
    if (/at the edge/.test(text))
        return "run the pods on nodes in the cloud (nodeSelector), or serve them by an NLB with server-group-type Ip";
    if (/outside the VPC/.test(text))
        return "run the pods with Terway in the VPC, or correct vpcCidrs in the stack's configuration";
    return (
        "look at the node's labels and taints, at backend-label and remove-unscheduled-backend, and at where the " +
        "pods run"
    );
}

/** True for a group whose backends stay because the cluster asks for none. */
const isKept = ({ backends }: GroupView): boolean =>
    backends.some(({ own, observed }) => own && observed !== undefined) &&
    backends.every(({ desired }) => desired === undefined);

/** Reports groups whose backends or weights differ from the desired state. */
export const members: Examine = (live) => {
    const labelOf = labelsOf(live);
    const groups = backendsOfGroups(live);
    if (live.seen.backends === undefined) return groups.flatMap(unknownMembers);
    return groups.flatMap((group) => {
        const { key, id, backends } = group;
        const absent = backends.filter(({ observed }) => observed === undefined);
        const extra = backends.filter(({ desired, own }) => desired === undefined && own);
        const weights = backends
            .filter(({ desired, observed }) => desired !== undefined && observed !== undefined && desired !== observed)
            .map(({ backend, desired, observed }) => `${labelOf(backend)} has ${observed}, ${desired} desired`);
        const evidence = [
            [`missing in ${id}`, absent.map(({ backend }) => labelOf(backend))] as const,
            ["no longer a backend", extra.map(({ backend }) => labelOf(backend))] as const,
            ["weights", weights] as const,
        ].flatMap(([what, all]) => (all.length === 0 ? [] : [`${what}: ${some(all)}`]));
        if (evidence.length === 0) return [];
        if (isKept(group))
            return suspect(
                `server group ${key} keeps its backends, although the cluster asks for none`,
                [...evidence, ...reasonsOf(live)],
                "nothing, if this does not last: a run never empties a group, unless allowEmpty is set. " +
                    (reasonsOf(live).length > 0 ? "Let nodes be backends again (see the evidence). " : "") +
                    "Set allowEmpty and run pulumi up to take them out",
                BACKENDS,
            );
        return drifted(
            "broken",
            absent.length === backends.filter(({ own }) => own).length
                ? `server group ${key} has no backend of the Service`
                : `server group ${key} is not as the cluster asks for it`,
            evidence,
            refill(live, id),
            faqDocument("vServer group not updated"),
        );
    });
};

/** Returns how the backends of a group become what the cluster asks for. */
function refill(live: InspectedService, id: string): string {
    const { bindings = [], leader, object } = live;
    if (bindings.length > 0 && leader !== undefined && leader.holder === undefined)
        return `start the sync controller, which fills the group: ${restartRemedy(leader)}`;
    // A run that ended half-way has made the group alone.
    if (bindings.length > 0 && bindings.every(({ groupId }) => groupId !== undefined && groupId !== id))
        return (
            `run pulumi up --refresh, which makes the ServerGroupBinding of ${id}; ` +
            "the sync controller then sets the backends"
        );
    if (bindings.length > 0)
        return (
            "wait for some seconds: the sync controller may be at it; else run pulumi up --refresh, which brings the " +
            "ServerGroupBinding up to date with the Service, or see what the controller says: " +
            `kubectl -n ${object.metadata.namespace} describe servergroupbindings`
        );
    const installed =
        leader === undefined
            ? ", or install the sync controller if pods change by themselves (docs/sync.md)"
            : ". A stack with sync on makes the ServerGroupBinding again, and the sync controller, which has to run, " +
              "then adds the backends";
    return setBack(live, ` (without it a run knows nothing of edits)${installed}`);
}

/** Reports that no replica of the sync controller leads, where the Service's backends depend on it. */
export const leadership: Examine = (live) => {
    const { bindings = [], leader } = live;
    if (bindings.length === 0 || leader === undefined || leader.holder !== undefined) return undefined;
    const isLate = [members(live) ?? []].flat().some(({ verdict }) => verdict === "broken");
    return (isLate ? broken : aside)(
        describeAbsence(leader),
        [`Lease ${leader.lease} has no holder that renews it`, `${bindings.length} bindings of the Service`],
        `${restartRemedy(leader)}. Until then backends stay as they are`,
        "docs/sync.md",
    );
};

/** Judges a group without the knowledge whether nodes or pods are its backends: an empty group is wrong with either. */
const unknownMembers = ({ key, id, backends }: GroupView): Explanation =>
    backends.every(({ own, observed }) => !own || observed === undefined)
        ? drifted(
              "broken",
              `server group ${key} has no backend of the Service`,
              [`${id} has no member of the Service`, NO_PLUGIN],
              "run pulumi up --refresh, which adds the backends (without it a run knows nothing of edits)",
              faqDocument("vServer group not updated"),
          )
        : notSeen(
              `whether server group ${key} has the right backends`,
              [`members of ${id}: ${some(backends.map(({ backend }) => backend))}`, NO_PLUGIN],
              "set networkPlugin in the stack's configuration, or backend-type in the Service",
              clbDocument("Use Pod ENIs as backend servers"),
          );

const NO_PLUGIN = "the cluster tells no network plugin: nodes or pods could be the backends";

/** Returns why nodes are no backends, for those that could be. */
const reasonsOf = ({ service, nodes: all }: InspectedService): string[] =>
    all.flatMap((node) => {
        const role = nodeRole(node, service?.settings ?? {});
        return role.kind === "excluded" && role.outside !== true ? `node ${node.metadata.name}: ${role.reason}` : [];
    });

/** Reports members of a managed group that are not the Service's, and take a share of its connections. */
export const strangers: Examine = (live) => {
    const { cloud } = live;
    if (cloud.kind !== "found") return undefined;
    const labelOf = labelsOf(live);
    return backendsOfGroups(live)
        .filter(({ joined }) => !joined)
        .flatMap(({ key, id, backends }) =>
            backends.flatMap(({ backend, observed = 0, own, other, share }) => {
                if (own || observed === 0) return [];
                const states = (cloud.health ?? []).filter((one) => one.backend === backend).map(({ state }) => state);
                const fails = states.includes("abnormal");
                return (fails ? broken : suspect)(
                    `${labelOf(backend)} in server group ${key} is not of the Service and takes ` +
                        `${share === undefined ? "a share" : `${share} %`} of its new connections` +
                        (fails ? ", and fails its health check" : ""),
                    [
                        `member ${backend} of ${id} has weight ${observed}, and ` +
                            (other === undefined ? "not the mark of the Service" : `the mark of Service ${other}`),
                        `health: ${[...new Set(states)].join(", ") || "not seen"}`,
                    ],
                    `if nobody needs it, remove it from ${id} in the console: a run leaves members of others alone`,
                    BACKENDS,
                );
            }),
        );
};

export const health: Examine = (live) => {
    const { object, cloud, type } = live;
    if (cloud.kind !== "found") return undefined;
    if (cloud.health === undefined)
        return notSeen(
            "the health of backends",
            [`${type === "clb" ? "slb:DescribeHealthStatus" : "nlb:GetListenerHealthStatus"} is refused`],
            "allow the call: docs/ram-policy.md",
            "docs/ram-policy.md",
        );
    const labelOf = labelsOf(live);
    const local =
        object.spec?.externalTrafficPolicy === "Local"
            ? "; with externalTrafficPolicy Local a node without a ready pod fails by design"
            : "";
    return [...Map.groupBy(cloud.health, ({ listener }) => listener)].flatMap(([listener, all]) => {
        const failing = all.filter(({ state }) => state === "abnormal").map(({ backend }) => backend);
        if (failing.length === 0) return [];
        return broken(
            failing.length === all.length
                ? `no backend of listener ${listener} passes its health check`
                : `${failing.length} of ${all.length} backends of listener ${listener} fail their health check`,
            [`health check failed for: ${some(failing.map(labelOf))}`],
            `check that the security group of the nodes or pods admits the probes (${probesOf(live)}), that ` +
                `${portsOf(failing)} answers, and that path and codes of an HTTP check fit${local}`,
            clbDocument("Health check"),
        );
    });
};

/** Returns the addresses that health checks come from. Source: CLB and NLB, "Health check". */
function probesOf({ type, cloud }: InspectedService): string {
    if (type === "clb") return "100.64.0.0/10";
    const zones = cloud.kind === "found" && cloud.instance.kind === "nlb" ? cloud.instance.zoneMaps : [];
    const addresses = zones.map(({ vswitchId, privateIpv4 }) =>
        privateIpv4 === undefined ? vswitchId : `${privateIpv4} in ${vswitchId}`,
    );
    return `the NLB's addresses in its vSwitches${addresses.length === 0 ? "" : `: ${addresses.join(", ")}`}`;
}

function portsOf(keys: readonly string[]): string {
    const ports = new Set(keys.map((key) => parseBackendKey(key).port).filter((port) => port !== undefined));
    return ports.size === 0 ? "the port" : `port ${some([...ports].map(String))}`;
}

export const bindings: Examine = ({ bindings: all, object }) =>
    all === undefined
        ? notSeen(
              "the bindings of the sync controller",
              [`list servergroupbindings of ${object.metadata.namespace} is forbidden`],
              "bind a ClusterRole that may list servergroupbindings to this user",
              "docs/sync.md",
          )
        : all
              .filter(({ synced }) => !synced)
              .map(({ name, reason, message }) => {
                  const { cause, remedy } = splitRemedy(message);
                  return broken(
                      `the sync controller does not keep ${name}: ${cause}`,
                      [`condition Synced of ServerGroupBinding ${name} is not true (${reason})`],
                      remedy ?? "nothing needs to be done: the controller tries again by itself",
                      "docs/sync.md",
                  );
              });
