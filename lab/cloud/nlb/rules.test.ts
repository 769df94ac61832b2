import { expect, test } from "@jest/globals";
import { Api } from "../testing/api";

type Given = Record<string, string | number | boolean>;
type Row = readonly [action: string, params: Given, code: string];

const ZONES = {
    "ZoneMappings.1.ZoneId": "cn-hangzhou-a",
    "ZoneMappings.1.VSwitchId": "vsw-lab-a",
    "ZoneMappings.2.ZoneId": "cn-hangzhou-b",
    "ZoneMappings.2.VSwitchId": "vsw-lab-b",
};
const LB = { AddressType: "Internet", VpcId: "vpc-lab", ...ZONES };

/**
 * Prepares an instance with a TCP listener on 80, and groups: TCP with a server, UDP, TCPSSL, of addresses, in another
 * VPC.
 */
async function prepared(): Promise<Api> {
    const api = await Api.create("Nlb");
    await api.ok("CreateLoadBalancer", { ...LB, LoadBalancerName: "web" });
    const kinds: Given[] = [
        { Protocol: "TCP" },
        { Protocol: "UDP" },
        { Protocol: "TCPSSL" },
        { ServerGroupType: "Ip" },
        { AnyPortEnabled: true },
    ];
    for (const extra of kinds) {
        await api.ok("CreateServerGroup", { ServerGroupName: "g", VpcId: "vpc-lab", ...extra });
    }
    await api.ok("CreateServerGroup", { ServerGroupName: "far", VpcId: "vpc-other" });
    await api.ok("AddServersToServerGroup", servers("sgp-0001", { ServerId: "i-1", Port: 80 }));
    await api.ok("CreateListener", {
        LoadBalancerId: "nlb-0001",
        ListenerProtocol: "TCP",
        ListenerPort: 80,
        ServerGroupId: "sgp-0001",
    });
    return api;
}

function servers(ServerGroupId: string, ...list: readonly Given[]): Given {
    const flat = list.flatMap((s, i) =>
        Object.entries({ ServerType: "Ecs", ...s }).map(([k, v]): [string, string | number | boolean] => [
            `Servers.${i + 1}.${k}`,
            v,
        ]),
    );
    return { ServerGroupId, ...Object.fromEntries(flat) };
}

async function refuses(rows: readonly Row[]): Promise<void> {
    const api = await prepared();
    for (const [action, params, code] of rows)
        expect([action, params, await api.refused(action, params)]).toStrictEqual([action, params, code]);
}

test("refused calls: instances", () =>
    refuses([
        ["CreateLoadBalancer", { AddressType: "Internet", ...ZONES }, "MissingVpcId"],
        ["CreateLoadBalancer", { AddressType: "Internet", VpcId: "vpc-lab" }, "MissingZoneMappings"],
        ["CreateLoadBalancer", { ...LB, VpcId: "vpc-none" }, "ResourceNotFound.Vpc"],
        ["CreateLoadBalancer", { ...LB, AddressType: "Public" }, "IllegalParam.AddressType"],
        [
            "CreateLoadBalancer",
            {
                AddressType: "Internet",
                VpcId: "vpc-lab",
                "ZoneMappings.1.ZoneId": "cn-hangzhou-a",
                "ZoneMappings.1.VSwitchId": "vsw-lab-a",
            },
            "InvalidZones",
        ],
        ["CreateLoadBalancer", { ...LB, "ZoneMappings.2.ZoneId": "cn-hangzhou-a" }, "OperationFailed.DuplicateZones"],
        ["CreateLoadBalancer", { ...LB, "ZoneMappings.2.VSwitchId": "vsw-none" }, "ResourceNotFound.VSwitch"],
        ["CreateLoadBalancer", { ...LB, "ZoneMappings.2.VSwitchId": "vsw-lab-a" }, "Mismatch.ZoneIdAndVswitchId"],
        ["CreateLoadBalancer", { ...LB, "ZoneMappings.2.VSwitchId": "vsw-other" }, "Mismatch.VpcId"],
        ["CreateLoadBalancer", { ...LB, "ZoneMappings.1.AllocationId": "eip-none" }, "ResourceNotFound.Eip"],
        ["CreateLoadBalancer", { ...LB, LoadBalancerName: "-" }, "IllegalParam.loadBalancerName"],
        ["CreateLoadBalancer", { ...LB, "Tag.1.Key": "aliyun", "Tag.1.Value": "x" }, "IllegalParam.Tag"],
        ["CreateLoadBalancer", { ...LB, BandwidthPackageId: "cbwp-none" }, "ResourceNotFound.BandwidthPackage"],
        ["CreateLoadBalancer", { ...LB, DryRun: true }, "DryRunOperation"],
        ["GetLoadBalancerAttribute", { LoadBalancerId: "nlb-none" }, "ResourceNotFound.loadBalancer"],
        [
            "LoadBalancerJoinSecurityGroup",
            { LoadBalancerId: "nlb-0001", "SecurityGroupIds.1": "sg-none" },
            "ResourceNotFound.SecurityGroup",
        ],
        ["UpdateLoadBalancerAttribute", { LoadBalancerId: "nlb-0001", Cps: 1_000_001 }, "IllegalParam.Cps"],
        ["GetJobStatus", { JobId: "job-none" }, "ResourceNotFound.Job"],
    ]));

