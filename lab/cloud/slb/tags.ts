import { reads, writes, type Action } from "../actions";
import { rule, type Json, type Params } from "../core";
import type { World } from "../world";
import { findAcl, findGroup, findLoadBalancer } from "./lookup";

export const TAG_LIMIT = rule({
    id: "slb.tag.count",
    code: "TagCountLimit",
    message: "Tags count limit exceeded.",
    when: "a resource would get more tags than `quotas.tagsPerResource`",
    source: "CLB API, common error codes; TagResources: at most 20 tags",
});

export const TAG_KEY = rule({
    id: "slb.tag.key",
    code: "InvalidParam.TagKey",
    message: "The param TagKey is invalid: %s.",
    when: "a key is longer than 128 characters, starts with `aliyun` or `acs:`, or holds `http://` or `https://`",
    source: "CLB API TagResources and CreateLoadBalancer, parameter Tag.N.Key",
});

export const TAG_VALUE = rule({
    id: "slb.tag.value",
    code: "InvalidParam.TagValue",
    message: "The param TagValue is invalid: %s.",
    when: "a value is longer than 128 characters, starts with `acs:`, or holds `http://` or `https://`",
    source: "CLB API TagResources and CreateLoadBalancer, parameter Tag.N.Value",
});

const RESOURCE_TYPE = rule({
    id: "slb.tag.resource-type",
    code: "InvalidParameter.ResourceType",
    message: "The specified ResourceType %s is not valid.",
    when: "the resource type is not one that can carry tags",
    source: "CLB API TagResources, parameter ResourceType",
    enforcement: "always",
});

/** Sets tags given as `Tag.N.Key` and `Tag.N.Value` on top of what is there. */
export function applyTags(world: World, tags: Map<string, string>, given: readonly Params[]): void {
    const desired = given.map((tag): [string, string] => [tag.text("Key") ?? "", tag.text("Value") ?? ""]);
    for (const [key, value] of desired) {
        const forbidden = /https?:\/\//;
        world.rules.check(
            TAG_KEY,
            key !== "" && key.length <= 128 && !/^(aliyun|acs:)/.test(key) && !forbidden.test(key),
            key,
        );
        world.rules.check(TAG_VALUE, value.length <= 128 && !value.startsWith("acs:") && !forbidden.test(value), value);
    }
    world.rules.check(
        TAG_LIMIT,
        new Set([...tags.keys(), ...desired.map(([key]) => key)]).size <= world.config.quotas.tagsPerResource,
    );
    for (const [key, value] of desired) tags.set(key, value);
}

/** Tags as most answers show them. */
export function tagView(tags: ReadonlyMap<string, string>): Json {
    return { Tag: sorted(tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue })) };
}

function sorted(tags: ReadonlyMap<string, string>): [string, string][] {
    return [...tags].sort(([a], [b]) => (a < b ? -1 : 1));
}

function tagsOf(world: World, type: string, id: string): Map<string, string> {
    switch (type.toLowerCase()) {
        case "instance":
            return findLoadBalancer(world, id).tags;
        case "acl":
            return findAcl(world, id).tags;
        case "vservergroup":
            return findGroup(world, id).tags;
        case "certificate":
            return world.slb.certificates.get(id)?.tags ?? new Map();
        case "listener": {
            // A listener's resource id is `<instance>_<protocol>_<port>`.
            const [lb = "", protocol = "", port = ""] = id.split("_");
            return world.slb.listeners.get(`${lb}:${protocol}:${port}`)?.tags ?? new Map();
        }
        default:
            world.rules.check(RESOURCE_TYPE, false, type);
            return new Map();
    }
}

const RESOURCES = { ResourceType: { required: true }, ResourceId: { required: true, maxItems: 20 } } as const;

export const tagActions: readonly Action[] = [
    writes("TagResources", { ...RESOURCES, Tag: { required: true, maxItems: 20 } }, (p, world) => {
        for (const id of p.list("ResourceId"))
            applyTags(world, tagsOf(world, p.need("ResourceType"), id), p.structs("Tag"));
    }),
    writes("UntagResources", { ...RESOURCES, TagKey: { maxItems: 20 } }, (p, world) => {
        for (const id of p.list("ResourceId")) {
            const tags = tagsOf(world, p.need("ResourceType"), id);
            if (p.bool("All") === true) tags.clear();
            for (const key of p.list("TagKey")) tags.delete(key);
        }
    }),
    reads("ListTagResources", { ResourceType: { required: true } }, (p, world) => {
        const type = p.need("ResourceType");
        const filters = p.structs("Tag");
        const ids = p.list("ResourceId");
        const candidates = ids.length > 0 ? ids : type === "instance" ? [...world.slb.loadBalancers.keys()] : [];
        const rows = candidates.flatMap((ResourceId) =>
            sorted(knownTags(world, type, ResourceId))
                .filter(
                    ([key, value]) =>
                        filters.length === 0 ||
                        filters.some((f) => f.text("Key") === key && (f.text("Value") ?? value) === value),
                )
                .map(([TagKey, TagValue]) => ({ ResourceId, ResourceType: type, TagKey, TagValue })),
        );
        return { NextToken: "", TagResources: { TagResource: rows } };
    }),
];

/** Unknown resources have no tags: the listing answers an empty list for them. */
function knownTags(world: World, type: string, id: string): ReadonlyMap<string, string> {
    try {
        return tagsOf(world, type, id);
    } catch {
        return new Map();
    }
}
