import { diffBackendMaps, managed } from "../../provider/backends/diff";
import type { AdoptionDifference, AdoptionVerdict, ObservedClb, ObservedNlb } from "../../provider/plan/adoption";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import { compareReused } from "../../provider/plan/reuse/changes";
import { type Backends, toMap } from "../../provider/schema/backend";
import { attributeName, type Difference, type Place } from "../../provider/schema/difference";
import type { ClusterFacts } from "../../provider/schema/facts";
import { type ListenerAddress, portText, sharePort } from "../../provider/schema/listener-address";
import * as names from "../../provider/schema/names";
import type { ObservedServerGroup, ServerGroup } from "../../provider/schema/server-group";
import type { ObservedLoadBalancer } from "../../provider/plan/observed";
import { buildReuse } from "../../provider/service/reuse";
import type { Service } from "../../provider/service/service";
import type { ReferenceArgs } from "../service/args";

/** A server group as the Service specifies it, with what is known of it in the cluster. */
export interface FilledGroup {
    readonly model: ServerGroup;
    /** Name of a managed group. */
    readonly name: string;
    /** Port of a group of ECS instances. */
    readonly nodePort?: number;
    readonly backends: Backends;
}

/** The desired load balancer, as far as it is known before anything is made. */
export interface AdoptionSpec<Desired extends ClbDesired | NlbDesired = ClbDesired | NlbDesired> {
    readonly service: Service;
    readonly facts: ClusterFacts;
    readonly desired: Desired;
    readonly references: ReferenceArgs;
    readonly uid: string;
    readonly groups: readonly FilledGroup[];
    readonly allowEmpty: boolean;
}

type Observed = Pick<ObservedLoadBalancer, "listeners" | "serverGroups">;

/** Comparison of a Service with its load balancer: what is adopted, and what differs. */
export class Comparison<Desired extends ClbDesired | NlbDesired, Seen extends Observed> {
    readonly place: Place & { readonly owner: names.Owner };
    readonly differences: AdoptionDifference[] = [];
    /** Ids of adopted objects, and the inputs that they keep. */
    readonly adopted = {
        serverGroups: {} as Record<string, string>,
        listeners: {} as Record<string, string>,
        domainExtensions: {} as Record<string, string>,
        keep: {} as Record<string, readonly string[]>,
    };
    readonly #mark: string;

    constructor(
        readonly spec: AdoptionSpec<Desired>,
        readonly observed: Seen,
    ) {
        const { service, facts } = spec;
        const { namespace, name, loadBalancerType } = service;
        const owner = { namespace, name, clusterId: facts.clusterId };
        const mark = names.defaultLoadBalancerName(spec.uid);
        this.place = { mark, owner, tags: { [names.OWNER_TAG]: mark, [names.CLUSTER_TAG]: facts.clusterId } };
        this.#mark = names.ownerKey(loadBalancerType, owner);
    }

    /**
     * Compares the changes to a user-managed instance. Every run checks if the Service may use it.
     *
     * @returns false if the instance was created for the Service. An instance that belongs to another Service is
     * refused.
     */
    reuse(observed: ObservedClb | ObservedNlb): boolean {
        const { service, facts } = this.spec;
        const request = buildReuse(service, facts, []);
        const { mark } = this.place;
        const owner = observed.tags[names.OWNER_TAG] ?? mark;
        if (request !== undefined) this.report("load balancer", compareReused(request, observed));
        else if (owner !== mark) this.add("refused", "load balancer", `tag ${names.OWNER_TAG}`, owner, mark);
        return request !== undefined;
    }

    add(verdict: AdoptionVerdict, object: string, attribute: string, observed = "-", desired = "-"): void {
        this.differences.push({ verdict, object, attribute, observed, desired });
    }

    /** Reports an object that is created in the run that takes over. */
    missing(object: string, attribute = "", desired = "will be created"): void {
        this.add("note", object, attribute, "-", desired);
    }

    /** Reports an object with the Service's name that is no longer desired: nothing removes it after the takeover. */
    unmanaged(object: string, attribute = ""): void {
        this.add("note", object, attribute, "there", "stays, unmanaged");
    }

    /** Takes over an object, which keeps its values of the plugin's inputs that differ. */
    take(key: string, object: string, found: readonly Difference[], isNote?: (one: Difference) => boolean): void {
        this.adopted.keep[key] = [...new Set(found.flatMap(({ inputs }) => inputs))];
        this.report(object, found, isNote);
    }

    /** Reports the attributes that a run changes. An object that a run would make again cannot be taken over. */
    report(object: string, found: readonly Difference[], isNote = (_: Difference): boolean => false): void {
        for (const one of found) {
            const { change, attribute, observed, desired } = one;
            if (change === "kept" || change === "ignored") continue;
            const verdict =
                attribute === PEOPLE || isNote(one) ? "note" : change === "replaced" ? "refused" : "differs";
            this.add(verdict, object, attributeName(attribute), observed, desired);
        }
    }

