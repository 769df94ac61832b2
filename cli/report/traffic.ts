/** Load balancer, listeners, server groups and backends of a Service before and after the change, as text. */

import { CLB_LISTENER_TYPE, NLB_INSTANCE_TYPE } from "../../provider/schema/resource-types";
import { Unknown } from "../../policies/subjects";
import { type FieldPath, formatPath, valueAt } from "../../provider/diagnostics";
import { sharesOf } from "../../provider/schema/backend";
import { agreed, byText, sortedByKey } from "../../provider/schema/defined";
import { wordOf } from "../../provider/schema/difference";
import { isOwnershipKey, sameOwner } from "../../provider/schema/names";
import type { ObservedLoadBalancer } from "../../provider/plan/observed";
import { replacedListeners } from "../../provider/plan/reuse/ownership";
import { type ListenerAddress, sharePort } from "../../provider/schema/listener-address";
import type { ObservedListener } from "../../provider/schema/observed";
import type { ReuseRequest } from "../../provider/service/reuse";
import { type Bundle, keyInService, loses, zonesOf } from "./gather";
import { pendingWorkload } from "./pending";
import type { AddressReport, FieldChange, GroupReport, LoadBalancerReport, ObjectReport, SubjectReport } from "./model";
import type { Change, Properties, Resource, ResourceState } from "./step";
import { changeBetween, isRecord, numberOf, recordOf, recordsOf, textOf } from "./step";

/** Returns the load balancer of a Service, or null if the preview does not contain it. */
export function loadBalancerOf(bundle: Bundle): LoadBalancerReport | null {
    const { instance, reused, shared } = bundle;
    const resource = instance ?? reused ?? shared;
    if (resource === undefined) return null;
    const origin = reused !== undefined ? "reused" : shared !== undefined ? "shared" : "created";
    // A load balancer for several Services may go with them, but a user's own stays.
    const goes = origin === "shared" && (resource.change === "delete" || resource.change === "replace");
    const leaving = loses(bundle) && origin !== "created" && !goes;
    const state = resource.before ?? resource.after;
    const component = bundle.component.after ?? bundle.component.before;
    const isNlb = resource.type === NLB_INSTANCE_TYPE || textOf(component?.inputs, "loadBalancerType") === "nlb";
    const zones = zonesOf(bundle);
    const keepsAddress = leaving || ["same", "update", "keep"].includes(resource.change);
    return {
        kind: isNlb ? "nlb" : "clb",
        origin,
        change: leaving ? "keep" : origin === "reused" && resource.change === "create" ? "same" : resource.change,
        id: (reused === undefined ? idOf(resource) : textOf(state?.inputs, "loadBalancerId")) ?? null,
        before: addressOf(resource.before, [zones?.before, resource.before, bundle.component.before]),
        after: addressOf(keepsAddress ? withOutputs(resource) : resource.after, [
            zones?.after,
            resource.after,
            component,
        ]),
        fields: changedFields(resource),
    };
}

/** Returns the id of an object if it exists before the update. */
const idOf = ({ before, after, change }: Resource): string | undefined =>
    before?.id ?? (change === "import" ? after?.id : undefined);

/** Adds the outputs from before, such as the address, because a preview has no others. */
function withOutputs({ before, after }: Resource): ResourceState | undefined {
    return after === undefined ? before : { ...after, outputs: { ...before?.outputs, ...after.outputs } };
}

/**
 * @param typed states of resources that may have the address type: that which changes the type of an NLB, the instance,
 * and the component of a reused instance. A run that failed has recorded the component as that run asked.
 */
function addressOf(
    state: ResourceState | undefined,
    typed: readonly (ResourceState | undefined)[],
): AddressReport | null {
    if (state === undefined) return null;
    const named = (from: Properties) => textOf(from, "address") ?? textOf(from, "dnsName");
    const value = named(state.outputs) ?? named(state.inputs) ?? null;
    const kind = typed.map((one) => textOf(one?.inputs, "addressType")).find((type) => type !== undefined);
    return { value, public: (kind ?? "internet").toLowerCase() === "internet" };
}

