import { refusal, rule, type JsonObject, type Params, type Rule } from "../core";
import type { Caller } from "../actions";
import type { World } from "../world";
import type { NlbListener, NlbLoadBalancer, NlbServerGroup } from "./state";

function notFound(noun: string, recording: string): Rule {
    return rule({
        id: `nlb.${noun}.exists`,
        code: `ResourceNotFound.${noun}`,
        status: 404,
        message: `The specified resource ${noun} is not found.`,
        when: `the ${noun} is unknown or was deleted`,
        source: `testdata/alicloud-plugin (${recording}); NLB API, error codes`,
        enforcement: "always",
    });
}

const LOAD_BALANCER_EXISTS = notFound("loadBalancer", "nlb-gone");
const LISTENER_EXISTS = notFound("listener", "nli-gone");
const SERVER_GROUP_EXISTS = notFound("serverGroup", "nsg-gone");

export const QUOTA = rule({
    id: "nlb.quota",
    code: "QuotaExceeded.QuotaInsufficient",
    message: "The quota of %s is exceeded, usage %s/%s.",
    when: "there would be more of something than the `quotas` whose names begin with nlb allow",
    source: "NLB quotas; NLB API CreateListener, error codes",
});

const LOAD_BALANCER_READY = rule({
    id: "nlb.load-balancer.active",
    code: "IncorrectStatus.loadbalancer",
    message: "The status of loadbalancer [%s] is incorrect.",
    when: "an instance that is not Active is changed, or listeners of it are",
    source: "NLB API CreateListener, error codes",
    enforcement: "always",
});

const LISTENER_READY = rule({
    id: "nlb.listener.settled",
    code: "IncorrectStatus.listener",
    message: "The status of listener [%s] is incorrect.",
    when: "a listener is changed while a job of it is under way",
    source: "NLB API UpdateListenerAttribute, error codes",
    enforcement: "always",
});

const SERVER_GROUP_UNLOCKED = rule({
    id: "nlb.server-group.unlocked",
    code: "Conflict.Lock",
    message: "The Lock [%s] is conflict.",
    when:
        "a server group is changed while a job of it is under way, " +
        "or less than `delays.nlbServerGroupLock` after the last change",
    source: "NLB API AddServersToServerGroup, error codes",
    enforcement: "always",
});

const NOT_CONSOLE_PROTECTED = rule({
    id: "nlb.load-balancer.modification-protection",
    code: "OperationDenied.ModificationProtection",
    message: "The operation is not allowed because of ModificationProtection.",
    when:
        "a user changes, in the web console, an instance whose status is ConsoleProtection; " +
        "API calls are not held back",
    source:
        "NLB API CreateLoadBalancer, parameter ModificationProtectionConfig (the console has no documented code; " +
        "code and text are this lab's)",
});

const SERVER_GROUP_USABLE = rule({
    id: "nlb.server-group.usable",
    code: "IncorrectStatus.serverGroup",
    message: "The status of servergroup [%s] is incorrect.",
    when: "a listener is given a server group that is still being created or is being deleted",
    source: "NLB API AddServersToServerGroup, error codes",
    enforcement: "always",
});

export function findLoadBalancer(world: World, id: string): NlbLoadBalancer {
    const found = world.nlb.loadBalancers.get(id);
    if (found === undefined) throw refusal(LOAD_BALANCER_EXISTS);
    return found;
}

export function findListener(world: World, id: string): NlbListener {
    const found = world.nlb.listeners.get(id);
    if (found === undefined) throw refusal(LISTENER_EXISTS);
    return found;
}

export function findServerGroup(world: World, id: string): NlbServerGroup {
    const found = world.nlb.serverGroups.get(id);
    if (found === undefined) throw refusal(SERVER_GROUP_EXISTS);
    return found;
}

