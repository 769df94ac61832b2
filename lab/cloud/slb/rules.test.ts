import { expect, test } from "@jest/globals";
import { Api, servers } from "../testing/api";
import { found } from "../../../test/support/found";

type Given = Record<string, string | number | boolean>;
/** Request and the code that answers it. */
type Row = readonly [action: string, params: Given, code: string];

/**
 * A cloud with a public instance `lb-0001`, an intranet instance `lb-0002`, a group and listeners in both families of
 * ports.
 */
async function prepared(): Promise<Api> {
    const api = await Api.create();
    await api.ok("CreateLoadBalancer", { LoadBalancerName: "web", InstanceChargeType: "PayByCLCU" });
    await api.ok("CreateLoadBalancer", {
        LoadBalancerName: "inner",
        LoadBalancerSpec: "slb.s1.small",
        AddressType: "intranet",
        VSwitchId: "vsw-lab-a",
    });
    await api.ok("CreateVServerGroup", { LoadBalancerId: "lb-0001", VServerGroupName: "g" });
    await api.ok("CreateVServerGroup", { LoadBalancerId: "lb-0002", VServerGroupName: "other" });
    await api.ok("CreateLoadBalancerTCPListener", {
        LoadBalancerId: "lb-0001",
        ListenerPort: 80,
        VServerGroupId: "rsp-0001",
    });
    await api.ok("CreateLoadBalancerHTTPSListener", {
        LoadBalancerId: "lb-0001",
        ListenerPort: 443,
        VServerGroupId: "rsp-0001",
        ServerCertificateId: "cert-good",
    });
    await api.ok("CreateLoadBalancerHTTPListener", {
        LoadBalancerId: "lb-0001",
        ListenerPort: 8080,
        VServerGroupId: "rsp-0001",
    });
    await api.ok("CreateAccessControlList", { AclName: "acl" });
    await api.ok("CreateAccessControlList", { AclName: "acl6", AddressIPVersion: "ipv6" });
    return api;
}

async function refuses(rows: readonly Row[]): Promise<void> {
    const api = await prepared();
    for (const [action, params, code] of rows)
        expect([action, params, await api.refused(action, params)]).toStrictEqual([action, params, code]);
}

const spec = { LoadBalancerSpec: "slb.s1.small" };

test("refused calls: instances", () =>
    refuses([
        ["CreateLoadBalancer", {}, "ShareSlbHaltSales"],
        ["CreateLoadBalancer", { ...spec, AddressType: "intranet" }, "MissingParam.VSwitchId"],
        ["CreateLoadBalancer", { ...spec, AddressType: "intranet", VSwitchId: "vsw-none" }, "VSwitchNotExist"],
        [
            "CreateLoadBalancer",
            { ...spec, AddressType: "intranet", VSwitchId: "vsw-lab-a", VpcId: "vpc-other" },
            "InvalidVpcId.NotExist",
        ],
        [
            "CreateLoadBalancer",
            { ...spec, AddressType: "intranet", VSwitchId: "vsw-lab-a", Address: "10.2.0.1" },
            "InvalidParameter",
        ],
        [
            "CreateLoadBalancer",
            { ...spec, AddressType: "intranet", VSwitchId: "vsw-lab-a", Address: "10.1.0.10" },
            "InvalidParameter",
        ],
        [
            "CreateLoadBalancer",
            { ...spec, AddressType: "intranet", VSwitchId: "vsw-lab-a", AddressIPVersion: "ipv6" },
            "InvalidParameter.Mismatch",
        ],
        ["CreateLoadBalancer", { ...spec, AddressType: "public" }, "InvalidParameter"],
        ["CreateLoadBalancer", { ...spec, MasterZoneId: "cn-beijing-a" }, "PRODUCT.NOT_AVAILABLE_IZ"],
        [
            "CreateLoadBalancer",
            { ...spec, MasterZoneId: "cn-hangzhou-h", SlaveZoneId: "cn-hangzhou-h" },
            "PRODUCT.NOT_AVAILABLE_IZ",
        ],
        ["CreateLoadBalancer", { ...spec, Bandwidth: 6000 }, "InvalidParameter.Bandwidth"],
        ["CreateLoadBalancer", { InstanceChargeType: "paybyspec" }, "IllegalParam.InstanceChargeType"],
        [
            "CreateLoadBalancer",
            { InstanceChargeType: "PayByCLCU", InternetChargeType: "paybybandwidth" },
            "Instance.InternetChargeTypeNotAllowed",
        ],
        ["CreateLoadBalancer", { ...spec, LoadBalancerName: "1 web" }, "InvalidParameter"],
        [
            "CreateLoadBalancer",
            { ...spec, ModificationProtectionStatus: "on" },
            "InvalidParam.ModificationProtectionStatus",
        ],
        ["CreateLoadBalancer", { ...spec, "Tag.1.Key": "acs:x", "Tag.1.Value": "v" }, "InvalidParam.TagKey"],
        ["DescribeLoadBalancerAttribute", { LoadBalancerId: "lb-none" }, "InvalidLoadBalancerId.NotFound"],
        ["DescribeLoadBalancerAttribute", {}, "MissingLoadBalancerId"],
        [
            "ModifyLoadBalancerInstanceSpec",
            { LoadBalancerId: "lb-0001", LoadBalancerSpec: "slb.s2.small" },
            "OperationDenied.PayByCLCU",
        ],
        [
            "ModifyLoadBalancerInstanceChargeType",
            { LoadBalancerId: "lb-0001", InstanceChargeType: "PayBySpec" },
            "UserNotAllowed",
        ],
        [
            "ModifyLoadBalancerInternetSpec",
            { LoadBalancerId: "lb-0002", InternetChargeType: "paybybandwidth" },
            "ActionNotAllowed",
        ],
    ]));