export function listenersOf(bundle: Bundle, groups: readonly GroupReport[]): SubjectReport["listeners"][number][] {
    // A range of ports may go from a port of the Service to another, whose listener replaces that of the former.
    const places = (change: Change, side: "before" | "after"): ListenerAddress[] =>
        bundle.listeners.flatMap((one) => (one.change === change ? (placeOf(one, one[side]) ?? []) : []));
    const [came, taken] = [places("create", "after"), [...takenOver(bundle), ...places("delete", "before")]];
    return bundle.listeners
        .filter((one) => {
            const before = one.change === "delete" && placeOf(one, one.before);
            return !(before && came.some((other) => sharePort(other, before)));
        })
        .map((resource): SubjectReport["listeners"][number] => {
            const after = placeOf(resource, resource.after);
            const former = resource.change === "create" && after && taken.find((one) => sharePort(one, after));
            return {
                key: keyInService(resource, bundle),
                change: former ? "replace" : resource.change,
                before: factsOf(former || placeOf(resource, resource.before)),
                after: factsOf(after),
                group: groupOf(bundle, resource, groups),
                fields: changedFields(resource),
            };
        })
        .sort((a, b) => byText(a.key, b.key));
}

/** Returns the user-managed listeners of a reused instance, if the update replaces them. */
function takenOver({ contract }: Bundle): readonly ObservedListener[] {
    const { request, found } = recordOf(contract?.after?.inputs, "reuse") ?? {};
    if (!isRecord(request) || !isRecord(found)) return [];
    // A preview of another version, or one that was edited, may lack them.
    const lists = [request["listeners"], found["listeners"], found["serverGroups"]];
    if (!lists.every(Array.isArray)) return [];
    const replaced = replacedListeners(request as unknown as ReuseRequest, found as unknown as ObservedLoadBalancer);
    return replaced.map(({ listener }) => listener);
}

/** Returns protocol and ports of a listener. A port that is not known is NaN. */
function placeOf({ type }: Resource, state: ResourceState | undefined): ListenerAddress | undefined {
    if (state === undefined) return undefined;
    const { inputs } = state;
    const [protocolName, portName] =
        type === CLB_LISTENER_TYPE ? ["protocol", "frontendPort"] : ["listenerProtocol", "listenerPort"];
    const protocol = (textOf(inputs, protocolName)?.toLowerCase() ?? "?") as ListenerAddress["protocol"];
    const [start, endPort] = [numberOf(inputs, "startPort"), numberOf(inputs, "endPort")];
    if (start !== undefined && endPort !== undefined) return { protocol, port: start, endPort };
    return { protocol, port: numberOf(inputs, portName) ?? NaN };
}

function factsOf(place: ListenerAddress | undefined): SubjectReport["listeners"][number]["before"] {
    if (place === undefined) return null;
    const { protocol, port, endPort } = place;
    const first = Number.isNaN(port) ? "?" : String(port);
    return { protocol, port: endPort === undefined ? first : `${first}-${endPort}` };
}

/** Returns the key of the group behind a listener, found by reference, by id, or by the same key. */
function groupOf(bundle: Bundle, listener: Resource, groups: readonly GroupReport[]): string | null {
    const state = listener.after ?? listener.before;
    const made = bundle.groups.find(({ urn }) => state?.propertyDependencies["serverGroupId"]?.includes(urn));
    if (made !== undefined) return keyInService(made, bundle);
    const id = textOf(state?.inputs, "serverGroupId");
    const own = keyInService(listener, bundle);
    return (
        (groups.find((one) => id !== undefined && one.id === id) ?? groups.find(({ key }) => key === own))?.key ?? null
    );
}

export function groupsOf(bundle: Bundle): GroupReport[] {
    const keys = new Set([...bundle.groups, ...bundle.backends].map((resource) => keyInService(resource, bundle)));
    return [...keys].sort(byText).map((key) => {
        const hasKey = (resource: Resource): boolean => keyInService(resource, bundle) === key;
        const [group, members] = [bundle.groups.find(hasKey), bundle.backends.find(hasKey)];
        const pending = (members && pendingOf(bundle, members)) ?? null;
        const [was, is] = [members?.before, members?.after].map((one) => textOf(one?.inputs, "serverGroupId"));
        const moved = group === undefined && was !== undefined && is !== undefined && was !== is;
        return {
            key,
            change: group?.change ?? (moved ? "update" : "same"),
            id: group === undefined ? (is ?? was ?? null) : (idOf(group) ?? was ?? is ?? null),
            origin: group === undefined ? "user-managed" : "created",
            synced: [members?.before, members?.after].some((one) => one?.inputs["sync"] === true),
            fields: [
                ...(group === undefined ? [] : changedFields(group)),
                ...(moved ? [{ field: "serverGroupId", before: was, after: is }] : []),
            ],
            pending,
            backends: members === undefined || pending !== null ? [] : backendsOf(bundle, members, group),
        };
    });
}

