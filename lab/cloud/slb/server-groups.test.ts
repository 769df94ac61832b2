import { expect, test } from "@jest/globals";
import { Api, servers } from "../testing/api";

async function withGroup(): Promise<Api> {
    const api = await Api.create();
    await api.ok("CreateLoadBalancer", { InstanceChargeType: "PayByCLCU" });
    await api.ok("CreateVServerGroup", { LoadBalancerId: "lb-0001", VServerGroupName: "g" });
    return api;
}

async function members(api: Api): Promise<string[]> {
    const group = await api.ok("DescribeVServerGroupAttribute", { VServerGroupId: "rsp-0001" });
    const list = (group["BackendServers"] as { BackendServer: Record<string, unknown>[] }).BackendServer;
    return list.map((b) =>
        [b["ServerId"], b["ServerIp"], b["Port"], b["Weight"], b["Type"], b["Description"]].join(" "),
    );
}

const call = (...list: Record<string, unknown>[]): Record<string, string> => ({
    VServerGroupId: "rsp-0001",
    BackendServers: servers(...list),
});

test("several addresses of one interface are several members; the primary one is the default", async () => {
    const api = await withGroup();
    await api.ok(
        "AddVServerGroupBackendServers",
        call(
            { ServerId: "eni-1", Type: "eni", Port: 80 },
            { ServerId: "eni-1", Type: "eni", Port: 80, ServerIp: "10.1.1.2", Weight: "50" },
        ),
    );
    expect(await members(api)).toStrictEqual(["eni-1 10.1.1.1 80 100 eni ", "eni-1 10.1.1.2 80 50 eni "]);
    await api.ok("RemoveVServerGroupBackendServers", call({ ServerId: "eni-1", ServerIp: "10.1.1.1", Port: 80 }));
    expect(await members(api)).toStrictEqual(["eni-1 10.1.1.2 80 50 eni "]);
});

test("keys in any case, single quotes and unknown keys are accepted", async () => {
    const api = await withGroup();
    await api.ok("AddVServerGroupBackendServers", {
        VServerGroupId: "rsp-0001",
        BackendServers: "[{'ServerId':'i-1','Port':'80','Weight':'50', 'Type': 'ecs'}]",
    });
    await api.ok(
        "AddVServerGroupBackendServers",
        call({
            IsUserManaged: false,
            NodeName: null,
            description: "k8s/30080/web/default/c1",
            serverId: "i-2",
            serverIp: "",
            weight: 100,
            port: 30080,
            type: "ecs",
            TargetRef: null,
            Invalid: false,
        }),
    );
    expect(await members(api)).toStrictEqual(["i-1  80 50 ecs ", "i-2  30080 100 ecs k8s/30080/web/default/c1"]);
});

test("adding a member again changes nothing", async () => {
    const api = await withGroup();
    await api.ok("AddVServerGroupBackendServers", call({ ServerId: "i-1", Port: 80, Weight: 7 }));
    await api.ok("AddVServerGroupBackendServers", call({ ServerId: "i-1", Port: 80, Weight: 50 }));
    expect(await members(api)).toStrictEqual(["i-1  80 7 ecs "]);
});

test("Set changes weight and description of members only", async () => {
    const api = await withGroup();
    await api.ok("AddVServerGroupBackendServers", call({ ServerId: "i-1", Port: 80, Weight: 7 }));
    await api.ok("SetVServerGroupAttribute", {
        ...call({ ServerId: "i-1", Port: 80, Weight: 9, Description: "d" }, { ServerId: "i-1", Port: 81, Weight: 9 }),
        VServerGroupName: "renamed",
    });
    expect(await members(api)).toStrictEqual(["i-1  80 9 ecs d"]);
});

test("removal of a server that is not a member is no error", async () => {
    const api = await withGroup();
    await api.ok("AddVServerGroupBackendServers", call({ ServerId: "i-1", Port: 80, Weight: 9, Description: "d" }));
    await api.ok("RemoveVServerGroupBackendServers", call({ ServerId: "i-3", Port: 80 }));
    expect(await members(api)).toStrictEqual(["i-1  80 9 ecs d"]);
});

test("Modify swaps old members for new ones in one step", async () => {
    const api = await withGroup();
    await api.ok("AddVServerGroupBackendServers", call({ ServerId: "i-1", Port: 80 }, { ServerId: "i-2", Port: 80 }));
    await api.ok("ModifyVServerGroupBackendServers", {
        VServerGroupId: "rsp-0001",
        OldBackendServers: servers({ ServerId: "i-1", Port: 80 }),
        NewBackendServers: servers({ ServerId: "i-3", Port: 81, Weight: 5 }),
    });
    expect(await members(api)).toStrictEqual(["i-2  80 100 ecs ", "i-3  81 5 ecs "]);
});

test("a refused call has no partial effect", async () => {
    const api = await withGroup();
    await api.refused(
        "AddVServerGroupBackendServers",
        call({ ServerId: "i-1", Port: 80 }, { ServerId: "i-none", Port: 80 }),
    );
    expect(await members(api)).toStrictEqual([]);
    await api.refused("CreateVServerGroup", {
        LoadBalancerId: "lb-0001",
        VServerGroupName: "x",
        BackendServers: servers({ ServerId: "i-none", Port: 80 }),
    });
    expect(api.world.slb.vServerGroups.size).toBe(1);
});

test("a machine that left the account stays a member, but cannot be added", async () => {
    const api = await withGroup();
    await api.ok("AddVServerGroupBackendServers", call({ ServerId: "i-1", Port: 80 }));
    api.world.ecs.instances.delete("i-1");
    expect(await api.refused("AddVServerGroupBackendServers", call({ ServerId: "i-1", Port: 81 }))).toBe(
        "InvalidServerId.NotExist",
    );
    expect(await members(api)).toStrictEqual(["i-1  80 100 ecs "]);
    await api.ok("RemoveVServerGroupBackendServers", call({ ServerId: "i-1", Port: 80 }));
    expect(await members(api)).toStrictEqual([]);
});