const http = { LoadBalancerId: "lb-0001", ListenerPort: 81, VServerGroupId: "rsp-0001" };
const https = { LoadBalancerId: "lb-0001", ListenerPort: 444, VServerGroupId: "rsp-0001" };

test("refused calls: listeners", () =>
    refuses([
        [
            "CreateLoadBalancerTCPListener",
            { LoadBalancerId: "lb-0001", ListenerPort: 80, VServerGroupId: "rsp-0001" },
            "ListenerAlreadyExists",
        ],
        [
            "CreateLoadBalancerHTTPListener",
            { LoadBalancerId: "lb-0001", ListenerPort: 80, VServerGroupId: "rsp-0001" },
            "ListenerAlreadyExists",
        ],
        [
            "CreateLoadBalancerHTTPSListener",
            {
                LoadBalancerId: "lb-0001",
                ListenerPort: 8080,
                VServerGroupId: "rsp-0001",
                ServerCertificateId: "cert-good",
            },
            "ListenerAlreadyExists",
        ],
        ["CreateLoadBalancerTCPListener", { ...http, ListenerPort: 0 }, "InvalidParameter"],
        ["CreateLoadBalancerTCPListener", { ...http, ListenerPort: 70000 }, "InvalidParameter"],
        ["CreateLoadBalancerTCPListener", { LoadBalancerId: "lb-0001", ListenerPort: 81 }, "MissingParameter"],
        ["CreateLoadBalancerTCPListener", { ...http, VServerGroupId: "rsp-none" }, "InvalidParameter"],
        ["CreateLoadBalancerTCPListener", { ...http, VServerGroupId: "rsp-0002" }, "InvalidParam.VServerGroupId"],
        [
            "CreateLoadBalancerTCPListener",
            { ...http, MasterSlaveServerGroupId: "rsp-x" },
            "Abs.VServerGroupIdAndMasterSlaveServerGroupId.MissMatch",
        ],
        ["CreateLoadBalancerTCPListener", { ...http, Scheduler: "random" }, "InvalidParameter"],
        ["CreateLoadBalancerHTTPListener", { ...http, Scheduler: "sch" }, "InvalidParameter"],
        ["CreateLoadBalancerTCPListener", { ...http, EstablishedTimeout: 5 }, "InvalidParameter"],
        ["CreateLoadBalancerTCPListener", { ...http, PersistenceTimeout: 3601 }, "InvalidParameter"],
        ["CreateLoadBalancerTCPListener", { ...http, healthCheckInterval: 51 }, "InvalidParameter"],
        ["CreateLoadBalancerTCPListener", { ...http, ConnectionDrain: "on" }, "MissingParameter"],
        [
            "CreateLoadBalancerTCPListener",
            { ...http, ConnectionDrain: "on", ConnectionDrainTimeout: 5 },
            "InvalidParameter",
        ],
        ["CreateLoadBalancerTCPListener", { ...http, AclStatus: "on" }, "MissingParameter"],
        ["CreateLoadBalancerTCPListener", { ...http, AclStatus: "on", AclId: "acl-0001" }, "MissingParameter"],
        [
            "CreateLoadBalancerTCPListener",
            { ...http, AclStatus: "on", AclType: "white", AclId: "acl-none" },
            "AclNotExist",
        ],
        [
            "CreateLoadBalancerTCPListener",
            { ...http, AclStatus: "on", AclType: "white", AclId: "acl-0002" },
            "IpVersionConflict",
        ],
        [
            "CreateLoadBalancerTCPListener",
            { ...http, HealthCheckType: "http", HealthCheckURI: "no-slash" },
            "InvalidParameter",
        ],
        [
            "CreateLoadBalancerTCPListener",
            { ...http, HealthCheckType: "http", HealthCheckHttpCode: "http_1xx" },
            "InvalidParameter",
        ],
        [
            "CreateLoadBalancerTCPListener",
            { ...http, HealthCheckType: "http", HealthCheckDomain: "a b" },
            "InvalidParameter",
        ],
        ["CreateLoadBalancerHTTPListener", { ...http, StickySession: "on" }, "MissingParameter"],
        [
            "CreateLoadBalancerHTTPListener",
            { ...http, StickySession: "on", StickySessionType: "insert" },
            "MissingParameter",
        ],
        [
            "CreateLoadBalancerHTTPListener",
            { ...http, StickySession: "on", StickySessionType: "server" },
            "MissingParameter",
        ],
        [
            "CreateLoadBalancerHTTPListener",
            { ...http, StickySession: "on", StickySessionType: "server", Cookie: "$x" },
            "InvalidParameter",
        ],
        ["CreateLoadBalancerHTTPListener", { ...http, RequestTimeout: 181 }, "InvalidParameter"],
        ["CreateLoadBalancerHTTPListener", { ...http, ListenerForward: "on" }, "MissingParameter"],
        [
            "CreateLoadBalancerHTTPListener",
            { ...http, ListenerForward: "on", ForwardPort: 444 },
            "InvalidParameter.ForwardPort",
        ],
        ["CreateLoadBalancerHTTPSListener", https, "MissingParam.ServerCertificateId"],
        ["CreateLoadBalancerHTTPSListener", { ...https, ServerCertificateId: "cert-none" }, "CertificateNotExist"],
        ["CreateLoadBalancerHTTPSListener", { ...https, ServerCertificateId: "ca-good" }, "CertificateNotExist"],
        ["CreateLoadBalancerHTTPSListener", { ...https, ServerCertificateId: "cert-old" }, "CertificateExpired"],
        [
            "CreateLoadBalancerHTTPSListener",
            { ...https, ServerCertificateId: "cert-good", TLSCipherPolicy: "tls_cipher_policy_9" },
            "TLSCipherPolicyNotExist",
        ],
        ["SetLoadBalancerTCPListenerAttribute", { LoadBalancerId: "lb-0001", ListenerPort: 8080 }, "InvalidParameter"],
        [
            "SetLoadBalancerHTTPSListenerAttribute",
            { LoadBalancerId: "lb-0001", ListenerPort: 443, ServerCertificateId: "cert-old" },
            "CertificateExpired",
        ],
        [
            "SetLoadBalancerHTTPListenerAttribute",
            { LoadBalancerId: "lb-0001", ListenerPort: 8080, ListenerForward: "on", ForwardPort: 443 },
            "OperationFailed.ListenerForward",
        ],
        [
            "StartLoadBalancerListener",
            { LoadBalancerId: "lb-0001", ListenerPort: 99, ListenerProtocol: "tcp" },
            "InvalidParameter",
        ],
        [
            "DeleteLoadBalancerListener",
            { LoadBalancerId: "lb-0001", ListenerPort: 80, ListenerProtocol: "udp" },
            "InvalidParameter",
        ],
    ]));