/** Returns the cause if backends are unknown until the update, or undefined if the preview has them. */
function pendingOf(bundle: Bundle, members: Resource): string | undefined {
    const { after } = members;
    if (after === undefined) return undefined;
    // The sync controller manages the backends, and a run leaves them alone.
    if (after.inputs["sync"] === true && members.change === "same") return undefined;
    if (after.inputs["backends"] instanceof Unknown) return "a value that is computed during the update";
    const nodes = Object.keys(recordOf(after.inputs, "backends") ?? {});
    const { component } = bundle;
    const policy = textOf((component.after ?? component.before)?.inputs, "externalTrafficPolicy");
    const nodesOnly = policy === "Cluster" && nodes.length > 0 && nodes.every((key) => key.startsWith("i-"));
    return pendingWorkload(bundle, members, nodesOnly);
}

function backendsOf(bundle: Bundle, members: Resource, group: Resource | undefined): GroupReport["backends"][number][] {
    // The group of a preserved instance stays, and its backends with it.
    const gone = group?.change === "delete" || (members.change === "delete" && group?.change !== "keep");
    // A preview has only the Service's own backends, so it has no shares of a group that others may fill.
    const userManaged = Object.keys(recordOf(members.before?.outputs, "userManaged") ?? {});
    const shared = group === undefined || group.change === "import" || userManaged.length > 0;
    const key = keyInService(members, bundle);
    const weigh = (state: ResourceState | undefined, side: "before" | "after") => {
        const weights = [...weightsOf(state)];
        const scheduler = shared ? undefined : schedulerOf(bundle, key, side);
        const shares = sharesOf(
            weights.map(([, weight]) => weight),
            scheduler,
        );
        return new Map(weights.map(([one, weight], index) => [one, { weight, share: shares?.[index] ?? null }]));
    };
    const before = weigh(members.before, "before");
    const after = weigh(gone ? undefined : (members.after ?? members.before), "after");
    // Change of the group that all its backends share.
    const whole = [group?.change, members.change].find((change) => /^(?:import|keep|replace)$/.test(change ?? ""));
    return [...new Set([...before.keys(), ...after.keys()])].sort(byText).map((one) => {
        const [was = null, is = null] = [before.get(one), after.get(one)];
        const stays = was !== null && is !== null;
        const change =
            whole !== undefined && (whole !== "replace" || stays) ? whole : changeBetween(was?.weight, is?.weight);
        return { key: one, name: null, change, before: was, after: is };
    });
}

/** Returns the scheduler for a group, its own or its listeners' if they agree. */
export function schedulerOf(bundle: Bundle, key: string, side: "before" | "after"): string | undefined {
    const stateOf = (one: Resource) => one[side] ?? one.after ?? one.before;
    const group = bundle.groups.find((one) => keyInService(one, bundle) === key);
    const listeners = bundle.listeners.filter((one) => {
        if (one.change === (side === "before" ? "create" : "delete")) return false;
        const made = group && stateOf(one)?.propertyDependencies["serverGroupId"]?.includes(group.urn);
        return made === true || keyInService(one, bundle) === key;
    });
    const texts = [group, ...listeners].flatMap((one) => (one && textOf(stateOf(one)?.inputs, "scheduler")) ?? []);
    return agreed(texts);
}

function weightsOf(state: ResourceState | undefined): Map<string, number> {
    const backends = recordOf(state?.inputs, "backends") ?? {};
    const weights = Object.keys(backends).map((key) => [key, numberOf(backends, key, "weight")] as const);
    return new Map(weights.filter((one): one is [string, number] => one[1] !== undefined));
}

const KUBERNETES_SERVICE = "Kubernetes Service";

const NOUNS: Readonly<Record<string, string>> = {
    ListenerOptions: "listener options",
    ServerGroupOptions: "server group options",
    Acl: "ACL",
    AclEntries: "ACL entries",
    AdditionalCertificates: "additional certificates",
    DomainExtension: "domain extension",
    SourceSecurityGroup: "security group",
    LoadBalancerZones: "zone mappings",
    Service: KUBERNETES_SERVICE,
    ServerGroupBinding: "binding of the sync controller",
};

