import assert from "node:assert/strict";
import { test } from "node:test";
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

test("adding, changing and removing servers are jobs; the group is locked meanwhile", async () => {
    const { api, pass } = await slow();
    const added = await api.ok("AddServersToServerGroup", SERVER);
    assert.equal(await status(api, added), "Processing");
    assert.deepEqual(await servers(api), ["i-1 Adding 100"]);
    assert.equal(
        await api.refused("AddServersToServerGroup", { ...SERVER, "Servers.1.ServerId": "i-2" }),
        "Conflict.Lock",
    );
    pass(JOB_TIME);
    assert.equal(await status(api, added), "Succeeded");
    assert.deepEqual(await servers(api), ["i-1 Available 100"]);

    await api.ok("UpdateServerGroupServersAttribute", { ...SERVER, "Servers.1.Weight": 7 });
    assert.deepEqual(await servers(api), ["i-1 Configuring 100"]);
    pass(JOB_TIME);
    assert.deepEqual(await servers(api), ["i-1 Available 7"]);

    await api.ok("RemoveServersFromServerGroup", SERVER);
    assert.deepEqual(await servers(api), ["i-1 Removing 7"]);
    pass(JOB_TIME);
    assert.deepEqual(await servers(api), []);
});

test("a listener is provisioned, configured and deleted over time, and cannot be changed in between", async () => {
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
    assert.deepEqual(await get(), ["Provisioning", 900]);
    assert.equal(
        await api.refused("UpdateListenerAttribute", { ListenerId, IdleTimeout: 100 }),
        "IncorrectStatus.listener",
    );
    pass(JOB_TIME);
    await api.ok("UpdateListenerAttribute", { ListenerId, IdleTimeout: 100 });
    assert.deepEqual(await get(), ["Configuring", 900]);
    pass(JOB_TIME);
    assert.deepEqual(await get(), ["Running", 100]);
    await api.ok("StopListener", { ListenerId });
    pass(JOB_TIME);
    assert.deepEqual(await get(), ["Stopped", 100]);
    await api.ok("DeleteListener", { ListenerId });
    assert.equal(await api.refused("DeleteServerGroup", { ServerGroupId: "sgp-0001" }), "ResourceInUse.ServerGroup");
    pass(JOB_TIME);
    assert.equal(await api.refused("GetListenerAttribute", { ListenerId }), "ResourceNotFound.listener");
    await api.ok("DeleteServerGroup", { ServerGroupId: "sgp-0001" });
});

test("a new instance is provisioned first and takes no listener until it is active", async () => {
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
    assert.equal(await state(), "Provisioning");
    assert.equal(
        await api.refused("CreateListener", {
            LoadBalancerId,
            ListenerProtocol: "TCP",
            ListenerPort: 80,
            ServerGroupId: "sgp-0001",
        }),
        "IncorrectStatus.loadbalancer",
    );
    pass(20_000);
    assert.equal(await state(), "Active");
    const gone = await api.ok("DeleteLoadBalancer", { LoadBalancerId });
    assert.equal(await state(), "Deleting");
    pass(JOB_TIME);
    assert.equal(await status(api, gone), "Succeeded");
    assert.equal(await api.refused("GetLoadBalancerAttribute", { LoadBalancerId }), "ResourceNotFound.loadBalancer");
});

test("a failed job leaves nothing changed", async () => {
    const { api, pass } = await slow();
    api.cloud.faults.add({ action: "AddServersToServerGroup", jobFails: true });
    const failing = await api.ok("AddServersToServerGroup", SERVER, "api");
    assert.deepEqual(await servers(api), ["i-1 Adding 100"]);
    pass(JOB_TIME);
    assert.equal(await status(api, failing), "Failed");
    assert.deepEqual(await servers(api), []);
});

test("jobs can be asked for in one call", async () => {
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
    assert.deepEqual(
        Jobs.map((j) => [j.Api, j.Status]),
        [
            ["AddServersToServerGroup", "Succeeded"],
            ["RemoveServersFromServerGroup", "Processing"],
        ],
    );
});

test("a client token does its work once", async () => {
    const { api, pass } = await slow();
    const once = { ServerGroupName: "once", VpcId: "vpc-lab", ClientToken: "t" };
    const first = await api.ok("CreateServerGroup", once);
    pass(JOB_TIME);
    assert.equal((await api.ok("CreateServerGroup", once))["ServerGroupId"], first["ServerGroupId"]);
    assert.equal(api.world.nlb.serverGroups.size, 2);
    assert.equal(
        await api.refused("CreateServerGroup", { ...once, ServerGroupName: "other" }),
        "IdempotenceSignatureMismatch",
    );
});
