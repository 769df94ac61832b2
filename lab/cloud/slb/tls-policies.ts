import { reads, writes, type Action } from "../actions";
import { refusal, rule, type JsonObject } from "../core";
import type { World } from "../world";
import type { TlsPolicy } from "./state";

/** Policies that every account has. */
export const SYSTEM_TLS_POLICIES: readonly string[] = [
    "tls_cipher_policy_1_0",
    "tls_cipher_policy_1_1",
    "tls_cipher_policy_1_2",
    "tls_cipher_policy_1_2_strict",
    "tls_cipher_policy_1_2_strict_with_1_3",
];

const POLICY_EXISTS = rule({
    id: "slb.tls-policy.exists",
    code: "TLSCipherPolicyNotExist",
    message: "The specified TLSCipherPolicy does not exist.",
    when: "the policy is unknown or was deleted",
    source: "CLB API SetTLSCipherPolicyAttribute",
    enforcement: "always",
});

const POLICY_UNUSED = rule({
    id: "slb.tls-policy.unused",
    code: "TLSCipherPolicyInUse",
    message: "The specified TLSCipherPolicy is in use.",
    when: "a policy is deleted while a listener uses it",
    source: "CLB API DeleteTLSCipherPolicy (the code is this lab's)",
});

function find(world: World, id: string): TlsPolicy {
    const policy = world.slb.tlsPolicies.get(id);
    if (policy === undefined) throw refusal(POLICY_EXISTS);
    return policy;
}

function users(world: World, id: string): JsonObject[] {
    return [...world.slb.listeners.values()]
        .filter((l) => l.attributes.get("TLSCipherPolicy") === id)
        .map((l) => ({ LoadBalancerId: l.loadBalancerId, Port: l.port, Protocol: l.protocol }));
}

const CONTENTS = {
    Name: { required: true, maxLength: 128 },
    Ciphers: { required: true },
    TLSVersions: { required: true },
} as const;

export const tlsPolicyActions: readonly Action[] = [
    writes("CreateTLSCipherPolicy", CONTENTS, (p, world) => {
        const id = world.ids.next("tls");
        world.slb.tlsPolicies.set(id, {
            id,
            name: p.need("Name"),
            ciphers: p.list("Ciphers"),
            tlsVersions: p.list("TLSVersions"),
            createdAt: world.now(),
        });
        return { TLSCipherPolicyId: id };
    }),
    writes("SetTLSCipherPolicyAttribute", { TLSCipherPolicyId: { required: true }, ...CONTENTS }, (p, world) => {
        const policy = find(world, p.need("TLSCipherPolicyId"));
        policy.name = p.need("Name");
        policy.ciphers = p.list("Ciphers");
        policy.tlsVersions = p.list("TLSVersions");
        return { TaskId: "" };
    }),
    writes("DeleteTLSCipherPolicy", { TLSCipherPolicyId: { required: true } }, (p, world) => {
        // Deleting a policy that is gone succeeds (recorded: tls-gone in testdata/alicloud-plugin).
        world.rules.check(POLICY_UNUSED, users(world, p.need("TLSCipherPolicyId")).length === 0);
        world.slb.tlsPolicies.delete(p.need("TLSCipherPolicyId"));
    }),
    reads("ListTLSCipherPolicies", {}, (p, world) => {
        const id = p.text("TLSCipherPolicyId");
        const found = [...world.slb.tlsPolicies.values()].filter(
            (policy) => (id === undefined || policy.id === id) && (p.text("Name") ?? policy.name) === policy.name,
        );
        const rows = found.map((policy) => ({
            InstanceId: policy.id,
            Name: policy.name,
            Ciphers: policy.ciphers,
            TLSVersions: policy.tlsVersions,
            Status: "normal",
            RelateListeners: users(world, policy.id),
            CreateTime: policy.createdAt,
        }));
        return { TLSCipherPolicies: rows, TotalCount: rows.length, IsTruncated: false, NextToken: "" };
    }),
];