/** Returns the other changed objects of a Service, in the order of the preview. */
export function othersOf(bundle: Bundle): ObjectReport[] {
    return bundle.others
        .filter(({ change }) => change !== "same")
        .map((resource) => {
            const { type, name, change } = resource;
            const token = type.split(":").at(-1) ?? type;
            const noun = (Object.hasOwn(NOUNS, token) && NOUNS[token]) || token;
            return { noun, name, change, fields: changedFields(resource) };
        });
}

/** Leaves out the Kubernetes Service if anything else changes, because its annotations repeat the change. */
export function withoutRepetition(others: readonly ObjectReport[], changesElsewhere: boolean): ObjectReport[] {
    const further = others.filter(({ noun }) => noun !== KUBERNETES_SERVICE);
    return changesElsewhere || further.length > 0 ? further : [...others];
}

/** Returns the listeners and server groups of others on a reused instance, as the contract recorded them. */
export function userManagedOf({ contract, reused }: Bundle): string[] {
    const found = recordOf((contract?.after ?? contract?.before)?.inputs, "reuse", "found");
    const owner = textOf((reused?.after ?? reused?.before)?.inputs, "owner");
    if (found === undefined || owner === undefined) return [];
    const listeners = recordsOf(found, "listeners").flatMap((listener) => {
        const description = textOf(listener, "description");
        const [protocol, port] = [textOf(listener, "protocol"), numberOf(listener, "port")];
        if (protocol === undefined || port === undefined || sameOwner(description, owner)) return [];
        return [`listener ${protocol}:${port}${aboutOf(description)}`];
    });
    const groups = recordsOf(found, "serverGroups").flatMap((group) => {
        const [id, name] = [textOf(group, "id"), textOf(group, "name")];
        return id === undefined || sameOwner(name, owner) ? [] : [`server group ${id}${aboutOf(name)}`];
    });
    return [...listeners, ...groups];
}

const aboutOf = (text: string | undefined): string =>
    text === undefined ? "" : isOwnershipKey(text) ? ` (of another Service: ${text})` : ` (${text})`;

/** References to other objects, whose own change is reported. */
const REFERENCES = ["loadBalancerId", "serverGroupId", "listenerId", "vpcId", "account", "backends", "reuse"];

/** Returns the changed attributes, sorted by name, none for a created or deleted object. */
function changedFields({ before, after, reasons, change }: Resource): FieldChange[] {
    if (before === undefined || after === undefined || change === "same") return [];
    const differences = (names: readonly string[], from: Properties): FieldChange[] =>
        names
            .filter((name) => !REFERENCES.includes(name))
            .flatMap((name) => compare([name], valueAt(from, [name]), valueAt(after.inputs, [name])));
    const changed = differences(keysOf(before.inputs, after.inputs), before.inputs);
    // A refresh observed the others, while the inputs are as before.
    return changed.length > 0 ? changed : differences(reasons, before.outputs);
}

/** Returns the keys of two mappings without those of Pulumi, sorted. */
const keysOf = (before: Properties, after: Properties): string[] =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !key.startsWith("__")).sort(byText);

/** Compares mappings by entry, also with none, and lists as a whole. */
function compare(path: FieldPath, before: unknown, after: unknown): FieldChange[] {
    const sides = [before, after].map((value) => value ?? {});
    if (sides.every(isRecord) && (isRecord(before) || isRecord(after))) {
        const [was = {}, is = {}] = sides;
        return keysOf(was, is).flatMap((key) => compare([...path, key], valueAt(was, [key]), valueAt(is, [key])));
    }
    const [was, is] = [before, after].map((value) =>
        value === undefined ? null : (wordOf(String(path.at(-1)), String(value)) ?? formatValue(value)),
    );
    return was === is ? [] : [{ field: formatPath(path), before: was ?? null, after: is ?? null }];
}

const LATER = "(known during the update)";

function formatValue(value: unknown): string {
    if (value instanceof Unknown) return LATER;
    if (typeof value === "string") return value;
    return JSON.stringify(value, (key, part: unknown) =>
        key.startsWith("__") ? undefined : part instanceof Unknown ? LATER : isRecord(part) ? sortedByKey(part) : part,
    );
}
