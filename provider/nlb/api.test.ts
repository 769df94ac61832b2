import { expect, test } from "@jest/globals";
import { type Answer, type Asked, refusal, scriptedCloud } from "../../test/support/cloud-client";
import { addServers, findServerGroups, findServerGroupsById, listServers, removeServers } from "./server-group";
import type { Service } from "../service/service";
import type { Settings } from "../schema/settings";
import { change, JobError } from "./jobs";
import { buildNlbListeners, listNlbListeners } from "./listener";
import { getNlbLoadBalancer, setNlbAttributes } from "./load-balancer";
import { updateZones, wouldUpdateZones } from "./zones";
import type { ReusedAttributes } from "../service/reuse";

const SERVICE: Omit<Service, "settings" | "ports"> = {
    namespace: "shop",
    name: "web",
    selector: { app: "web" },
    externalTrafficPolicy: "Cluster",
    loadBalancerType: "nlb",
    loadBalancerSourceRanges: [],
    object: {},
};

/** A cloud whose jobs succeed at once, and that gives these answers to other calls. */
const quick = (answers: Readonly<Record<string, Answer>> = {}) =>
    scriptedCloud(({ action }) =>
        action === "GetJobStatus"
            ? { body: { Status: "Succeeded" } }
            : (answers[action] ?? { body: { JobId: "job-1" } }),
    );

const server = (n: number) => ({ address: `i-${n}`, port: 80, weight: 100, mark: "k8s.80.TCP.a.b.c" }) as const;

test("servers are added 40 a call, and each call is carried out before the next is made", async () => {
    const { cloud, asked } = quick();
    await addServers(
        cloud,
        "sgp-1",
        Array.from({ length: 81 }, (_, n) => server(n)),
    );
    expect(
        asked.map(({ action, params }) =>
            action === "GetJobStatus"
                ? params["JobId"]
                : Object.keys(params).filter((key) => key.endsWith(".ServerId")).length,
        ),
    ).toStrictEqual([40, "job-1", 40, "job-1", 1, "job-1"]);
    const { params } = asked[0] as Asked;
    expect(asked[0]?.action).toBe("AddServersToServerGroup");
    expect(
        ["ServerId", "ServerType", "Port", "Weight", "Description"].map((key) => params[`Servers.1.${key}`]),
    ).toStrictEqual(["i-0", "Ecs", "80", "100", "k8s.80.TCP.a.b.c"]);
    expect(params["ClientToken"] ?? "").toMatch(/^[0-9a-f-]{36}$/);
});

test("what is removed is named without weight and description; an address is its own id", async () => {
    const { cloud, asked } = quick();
    await removeServers(cloud, "sgp-1", [{ address: "10.0.0.1", port: 0 }]);
    const given = Object.entries(asked[0]?.params ?? {}).filter(([key]) => key.startsWith("Servers."));
    expect(Object.fromEntries(given)).toStrictEqual({
        "Servers.1.ServerId": "10.0.0.1",
        "Servers.1.ServerIp": "10.0.0.1",
        "Servers.1.ServerType": "Ip",
        "Servers.1.Port": "0",
    });
});

test("a dry run gives yes, no with a reason, or no answer, and is never retried", async () => {
    const zones = [{ zoneId: "cn-hangzhou-a", vswitchId: "vsw-a", allocationId: "eip-1" }];
    const ask = async (answer: Answer) => {
        const { cloud, asked } = scriptedCloud(() => answer);
        const { verdict, ...rest } = await wouldUpdateZones(cloud, "nlb-1", zones);
        expect([
            asked.length,
            asked[0]?.action,
            asked[0]?.params["DryRun"],
            asked[0]?.params["ZoneMappings.1.AllocationId"],
        ]).toStrictEqual([1, "UpdateLoadBalancerZones", "true", "eip-1"]);
        return [verdict, "reason" in rest ? rest.reason : "error" in rest ? rest.error.code : ""];
    };
    expect(await ask(refusal("DryRunOperation"))).toStrictEqual(["passed", ""]);
    expect(await ask(refusal("ResourceNotFound.Eip"))).toStrictEqual(["refused", "ResourceNotFound.Eip"]);
    expect(await ask(refusal("Forbidden.RAM"))).toStrictEqual(["unanswered", "Forbidden.RAM"]);
});

