import * as pulumi from "@pulumi/pulumi";
import type { StandingInstance } from "../../provider/apply/adoption";
import type { Adoption, Divergence } from "../../provider/model/adoption";
import type { Backends } from "../../provider/model/backend";
import { type Listener, portKey } from "../../provider/model/listener";
import { defaultLoadBalancerName, OWNER_TAG, sameOwner } from "../../provider/model/names";
import { type Attributes, compareAttributes, compareBackends } from "../../provider/plan/adoption";
import type { ReferenceArgs } from "../args";
import { listenerAttributes } from "../listener-attributes";
import { differingOptions } from "../listener-options";
import { instanceAttributes } from "../loadbalancer";
import type { Desired } from "../../provider/build";
import { observeInstance, observeListener } from "./observe";

/** A vServer group as the Service wants it. */
export interface WantedGroup {
    readonly key: string;
    readonly name: string;
    readonly backends: Backends;
}

/** What the Service wants, as far as it can be said before anything is made. */
export interface Wanted {
    readonly desired: Desired;
    readonly references: ReferenceArgs;
    readonly uid: string;
    readonly clusterId: string;
    /** Any ownership key of the Service. */
    readonly owner: string;
    readonly groups: readonly WantedGroup[];
    readonly ignoreWeights: boolean;
    readonly allowEmpty: boolean;
}

/** What can be taken over, and everything that is not as the Service says. */
export interface Comparison {
    readonly adoption: Adoption;
    readonly divergences: readonly Divergence[];
}

/** Holds a standing instance against what a Service wants of it. */
export function compareStanding(wanted: Wanted, standing: StandingInstance): Comparison {
    const instance = compareInstance(wanted, standing);
    const groups = compareGroups(wanted, standing);
    const listeners = wanted.desired.listeners.map((model) => compareListener(wanted, standing, groups.ids, model));
    const adoption: Adoption = {
        loadBalancerId: standing.instance.id,
        ...(wanted.desired.loadBalancer.addressType === "intranet" && standing.instance.vswitchId !== undefined ? { vswitchId: standing.instance.vswitchId } : {}),
        ...(standing.aclId === undefined ? {} : { aclId: standing.aclId }),
        serverGroups: groups.ids,
        listeners: Object.assign({}, ...listeners.map(({ id }) => id)) as Record<string, string>,
        domainExtensions: Object.assign({}, ...listeners.map(({ domainExtensions }) => domainExtensions)) as Record<string, string>,
        keep: { instance: instance.map(({ setting }) => setting), ...Object.fromEntries(listeners.map(({ key, keep }) => [key, keep])) },
    };
    return {
        adoption,
        divergences: [...identity(wanted, standing), ...instance, ...groups.divergences, ...listeners.flatMap(({ divergences }) => divergences), ...left(wanted, standing)],
    };
}

/** An instance of another Service, or of nobody, is never taken over. */
function identity({ uid }: Wanted, { tags }: StandingInstance): Divergence[] {
    const mark = tags[OWNER_TAG];
    const expected = defaultLoadBalancerName(uid);
    return mark === undefined || mark === expected ? [] : [{ verdict: "refused", object: "load balancer", setting: `tag ${OWNER_TAG}`, cloud: mark, service: expected }];
}

function compareInstance(wanted: Wanted, { instance, tags }: StandingInstance): Divergence[] {
    const { desired, references, uid, clusterId } = wanted;
    const vswitchId = desired.loadBalancer.vswitch?.named;
    const attributes = instanceAttributes(desired.loadBalancer, references, clusterId, { ownerName: defaultLoadBalancerName(uid), vswitchId: references.vswitchId ?? vswitchId });
    return compareAttributes("load balancer", known({ ...attributes }), observeInstance(instance, tags)).map((divergence) =>
        // The reason is for people; the controller writes another one than this package does where the instance has a name of its own, or none after a change.
        divergence.setting === "modificationProtectionReason" ? { ...divergence, verdict: "note" } : divergence,
    );
}

function compareGroups({ groups, ignoreWeights, allowEmpty }: Wanted, { serverGroups }: StandingInstance): { ids: Record<string, string>; divergences: Divergence[] } {
    const ids: Record<string, string> = {};
    const divergences = groups.flatMap(({ key, name, backends }): Divergence[] => {
        const object = `vServer group ${name}`;
        const [found, second] = serverGroups.filter((group) => group.name === name);
        if (found === undefined) {
            return [{ verdict: "note", object, setting: "", cloud: "-", service: "will be created" }];
        }
        if (second !== undefined) {
            return [{ verdict: "refused", object, setting: "name", cloud: `${found.id} and ${second.id}`, service: "one group of this name" }];
        }
        ids[key] = found.id;
        const emptied = Object.keys(backends).length === 0 && Object.keys(found.backends).length > 0 && !allowEmpty;
        return compareBackends(object, backends, found.backends, ignoreWeights).map((divergence) => (emptied ? { ...divergence, verdict: "refused" } : divergence));
    });
    return { ids, divergences };
}

interface ComparedListener {
    readonly key: string;
    readonly id: Record<string, string>;
    readonly domainExtensions: Record<string, string>;
    readonly keep: readonly string[];
    readonly divergences: readonly Divergence[];
}

