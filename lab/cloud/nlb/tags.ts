import type { Action } from "../actions";
import { hasTags, refusal, rule, tokenPage, type ParamSpecs } from "../core";
import type { World } from "../world";
import { applyTags, findListener, findLoadBalancer, findServerGroup, oneOf } from "./common";
import { nlbReads, nlbWrites } from "./jobs";

const RESOURCE_TYPE = rule({
    id: "nlb.tag.resource-type",
    code: "IllegalParam.ResourceType",
    message: "The param of ResourceType is illegal.",
    when: "the resource type is not loadbalancer, listener or servergroup",
    source: "NLB API TagResources, parameter ResourceType",
    enforcement: "always",
});

function tagsOf(world: World, type: string, id: string): Map<string, string> {
    switch (type.toLowerCase()) {
        case "loadbalancer":
            return findLoadBalancer(world, id).tags;
        case "listener":
            return findListener(world, id).tags;
        case "servergroup":
            return findServerGroup(world, id).tags;
        default:
            throw refusal(RESOURCE_TYPE);
    }
}

function all(world: World): [type: string, id: string, tags: Map<string, string>][] {
    const { loadBalancers, listeners, serverGroups } = world.nlb;
    const kinds: [string, ReadonlyMap<string, { tags: Map<string, string> }>][] = [
        ["loadbalancer", loadBalancers],
        ["listener", listeners],
        ["servergroup", serverGroups],
    ];
    return kinds.flatMap(([type, objects]) =>
        [...objects].map(([id, { tags }]): [string, string, Map<string, string>] => [type, id, tags]),
    );
}

const RESOURCES: ParamSpecs = { ResourceType: { required: true }, ResourceId: { required: true, maxItems: 50 } };

export const tagActions: readonly Action[] = [
    nlbWrites("TagResources", { ...RESOURCES, Tag: { required: true, maxItems: 20 } }, (p, world) => {
        for (const id of p.list("ResourceId")) applyTags(world, tagsOf(world, p.need("ResourceType"), id), p);
    }),
    nlbWrites("UntagResources", { ...RESOURCES, TagKey: { maxItems: 20 } }, (p, world) => {
        for (const id of p.list("ResourceId")) {
            const tags = tagsOf(world, p.need("ResourceType"), id);
            if (p.bool("All") === true) tags.clear();
            for (const key of p.list("TagKey")) tags.delete(key);
        }
    }),
    nlbReads("ListTagResources", { ResourceType: { required: true } }, (p, world) => {
        const type = p.need("ResourceType").toLowerCase();
        const found = all(world).filter(
            ([kind, id, tags]) => kind === type && oneOf(p, "ResourceId", id) && hasTags(p, tags),
        );
        const rows = found.flatMap(([, ResourceId, tags]) =>
            [...tags].map(([TagKey, TagValue]) => ({ ResourceId, ResourceType: type, TagKey, TagValue })),
        );
        const { rows: page, counters } = tokenPage(p, rows, 50);
        return { ...counters, TagResources: page };
    }),
    nlbWrites(
        "MoveResourceGroup",
        { ResourceId: { required: true }, NewResourceGroupId: { required: true }, ResourceType: { required: true } },
        (p, world) => {
            const id = p.need("ResourceId");
            const group = p.need("NewResourceGroupId");
            const type = p.need("ResourceType").toLowerCase();
            if (type === "loadbalancer") findLoadBalancer(world, id).resourceGroupId = group;
            else findServerGroup(world, id).resourceGroupId = group;
        },
    ),
];