test("a job is asked for until it has ended, with growing waits", async () => {
    const { cloud, asked, clock } = scriptedCloud(({ action }, count) =>
        action === "GetJobStatus"
            ? { body: { Status: count < 5 ? "Processing" : "Succeeded" } }
            : { body: { JobId: "job-1" } },
    );
    await clock.run(change(cloud, "DeleteListener", { ListenerId: "lsn-1" }, clock));
    expect(asked).toHaveLength(5);
    expect(clock.slept).toStrictEqual([400, 600, 900]);
});

test("a job that fails is an error that says why, and what to do", async () => {
    const { cloud } = quick();
    const failing = scriptedCloud(({ action }) =>
        action === "GetJobStatus"
            ? { body: { Status: "Failed" } }
            : action === "ListAsynJobs"
              ? { body: { Jobs: [{ Id: "job-1", ErrorMessage: "no address left" }] } }
              : { body: { JobId: "job-1" } },
    );
    const failed = expect(change(failing.cloud, "UpdateLoadBalancerZones", {})).rejects;
    await failed.toBeInstanceOf(JobError);
    await expect(change(failing.cloud, "UpdateLoadBalancerZones", {})).rejects.toThrow(
        /^UpdateLoadBalancerZones failed: no address left \(job job-1\)\.\n {2}cause: .*\n {2}remedy: /,
    );
    await change(cloud, "UpdateLoadBalancerZones", {});
});

for (const [name, answer] of Object.entries<Answer>({
    throttled: refusal("Throttling.User"),
    unavailable: refusal("ServiceUnavailable", "", 503),
    "left without an answer": refusal("InternalError", "", 500),
})) {
    test(`a job whose status call is ${name} for a minute is waited for: the job goes on`, async () => {
        const { cloud, clock } = scriptedCloud(
            ({ action, at }) =>
                action !== "GetJobStatus"
                    ? { body: { JobId: "job-1" } }
                    : at < 60_000
                      ? answer
                      : { body: { Status: "Succeeded" } },
            { backoff: { throttled: { attempts: 2 }, unavailable: { attempts: 2 }, uncertain: { attempts: 2 } } },
        );
        await clock.run(change(cloud, "AddServersToServerGroup", { ServerGroupId: "sgp-1" }, clock));
        expect(clock.now()).toBeGreaterThanOrEqual(60_000);
    });
}

test("an unreadable job is an error at once; a failed job is an error regardless of permissions", async () => {
    const forbidden = scriptedCloud(({ action }) =>
        action === "GetJobStatus" ? refusal("Forbidden.RAM", "", 403) : { body: { JobId: "job-1" } },
    );
    await expect(change(forbidden.cloud, "DeleteListener", {})).rejects.toThrow(/GetJobStatus failed: Forbidden\.RAM/);
    const failed = scriptedCloud(({ action }) =>
        action === "GetJobStatus"
            ? { body: { Status: "Failed" } }
            : action === "ListAsynJobs"
              ? refusal("Forbidden.RAM", "", 403)
              : { body: { JobId: "job-1" } },
    );
    await expect(change(failed.cloud, "DeleteListener", {})).rejects.toThrow(/^DeleteListener failed \(job job-1\)/);
});

test("a job that never ends is given up after five minutes", async () => {
    const { cloud, clock } = scriptedCloud(({ action }) => ({
        body: action === "GetJobStatus" ? { Status: "Processing" } : { JobId: "job-1" },
    }));
    await expect(clock.run(change(cloud, "DeleteServerGroup", {}, clock))).rejects.toThrow(
        /did not end within five minutes/,
    );
    expect(clock.now()).toBeLessThanOrEqual(300_000);
});