const add = (...list: Record<string, unknown>[]): Row[1] => ({
    VServerGroupId: "rsp-0001",
    BackendServers: servers(...list),
});
const addInner = (...list: Record<string, unknown>[]): Row[1] => ({
    VServerGroupId: "rsp-0002",
    BackendServers: servers(...list),
});
const twentyOne = Array.from({ length: 21 }, (_, i) => ({ ServerId: "i-1", Port: 1000 + i }));

test("refused calls: backends", () =>
    refuses([
        ["AddVServerGroupBackendServers", { VServerGroupId: "rsp-none", BackendServers: "[]" }, "InvalidParameter"],
        [
            "AddVServerGroupBackendServers",
            { VServerGroupId: "rsp-0001", BackendServers: "[oops" },
            "BackendServersMalformed",
        ],
        ["AddVServerGroupBackendServers", add(...twentyOne), "TooManyBackendServers"],
        ["AddVServerGroupBackendServers", add({ ServerId: "i-1", Port: 0 }), "InvalidParameter"],
        ["AddVServerGroupBackendServers", add({ ServerId: "i-1", Port: "http" }), "InvalidParameter"],
        ["AddVServerGroupBackendServers", add({ ServerId: "i-1" }), "InvalidParameter"],
        ["AddVServerGroupBackendServers", add({ Port: 80 }), "InvalidParameter"],
        ["AddVServerGroupBackendServers", add({ ServerId: "i-1", Port: 80, Weight: 101 }), "InvalidWeight.Malformed"],
        ["AddVServerGroupBackendServers", add({ ServerId: "i-1", Port: 80, Weight: -1 }), "InvalidWeight.Malformed"],
        ["AddVServerGroupBackendServers", add({ ServerId: "i-1", Port: 80, Type: "vm" }), "BackendServer.InvalidType"],
        ["AddVServerGroupBackendServers", add({ ServerId: "i-none", Port: 80 }), "InvalidServerId.NotExist"],
        ["AddVServerGroupBackendServers", add({ ServerId: "i-stopped", Port: 80 }), "ObtainIpFail"],
        [
            "AddVServerGroupBackendServers",
            add({ ServerId: "eni-none", Port: 80, Type: "eni", ServerIp: "10.1.1.1" }),
            "ResourceNotFound.vServers",
        ],
        [
            "AddVServerGroupBackendServers",
            add({ ServerId: "eni-1", Port: 80, Type: "eni", ServerIp: "10.1.9.9" }),
            "InvalidParameter",
        ],
        ["AddVServerGroupBackendServers", addInner({ ServerId: "i-other", Port: 80 }), "NetworkConflict"],
        [
            "AddVServerGroupBackendServers",
            add({ ServerId: "i-1", Port: 80 }, { ServerId: "i-other", Port: 80 }),
            "InvalidBackendServers.Inconsistent",
        ],
        [
            "AddVServerGroupBackendServers",
            add(
                { ServerId: "eni-1", Port: 80, Type: "eni", ServerIp: "10.1.1.1" },
                { ServerId: "eni-2", Port: 80, Type: "eni", ServerIp: "10.1.1.1" },
            ),
            "InvalidBackendServers.ServerIpConflict",
        ],
        ["DeleteVServerGroup", { VServerGroupId: "rsp-0001" }, "RspoolVipExist"],
    ]));

