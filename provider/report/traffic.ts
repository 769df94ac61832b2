/** What traffic passes on its way to a Service, before and after: load balancer, listeners, server groups, backends. */

import { CLB_LISTENER_TYPE, NLB_INSTANCE_TYPE } from "../schema/resource-types";
import type { LoadBalancerType } from "../schema/load-balancer-type";
import { isMapping } from "../diagnostics";
import { byText, changedFields } from "./fields";
import { type Bundle, keyOf } from "./gather";
import type {
    AddressReport,
    BackendReport,
    GroupReport,
    ListenerReport,
    LoadBalancerReport,
    ObjectReport,
} from "./model";
import { type Change, numberOf, recordOf, type Resource, type ResourceState, textOf } from "./step";

/** The load balancer of a Service; null where the preview does not say which it is. */
export function loadBalancerOf(bundle: Bundle): LoadBalancerReport | null {
    const { instance, reused, shared } = bundle;
    const resource = instance ?? reused ?? shared;
    if (resource === undefined) return null;
    const origin = reused !== undefined ? "reused" : shared !== undefined ? "shared" : "created";
    const leaving = bundle.component.change === "delete" && origin !== "created";
    const state = resource.before ?? resource.after;
    return {
        kind: kindOf(bundle, resource),
        origin,
        change: leaving ? "keep" : origin === "reused" && resource.change === "create" ? "same" : resource.change,
        id: (reused === undefined ? resource.before?.id : textOf(state?.inputs, "loadBalancerId")) ?? null,
        before: addressOf(resource.before, bundle.component.before),
        after: addressOf(
            leaving || KEEPS_ADDRESS.has(resource.change) ? withOutputs(resource) : resource.after,
            bundle.component.after ?? bundle.component.before,
        ),
        fields: changedFields(resource),
    };
}

function kindOf({ component }: Bundle, resource: Resource): LoadBalancerType {
    if (resource.type === NLB_INSTANCE_TYPE) return "nlb";
    const { inputs } = component.after ?? component.before ?? { inputs: {} };
    return textOf(inputs, "loadBalancerType") === "nlb" ? "nlb" : "clb";
}

/** Changes after which the address is as before. */
const KEEPS_ADDRESS: ReadonlySet<Change> = new Set(["same", "update", "keep"]);

/** The address is an output, of which a preview shows those from before only. */
function withOutputs({ before, after }: Resource): ResourceState | undefined {
    return after === undefined ? before : { ...after, outputs: { ...before?.outputs, ...after.outputs } };
}

/** @param component the Service's component, which says first what an NLB changes in place by another resource than the instance. */
function addressOf(state: ResourceState | undefined, component: ResourceState | undefined): AddressReport | null {
    if (state === undefined) return null;
    const given = [state.outputs, state.inputs].flatMap(
        (from) => textOf(from, "address") ?? textOf(from, "dnsName") ?? [],
    );
    const kind = textOf(component?.inputs, "addressType") ?? textOf(state.inputs, "addressType") ?? "internet";
    return { value: given[0] ?? null, public: kind.toLowerCase() === "internet" };
}

/** The listeners of a Service, in the order of their keys. */
export function listenersOf(bundle: Bundle, groups: readonly GroupReport[]): ListenerReport[] {
    return bundle.listeners
        .map((resource) => ({
            key: keyOf(resource, bundle),
            change: resource.change,
            before: factsOf(resource, resource.before),
            after: factsOf(resource, resource.after),
            group: groupOf(bundle, resource, groups),
            fields: changedFields(resource),
        }))
        .sort((a, b) => byText(a.key, b.key));
}

function factsOf({ type }: Resource, state: ResourceState | undefined): { protocol: string; port: string } | null {
    if (state === undefined) return null;
    const { inputs } = state;
    const protocol = textOf(inputs, type === CLB_LISTENER_TYPE ? "protocol" : "listenerProtocol") ?? "?";
    const [start, end] = [numberOf(inputs, "startPort"), numberOf(inputs, "endPort")];
    const one = numberOf(inputs, type === CLB_LISTENER_TYPE ? "frontendPort" : "listenerPort");
    const port = start !== undefined && end !== undefined ? `${start}-${end}` : String(one ?? "?");
    return { protocol: protocol.toLowerCase(), port };
}