test("a call whose answer is lost is repeated with the same token", async () => {
    const { cloud, asked, clock } = scriptedCloud(({ action }, count) =>
        action === "GetJobStatus"
            ? { body: { Status: "Succeeded" } }
            : count === 1
              ? refusal("InternalError", "", 500)
              : {},
    );
    await clock.run(change(cloud, "AddServersToServerGroup", { ServerGroupId: "sgp-1" }, clock));
    expect(asked).toHaveLength(2);
    expect(asked[0]?.params["ClientToken"]).toBe(asked[1]?.params["ClientToken"]);
});

test("members of a group are read page by page; a group that is gone has none", async () => {
    const { cloud } = scriptedCloud(({ params }) => ({
        body:
            params["NextToken"] === "2"
                ? { Servers: [{ ServerId: "10.0.0.1", ServerIp: "10.0.0.1", ServerType: "Ip", Port: 80, Weight: 0 }] }
                : { NextToken: "2", Servers: [{ ServerId: "i-1", ServerType: "Ecs", Port: 0 }] },
    }));
    expect(await listServers(cloud, "sgp-1")).toStrictEqual([
        { address: "i-1", port: 0, weight: 100 },
        { address: "10.0.0.1", port: 80, weight: 0 },
    ]);
    expect(
        await listServers(
            scriptedCloud(() =>
                refusal("ResourceNotFound.serverGroup", "The specified resource serverGroup is not found.", 404),
            ).cloud,
            "sgp-1",
        ),
    ).toBeUndefined();
});

test("an instance is read with its zones and addresses, and changed with all of them", async () => {
    const body = {
        LoadBalancerId: "nlb-1",
        LoadBalancerName: "web",
        DNSName: "nlb-1.example",
        AddressType: "Internet",
        AddressIpVersion: "ipv4",
        Ipv6AddressType: "",
        VpcId: "vpc-1",
        BandwidthPackageId: "",
        CrossZoneEnabled: false,
        SecurityGroupIds: ["sg-2", "sg-1"],
        LoadBalancerBusinessStatus: "Normal",
        DeletionProtectionConfig: { Enabled: true },
        ModificationProtectionConfig: { Status: "NonProtection" },
        Tags: [{ TagKey: "a", TagValue: "1" }],
        ZoneMappings: [
            {
                ZoneId: "z-a",
                VSwitchId: "vsw-a",
                LoadBalancerAddresses: [{ PrivateIPv4Address: "10.0.0.1", AllocationId: "eip-1" }],
            },
        ],
    };
    const { cloud, asked } = quick({ GetLoadBalancerAttribute: { body } });
    const zones = [{ zoneId: "z-a", vswitchId: "vsw-a", privateIpv4: "10.0.0.1", allocationId: "eip-1" }];
    expect(await getNlbLoadBalancer(cloud, "nlb-1")).toStrictEqual({
        kind: "nlb",
        id: "nlb-1",
        name: "web",
        address: "nlb-1.example",
        addressType: "internet",
        ipVersion: "ipv4",
        vpcId: "vpc-1",
        crossZoneEnabled: "off",
        securityGroupIds: ["sg-1", "sg-2"],
        deleteProtection: "on",
        modificationProtection: "NonProtection",
        zoneMaps: zones,
        tags: { a: "1" },
    });
    await updateZones(cloud, "nlb-1", zones);
    expect(
        ["ZoneId", "VSwitchId", "PrivateIPv4Address", "AllocationId"].map(
            (key) => asked[1]?.params[`ZoneMappings.1.${key}`],
        ),
    ).toStrictEqual(["z-a", "vsw-a", "10.0.0.1", "eip-1"]);
});

