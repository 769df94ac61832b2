import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { Api } from "../testing/api";

type Given = Record<string, string | number>;
/** A call, or some time that passes. */
type Step = { readonly action: string; readonly params: Given; readonly fails: boolean } | { readonly pass: number };

const ZONES: Given = {
    "ZoneMappings.1.ZoneId": "cn-hangzhou-a",
    "ZoneMappings.1.VSwitchId": "vsw-lab-a",
    "ZoneMappings.2.ZoneId": "cn-hangzhou-b",
    "ZoneMappings.2.VSwitchId": "vsw-lab-b",
};
const JOB_TIME = 1000;

const lb = fc.constantFrom("nlb-0001", "nlb-0002");
const group = fc.constantFrom("sgp-0001", "sgp-0002", "sgp-0003");
const listener = fc.constantFrom("lsn-0001@80", "lsn-0002@80", "lsn-0002@81", "lsn-0003@81");

const call: fc.Arbitrary<readonly [string, Given]> = fc.oneof(
    fc
        .constantFrom("Internet", "Intranet")
        .map((AddressType) => ["CreateLoadBalancer", { AddressType, VpcId: "vpc-lab", ...ZONES }] as const),
    lb.map((LoadBalancerId) => ["DeleteLoadBalancer", { LoadBalancerId }] as const),
    fc
        .tuple(lb, fc.constantFrom("Internet", "Intranet"))
        .map(
            ([LoadBalancerId, AddressType]) =>
                ["UpdateLoadBalancerAddressTypeConfig", { LoadBalancerId, AddressType }] as const,
        ),
    fc.constant(["CreateServerGroup", { ServerGroupName: "g", VpcId: "vpc-lab" }] as const),
    group.map((ServerGroupId) => ["DeleteServerGroup", { ServerGroupId }] as const),
    fc
        .tuple(
            group,
            fc.constantFrom(
                "AddServersToServerGroup",
                "RemoveServersFromServerGroup",
                "UpdateServerGroupServersAttribute",
            ),
            fc.constantFrom("i-1", "i-2"),
            fc.constantFrom(80, 81),
        )
        .map(
            ([ServerGroupId, action, id, port]) =>
                [
                    action,
                    {
                        ServerGroupId,
                        "Servers.1.ServerId": id,
                        "Servers.1.ServerType": "Ecs",
                        "Servers.1.Port": port,
                        "Servers.1.Weight": 5,
                    },
                ] as const,
        ),
    fc
        .tuple(lb, group, fc.constantFrom(80, 81))
        .map(
            ([LoadBalancerId, ServerGroupId, ListenerPort]) =>
                ["CreateListener", { LoadBalancerId, ServerGroupId, ListenerPort, ListenerProtocol: "TCP" }] as const,
        ),
    fc
        .tuple(listener, group)
        .map(([ListenerId, ServerGroupId]) => ["UpdateListenerAttribute", { ListenerId, ServerGroupId }] as const),
    fc
        .tuple(listener, fc.constantFrom("DeleteListener", "StopListener", "StartListener"))
        .map(([ListenerId, action]) => [action, { ListenerId }] as const),
);

const step: fc.Arbitrary<Step> = fc.oneof(
    {
        weight: 3,
        arbitrary: fc.tuple(call, fc.nat(9)).map(([[action, params], n]): Step => ({ action, params, fails: n === 0 })),
    },
    { weight: 1, arbitrary: fc.constantFrom(1, JOB_TIME).map((pass): Step => ({ pass })) },
);

function checkInvariants(api: Api): void {
    const { nlb, vpc } = api.world;
    const ports = new Set<string>();
    for (const l of nlb.listeners.values()) {
        // A listener has its instance.
        expect(nlb.loadBalancers.has(l.loadBalancerId)).toBe(true);
        // A listener has its server group.
        expect(nlb.serverGroups.has(l.serverGroupId)).toBe(true);
        // A port is used once.
        expect(ports.has(`${l.loadBalancerId} ${l.port}`)).toBe(false);
        ports.add(`${l.loadBalancerId} ${l.port}`);
    }
    for (const g of nlb.serverGroups.values()) {
        // Members are distinct.
        expect(new Set(g.servers.map((s) => `${s.serverId} ${s.serverIp} ${s.port}`)).size).toBe(g.servers.length);
    }
    const zones = [...nlb.loadBalancers.values()].flatMap((b) => b.zones);
    const shown = zones.map((z) => z.publicAddress).filter((a) => a !== "");
    // The public addresses in use are those of the instances.
    expect([...vpc.publicAddresses.keys()].sort()).toStrictEqual(shown.sort());
}

test("any calls in any order with any failed jobs leave consistent objects that come to rest", async () => {
    await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
            const api = await Api.create("Nlb");
            let time = 1_800_000_000_000;
            api.world.now = () => time;
            await api.ok("CreateLoadBalancer", { AddressType: "Internet", VpcId: "vpc-lab", ...ZONES });
            await api.ok("CreateServerGroup", { ServerGroupName: "g", VpcId: "vpc-lab" });
            api.world.config.delays.nlbJob = JOB_TIME;
            for (const s of steps) {
                if ("pass" in s) {
                    time += s.pass;
                    continue;
                }
                if (s.fails) api.cloud.faults.add({ action: s.action, jobFails: true, times: 1 });
                const { status, body } = await api.call(s.action, s.params, "api");
                api.cloud.faults.clear();
                expect([s.action, status < 500, body]).toStrictEqual([s.action, true, body]);
                checkInvariants(api);
            }
            time += JOB_TIME;
            await api.ok("ListAsynJobs");
            checkInvariants(api);
            const { nlb } = api.world;
            const resting = new Set([
                "Active",
                "Running",
                "Stopped",
                "Available",
                "Succeeded",
                "Failed",
                "CreateFailed",
            ]);
            const objects = [
                ...nlb.loadBalancers.values(),
                ...nlb.listeners.values(),
                ...nlb.serverGroups.values(),
                ...[...nlb.serverGroups.values()].flatMap((g) => g.servers),
                ...nlb.jobs.values(),
            ];
            for (const o of objects) expect(resting).toContain(o.status.now(time));
            expect(nlb.pending).toStrictEqual([]);
        }),
        { numRuns: 200 },
    );
});
