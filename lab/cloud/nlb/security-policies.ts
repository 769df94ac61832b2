import type { Action } from "../actions";
import { hasTags, refusal, rule, tokenPage, type JsonObject, type ParamSpecs } from "../core";
import type { World } from "../world";
import { applyTags, findListener, findLoadBalancer, findServerGroup, oneOf, POLICY_EXISTS, tagRows } from "./common";
import { nlbReads, nlbWrites, startJob, stopDryRun } from "./jobs";
import type { NlbSecurityPolicy } from "./state";

const NOT_USED = rule({
    id: "nlb.security-policy.not-used",
    code: "ResourceInUse.SecurityPolicy",
    message: "The specified resource of SecurityPolicy is in use.",
    when: "a security policy is deleted while a listener uses it",
    source: "NLB API DeleteSecurityPolicy (the code follows that of DeleteServerGroup)",
});

const RESOURCE_TYPE = rule({
    id: "nlb.tag.resource-type",
    code: "IllegalParam.ResourceType",
    message: "The param of ResourceType is illegal.",
    when: "the resource type is not loadbalancer, listener, servergroup or securitypolicy",
    source: "NLB API TagResources, parameter ResourceType",
    enforcement: "always",
});

function find(world: World, id: string): NlbSecurityPolicy {
    const policy = world.nlb.securityPolicies.get(id);
    if (policy === undefined) throw refusal(POLICY_EXISTS);
    return policy;
}

function users(world: World, id: string): JsonObject[] {
    return [...world.nlb.listeners.values()]
        .filter((l) => l.securityPolicyId === id)
        .map((l) => ({
            ListenerId: l.id,
            ListenerPort: l.port,
            ListenerProtocol: l.protocol,
            LoadBalancerId: l.loadBalancerId,
        }));
}

function view(world: World, policy: NlbSecurityPolicy): JsonObject {
    return {
        SecurityPolicyId: policy.id,
        SecurityPolicyName: policy.name,
        ResourceGroupId: policy.resourceGroupId,
        // Lists in requests, comma texts in answers.
        Ciphers: policy.ciphers.join(","),
        TlsVersion: policy.tlsVersions.join(","),
        SecurityPolicyStatus: "Available",
        RegionId: world.region,
        RelatedListeners: users(world, policy.id),
        Tags: tagRows(policy.tags),
    };
}

function tagsOf(world: World, type: string, id: string): Map<string, string> {
    switch (type.toLowerCase()) {
        case "loadbalancer":
            return findLoadBalancer(world, id).tags;
        case "listener":
            return findListener(world, id).tags;
        case "servergroup":
            return findServerGroup(world, id).tags;
        case "securitypolicy":
            return find(world, id).tags;
        default:
            throw refusal(RESOURCE_TYPE);
    }
}

function all(world: World): [type: string, id: string, tags: Map<string, string>][] {
    const { loadBalancers, listeners, serverGroups, securityPolicies } = world.nlb;
    const kinds: [string, ReadonlyMap<string, { tags: Map<string, string> }>][] = [
        ["loadbalancer", loadBalancers],
        ["listener", listeners],
        ["servergroup", serverGroups],
        ["securitypolicy", securityPolicies],
    ];
    return kinds.flatMap(([type, objects]) =>
        [...objects].map(([id, { tags }]): [string, string, Map<string, string>] => [type, id, tags]),
    );
}

const ID: ParamSpecs = { SecurityPolicyId: { required: true } };
const RESOURCES: ParamSpecs = { ResourceType: { required: true }, ResourceId: { required: true, maxItems: 50 } };

export const securityPolicyActions: readonly Action[] = [
    nlbWrites(
        "CreateSecurityPolicy",
        { SecurityPolicyName: { maxLength: 200 }, Ciphers: { required: true }, TlsVersions: { required: true } },
        (p, world, caller) => {
            const tags = new Map<string, string>();
            applyTags(world, tags, p);
            stopDryRun(p);
            const id = world.ids.next("tls");
            const policy = {
                id,
                name: p.text("SecurityPolicyName") ?? "",
                ciphers: p.list("Ciphers"),
                tlsVersions: p.list("TlsVersions"),
                resourceGroupId: p.text("ResourceGroupId") ?? "rg-default",
                tags,
            };
            world.nlb.securityPolicies.set(id, policy);
            return {
                SecurityPolicyId: id,
                JobId: startJob(world, caller, {
                    action: "CreateSecurityPolicy",
                    resourceType: "securitypolicy",
                    resourceId: id,
                    effect: () => undefined,
                }),
            };
        },
    ),
    nlbReads("ListSecurityPolicy", { MaxResults: { min: 1, max: 100 } }, (p, world) => {
        const found = [...world.nlb.securityPolicies.values()].filter(
            (s) => oneOf(p, "SecurityPolicyIds", s.id) && oneOf(p, "SecurityPolicyNames", s.name) && hasTags(p, s.tags),
        );
        const { rows, counters } = tokenPage(p, found, 20);
        return { ...counters, SecurityPolicies: rows.map((s) => view(world, s)) };
    }),
    nlbWrites("UpdateSecurityPolicyAttribute", ID, (p, world, caller) => {
        const policy = find(world, p.need("SecurityPolicyId"));
        stopDryRun(p);
        const effect = (): void => {
            policy.name = p.text("SecurityPolicyName") ?? policy.name;
            if (p.list("Ciphers").length > 0) policy.ciphers = p.list("Ciphers");
            if (p.list("TlsVersions").length > 0) policy.tlsVersions = p.list("TlsVersions");
        };
        return {
            JobId: startJob(world, caller, {
                action: "UpdateSecurityPolicyAttribute",
                resourceType: "securitypolicy",
                resourceId: policy.id,
                effect,
            }),
        };
    }),
    nlbWrites("DeleteSecurityPolicy", ID, (p, world, caller) => {
        const policy = find(world, p.need("SecurityPolicyId"));
        world.rules.check(NOT_USED, users(world, policy.id).length === 0);
        stopDryRun(p);
        const effect = (): void => void world.nlb.securityPolicies.delete(policy.id);
        return {
            JobId: startJob(world, caller, {
                action: "DeleteSecurityPolicy",
                resourceType: "securitypolicy",
                resourceId: policy.id,
                effect,
            }),
        };
    }),
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
            else if (type === "servergroup") findServerGroup(world, id).resourceGroupId = group;
            else find(world, id).resourceGroupId = group;
        },
    ),
];