test("groups are found by name and tags, with what is set of them", async () => {
    const group = {
        ServerGroupId: "sgp-1",
        ServerGroupName: "g",
        VpcId: "vpc-1",
        ServerGroupType: "Ip",
        Protocol: "TCP_UDP",
        AnyPortEnabled: true,
        ConnectionDrainEnabled: true,
        ConnectionDrainTimeout: 5,
        RelatedLoadBalancerIds: ["nlb-1"],
        Tags: [{ Key: "a", Value: "1" }],
        AddressIPVersion: "ipv4",
        Scheduler: "Wrr",
        PreserveClientIpEnabled: true,
        HealthCheck: {
            HealthCheckEnabled: true,
            HealthCheckType: "HTTP",
            HealthCheckConnectPort: 8080,
            HealthCheckConnectTimeout: 5,
            HealthCheckInterval: 10,
            HealthyThreshold: 2,
            UnhealthyThreshold: 3,
            HealthCheckUrl: "/",
            HealthCheckDomain: "$SERVER_IP",
            HttpCheckMethod: "GET",
            HealthCheckHttpCode: ["http_2xx"],
            HealthCheckReq: "ping",
            HealthCheckExp: "",
        },
    };
    const { cloud, asked } = quick({
        ListServerGroups: {
            body: {
                ServerGroups: [group, { ...group, ConnectionDrainEnabled: false, IpVersionAffinityMode: "Affinity" }],
            },
        },
    });
    const common = {
        id: "sgp-1",
        name: "g",
        vpcId: "vpc-1",
        type: "Ip",
        protocol: "tcp_udp",
        anyPort: true,
        tags: { a: "1" },
        loadBalancerIds: ["nlb-1"],
        ipVersion: "ipv4",
        scheduler: "Wrr",
        preserveClientIp: true,
        healthCheck: {
            enabled: true,
            type: "HTTP",
            connectPort: 8080,
            connectTimeout: 5,
            interval: 10,
            healthyThreshold: 2,
            unhealthyThreshold: 3,
            http: { url: "/", domain: "$SERVER_IP", method: "GET", codes: ["http_2xx"], version: "HTTP1.0" },
        },
        checkRequest: "ping",
    };
    expect(await findServerGroups(cloud, { names: ["g"], tags: { a: "1" } })).toStrictEqual([
        { ...common, drainTimeout: 5 },
        { ...common, affinity: "Affinity" },
    ]);
    expect([
        asked[0]?.params["ServerGroupNames.1"],
        asked[0]?.params["Tag.1.Key"],
        asked[0]?.params["Tag.1.Value"],
    ]).toStrictEqual(["g", "a", "1"]);
});

test("groups are found by their ids, 20 a call, each of them once", async () => {
    const { cloud, asked } = quick({ ListServerGroups: { body: { ServerGroups: [] } } });
    const ids = Array.from({ length: 21 }, (_, n) => `sgp-${n}`);
    expect(await findServerGroupsById(cloud, [...ids, ...ids])).toStrictEqual([]);
    expect(
        asked.map(({ params }) => Object.keys(params).filter((key) => key.startsWith("ServerGroupIds.")).length),
    ).toStrictEqual([20, 1]);
    await findServerGroupsById(cloud, []);
    expect(asked).toHaveLength(2);
});

const CHANGES: readonly [string, ReusedAttributes, readonly string[]][] = [
    ["the same security groups", { securityGroupIds: ["sg-1", "sg-2"] }, []],
    [
        "security groups, joined before others are left",
        { securityGroupIds: ["sg-2", "sg-3"] },
        [
            "LoadBalancerJoinSecurityGroup SecurityGroupIds.1=sg-3",
            "LoadBalancerLeaveSecurityGroup SecurityGroupIds.1=sg-1",
        ],
    ],
    ["the same package", { bandwidthPackageId: "cbwp-1" }, []],
    [
        "another package",
        { bandwidthPackageId: "cbwp-2" },
        [
            "DetachCommonBandwidthPackageFromLoadBalancer BandwidthPackageId=cbwp-1",
            "AttachCommonBandwidthPackageToLoadBalancer BandwidthPackageId=cbwp-2",
        ],
    ],
    ["the address type", { addressType: "intranet" }, ["UpdateLoadBalancerAddressTypeConfig AddressType=Intranet"]],
    ["IPv6 opened", { ipv6AddressType: "internet" }, ["EnableLoadBalancerIpv6Internet"]],
    ["IPv6 closed", { ipv6AddressType: "intranet" }, ["DisableLoadBalancerIpv6Internet"]],
    ["the name alone", { name: "n" }, ["UpdateLoadBalancerAttribute LoadBalancerName=n"]],
    [
        "one protection alone",
        { deleteProtection: "off" },
        ["UpdateLoadBalancerProtection DeletionProtectionEnabled=false"],
    ],
];