test("refused calls: other objects", () =>
    refuses([
        ["AddAccessControlListEntry", { AclId: "acl-none", AclEntrys: "[]" }, "AclNotExist"],
        ["AddAccessControlListEntry", { AclId: "acl-0001", AclEntrys: '[{"entry":"10.0.0.0/33"}]' }, "AclEntryIllegal"],
        [
            "AddAccessControlListEntry",
            { AclId: "acl-0001", AclEntrys: '[{"entry":"2001:db8::/32"}]' },
            "AclEntryIllegal",
        ],
        ["AddAccessControlListEntry", { AclId: "acl-0001", AclEntrys: "10.0.0.0/8" }, "AclEntryIllegal"],
        ["RemoveAccessControlListEntry", { AclId: "acl-0001", AclEntrys: '[{"entry":"10.0.0.0/8"}]' }, "AclEntryEmpty"],
        [
            "CreateDomainExtension",
            { LoadBalancerId: "lb-0001", ListenerPort: 80, Domain: "a.com", ServerCertificateId: "cert-good" },
            "InvalidParameter",
        ],
        [
            "CreateDomainExtension",
            { LoadBalancerId: "lb-0001", ListenerPort: 443, Domain: "a b", ServerCertificateId: "cert-good" },
            "DomainMalformed",
        ],
        [
            "CreateDomainExtension",
            { LoadBalancerId: "lb-0001", ListenerPort: 443, Domain: "a.com", ServerCertificateId: "cert-none" },
            "CertificateNotExist",
        ],
        [
            "SetDomainExtensionAttribute",
            { DomainExtensionId: "de-none", ServerCertificateId: "cert-good" },
            "InvalidParameter.DomainExtensionId",
        ],
        [
            "TagResources",
            { ResourceType: "thing", "ResourceId.1": "x", "Tag.1.Key": "a" },
            "InvalidParameter.ResourceType",
        ],
    ]));

