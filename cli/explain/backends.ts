/** Checks of the way from a load balancer to the pods. */

import type { PodObject } from "../../provider/cluster";
import { faqDocument, clbDocument } from "../../provider/schema/documents";
import { parseBackendKey } from "../../provider/backends/member";
import { backendsOfGroups } from "../inspect/groups";
import { type InspectedService, serviceNameOf } from "../inspect/model";
import { broken, type Examine, type Explanation, some } from "./explanation";

const isReady = ({ status }: PodObject): boolean =>
    (status?.conditions ?? []).some(({ type, status: state }) => type === "Ready" && state === "True");

/** Reports a selector without ready pods, and ports that no pod has. */
export const pods: Examine = (live) => {
    const { object, pods: all, slices } = live;
    const { namespace } = object.metadata;
    const selector = Object.entries(object.spec?.selector ?? {}).map(([key, value]) => `${key}=${value}`);
    if (selector.length === 0) return [];
    const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
    if (endpoints.some(({ conditions }) => conditions?.ready !== false)) return wrongPorts(live);
    if (all.length === 0)
        return [
            broken(
                "no pod has the labels of the Service's selector",
                [`selector ${some(selector)}`, `no pod in namespace ${namespace}`],
                "correct spec.selector, or the labels of the Deployment's pods",
                faqDocument("errors"),
            ),
        ];
    const waiting = all
        .filter((pod) => !isReady(pod))
        .map(({ metadata, status }) => `${metadata.name} is ${status?.phase ?? "unknown"}`);
    return [
        broken(
            "none of its pods is ready",
            [some(waiting)],
            `look at the pods: kubectl -n ${namespace} describe pods -l ${selector.join(",")}`,
            faqDocument("errors"),
        ),
    ];
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
                faqDocument("errors"),
            ),
        );
}

/** Reports pods that are left out of the backends. */
export const skippedBackends: Examine = ({ desired }) =>
    desired.flatMap(({ key, notes }) =>
        notes.map((text) =>
            broken(
                text,
                [`server group ${key}`],
                "look at the node's labels and taints, at backend-label and remove-unscheduled-backend, and at where " +
                    "the pods run",
                clbDocument("Backend servers"),
            ),
        ),
    );

/** Reports groups whose backends or weights differ from the desired ones. */
export const members: Examine = (live) => {
    const { bindings, object } = live;
    return backendsOfGroups(live).flatMap(({ key, id, backends }) => {
        const absent = backends.filter(({ observed }) => observed === undefined).map(({ backend }) => backend);
        const extra = backends.filter(({ desired, own }) => desired === undefined && own).map(({ backend }) => backend);
        const weights = backends
            .filter(({ desired, observed }) => desired !== undefined && observed !== undefined && desired !== observed)
            .map(({ backend, desired, observed }) => `${backend} has ${observed}, ought to have ${desired}`);
        if (absent.length + extra.length + weights.length === 0) return [];
        return broken(
            absent.length === backends.length
                ? `server group ${key} has no backend of the Service`
                : `server group ${key} is not as the cluster asks for it`,
            [
                ...(absent.length === 0 ? [] : [`missing in ${id}: ${some(absent)}`]),
                ...(extra.length === 0 ? [] : [`no longer a backend: ${some(extra)}`]),
                ...(weights.length === 0 ? [] : [`weights: ${some(weights)}`]),
            ],
            bindings.length > 0
                ? "see why the sync controller has not done it: " +
                      `kubectl -n ${object.metadata.namespace} describe servergroupbindings`
                : "run pulumi up, or install the sync controller if pods change by themselves (docs/sync.md)",
            faqDocument("vServer group not updated"),
        );
    });
};

/** Reports backends that fail their health check, by listener. */
export const health: Examine = ({ object, cloud }) => {
    if (cloud.kind !== "found" || cloud.health === undefined) return [];
    const { health: states } = cloud;
    const listeners = states.filter(({ state }) => state === "abnormal").map(({ listener }) => listener);
    const local =
        object.spec?.externalTrafficPolicy === "Local"
            ? "; with externalTrafficPolicy Local a node without a ready pod fails by design"
            : "";
    return [...new Set(listeners)].map((listener) => {
        const all = states.filter((one) => one.listener === listener);
        const failing = all.filter(({ state }) => state === "abnormal").map(({ backend }) => backend);
        return broken(
            failing.length === all.length
                ? `no backend of listener ${listener} passes its health check`
                : `${failing.length} of ${all.length} backends of listener ${listener} fail their health check`,
            [`the cloud says abnormal: ${some(failing)}`],
            "check that the security group of the nodes or pods admits the load balancer (100.64.0.0/10), that " +
                `${portsOf(failing)} answers, and that path and codes of an HTTP check fit${local}`,
            clbDocument("Health check"),
        );
    });
};

function portsOf(keys: readonly string[]): string {
    const ports = new Set(keys.map((key) => parseBackendKey(key).port).filter((port) => port !== undefined));
    return ports.size === 0 ? "the port" : `port ${some([...ports].map(String))}`;
}

/** Reports bindings that the sync controller does not keep. */
export const bindings: Examine = ({ bindings: all }) =>
    all
        .filter(({ synced }) => !synced)
        .map(({ name, reason, message }) =>
            broken(
                `the sync controller does not keep ${name}: ${message}`,
                [`condition Synced of ServerGroupBinding ${name} is not true (${reason})`],
                "do what the message says; the controller tries again by itself",
                "docs/sync.md",
            ),
        );
