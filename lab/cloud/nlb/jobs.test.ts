import { expect, test } from "@jest/globals";
import { Api, type Body } from "../testing/api";

const ZONES = {
    "ZoneMappings.1.ZoneId": "cn-hangzhou-a",
    "ZoneMappings.1.VSwitchId": "vsw-lab-a",
    "ZoneMappings.2.ZoneId": "cn-hangzhou-b",
    "ZoneMappings.2.VSwitchId": "vsw-lab-b",
};
const SERVER = {
    ServerGroupId: "sgp-0001",
    "Servers.1.ServerId": "i-1",
    "Servers.1.ServerType": "Ecs",
    "Servers.1.Port": 80,
};
const JOB_TIME = 5000;

/** A cloud whose jobs take five seconds of a clock that stands still until it is moved. */
async function slow(): Promise<{ api: Api; pass: (ms: number) => void }> {
    const api = await Api.create("Nlb");
    let time = Date.parse("2026-01-01T00:00:00Z");
    api.world.now = () => time;
    await api.ok("CreateLoadBalancer", { AddressType: "Internet", VpcId: "vpc-lab", ...ZONES });
    await api.ok("CreateServerGroup", { ServerGroupName: "g", VpcId: "vpc-lab" });
    api.world.config.delays.nlbJob = JOB_TIME;
    return { api, pass: (ms) => (time += ms) };
}

async function status(api: Api, job: Body): Promise<unknown> {
    return (await api.ok("GetJobStatus", { JobId: String(job["JobId"]) }))["Status"];
}

async function servers(api: Api): Promise<string[]> {
    const { Servers } = (await api.ok("ListServerGroupServers", { ServerGroupId: "sgp-0001" })) as {
        Servers: { ServerId: string; Status: string; Weight: number }[];
    };
    return Servers.map((s) => `${s.ServerId} ${s.Status} ${s.Weight}`);
}

test("adding, changing and removing servers are jobs that lock the group", async () => {
    const { api, pass } = await slow();
    const added = await api.ok("AddServersToServerGroup", SERVER);
    expect(await status(api, added)).toBe("Processing");
    expect(await servers(api)).toStrictEqual(["i-1 Adding 100"]);
    expect(await api.refused("AddServersToServerGroup", { ...SERVER, "Servers.1.ServerId": "i-2" })).toBe(
        "Conflict.Lock",
    );
    pass(JOB_TIME);
    expect(await status(api, added)).toBe("Succeeded");
    expect(await servers(api)).toStrictEqual(["i-1 Available 100"]);

    await api.ok("UpdateServerGroupServersAttribute", { ...SERVER, "Servers.1.Weight": 7 });
    expect(await servers(api)).toStrictEqual(["i-1 Configuring 100"]);
    pass(JOB_TIME);
    expect(await servers(api)).toStrictEqual(["i-1 Available 7"]);

    await api.ok("RemoveServersFromServerGroup", SERVER);
    expect(await servers(api)).toStrictEqual(["i-1 Removing 7"]);
    pass(JOB_TIME);
    expect(await servers(api)).toStrictEqual([]);
});

test("a listener cannot be changed while it is provisioned, configured or deleted", async () => {
    const { api, pass } = await slow();
    const made = await api.ok("CreateListener", {
        LoadBalancerId: "nlb-0001",
        ListenerProtocol: "TCP",
        ListenerPort: 80,
        ServerGroupId: "sgp-0001",
    });
    const ListenerId = String(made["ListenerId"]);
    const get = async (): Promise<unknown[]> => {
        const l = await api.ok("GetListenerAttribute", { ListenerId });
        return [l["ListenerStatus"], l["IdleTimeout"]];
    };
    expect(await get()).toStrictEqual(["Provisioning", 900]);
    expect(await api.refused("UpdateListenerAttribute", { ListenerId, IdleTimeout: 100 })).toBe(
        "IncorrectStatus.listener",
    );
    pass(JOB_TIME);
    await api.ok("UpdateListenerAttribute", { ListenerId, IdleTimeout: 100 });
    expect(await get()).toStrictEqual(["Configuring", 900]);
    pass(JOB_TIME);
    expect(await get()).toStrictEqual(["Running", 100]);
    await api.ok("StopListener", { ListenerId });
    pass(JOB_TIME);
    expect(await get()).toStrictEqual(["Stopped", 100]);
    await api.ok("DeleteListener", { ListenerId });
    expect(await api.refused("DeleteServerGroup", { ServerGroupId: "sgp-0001" })).toBe("ResourceInUse.ServerGroup");
    pass(JOB_TIME);
    expect(await api.refused("GetListenerAttribute", { ListenerId })).toBe("ResourceNotFound.listener");
    await api.ok("DeleteServerGroup", { ServerGroupId: "sgp-0001" });
});

