import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLoadBalancerName, markedProtectionReason, ownershipKey, sameOwner } from "./names";

test("an instance is named and marked by the letter a and the Service's UID without dashes, 32 characters in all", () => {
    assert.equal(defaultLoadBalancerName("5e4dbfc9-c2ae-4642-b033-5607860aef6a"), "a5e4dbfc9c2ae4642b0335607860aef6");
    assert.equal(defaultLoadBalancerName("5e4dbfc9-c2ae-4642-b033-5607860aef6a").length, 32);
    assert.equal(markedProtectionReason("a5e4dbfc9c2ae4642b0335607860aef6"), "managed.by.ack.a5e4dbfc9c2ae4642b0335607860aef6");
});

test("groups, listeners and backends carry port, Service, namespace and cluster", () => {
    const owner = { name: "web", namespace: "shop", clusterId: "c1" };
    assert.equal(ownershipKey(30080, owner), "k8s/30080/web/shop/c1");
    assert.ok(sameOwner(ownershipKey(80, owner), ownershipKey(30080, owner)));
    for (const other of [
        { ...owner, name: "web2" },
        { ...owner, namespace: "web" },
        { ...owner, clusterId: "c2" },
    ])
        assert.ok(!sameOwner(ownershipKey(80, other), ownershipKey(80, owner)));
    assert.ok(!sameOwner(undefined, ownershipKey(80, owner)));
    assert.ok(!sameOwner("put here by hand", ownershipKey(80, owner)));
});
