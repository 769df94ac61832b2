import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { collections } from "../core";
import { Api, servers } from "../testing/api";
import { found } from "../../../test/support/found";

type Given = Record<string, string | number>;
type Command = readonly [action: string, params: Given];

const lb = fc.constantFrom("lb-0001", "lb-0002", "lb-0003");
const group = fc.constantFrom("rsp-0001", "rsp-0002", "rsp-0003", "rsp-0004");
const port = fc.constantFrom(80, 81, 443);
const protocol = fc.constantFrom("TCP", "UDP", "HTTP", "HTTPS");
const members = fc.uniqueArray(
    fc.record({
        ServerId: fc.constantFrom("i-1", "i-2", "i-3"),
        Port: fc.constantFrom(80, 81),
        Weight: fc.integer({ min: 0, max: 100 }),
    }),
    {
        minLength: 1,
        maxLength: 4,
        selector: (b) => `${b.ServerId}:${b.Port}`,
    },
);

const command: fc.Arbitrary<Command> = fc.oneof(
    fc.constant<Command>(["CreateLoadBalancer", { InstanceChargeType: "PayByCLCU" }]),
    lb.map((LoadBalancerId): Command => ["DeleteLoadBalancer", { LoadBalancerId }]),
    lb.map((LoadBalancerId): Command => ["CreateVServerGroup", { LoadBalancerId, VServerGroupName: "g" }]),
    group.map((VServerGroupId): Command => ["DeleteVServerGroup", { VServerGroupId }]),
    fc
        .tuple(group, members, fc.constantFrom("Add", "Remove"))
        .map(([VServerGroupId, list, verb]): Command => [
            `${verb}VServerGroupBackendServers`,
            { VServerGroupId, BackendServers: servers(...list) },
        ]),
    fc.tuple(lb, port, protocol, group).map(([LoadBalancerId, ListenerPort, kind, VServerGroupId]): Command => [
        `CreateLoadBalancer${kind}Listener`,
        {
            LoadBalancerId,
            ListenerPort,
            VServerGroupId,
            ...(kind === "HTTPS" ? { ServerCertificateId: "cert-good" } : {}),
        },
    ]),
    fc
        .tuple(lb, port, protocol, group)
        .map(([LoadBalancerId, ListenerPort, kind, VServerGroupId]): Command => [
            `SetLoadBalancer${kind}ListenerAttribute`,
            { LoadBalancerId, ListenerPort, VServerGroup: "on", VServerGroupId },
        ]),
    fc
        .tuple(lb, port, protocol, fc.constantFrom("Start", "Stop", "Delete"))
        .map(([LoadBalancerId, ListenerPort, kind, verb]): Command => [
            `${verb}LoadBalancerListener`,
            { LoadBalancerId, ListenerPort, ListenerProtocol: kind.toLowerCase() },
        ]),
);

/** Checks the facts that must hold between any two calls. */
function checkInvariants(api: Api): void {
    const { slb, vpc } = api.world;
    const families = new Set<string>();
    for (const l of slb.listeners.values()) {
        // A listener has its instance.
        expect(slb.loadBalancers.has(l.loadBalancerId)).toBe(true);
        const groupId = l.attributes.get("VServerGroupId");
        const used = found(slb.vServerGroups.get(String(groupId)), "the listener's group");
        // A listener's group belongs to the same instance.
        expect(used.loadBalancerId).toBe(l.loadBalancerId);
        const family = `${l.loadBalancerId} ${l.protocol === "udp" ? "udp" : "tcp"} ${l.port}`;
        expect([family, families.has(family)]).toStrictEqual([family, false]);
        families.add(family);
    }
    for (const g of slb.vServerGroups.values()) {
        // A group has its instance.
        expect(slb.loadBalancers.has(g.loadBalancerId)).toBe(true);
        // Members are distinct.
        expect(new Set(g.backends.map((b) => `${b.serverId}:${b.port}:${b.serverIp}`)).size).toBe(g.backends.length);
    }
    const addresses = [...slb.loadBalancers.values()].map((b) => b.address);
    // Addresses are distinct.
    expect(new Set(addresses).size).toBe(addresses.length);
    // No other address is in use.
    expect([...vpc.publicAddresses.keys()].sort()).toStrictEqual(addresses.sort());
}

test("any calls in any order leave no dangling reference and no port used twice", async () => {
    await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 60 }), async (commands) => {
            const api = await Api.create();
            await api.ok("CreateLoadBalancer", { InstanceChargeType: "PayByCLCU" });
            await api.ok("CreateVServerGroup", { LoadBalancerId: "lb-0001", VServerGroupName: "g" });
            for (const [action, params] of commands) {
                const before = collections(api.world.slb);
                const { status, body } = await api.call(action, params);
                expect([action, status < 500, body]).toStrictEqual([action, true, body]);
                if (status !== 200) expect([action, collections(api.world.slb)]).toStrictEqual([action, before]);
                checkInvariants(api);
            }
        }),
        { numRuns: 150 },
    );
});