test("a new instance accepts no listener before it is active", async () => {
    const { api, pass } = await slow();
    api.world.config.delays.nlbLoadBalancer = 20_000;
    const { LoadbalancerId } = await api.ok("CreateLoadBalancer", {
        AddressType: "Intranet",
        VpcId: "vpc-lab",
        ...ZONES,
    });
    const LoadBalancerId = String(LoadbalancerId);
    const state = async (): Promise<unknown> =>
        (await api.ok("GetLoadBalancerAttribute", { LoadBalancerId }))["LoadBalancerStatus"];
    expect(await state()).toBe("Provisioning");
    expect(
        await api.refused("CreateListener", {
            LoadBalancerId,
            ListenerProtocol: "TCP",
            ListenerPort: 80,
            ServerGroupId: "sgp-0001",
        }),
    ).toBe("IncorrectStatus.loadbalancer");
    pass(20_000);
    expect(await state()).toBe("Active");
    const gone = await api.ok("DeleteLoadBalancer", { LoadBalancerId });
    expect(await state()).toBe("Deleting");
    pass(JOB_TIME);
    expect(await status(api, gone)).toBe("Succeeded");
    expect(await api.refused("GetLoadBalancerAttribute", { LoadBalancerId })).toBe("ResourceNotFound.loadBalancer");
});

test("an instance whose creation failed accepts only its deletion, protected or not", async () => {
    const { api, pass } = await slow();
    api.cloud.faults.add({ action: "CreateLoadBalancer", jobFails: true });
    const LB = { AddressType: "Intranet", VpcId: "vpc-lab", "DeletionProtectionConfig.Enabled": true, ...ZONES };
    const { LoadbalancerId } = await api.ok("CreateLoadBalancer", LB, "api");
    const LoadBalancerId = String(LoadbalancerId);
    pass(JOB_TIME);
    const { LoadBalancerStatus } = await api.ok("GetLoadBalancerAttribute", { LoadBalancerId });
    expect(LoadBalancerStatus).toBe("CreateFailed");
    expect(await api.refused("UpdateLoadBalancerAddressTypeConfig", { LoadBalancerId, AddressType: "Internet" })).toBe(
        "IncorrectStatus.loadbalancer",
    );
    await api.ok("DeleteLoadBalancer", { LoadBalancerId });
    pass(JOB_TIME);
    expect(await api.refused("GetLoadBalancerAttribute", { LoadBalancerId })).toBe("ResourceNotFound.loadBalancer");
});

test("a failed job changes nothing", async () => {
    const { api, pass } = await slow();
    api.cloud.faults.add({ action: "AddServersToServerGroup", jobFails: true });
    const failing = await api.ok("AddServersToServerGroup", SERVER, "api");
    expect(await servers(api)).toStrictEqual(["i-1 Adding 100"]);
    pass(JOB_TIME);
    expect(await status(api, failing)).toBe("Failed");
    expect(await servers(api)).toStrictEqual([]);
});

test("several jobs can be read in one call", async () => {
    const { api, pass } = await slow();
    const first = await api.ok("AddServersToServerGroup", SERVER);
    pass(JOB_TIME);
    const second = await api.ok("RemoveServersFromServerGroup", SERVER);
    const { Jobs } = (await api.ok("ListAsynJobs", {
        "JobIds.1": String(first["JobId"]),
        "JobIds.2": String(second["JobId"]),
    })) as {
        Jobs: { Id: string; Status: string; Api: string }[];
    };
    expect(Jobs.map((j) => [j.Api, j.Status])).toStrictEqual([
        ["AddServersToServerGroup", "Succeeded"],
        ["RemoveServersFromServerGroup", "Processing"],
    ]);
});

test("a client token has its effect once", async () => {
    const { api, pass } = await slow();
    const once = { ServerGroupName: "once", VpcId: "vpc-lab", ClientToken: "t" };
    const first = await api.ok("CreateServerGroup", once);
    pass(JOB_TIME);
    expect((await api.ok("CreateServerGroup", once))["ServerGroupId"]).toBe(first["ServerGroupId"]);
    expect(api.world.nlb.serverGroups.size).toBe(2);
    expect(await api.refused("CreateServerGroup", { ...once, ServerGroupName: "other" })).toBe(
        "IdempotenceSignatureMismatch",
    );
});
