import { expect, test } from "@jest/globals";
import { type Asked, refusal, scriptedCloud } from "../../../test/support/cloud-client";
import { found } from "../../../test/support/found";
import { detachService, updateTags } from "../../resources/handlers/reused";
import type { ReusedAttributes, ReuseRequest } from "../../service/reuse";
import { awaitReady, nlbInstances, observeGroups, observeLoadBalancer } from "./instances";

const OWNER = "k8s.0.TCP.web.shop.c1";
const OWN = {
    ListenerId: "lsn-own",
    ListenerPort: 80,
    ListenerProtocol: "TCP",
    ListenerDescription: "k8s.80.TCP.web.shop.c1",
    ServerGroupId: "sgp-own",
};
const THEIRS = {
    ListenerId: "lsn-theirs",
    ListenerPort: 0,
    StartPort: "81",
    EndPort: "90",
    ListenerProtocol: "TCPSSL",
    ListenerDescription: "theirs",
    ServerGroupId: "sgp-theirs",
};
const GROUPS = [
    {
        ServerGroupId: "sgp-own",
        ServerGroupName: "k8s.30080.TCP.web.shop.c1",
        ServerGroupType: "Instance",
        Protocol: "TCP",
        VpcId: "vpc-1",
    },
    {
        ServerGroupId: "sgp-theirs",
        ServerGroupName: "theirs",
        ServerGroupType: "Ip",
        Protocol: "TCP",
        VpcId: "vpc-1",
        AnyPortEnabled: true,
    },
    { ServerGroupId: "sgp-free", ServerGroupName: "free", ServerGroupType: "Ip", Protocol: "UDP", VpcId: "vpc-1" },
];
const INSTANCE = {
    LoadBalancerId: "nlb-1",
    LoadBalancerName: "users",
    LoadBalancerStatus: "Active",
    LoadBalancerBusinessStatus: "Normal",
    AddressType: "Internet",
    AddressIpVersion: "DualStack",
    Ipv6AddressType: "Intranet",
    VpcId: "vpc-1",
    DNSName: "nlb-1.example",
    CrossZoneEnabled: true,
    SecurityGroupIds: ["sg-2", "sg-1"],
    BandwidthPackageId: "cbwp-1",
    Tags: [{ Key: "team", Value: "b" }],
    ZoneMappings: [{ ZoneId: "z-a", VSwitchId: "vsw-a", LoadBalancerAddresses: [{ PrivateIPv4Address: "10.0.0.1" }] }],
};

/** Makes an instance with these listeners, and the groups above. Jobs succeed at once. */
function world(listeners: readonly object[], instance: object = INSTANCE) {
    return scriptedCloud(({ action, params }) => {
        switch (action) {
            case "GetJobStatus":
                return { body: { Status: "Succeeded" } };
            case "GetLoadBalancerAttribute":
                return { body: instance };
            case "ListListeners":
                return { body: { Listeners: listeners } };
            case "ListServerGroups":
                return {
                    body: {
                        ServerGroups: GROUPS.filter(({ ServerGroupId }) =>
                            Object.values(params).includes(ServerGroupId),
                        ),
                    },
                };
            case "ListServerGroupServers":
                return {
                    body: {
                        Servers: [
                            {
                                ServerId: "10.0.0.9",
                                ServerIp: "10.0.0.9",
                                ServerType: "Ip",
                                Port: 8000,
                                Weight: 70,
                                Description: "by hand",
                            },
                        ],
                    },
                };
            default:
                return { body: { JobId: "job-1" } };
        }
    });
}

const actions = (asked: readonly Asked[]) =>
    asked.map(({ action }) => action).filter((action) => action !== "GetJobStatus");
const writes = (asked: readonly Asked[]) =>
    asked
        .filter(({ action }) => !/^(?:Get|List)/.test(action))
        .map(({ action, params }) =>
            [action, params["ListenerId"] ?? params["TagKey.1"] ?? params["Tag.1.Key"]]
                .filter((part) => part !== undefined)
                .join(" "),
        );