const tcp = { LoadBalancerId: "nlb-0001", ListenerProtocol: "TCP", ListenerPort: 81, ServerGroupId: "sgp-0001" };
const tls = {
    ...tcp,
    ListenerProtocol: "TCPSSL",
    ListenerPort: 443,
    ServerGroupId: "sgp-0003",
    "CertificateIds.1": "cert-good",
};

test("refused calls: listeners", () =>
    refuses([
        ["CreateListener", { ...tcp, ListenerPort: 80 }, "ResourceAlreadyExist.Listener"],
        ["CreateListener", { ...tls, ListenerPort: 80 }, "Conflict.Port"],
        [
            "CreateListener",
            { ...tcp, ListenerPort: 0, StartPort: 79, EndPort: 90, ServerGroupId: "sgp-0005" },
            "Conflict.Port",
        ],
        ["CreateListener", { ...tcp, ListenerPort: 0 }, "IllegalParam.Port"],
        ["CreateListener", { ...tcp, ListenerPort: 0, StartPort: 1000, EndPort: 1000 }, "IllegalParam.Port"],
        [
            "CreateListener",
            { ...tcp, ListenerPort: 0, StartPort: 1000, EndPort: 2000 },
            "IllegalParam.AnyPortListenerConflictWithNonAnyPortServerGroup",
        ],
        [
            "CreateListener",
            { ...tcp, ServerGroupId: "sgp-0005" },
            "IllegalParam.NonAnyPortListenerConflictWithAnyPortServerGroup",
        ],
        ["CreateListener", { ...tcp, ListenerProtocol: "HTTP" }, "IllegalParam.ListenerProtocol"],
        ["CreateListener", { ...tcp, LoadBalancerId: "nlb-none" }, "ResourceNotFound.loadBalancer"],
        ["CreateListener", { ...tcp, ServerGroupId: "sgp-none" }, "ResourceNotFound.serverGroup"],
        ["CreateListener", { ...tcp, ServerGroupId: "sgp-0002" }, "Mismatch.Protocol"],
        ["CreateListener", { ...tcp, ServerGroupId: "sgp-0006" }, "Mismatch.VpcId"],
        ["CreateListener", { ...tcp, IdleTimeout: 901 }, "IllegalParam.IdleTimeout"],
        [
            "CreateListener",
            { ...tcp, ListenerProtocol: "UDP", ServerGroupId: "sgp-0002", IdleTimeout: 100 },
            "IllegalParam.IdleTimeout",
        ],
        [
            "CreateListener",
            { ...tcp, ListenerProtocol: "UDP", ServerGroupId: "sgp-0002", Mss: 100 },
            "IllegalParam.MssConflictWithUdpAndGeneve",
        ],
        ["CreateListener", { ...tls, "CertificateIds.1": "" }, "MissingParam.Certificate"],
        ["CreateListener", { ...tls, "CertificateIds.2": "cert-old" }, "IllegalParamSize.certificateIds"],
        ["CreateListener", { ...tls, "CertificateIds.1": "cert-none" }, "ResourceNotFound.Certificate"],
        ["CreateListener", { ...tls, CaEnabled: true }, "MissingParam.CaCertificate"],
        ["CreateListener", { ...tls, AlpnEnabled: true }, "MissingParam.AlpnPolicy"],
        ["CreateListener", { ...tls, SecurityPolicyId: "tls-none" }, "ResourceNotFound.SecurityPolicy"],
        ["CreateListener", { ...tls, ServerGroupId: "sgp-0001" }, "IllegalParam.PreserveClientIpSwitch"],
        ["UpdateListenerAttribute", { ListenerId: "lsn-0001@80", ServerGroupId: "sgp-0002" }, "Mismatch.Protocol"],
        ["DeleteListener", { ListenerId: "lsn-none" }, "ResourceNotFound.listener"],
        ["DeleteServerGroup", { ServerGroupId: "sgp-0001" }, "ResourceInUse.ServerGroup"],
    ]));

