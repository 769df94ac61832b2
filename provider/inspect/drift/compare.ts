/** Drift: what a stack's state records of a Service, beside what the cloud has. */

import { sameService, ownerKey } from "../../model/names";
import type { ObservedBackend, ObservedListener, ObservedLoadBalancer } from "../../model/observed";
import { buildReport, type Step, type SubjectReport } from "../../report";
import {
    BACKENDS_TYPE,
    CLB_INSTANCE_FORMER_TYPE,
    CLB_INSTANCE_TYPE,
    NLB_INSTANCE_TYPE,
    SERVICE_TYPE,
    STATUS_TYPE,
} from "../../schema/resource-types";
import { type LiveService, nameOf } from "../live/model";
import type { RecordedStack } from "./state";

/** One thing in which the cloud differs from the state. */
export interface Drift {
    /** `listener tcp:80`, `server group tcp-80`, `load balancer`. */
    readonly object: string;
    /** `weight of i-1:30080`, `tag team`, the object itself. */
    readonly what: string;
    readonly recorded: string;
    readonly observed: string;
}

/** What a stack records of one Service. */
export interface RecordedService {
    /** `project/stack`. */
    readonly stack: string;
    readonly report: SubjectReport;
    /** Tags that the stack has put on the instance. */
    readonly tags: Readonly<Record<string, unknown>>;
    /** Port of the members of each server group that name none, by the group's key. */
    readonly ports: ReadonlyMap<string, string>;
}

const INSTANCES: ReadonlySet<string> = new Set([CLB_INSTANCE_TYPE, CLB_INSTANCE_FORMER_TYPE, NLB_INSTANCE_TYPE]);

/**
 * What a stack records of a Service; undefined if it does not manage it.
 *
 * @param uid of the Service: a stack may have Services of one name in several clusters
 */
export function recordedOf(
    { name: stack, steps }: RecordedStack,
    service: string,
    uid: string | undefined,
): RecordedService | undefined {
    const childrenOf = ({ urn }: Step): Step[] => steps.filter(({ after }) => after?.parent === urn);
    const named = steps.filter(({ type, after }) => type === SERVICE_TYPE && after?.inputs["service"] === service);
    const component =
        named.find((one) =>
            childrenOf(one).some(({ type, after }) => type === STATUS_TYPE && after?.inputs["uid"] === uid),
        ) ?? named[0];
    if (component === undefined) return undefined;
    const [report] = buildReport({
        steps: steps.filter((step) => step === component || step.type !== SERVICE_TYPE),
    }).subjects.filter(({ subject }) => subject === `Service ${service}`);
    if (report === undefined) return undefined;
    const children = childrenOf(component);
    const instance = children.find(({ type }) => INSTANCES.has(type));
    const tags = instance?.after?.inputs["tags"];
    const members = children.filter(({ type }) => type === BACKENDS_TYPE);
    return {
        stack,
        report,
        tags: typeof tags === "object" && tags !== null ? { ...tags } : {},
        ports: new Map(
            members.flatMap(({ name, after }) => {
                const port = after?.outputs["port"] ?? after?.inputs["port"];
                const known = typeof port === "number" || typeof port === "string";
                return known ? [[name.slice(component.name.length + 1), String(port)] as const] : [];
            }),
        ),
    };
}
/** Every difference between state and cloud, in the order of load balancer, listeners, server groups. A cloud that was not seen has no drift. */
export function driftOf(recorded: RecordedService, live: LiveService): Drift[] {
    const { cloud } = live;
    if (cloud.kind === "failed") return [];
    const { loadBalancer } = recorded.report;
    const id = loadBalancer?.id ?? "a load balancer";
    if (cloud.kind === "missing")
        return loadBalancer === null
            ? []
            : [{ object: "load balancer", what: "instance", recorded: id, observed: "not there" }];
    const { instance } = cloud;
    if (loadBalancer !== null && loadBalancer.id !== null && loadBalancer.id !== instance.id)
        return [{ object: "load balancer", what: "instance", recorded: loadBalancer.id, observed: instance.id }];
    return [
        ...tagDrift(recorded, instance),
        ...listenerDrift(recorded, instance, live),
        ...groupDrift(recorded, instance),
    ];
}