test("UDP and TCP share a port number; nothing else does", async () => {
    const api = await prepared();
    await api.ok("CreateLoadBalancerUDPListener", {
        LoadBalancerId: "lb-0001",
        ListenerPort: 80,
        VServerGroupId: "rsp-0001",
    });
    expect(
        await api.refused("CreateLoadBalancerUDPListener", {
            LoadBalancerId: "lb-0001",
            ListenerPort: 80,
            VServerGroupId: "rsp-0001",
        }),
    ).toBe("ListenerAlreadyExists");
});

test("quotas have their own error codes and can be raised", async () => {
    const api = await prepared();
    const { quotas } = api.world.config;
    quotas.listenersPerLoadBalancer = 3;
    expect(await api.refused("CreateLoadBalancerTCPListener", http)).toBe("ListenerNumberOverLimit");
    quotas.listenersPerLoadBalancer = 4;
    await api.ok("CreateLoadBalancerTCPListener", http);
    quotas.loadBalancers = 2;
    expect(await api.refused("CreateLoadBalancer", spec)).toBe("ORDER.QUANTITY_INVALID");
    quotas.backendsPerLoadBalancer = 2;
    const three = [1, 2, 3].map((n) => ({ ServerId: `i-${n}`, Port: 80 }));
    const { status, body } = await api.call("AddVServerGroupBackendServers", add(...three));
    expect([status, body["Code"], body["Message"]]).toStrictEqual([
        400,
        "InstanceBackendServerNumberOverLimit",
        "The backend server number has reached to the quota limit of this load balancer",
    ]);
    await api.ok("AddVServerGroupBackendServers", add(...three.slice(1)));
    // Members of all groups of the instance are summed.
    await api.ok("CreateVServerGroup", { LoadBalancerId: "lb-0001", VServerGroupName: "second" });
    expect(
        await api.refused("AddVServerGroupBackendServers", {
            ...add({ ServerId: "i-1", Port: 80 }),
            VServerGroupId: "rsp-0003",
        }),
    ).toBe("InstanceBackendServerNumberOverLimit");
    quotas.backendsPerLoadBalancer = 200;
    quotas.attachmentsPerServer = 1;
    expect(await api.refused("AddVServerGroupBackendServers", addInner({ ServerId: "i-2", Port: 80 }))).toBe(
        "ServerAttachedNumberOverLimit",
    );
    quotas.entriesPerAcl = 1;
    expect(
        await api.refused("AddAccessControlListEntry", {
            AclId: "acl-0001",
            AclEntrys: '[{"entry":"1.1.1.1"},{"entry":"1.1.1.2"}]',
        }),
    ).toBe("AclEntryExceedLimit");
});

test("a full vSwitch accepts no instance until one is deleted", async () => {
    const api = await Api.create();
    const params = { ...spec, AddressType: "intranet", VSwitchId: "vsw-tiny" };
    for (let i = 0; i < 4; i++) await api.ok("CreateLoadBalancer", params);
    const { body } = await api.call("CreateLoadBalancer", params);
    expect([body["Code"], body["Message"]]).toStrictEqual([
        "VSwitchAvailableIpNotExist",
        "The specified VSwitch has no available ip.",
    ]);
    await api.ok("DeleteLoadBalancer", { LoadBalancerId: "lb-0002" });
    await api.ok("CreateLoadBalancer", params);
});

