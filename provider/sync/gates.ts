/** Readiness gates of pods, set as the Cloud Controller Manager sets them. Pure. Source: CCM, pod readiness gates. */
import type { PodObject } from "../kubernetes/types";
import type { BindingSpec } from "./binding/spec";
import { gateOf, hasGate, isCandidate, podUid } from "./endpoints";
import type { Observation } from "./observation";
import type { GateCondition } from "./ports";

/** Pods of one binding that the load balancer has taken, and those that it could not take, by UID. */
export interface Registration {
    readonly registered: ReadonlySet<string>;
    readonly missing: ReadonlySet<string>;
}

/** The pods behind a group that has just got its desired members. @param missing addresses that no network interface leads to. */
export function registrationOf(
    { serviceName }: Pick<BindingSpec, "serviceName">,
    { endpointSlices, gatedPods }: Pick<Observation, "endpointSlices" | "gatedPods">,
    missing: readonly string[],
): Registration {
    const endpoints = endpointSlices.flatMap((slice) => slice.endpoints ?? []);
    const unreachable = new Set(missing);
    const isMissing = (addresses: readonly string[]): boolean => addresses.some((ip) => unreachable.has(ip));
    const uids = (list: typeof endpoints): Set<string> => new Set(list.flatMap((endpoint) => podUid(endpoint) ?? []));
    const taken = endpoints.filter((endpoint) => {
        const pod = gatedPods.get(podUid(endpoint) ?? "");
        const ready = endpoint.conditions?.ready !== false && endpoint.conditions?.terminating !== true;
        return !isMissing(endpoint.addresses) && (ready || (pod !== undefined && isCandidate(pod, serviceName)));
    });
    return { registered: uids(taken), missing: uids(endpoints.filter(({ addresses }) => isMissing(addresses))) };
}

/**
 * The conditions to set: true where every group of the Service has taken the pod, false where one cannot.
 *
 * @param registrations one for each binding of the Service; undefined for those that were not reconciled yet.
 */
export function gateConditions(
    serviceName: string,
    pods: readonly PodObject[],
    registrations: readonly (Registration | undefined)[],
): { readonly pod: PodObject; readonly condition: GateCondition }[] {
    return pods.flatMap((pod) => {
        const uid = pod.metadata.uid ?? "";
        if (!hasGate(pod, serviceName) || pod.metadata.deletionTimestamp !== undefined) return [];
        const condition = registrations.some((one) => one?.missing.has(uid))
            ? INVALID
            : registrations.length > 0 && registrations.every((one) => one?.registered.has(uid))
              ? REGISTERED
              : undefined;
        if (condition === undefined) return [];
        const type = gateOf(serviceName);
        const there = pod.status?.conditions?.find((one) => one.type === type);
        const same = there?.status === condition.status && there.reason === condition.reason;
        return same ? [] : [{ pod, condition: { type, ...condition } }];
    });
}

const REGISTERED = {
    status: "True",
    reason: "ServerRegistered",
    message: "The backend has been added to the server group",
} as const;

const INVALID = {
    status: "False",
    reason: "ServerInvalidServer",
    message: "The backend failed to add to the server group because of the server is invalid",
} as const;