test("refused calls: servers", () =>
    refuses([
        ["AddServersToServerGroup", servers("sgp-none", { ServerId: "i-1", Port: 80 }), "ResourceNotFound.serverGroup"],
        ["AddServersToServerGroup", { ServerGroupId: "sgp-0001" }, "MissingServers"],
        ["AddServersToServerGroup", servers("sgp-0001", { ServerId: "i-none", Port: 80 }), "ResourceNotFound.Ecs"],
        [
            "AddServersToServerGroup",
            servers("sgp-0001", { ServerId: "eni-none", ServerType: "Eni", Port: 80 }),
            "ResourceNotFound.Eni",
        ],
        [
            "AddServersToServerGroup",
            servers("sgp-0001", { ServerId: "eni-1", ServerType: "Eni", ServerIp: "10.1.9.9", Port: 80 }),
            "IllegalParam.IP",
        ],
        [
            "AddServersToServerGroup",
            servers("sgp-0001", { ServerId: "i-2", ServerType: "Vm", Port: 80 }),
            "IllegalParam.ServerType",
        ],
        [
            "AddServersToServerGroup",
            servers("sgp-0001", { ServerId: "10.1.0.5", ServerType: "Ip", Port: 80 }),
            "Mismatch.ServerType",
        ],
        ["AddServersToServerGroup", servers("sgp-0004", { ServerId: "i-1", Port: 80 }), "Mismatch.ServerType"],
        [
            "AddServersToServerGroup",
            servers("sgp-0004", { ServerId: "not-an-ip", ServerType: "Ip", Port: 80 }),
            "IllegalParam.IP",
        ],
        [
            "AddServersToServerGroup",
            servers("sgp-0001", { ServerId: "i-2" }),
            "IllegalParam.RSPortConflictWithServerGroup",
        ],
        [
            "AddServersToServerGroup",
            servers("sgp-0005", { ServerId: "i-2", Port: 80 }),
            "IllegalParam.RSPortConflictWithServerGroup",
        ],
        [
            "AddServersToServerGroup",
            servers("sgp-0001", { ServerId: "i-2", Port: 80, Weight: 101 }),
            "IllegalParam.Weight",
        ],
        [
            "AddServersToServerGroup",
            servers("sgp-0001", { ServerId: "i-2", Port: 80 }, { ServerId: "i-2", Port: 80 }),
            "DuplicatedParam.Server",
        ],
        ["AddServersToServerGroup", servers("sgp-0001", { ServerId: "i-other", Port: 80 }), "Mismatch.VpcId"],
        [
            "RemoveServersFromServerGroup",
            servers("sgp-0001", { ServerId: "i-2", Port: 80 }),
            "ResourceNotFound.BackendServer",
        ],
        [
            "UpdateServerGroupServersAttribute",
            servers("sgp-0001", { ServerId: "i-1", Port: 81, Weight: 5 }),
            "ResourceNotFound.BackendServer",
        ],
        ["CreateServerGroup", { ServerGroupName: "g", VpcId: "vpc-none" }, "ResourceNotFound.Vpc"],
        [
            "CreateServerGroup",
            { ServerGroupName: "g", VpcId: "vpc-lab", "HealthCheckConfig.HealthyThreshold": 1 },
            "IllegalParam.HealthyThreshold",
        ],
        [
            "TagResources",
            { ResourceType: "thing", "ResourceId.1": "nlb-0001", "Tag.1.Key": "a" },
            "IllegalParam.ResourceType",
        ],
    ]));