/** The instance to change: it must be Active, and not protected if the caller sits at the console. */
export function changeableLoadBalancer(world: World, id: string, caller: Caller): NlbLoadBalancer {
    const lb = findLoadBalancer(world, id);
    world.rules.check(LOAD_BALANCER_READY, lb.status.now(world.now()) === "Active", id);
    world.rules.check(
        NOT_CONSOLE_PROTECTED,
        !(caller.origin === "console" && lb.modificationProtection.status === "ConsoleProtection"),
    );
    return lb;
}

/** Returns the listener to change, which must have no job under way. */
export function changeableListener(world: World, id: string, caller: Caller): NlbListener {
    const listener = findListener(world, id);
    changeableLoadBalancer(world, listener.loadBalancerId, caller);
    world.rules.check(LISTENER_READY, !listener.status.changing(world.now()), id);
    return listener;
}

/** Returns the server group to change, which must not be locked. */
export function changeableServerGroup(world: World, id: string): NlbServerGroup {
    const group = findServerGroup(world, id);
    world.rules.check(SERVER_GROUP_UNLOCKED, world.now() >= group.lockedUntil, id);
    return group;
}

/** Returns the server group that a listener is to use. It must exist and not be under deletion. */
export function usableServerGroup(world: World, id: string): NlbServerGroup {
    const group = findServerGroup(world, id);
    world.rules.check(SERVER_GROUP_USABLE, !["Creating", "Deleting"].includes(group.status.now(world.now())), id);
    return group;
}

/** Locks a server group for the time of its job. */
export function lockServerGroup(
    world: World,
    group: NlbServerGroup,
    via: "Configuring" | "Deleting" = "Configuring",
): void {
    const { nlbJob, nlbServerGroupLock } = world.config.delays;
    group.lockedUntil = world.now() + Math.max(nlbJob, nlbServerGroupLock);
    group.status.go(via, "Available", nlbJob, world.now());
}

/**
 * Returns tags in lists. Some clients read `Key`, others `TagKey`. The real API differs by action, so both are present.
 */
export function tagRows(tags: ReadonlyMap<string, string>): JsonObject[] {
    return [...tags]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([Key, Value]) => ({ Key, Value, TagKey: Key, TagValue: Value }));
}

const TAG_FORM = rule({
    id: "nlb.tag.form",
    code: "IllegalParam.Tag",
    message: "The param of Tag is illegal.",
    when:
        "a key is empty, longer than 64 characters, or starts with `aliyun` or `acs:`, " +
        "a value is longer than 128 characters, or one holds `http://` or `https://`",
    source: "NLB API CreateLoadBalancer, parameter Tag",
});

const TAG_LIMIT = rule({
    id: "nlb.tag.count",
    code: "QuotaExceeded.TagsPerResource",
    message: "The quota of TagsPerResource is exceeded, usage %s/%s.",
    when: "a resource would get more tags than `quotas.tagsPerResource`",
    source: "NLB API TagResources, parameter Tag",
});

/** Sets tags given as `Tag.N.Key` and `Tag.N.Value` on top of what is there. */
export function applyTags(world: World, tags: Map<string, string>, p: Params): void {
    const desired = p.structs("Tag").map((t): [string, string] => [t.text("Key") ?? "", t.text("Value") ?? ""]);
    for (const [key, value] of desired) {
        const clean = !/https?:\/\//.test(key + value) && !/^(aliyun|acs:)/.test(key) && !value.startsWith("acs:");
        world.rules.check(TAG_FORM, clean && key !== "" && key.length <= 64 && value.length <= 128);
    }
    const count = new Set([...tags.keys(), ...desired.map(([key]) => key)]).size;
    world.rules.check(
        TAG_LIMIT,
        count <= world.config.quotas.tagsPerResource,
        count,
        world.config.quotas.tagsPerResource,
    );
    for (const [key, value] of desired) tags.set(key, value);
}

/** ISO time without fractions. */
export function time(ms: number): string {
    return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Values of a filter that may be given as `Names.N` or be absent. */
export function oneOf(p: Params, name: string, value: string): boolean {
    const desired = p.list(name);
    const single = p.text(name);
    return desired.length > 0 ? desired.includes(value) : single === undefined || single === value;
}