const ATTACH = "AttachCommonBandwidthPackageToLoadBalancer BandwidthPackageId=cbwp-1";

for (const [what, attributes, expected, BandwidthPackageId = "cbwp-1"] of [
    ...CHANGES,
    ["a first package", { bandwidthPackageId: "cbwp-1" }, [ATTACH], ""] as const,
]) {
    test(`a change of an instance: ${what}`, async () => {
        const body = { LoadBalancerId: "nlb-1", SecurityGroupIds: ["sg-1", "sg-2"], BandwidthPackageId };
        const { cloud, asked } = quick({ GetLoadBalancerAttribute: { body } });
        await setNlbAttributes(cloud, "nlb-1", attributes);
        const calls = asked.filter(({ action }) => !action.startsWith("Get"));
        const given = (params: Readonly<Record<string, string>>) =>
            Object.entries(params).filter(([key]) => !["LoadBalancerId", "ClientToken", "RegionId"].includes(key));
        expect(
            calls.map(({ action, params }) => [action, ...given(params).map((pair) => pair.join("="))].join(" ")),
        ).toStrictEqual(expected);
    });
}

test("a listener is read as a builder makes it, with its id for the key", async () => {
    const settings: Settings = {
        protocolPort: [{ protocol: "tcpssl", port: 443 }],
        certId: "c-1",
        cacert: "on",
        cacertId: "ca-1",
        alpn: "on",
        alpnPolicy: "HTTP2Only",
        proxyProtocol: "on",
        ppv2PvlEpIdEnabled: "on",
        idleTimeout: 60,
    };
    const [built] = buildNlbListeners(
        { ...SERVICE, settings, ports: [{ port: 443, protocol: "TCP", targetPort: 8443 }] },
        { clusterId: "c1" },
    );
    const { cloud } = quick({
        ListListeners: {
            body: {
                Listeners: [
                    {
                        ListenerId: "lsn-1",
                        ListenerProtocol: "TCPSSL",
                        ListenerPort: 443,
                        StartPort: 0,
                        EndPort: "",
                        ListenerDescription: "k8s.443.TCPSSL.web.shop.c1",
                        ListenerStatus: "Running",
                        ServerGroupId: "sgp-1",
                        IdleTimeout: 60,
                        Mss: 0,
                        Cps: 0,
                        SecurityPolicyId: "tls_cipher_policy_1_0",
                        ProxyProtocolEnabled: true,
                        ProxyProtocolV2Config: { Ppv2PrivateLinkEpIdEnabled: true, Ppv2VpcIdEnabled: false },
                        CertificateIds: ["c-1"],
                        CaEnabled: true,
                        CaCertificateIds: ["ca-1"],
                        AlpnEnabled: true,
                        AlpnPolicy: "HTTP2Only",
                        Tags: [{ Key: "a", Value: "1" }],
                    },
                    { ListenerId: "lsn-2", ListenerProtocol: "TCP", ListenerPort: 0, StartPort: 80, EndPort: 90 },
                ],
            },
        },
    });
    const [read, range] = await listNlbListeners(cloud, "nlb-1");
    const { key: _, serverGroup: __, attributes, ...expected } = built!;
    expect(read).toMatchObject({
        ...expected,
        id: "lsn-1",
        serverGroupId: "sgp-1",
        status: "Running",
        tags: { a: "1" },
    });
    expect(read?.attributes).toMatchObject(attributes);
    expect(read).not.toHaveProperty("mss");
    expect([range?.port, range?.endPort, range?.tls, range?.proxyProtocol]).toStrictEqual([
        80,
        90,
        undefined,
        undefined,
    ]);
});