/** The group behind a listener: by reference, by id, or by the same key. */
function groupOf(bundle: Bundle, listener: Resource, groups: readonly GroupReport[]): string | null {
    const state = listener.after ?? listener.before;
    const referred = state?.origins["serverGroupId"] ?? [];
    const made = bundle.groups.find(({ urn }) => referred.includes(urn));
    if (made !== undefined) return keyOf(made, bundle);
    const id = textOf(state?.inputs, "serverGroupId");
    const own = keyOf(listener, bundle);
    return (
        (groups.find((group) => group.id !== null && group.id === id) ?? groups.find(({ key }) => key === own))?.key ??
        null
    );
}

/** The server groups of a Service with their backends, in the order of their keys. */
export function groupsOf(bundle: Bundle): GroupReport[] {
    const keys = new Set([...bundle.groups, ...bundle.backends].map((resource) => keyOf(resource, bundle)));
    return [...keys].sort(byText).map((key) => {
        const is = (resource: Resource): boolean => keyOf(resource, bundle) === key;
        const [group, members] = [bundle.groups.find(is), bundle.backends.find(is)];
        const state = members?.after ?? members?.before;
        return {
            key,
            change: group?.change ?? "same",
            id: group?.before?.id ?? textOf(members?.before?.inputs ?? members?.after?.inputs, "serverGroupId") ?? null,
            origin: group === undefined ? "user-managed" : "created",
            synced: state?.inputs["sync"] === true,
            fields: group === undefined ? [] : changedFields(group),
            backends: members === undefined ? [] : backendsOf(members, group),
        };
    });
}

/** A group that is deleted or made anew takes its backends with it. */
function backendsOf(members: Resource, group: Resource | undefined): BackendReport[] {
    const before = weightsOf(members.before);
    const gone = group?.change === "delete" || members.change === "delete";
    const after = gone ? new Map<string, number>() : weightsOf(members.after ?? members.before);
    const [sumBefore, sumAfter] = [before, after].map((weights) =>
        [...weights.values()].reduce((sum, weight) => sum + weight, 0),
    );
    const replaced = group?.change === "replace" || members.change === "replace";
    return [...new Set([...before.keys(), ...after.keys()])].sort(byText).map((key) => {
        const [was, is] = [share(before.get(key), sumBefore), share(after.get(key), sumAfter)];
        return { key, change: backendChange(was?.weight, is?.weight, replaced), before: was, after: is };
    });
}

function backendChange(before: number | undefined, after: number | undefined, replaced: boolean): Change {
    if (before === undefined) return "create";
    if (after === undefined) return "delete";
    if (replaced) return "replace";
    return before === after ? "same" : "update";
}

function weightsOf(state: ResourceState | undefined): Map<string, number> {
    const backends = recordOf(state?.inputs, "backends") ?? {};
    return new Map(
        Object.entries(backends).flatMap(([key, value]) => {
            const weight = isMapping(value) ? numberOf(value, "weight") : undefined;
            return weight === undefined ? [] : [[key, weight] as const];
        }),
    );
}

/** Shares have one decimal: no traffic is balanced more exactly. */
function share(weight: number | undefined, sum = 0): { weight: number; share: number } | null {
    if (weight === undefined) return null;
    return { weight, share: sum === 0 ? 0 : Math.round((weight / sum) * 1000) / 10 };
}

const KUBERNETES_SERVICE = "Kubernetes Service";

/** Nouns for the types of further objects. */
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

/** Other objects of a Service that change, in the order of the preview. */
export function othersOf(bundle: Bundle): ObjectReport[] {
    return bundle.others
        .filter(({ change }) => change !== "same")
        .map((resource) => {
            const noun = resource.type.split(":").at(-1) ?? resource.type;
            const known = Object.hasOwn(NOUNS, noun) ? NOUNS[noun] : undefined;
            const { name, change } = resource;
            return { noun: known ?? noun, name, change, fields: changedFields(resource) };
        });
}

/** Annotations say what the load balancer's own objects show: the Kubernetes Service counts where nothing else changes. */
export function withoutRepetition(others: readonly ObjectReport[], changesElsewhere: boolean): ObjectReport[] {
    const further = others.filter(({ noun }) => noun !== KUBERNETES_SERVICE);
    return changesElsewhere || further.length > 0 ? further : [...others];
}