test("deletion protection stops every caller, modification protection only the console", async () => {
    const api = await prepared();
    const LoadBalancerId = "lb-0001";
    await api.ok("SetLoadBalancerDeleteProtection", { LoadBalancerId, DeleteProtection: "on" });
    expect(await api.refused("DeleteLoadBalancer", { LoadBalancerId })).toBe("OperationDenied.DeleteProtectionIsOn");
    await api.ok("SetLoadBalancerDeleteProtection", { LoadBalancerId, DeleteProtection: "off" });
    await api.ok("SetLoadBalancerModificationProtection", {
        LoadBalancerId,
        ModificationProtectionStatus: "ConsoleProtection",
        ModificationProtectionReason: "managed.by.ack",
    });
    for (const [action, params] of [
        ["SetLoadBalancerName", { LoadBalancerId, LoadBalancerName: "x" }],
        ["DeleteLoadBalancerListener", { LoadBalancerId, ListenerPort: 80, ListenerProtocol: "tcp" }],
        ["AddVServerGroupBackendServers", add({ ServerId: "i-1", Port: 80 })],
        ["DeleteLoadBalancer", { LoadBalancerId }],
    ] as const) {
        const refused = [action, await api.refused(action, params, "console")];
        expect(refused).toStrictEqual([action, "OperationDenied.ModificationProtection"]);
    }
    await api.ok("SetLoadBalancerName", { LoadBalancerId, LoadBalancerName: "x" }, "api");
    await api.ok(
        "SetLoadBalancerModificationProtection",
        { LoadBalancerId, ModificationProtectionStatus: "NonProtection" },
        "console",
    );
    await api.ok("SetLoadBalancerName", { LoadBalancerId, LoadBalancerName: "y" }, "console");
    expect((await api.ok("DescribeLoadBalancerAttribute", { LoadBalancerId }))["ModificationProtectionReason"]).toBe(
        "",
    );
});

test("shared-resource instances refuse features of guaranteed performance", async () => {
    const api = await prepared();
    const shared = found(api.world.slb.loadBalancers.get("lb-0001"), "lb-0001");
    shared.spec = "";
    const { body } = await api.call(
        "AddVServerGroupBackendServers",
        add({ ServerId: "eni-1", Port: 80, Type: "eni", ServerIp: "10.1.1.1" }),
    );
    expect(body["Message"]).toBe("The loadbalancer does not support backend servers of eni type");
    expect(await api.refused("CreateLoadBalancerTCPListener", { ...http, Scheduler: "tch" })).toBe(
        "InvalidParameterValue.SpecNotSupport",
    );
});

test("a client token creates one instance, and is refused for another", async () => {
    const api = await Api.create();
    const first = await api.ok("CreateLoadBalancer", { ...spec, ClientToken: "t" });
    const again = await api.ok("CreateLoadBalancer", { ...spec, ClientToken: "t" });
    expect(again["LoadBalancerId"]).toBe(first["LoadBalancerId"]);
    expect(api.world.slb.loadBalancers.size).toBe(1);
    expect(await api.refused("CreateLoadBalancer", { ...spec, ClientToken: "t", LoadBalancerName: "else" })).toBe(
        "LX_REQUEST_TOKEN_CONFLICT",
    );
});

test("the target of a redirecting listener is created first and deleted last", async () => {
    const api = await prepared();
    await api.ok("CreateLoadBalancerHTTPListener", {
        LoadBalancerId: "lb-0001",
        ListenerPort: 81,
        ListenerForward: "on",
        ForwardPort: 443,
        StickySession: "off",
        HealthCheck: "off",
    });
    const https = { LoadBalancerId: "lb-0001", ListenerPort: 443, ListenerProtocol: "https" };
    expect(await api.refused("DeleteLoadBalancerListener", https)).toBe("OperationDenied.ListenerForward");
    await api.ok("DeleteLoadBalancerListener", {
        LoadBalancerId: "lb-0001",
        ListenerPort: 81,
        ListenerProtocol: "http",
    });
    await api.ok("DeleteLoadBalancerListener", https);
});

test("a rule that is off by default can be switched on", async () => {
    const api = await prepared();
    const set = { LoadBalancerId: "lb-0001", ListenerPort: 80, Scheduler: "tch" };
    await api.ok("SetLoadBalancerTCPListenerAttribute", set);
    api.world.rules.overrides["slb.listener.scheduler-change"] = true;
    expect(await api.refused("SetLoadBalancerTCPListenerAttribute", { ...set, Scheduler: "sch" })).toBe(
        "OperationFailed.ActionNotSupport",
    );
});