test("quotas and batch sizes have their own error codes and can be changed", async () => {
    const api = await prepared();
    const { quotas } = api.world.config;
    quotas.nlbServersPerAdd = 1;
    expect(
        await api.refused(
            "AddServersToServerGroup",
            servers("sgp-0001", { ServerId: "i-2", Port: 80 }, { ServerId: "i-3", Port: 80 }),
        ),
    ).toBe("IllegalParamSize.Servers");
    quotas.nlbServersPerGroup = 1;
    const { body } = await api.call("AddServersToServerGroup", servers("sgp-0001", { ServerId: "i-2", Port: 80 }));
    expect([body["Code"], body["Message"]]).toStrictEqual([
        "QuotaExceeded.QuotaInsufficient",
        "The quota of servers is exceeded, usage 2/1.",
    ]);
    quotas.nlbListenersPerLoadBalancer = 1;
    expect(await api.refused("CreateListener", tcp)).toBe("QuotaExceeded.QuotaInsufficient");
});

test("a dry run returns the result of the call and changes nothing", async () => {
    const api = await prepared();
    for (const [action, params] of [
        ["AddServersToServerGroup", servers("sgp-0001", { ServerId: "i-2", Port: 80 })],
        ["DeleteListener", { ListenerId: "lsn-0001@80" }],
        ["DeleteLoadBalancer", { LoadBalancerId: "nlb-0001" }],
        ["CreateListener", tcp],
    ] as const) {
        const answer = await api.refused(action, { ...params, DryRun: true });
        expect([action, answer]).toStrictEqual([action, "DryRunOperation"]);
    }
    expect(await api.refused("CreateListener", { ...tcp, ListenerPort: 80, DryRun: true })).toBe(
        "ResourceAlreadyExist.Listener",
    );
    const { nlb } = api.world;
    expect([
        nlb.loadBalancers.size,
        nlb.listeners.size,
        nlb.serverGroups.get("sgp-0001")?.servers.length,
    ]).toStrictEqual([1, 1, 1]);
});

test("deletion protection stops every caller, modification protection only the console", async () => {
    const api = await prepared();
    const LoadBalancerId = "nlb-0001";
    await api.ok("UpdateLoadBalancerProtection", {
        LoadBalancerId,
        DeletionProtectionEnabled: true,
        ModificationProtectionStatus: "ConsoleProtection",
        ModificationProtectionReason: "managed.by.ack",
    });
    expect(await api.refused("DeleteLoadBalancer", { LoadBalancerId }, "api")).toBe(
        "OperationDenied.DeletionProtectionEnabled",
    );
    expect(
        await api.refused("UpdateLoadBalancerAttribute", { LoadBalancerId, LoadBalancerName: "xx" }, "console"),
    ).toBe("OperationDenied.ModificationProtection");
    await api.ok("UpdateLoadBalancerAttribute", { LoadBalancerId, LoadBalancerName: "xx" }, "api");
    await api.ok("UpdateLoadBalancerProtection", { LoadBalancerId, DeletionProtectionEnabled: false });
    await api.ok("DeleteLoadBalancer", { LoadBalancerId });
});

test("address type, EIP, security groups and bandwidth package of an instance change in place", async () => {
    const api = await prepared();
    api.world.ecs.securityGroups.set("sg-1", {
        id: "sg-1",
        name: "",
        description: "",
        vpcId: "vpc-lab",
        type: "enterprise",
        resourceGroupId: "",
        permissions: [],
        tags: new Map(),
    });
    const LoadBalancerId = "nlb-0001";
    const get = (): Promise<Record<string, unknown>> => api.ok("GetLoadBalancerAttribute", { LoadBalancerId });
    const publicAddresses = async (): Promise<unknown[]> =>
        ((await get())["ZoneMappings"] as { LoadBalancerAddresses: { PublicIPv4Address: string }[] }[]).map(
            (z) => z.LoadBalancerAddresses[0]?.PublicIPv4Address,
        );
    expect((await publicAddresses()).every((a) => a !== "")).toBe(true);
    await api.ok("UpdateLoadBalancerAddressTypeConfig", { LoadBalancerId, AddressType: "Intranet" });
    expect(await publicAddresses()).toStrictEqual(["", ""]);
    await api.ok("LoadBalancerJoinSecurityGroup", { LoadBalancerId, "SecurityGroupIds.1": "sg-1" });
    expect((await get())["SecurityGroupIds"]).toStrictEqual(["sg-1"]);
    await api.ok("LoadBalancerLeaveSecurityGroup", { LoadBalancerId, "SecurityGroupIds.1": "sg-1" });
    expect((await get())["SecurityGroupIds"]).toStrictEqual([]);
    const before = (await get())["ZoneMappings"];
    await api.ok("UpdateLoadBalancerZones", { LoadBalancerId, ...ZONES });
    expect((await get())["ZoneMappings"]).toStrictEqual(before);
});