    /** Returns the listener on the ports of a desired listener, if it can become the Service's. */
    listener(model: ListenerAddress, mark: string): Seen["listeners"][number] | undefined {
        const object = listenerObject(model);
        const found = this.observed.listeners.find((one) => sharePort(one, model));
        if (found === undefined) {
            this.missing(object);
            return undefined;
        }
        const isOwn = found.description === "" || names.sameOwner(found.description, mark);
        const compared: readonly (readonly [attribute: string, observed: string, desired: string])[] = [
            ["ports", portText(found), portText(model)],
            ["protocol", found.protocol, model.protocol],
            ["description", isOwn ? mark : found.description, mark],
        ];
        const unlike = compared.find(([, observed, desired]) => observed !== desired);
        if (unlike === undefined) return found;
        this.add("refused", object, ...unlike);
        return undefined;
    }

    /** Reports the listeners with the Service's mark on ports that it no longer has. */
    spareListeners(): void {
        const own = this.observed.listeners.filter(({ description }) => names.sameOwner(description, this.#mark));
        for (const listener of own)
            if (!this.spec.desired.listeners.some((model) => sharePort(model, listener)))
                this.unmanaged(listenerObject(listener));
    }

    /** Compares names and members of the groups that the Service builds or joins. Returns the adopted groups by key. */
    groups(noun: string): Record<string, Seen["serverGroups"][number]> {
        const found: Record<string, Seen["serverGroups"][number]> = {};
        const { serverGroups } = this.observed;
        for (const group of this.spec.groups) {
            const {
                name,
                model: { key, joined },
            } = group;
            const object = `${noun} ${joined ?? name}`;
            const free = serverGroups.filter((one) => !Object.values(found).includes(one));
            const chosen = choose(free, group, usedBy(this.spec, this.observed, key));
            if (chosen === "ambiguous")
                this.add("refused", object, "name", "several groups, none of them used", "one group of this name");
            else if (chosen !== undefined) {
                if (joined === undefined) found[key] = chosen;
                this.#members(object, group, chosen);
            } else if (joined === undefined) this.missing(object, "", `will be created for ${key}`);
            else this.add("refused", object, "", "-", "there");
        }
        for (const { id, name } of serverGroups)
            if (this.spec.groups.every((group) => group.name !== name && group.model.joined !== id))
                this.unmanaged(`${noun} ${name}`);
        for (const [key, { id }] of Object.entries(found)) this.adopted.serverGroups[key] = id;
        return found;
    }

    /** Compares the members of a group. An empty answer of the cluster never empties a group. */
    #members(object: string, { model, nodePort, backends }: FilledGroup, found: ObservedServerGroup): void {
        const { service, allowEmpty } = this.spec;
        const emptied = Object.keys(backends).length === 0 && !allowEmpty;
        // The keys of backends name no port where all have the same: the nodePort, or 0 for a range of ports.
        const port = nodePort ?? (model.anyPort === true ? 0 : undefined);
        const addressesOnPort = model.type === "Ip" || port === 0;
        const present = toMap(managed(found.backends ?? [], this.#mark), port, addressesOnPort);
        const changed = diffBackendMaps(backends, present, service.settings.ignoreWeightUpdate === "on");
        for (const { attribute, observed, desired } of changed)
            this.add(emptied ? "refused" : "differs", object, attribute, observed, desired);
    }

    /** Returns the id of a listener's server group. */
    target(key: string): string {
        const joined = this.spec.groups.find(({ model }) => model.key === key)?.model.joined;
        return this.adopted.serverGroups[key] ?? joined ?? "(to be created)";
    }
}

/** Reason of a protection, a text for people. CCM writes other texts, or none. */
const PEOPLE = "modificationProtectionReason";

export const listenerObject = (listener: ListenerAddress): string =>
    `listener ${listener.protocol}:${portText(listener)}`;

/** Ids of the groups behind the observed listeners on the ports of a desired group. */
function usedBy({ desired }: AdoptionSpec, { listeners }: Observed, key: string): Set<string | undefined> {
    const models = desired.listeners.filter(({ serverGroup }) => serverGroup === key);
    const found = listeners.filter((listener) => models.some((model) => sharePort(model, listener)));
    return new Set(found.map(({ serverGroupId }) => serverGroupId));
}

/**
 * Selects the group of a name by its listener. A CLB's TCP and UDP ports with the same nodePort have groups of the same
 * name.
 */
function choose<Group extends ObservedServerGroup>(
    free: readonly Group[],
    { name, model: { joined } }: FilledGroup,
    used: ReadonlySet<string | undefined>,
): Group | "ambiguous" | undefined {
    if (joined !== undefined) return free.find(({ id }) => id === joined);
    const named = free.filter((group) => group.name === name);
    return named.find(({ id }) => used.has(id)) ?? (named.length > 1 ? "ambiguous" : named[0]);
}
