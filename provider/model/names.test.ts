import assert from "node:assert/strict";
import { test } from "node:test";
import {
    defaultLoadBalancerName,
    markedProtectionReason,
    nlbOwnershipKey,
    nlbSecurityGroupName,
    ownerKey,
    ownershipKey,
    sameOwner,
    sameService,
    securityGroupMark,
} from "./names";

test("an instance is named and marked by the letter a and the Service's UID without dashes, 32 characters in all", () => {
    assert.equal(defaultLoadBalancerName("5e4dbfc9-c2ae-4642-b033-5607860aef6a"), "a5e4dbfc9c2ae4642b0335607860aef6");
    assert.equal(defaultLoadBalancerName("5e4dbfc9-c2ae-4642-b033-5607860aef6a").length, 32);
    assert.equal(
        markedProtectionReason("a5e4dbfc9c2ae4642b0335607860aef6"),
        "managed.by.ack.a5e4dbfc9c2ae4642b0335607860aef6",
    );
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

test("those of an NLB carry the protocol too, and are distinct from those of a CLB", () => {
    const owner = { name: "web", namespace: "shop", clusterId: "c1" };
    assert.equal(nlbOwnershipKey("80_100", "TCP", owner), "k8s.80_100.TCP.web.shop.c1");
    assert.ok(sameOwner(nlbOwnershipKey(80, "TCP", owner), nlbOwnershipKey(30080, "UDP", owner)));
    assert.ok(!sameOwner(nlbOwnershipKey(80, "TCP", { ...owner, clusterId: "c2" }), nlbOwnershipKey(80, "TCP", owner)));
    assert.ok(!sameOwner(nlbOwnershipKey(80, "TCP", owner), ownershipKey(80, owner)));
    assert.deepEqual([nlbSecurityGroupName("a5e4"), securityGroupMark(owner)], ["k8s-nlb-a5e4", "k8s.shop.web.c1"]);
});

test("a name is taken by a Service of whatever cluster, on both kinds of load balancer", () => {
    const owner = { name: "web", namespace: "shop", clusterId: "c1" };
    for (const type of ["clb", "nlb"] as const) {
        const own = ownerKey(type, owner);
        assert.ok(sameOwner(ownerKey(type, owner), own));
        assert.ok(sameService(ownerKey(type, { ...owner, clusterId: "c2" }), own));
        assert.ok(!sameService(ownerKey(type, { ...owner, namespace: "web" }), own));
        assert.ok(!sameService("put here by hand", own));
    }
    assert.ok(!sameService(ownerKey("clb", owner), ownerKey("nlb", owner)));
});