function tagDrift({ tags }: RecordedService, instance: ObservedLoadBalancer): Drift[] {
    return Object.entries(tags).flatMap(([tag, value]) =>
        typeof value !== "string" || instance.tags[tag] === value
            ? []
            : [
                  {
                      object: "load balancer",
                      what: `tag ${tag}`,
                      recorded: value,
                      observed: instance.tags[tag] ?? "not there",
                  },
              ],
    );
}

const listenerName = ({ protocol, port, endPort }: ObservedListener): string =>
    `${protocol}:${port}${endPort === undefined || endPort === port ? "" : `-${endPort}`}`;

function listenerDrift(
    { report: { listeners, groups } }: RecordedService,
    instance: ObservedLoadBalancer,
    { object, type }: LiveService,
): Drift[] {
    const observed = new Map(instance.listeners.map((listener) => [listenerName(listener), listener]));
    const ids = new Map(groups.map(({ key, id }) => [key, id]));
    const expected = new Set<string>();
    const found = listeners.flatMap(({ after, group }): Drift[] => {
        if (after === null) return [];
        const name = `${after.protocol}:${after.port}`;
        expected.add(name);
        const there = observed.get(name);
        const common = { object: `listener ${name}` };
        if (there === undefined)
            return [{ ...common, what: "listener", recorded: "made by this stack", observed: "not there" }];
        const recorded = group === null ? undefined : (ids.get(group) ?? undefined);
        return recorded === undefined || there.serverGroupId === recorded
            ? []
            : [{ ...common, what: "server group", recorded, observed: there.serverGroupId ?? "none" }];
    });
    const { namespace = "default", name } = object.metadata;
    const mark = ownerKey(type, { namespace, name, clusterId: "any" });
    const further = instance.listeners.filter(
        (listener) => sameService(listener.description, mark) && !expected.has(listenerName(listener)),
    );
    return [
        ...found,
        ...further.map((listener) => ({
            object: `listener ${listenerName(listener)}`,
            what: "listener",
            recorded: "not there",
            observed: `there, marked for ${nameOf(object)}`,
        })),
    ];
}

/** Members that the sync controller keeps are its own matter: the state has those of the first run. */
function groupDrift({ report: { groups }, ports }: RecordedService, instance: ObservedLoadBalancer): Drift[] {
    return groups.flatMap(({ key, id, synced, origin, backends }): Drift[] => {
        if (id === null) return [];
        const object = `server group ${key}`;
        const there = instance.serverGroups.find((group) => group.id === id);
        if (there === undefined) return [{ object, what: "server group", recorded: id, observed: "not there" }];
        if (synced || there.backends === undefined) return [];
        const port = ports.get(key);
        const recorded = new Map(
            backends.flatMap((backend) =>
                backend.after === null ? [] : [[withPort(backend.key, port), backend.after.weight] as const],
            ),
        );
        const observed = new Map(there.backends.map((backend: ObservedBackend) => [backend.key, backend.weight]));
        const keys = [...new Set([...recorded.keys(), ...observed.keys()])].sort();
        return (
            keys
                .filter((backend) => recorded.get(backend) !== observed.get(backend))
                // Members of a user-managed group that no run has added are its user's.
                .filter((backend) => origin === "created" || recorded.has(backend))
                .map((backend) => ({
                    object,
                    what: `weight of ${backend}`,
                    recorded: String(recorded.get(backend) ?? "not a member"),
                    observed: String(observed.get(backend) ?? "not a member"),
                }))
        );
    });
}

/** Recorded members name their port only where it is not their group's. */
const withPort = (key: string, port: string | undefined): string =>
    port === undefined || key.includes(":") ? key : `${key}:${port}`;
