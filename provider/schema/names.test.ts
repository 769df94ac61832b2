/** Requirements: B18, X04, X11. */
import { expect, test } from "@jest/globals";
import {
    defaultLoadBalancerName,
    markedProtectionReason,
    nlbOwnershipKey,
    nlbSecurityGroupName,
    ownerKey,
    ownershipKey,
    sameOwner,
    sameCluster,
    sameService,
    serviceOf,
    securityGroupMark,
} from "./names";

test("an instance's name and mark are an a and the Service's UID without dashes, 32 characters", () => {
    expect(defaultLoadBalancerName("5e4dbfc9-c2ae-4642-b033-5607860aef6a")).toBe("a5e4dbfc9c2ae4642b0335607860aef6");
    expect(defaultLoadBalancerName("5e4dbfc9-c2ae-4642-b033-5607860aef6a")).toHaveLength(32);
    expect(markedProtectionReason("a5e4dbfc9c2ae4642b0335607860aef6")).toBe(
        "managed.by.ack.a5e4dbfc9c2ae4642b0335607860aef6",
    );
});

test("groups, listeners and backends carry port, Service, namespace and cluster", () => {
    const owner = { name: "web", namespace: "shop", clusterId: "c1" };
    expect(ownershipKey(30080, owner)).toBe("k8s/30080/web/shop/c1");
    expect(sameOwner(ownershipKey(80, owner), ownershipKey(30080, owner))).toBeTruthy();
    for (const other of [
        { ...owner, name: "web2" },
        { ...owner, namespace: "web" },
        { ...owner, clusterId: "c2" },
    ])
        expect(sameOwner(ownershipKey(80, other), ownershipKey(80, owner))).toBeFalsy();
    expect(sameOwner(undefined, ownershipKey(80, owner))).toBeFalsy();
    expect(sameOwner("put here by hand", ownershipKey(80, owner))).toBeFalsy();
});

test("those of an NLB carry the protocol too, and are distinct from those of a CLB", () => {
    const owner = { name: "web", namespace: "shop", clusterId: "c1" };
    expect(nlbOwnershipKey("80_100", "tcp", owner)).toBe("k8s.80_100.TCP.web.shop.c1");
    expect(sameOwner(nlbOwnershipKey(80, "tcp", owner), nlbOwnershipKey(30080, "udp", owner))).toBeTruthy();
    expect(
        sameOwner(nlbOwnershipKey(80, "tcp", { ...owner, clusterId: "c2" }), nlbOwnershipKey(80, "tcp", owner)),
    ).toBeFalsy();
    expect(sameOwner(nlbOwnershipKey(80, "tcp", owner), ownershipKey(80, owner))).toBeFalsy();
    expect([nlbSecurityGroupName("a5e4"), securityGroupMark(owner)]).toStrictEqual(["k8s-nlb-a5e4", "k8s.shop.web.c1"]);
});

test("a name is taken by a Service of whatever cluster, on both kinds of load balancer", () => {
    const owner = { name: "web", namespace: "shop", clusterId: "c1" };
    for (const type of ["clb", "nlb"] as const) {
        const own = ownerKey(type, owner);
        expect(sameOwner(ownerKey(type, owner), own)).toBeTruthy();
        expect(sameService(ownerKey(type, { ...owner, clusterId: "c2" }), own)).toBeTruthy();
        expect(sameService(ownerKey(type, { ...owner, namespace: "web" }), own)).toBeFalsy();
        expect(sameService("put here by hand", own)).toBeFalsy();
        expect([serviceOf(own), serviceOf("put here by hand")]).toStrictEqual(["shop/web", undefined]);
    }
    expect(sameService(ownerKey("clb", owner), ownerKey("nlb", owner))).toBeFalsy();
});

test("keys of one cluster id, on both kinds of load balancer; an id may hold the separators", () => {
    for (const clusterId of ["c1", "c/1", "c.1"]) {
        const own = ownerKey("clb", { name: "web", namespace: "shop", clusterId });
        for (const type of ["clb", "nlb"] as const)
            expect(sameCluster(ownerKey(type, { name: "api", namespace: "x", clusterId }), own)).toBe(true);
        expect(sameCluster(ownerKey("clb", { name: "web", namespace: "shop", clusterId: "c2" }), own)).toBe(false);
    }
    expect(sameCluster("put here by hand", "put here by hand")).toBe(false);
});