function compareListener(wanted: Wanted, standing: StandingInstance, groupIds: Readonly<Record<string, string>>, model: Listener): ComparedListener {
    const object = `listener ${model.protocol}:${model.port}`;
    const found = standing.listeners.find(({ protocol, port }) => portKey({ port, protocol: protocol === "udp" ? "UDP" : "TCP" }) === model.key);
    const none: ComparedListener = { key: model.key, id: {}, domainExtensions: {}, keep: [], divergences: [] };
    if (found === undefined) {
        return { ...none, divergences: [{ verdict: "note", object, setting: "", cloud: "-", service: "will be created" }] };
    }
    if (found.protocol !== model.protocol) {
        return { ...none, divergences: [{ verdict: "refused", object, setting: "protocol", cloud: found.protocol, service: model.protocol }] };
    }
    const description = String(found.attributes["Description"] ?? "");
    if (description !== "" && !sameOwner(description, wanted.owner)) {
        return { ...none, divergences: [{ verdict: "refused", object, setting: "description", cloud: description, service: model.description }] };
    }
    const attributes = compareAttributes(
        object,
        known({ ...attributesOf(wanted, standing, model), serverGroupId: groupIds[model.serverGroup] ?? "(to be created)" }),
        observeListener(found),
    );
    const options = differingOptions(model, found.attributes).map(({ option, actual, wish }): Divergence => ({
        verdict: "differs",
        object,
        setting: option,
        cloud: actual,
        service: wish,
    }));
    const domains = compareDomains(object, model, found.domainExtensions);
    return {
        key: model.key,
        id: { [model.key]: `${standing.instance.id}:${found.protocol}:${found.port}` },
        domainExtensions: domains.ids,
        keep: attributes.map(({ setting }) => setting),
        divergences: [...attributes, ...options, ...domains.divergences, ...stopped(object, found.attributes)],
    };
}

/** What the plugin would be told of the listener; ids that are known only after their resource was made are left out. */
function attributesOf({ desired, references }: Wanted, { aclId }: StandingInstance, model: Listener): Attributes {
    const target = desired.listeners.find(({ key }) => key === model.forwardTo);
    const { access } = model;
    const named = access.status === "off" ? undefined : access.aclId === undefined ? (aclId ?? "(to be created)") : (references.aclId ?? access.aclId);
    return listenerAttributes(model, { aclId: named, certId: references.certId, forwardPort: target?.port });
}

/** Domains are resources of their own: one with another certificate would change, so it is refused with the rest. */
function compareDomains(object: string, model: Listener, standing: readonly { readonly id: string; readonly domain: string; readonly certId: string }[]) {
    const ids: Record<string, string> = {};
    const divergences: Divergence[] = [];
    for (const { domain, certId } of model.tls?.domains ?? []) {
        const found = standing.find((one) => one.domain === domain);
        if (found === undefined) {
            divergences.push({ verdict: "note", object, setting: `domain ${domain}`, cloud: "-", service: "will be created" });
        } else if (found.certId !== certId) {
            divergences.push({ verdict: "refused", object, setting: `certificate of ${domain}`, cloud: found.certId, service: certId });
        } else {
            ids[`${model.key}/${domain}`] = found.id;
        }
    }
    const unwanted = standing.filter(({ domain }) => model.tls?.domains.every((wish) => wish.domain !== domain));
    return {
        ids,
        divergences: [
            ...divergences,
            ...unwanted.map(({ domain }): Divergence => ({ verdict: "note", object, setting: `domain ${domain}`, cloud: "there", service: "stays, unmanaged" })),
        ],
    };
}

function stopped(object: string, attributes: Readonly<Record<string, unknown>>): Divergence[] {
    const status = String(attributes["Status"] ?? "");
    return status === "stopped" ? [{ verdict: "note", object, setting: "status", cloud: "stopped", service: "stays so until it is changed" }] : [];
}

/** What bears the Service's name and is wanted no more: nobody removes it after the takeover. */
function left({ desired, groups, owner }: Wanted, { listeners, serverGroups }: StandingInstance): Divergence[] {
    const ports = new Set(desired.listeners.map(({ key }) => key));
    const spare = listeners.filter(
        ({ protocol, port, attributes }) =>
            !ports.has(portKey({ port, protocol: protocol === "udp" ? "UDP" : "TCP" })) && sameOwner(String(attributes["Description"] ?? ""), owner),
    );
    const unused = serverGroups.filter(({ name }) => groups.every((group) => group.name !== name));
    const unmanaged = (object: string): Divergence => ({ verdict: "note", object, setting: "", cloud: "there", service: "stays, unmanaged" });
    return [...spare.map(({ protocol, port }) => unmanaged(`listener ${protocol}:${port}`)), ...unused.map(({ name }) => unmanaged(`vServer group ${name}`))];
}

/** Without what is known only once another resource is there. */
function known(attributes: Attributes): Attributes {
    return Object.fromEntries(
        Object.entries(attributes).filter(([, value]) => !pulumi.Output.isInstance(value) && !(Array.isArray(value) && value.some((one) => pulumi.Output.isInstance(one)))),
    );
}