const request = {
    loadBalancerId: "nlb-1",
    owner: OWNER,
    tags: { "kubernetes.reused.by.user": "true", team: "b" },
    former: { team: "a" },
};

test("an instance is read in three calls, in the words that both kinds share", async () => {
    const { cloud, asked } = world([OWN, THEIRS]);
    const observed = await observeLoadBalancer(nlbInstances(cloud), "nlb-1");
    expect(actions(asked)).toStrictEqual(["GetLoadBalancerAttribute", "ListListeners", "ListServerGroups"]);
    expect(observed).toStrictEqual({
        kind: "nlb",
        id: "nlb-1",
        name: "users",
        address: "nlb-1.example",
        addressType: "internet",
        ipVersion: "DualStack",
        ipv6AddressType: "intranet",
        status: "active",
        vpcId: "vpc-1",
        bandwidthPackageId: "cbwp-1",
        crossZoneEnabled: "on",
        deleteProtection: "off",
        modificationProtection: "NonProtection",
        securityGroupIds: ["sg-1", "sg-2"],
        zoneMaps: [{ zoneId: "z-a", vswitchId: "vsw-a", privateIpv4: "10.0.0.1" }],
        tags: { team: "b" },
        listeners: [
            {
                id: "lsn-own",
                protocol: "tcp",
                port: 80,
                description: "k8s.80.TCP.web.shop.c1",
                serverGroupId: "sgp-own",
            },
            {
                id: "lsn-theirs",
                protocol: "tcpssl",
                port: 81,
                endPort: 90,
                description: "theirs",
                serverGroupId: "sgp-theirs",
            },
        ],
        serverGroups: [
            {
                id: "sgp-own",
                name: "k8s.30080.TCP.web.shop.c1",
                type: "Instance",
                protocol: "tcp",
                vpcId: "vpc-1",
                anyPort: false,
            },
            { id: "sgp-theirs", name: "theirs", type: "Ip", protocol: "tcp", vpcId: "vpc-1", anyPort: true },
        ],
    });
});

test("one that is out of business is locked, whatever it does", async () => {
    const { cloud } = world([], { ...INSTANCE, LoadBalancerBusinessStatus: "Abnormal" });
    expect((await observeLoadBalancer(nlbInstances(cloud), "nlb-1"))?.status).toBe("locked");
});

test("a group that a Service joins is read even if no listener uses it yet, with its members", async () => {
    const { cloud, asked } = world([THEIRS]);
    const api = nlbInstances(cloud);
    const observed = found(await observeLoadBalancer(api, "nlb-1"), "the load balancer");
    asked.length = 0;
    const request = {
        loadBalancerType: "nlb",
        manageListeners: false,
        listeners: [],
        joinedGroups: [{ vgroupId: "sgp-free", port: 80 }],
    } as unknown as ReuseRequest;
    const { serverGroups } = await observeGroups(request, observed, api);
    expect(serverGroups.map(({ id, backends }) => [id, backends])).toStrictEqual([
        ["sgp-theirs", undefined],
        ["sgp-free", [{ address: "10.0.0.9", port: 8000, weight: 70, mark: "by hand" }]],
    ]);
    expect(actions(asked)).toStrictEqual(["ListServerGroups", "ListServerGroupServers"]);
});

test("removing a Service from an NLB removes its listeners and tags, not its server groups", async () => {
    const { cloud, asked } = world([OWN, THEIRS]);
    await detachService(nlbInstances(cloud), request);
    expect(writes(asked)).toStrictEqual([
        "DeleteListener lsn-own",
        "TagResources team",
        "UntagResources kubernetes.reused.by.user",
    ]);
});

test("while another Service's listener stands there, the tag of reuse stays", async () => {
    const { cloud, asked } = world([{ ...THEIRS, ListenerDescription: "k8s.81_90.TCP.api.shop.c1" }]);
    await detachService(nlbInstances(cloud), {
        ...request,
        tags: { "kubernetes.reused.by.user": "true" },
        former: {},
    });
    expect(writes(asked)).toStrictEqual([]);
});

test("a user-managed listener that uses our group stops everything before it begins", async () => {
    const { cloud, asked } = world([OWN, { ...THEIRS, ServerGroupId: "sgp-own" }]);
    await expect(detachService(nlbInstances(cloud), request)).rejects.toThrow(
        /nothing was removed: listener tcpssl:81-90 \(description "theirs"\) sends to server group "k8s\.30080\.TCP\.web\.shop\.c1".*Remedy: /,
    );
    expect(writes(asked)).toStrictEqual([]);
});

test("an NLB that is gone has nothing to leave", async () => {
    const { cloud, asked } = scriptedCloud(({ action }) =>
        action === "ListListeners"
            ? { body: { Listeners: [] } }
            : refusal("ResourceNotFound.loadBalancer", "The specified resource loadBalancer is not found.", 404),
    );
    await detachService(nlbInstances(cloud), request);
    expect(actions(asked)).toStrictEqual(["ListListeners", "GetLoadBalancerAttribute"]);
});

test("new NLB tags are set, former values are recorded, and dropped tags are restored", async () => {
    const { cloud, asked } = world([]);
    expect(await updateTags(nlbInstances(cloud), "nlb-1", { env: "b" }, { team: "c" }, { env: "a" })).toStrictEqual({
        team: "b",
    });
    expect(writes(asked)).toStrictEqual(["TagResources team", "TagResources env"]);
});

const ATTRIBUTES: readonly [string, ReusedAttributes, readonly string[]][] = [
    ["nothing", {}, []],
    ["name and zones' traffic in one", { name: "n", crossZoneEnabled: "off" }, ["UpdateLoadBalancerAttribute"]],
    [
        "both protections in one",
        { deleteProtection: "on", modificationProtection: "NonProtection" },
        ["UpdateLoadBalancerProtection"],
    ],
    [
        "security groups",
        { securityGroupIds: ["sg-1", "sg-3"] },
        ["LoadBalancerJoinSecurityGroup", "LoadBalancerLeaveSecurityGroup"],
    ],
    [
        "another package",
        { bandwidthPackageId: "cbwp-2" },
        ["DetachCommonBandwidthPackageFromLoadBalancer", "AttachCommonBandwidthPackageToLoadBalancer"],
    ],
    [
        "the address type first, then the zones",
        { zoneMaps: [{ zoneId: "z-b", vswitchId: "vsw-b" }], addressType: "intranet", ipv6AddressType: "internet" },
        ["UpdateLoadBalancerAddressTypeConfig", "UpdateLoadBalancerZones", "EnableLoadBalancerIpv6Internet"],
    ],
];

for (const [what, attributes, expected] of ATTRIBUTES) {
    test(`attributes of a reused NLB: ${what}`, async () => {
        const { cloud, asked } = world([]);
        await nlbInstances(cloud).setAttributes("nlb-1", attributes);
        expect(writes(asked)).toStrictEqual(expected);
    });
}

test("an instance that is being made is waited for, and for two minutes at most", async () => {
    const states = (count: number) =>
        scriptedCloud((_, calls) => ({
            body: { ...INSTANCE, LoadBalancerStatus: calls < count ? "Provisioning" : "Active" },
        }));
    const soon = states(3);
    await soon.clock.run(awaitReady(soon.cloud, { id: "nlb-1", status: "provisioning" }, soon.clock));
    expect(soon.asked).toHaveLength(3);
    const active = states(0);
    await awaitReady(active.cloud, { id: "nlb-1", status: "active" }, active.clock);
    expect(active.asked).toHaveLength(0);
    const never = states(Infinity);
    await expect(
        never.clock.run(awaitReady(never.cloud, { id: "nlb-1", status: "configuring" }, never.clock)),
    ).rejects.toThrow(/load balancer nlb-1 is still provisioning after two minutes.* Remedy: /);
    expect(never.clock.now()).toBeGreaterThanOrEqual(120_000);
});
