import { expect, test } from "@jest/globals";
import { Api } from "../testing/api";

const at = { LoadBalancerId: "lb-0001", ListenerPort: 80 };

async function withGroup(): Promise<Api> {
    const api = await Api.create();
    await api.ok("CreateLoadBalancer", { InstanceChargeType: "PayByCLCU" });
    await api.ok("CreateVServerGroup", { LoadBalancerId: "lb-0001", VServerGroupName: "g" });
    return api;
}

test("a new listener is stopped, then starting, then running", async () => {
    const api = await withGroup();
    let time = Date.now();
    api.world.now = () => time;
    api.world.config.delays.listenerStart = 5000;
    await api.ok("CreateLoadBalancerTCPListener", { ...at, VServerGroupId: "rsp-0001" });
    const status = async (): Promise<unknown> =>
        (await api.ok("DescribeLoadBalancerTCPListenerAttribute", at))["Status"];
    expect(await status()).toBe("stopped");
    await api.ok("StartLoadBalancerListener", { ...at, ListenerProtocol: "tcp" });
    expect(await status()).toBe("starting");
    time += 5000;
    expect(await status()).toBe("running");
    await api.ok("StopLoadBalancerListener", at);
    expect(await status()).toBe("stopped");
});

test("a listener is busy after a change, and so is a group", async () => {
    const api = await withGroup();
    api.world.config.delays.listenerBusy = 60_000;
    await api.ok("CreateLoadBalancerTCPListener", { ...at, VServerGroupId: "rsp-0001" });
    expect(await api.refused("StartLoadBalancerListener", { ...at, ListenerProtocol: "tcp" })).toBe(
        "ServiceIsConfiguring",
    );
    api.world.config.delays.serverGroupBusy = 60_000;
    const add = { VServerGroupId: "rsp-0001", BackendServers: '[{"ServerId":"i-1","Port":80}]' };
    await api.ok("AddVServerGroupBackendServers", add);
    expect(await api.refused("RemoveVServerGroupBackendServers", add)).toBe("VServerGroupProcessing");
});

test("parameters of another protocol are ignored, even out of range", async () => {
    const api = await withGroup();
    await api.ok("CreateLoadBalancerTCPListener", {
        ...at,
        VServerGroupId: "rsp-0001",
        HealthCheckInterval: 50,
        healthCheckInterval: 7,
    });
    await api.ok("SetLoadBalancerTCPListenerAttribute", {
        ...at,
        StickySession: "",
        HealthCheck: "",
        RequestTimeout: 0,
        IdleTimeout: 0,
        Gzip: "off",
        HealthCheckSwitch: "off",
    });
    const listener = await api.ok("DescribeLoadBalancerTCPListenerAttribute", at);
    expect(listener["HealthCheckInterval"]).toBe(7);
    expect(listener["HealthCheck"]).toBe("off");
    for (const name of ["StickySession", "RequestTimeout", "IdleTimeout", "Gzip", "HealthCheckSwitch"])
        expect([name, name in listener]).toStrictEqual([name, false]);
});

test("BackendServerPort is shown only without a group, and -520 means the backend's own port", async () => {
    const api = await withGroup();
    await api.ok("CreateLoadBalancerTCPListener", { ...at, BackendServerPort: 8080, HealthCheckConnectPort: 99 });
    expect((await api.ok("DescribeLoadBalancerTCPListenerAttribute", at))["BackendServerPort"]).toBe(8080);
    await api.ok("SetLoadBalancerTCPListenerAttribute", {
        ...at,
        VServerGroup: "on",
        VServerGroupId: "rsp-0001",
        HealthCheckConnectPort: -520,
    });
    const grouped = await api.ok("DescribeLoadBalancerTCPListenerAttribute", at);
    expect("BackendServerPort" in grouped).toBe(false);
    expect("HealthCheckConnectPort" in grouped).toBe(false);
    await api.ok("SetLoadBalancerTCPListenerAttribute", { ...at, VServerGroup: "off" });
    expect((await api.ok("DescribeLoadBalancerTCPListenerAttribute", at))["BackendServerPort"]).toBe(8080);
});

test("DescribeLoadBalancerListeners goes through all pages", async () => {
    const api = await withGroup();
    for (let port = 1; port <= 7; port++)
        await api.ok("CreateLoadBalancerUDPListener", { ...at, ListenerPort: port, VServerGroupId: "rsp-0001" });
    const seen: unknown[] = [];
    let token = "";
    do {
        const page = await api.ok("DescribeLoadBalancerListeners", {
            "LoadBalancerId.1": "lb-0001",
            MaxResults: 3,
            ...(token === "" ? {} : { NextToken: token }),
        });
        seen.push(
            ...(page["Listeners"] as { ListenerPort: number; UDPListenerConfig: object }[]).map((l) => [
                l.ListenerPort,
                typeof l.UDPListenerConfig,
            ]),
        );
        token = String(page["NextToken"]);
    } while (token !== "");
    expect(seen).toStrictEqual([1, 2, 3, 4, 5, 6, 7].map((port) => [port, "object"]));
});

test("deletion of an instance deletes its listeners, groups and domains, and its address", async () => {
    const api = await withGroup();
    await api.ok("CreateLoadBalancerHTTPSListener", {
        LoadBalancerId: "lb-0001",
        ListenerPort: 443,
        VServerGroupId: "rsp-0001",
        ServerCertificateId: "cert-good",
    });
    await api.ok("CreateDomainExtension", {
        LoadBalancerId: "lb-0001",
        ListenerPort: 443,
        Domain: "a.com",
        ServerCertificateId: "cert-good",
    });
    await api.ok("DeleteLoadBalancer", { LoadBalancerId: "lb-0001" });
    const { slb, vpc } = api.world;
    expect(
        [slb.listeners, slb.vServerGroups, slb.domainExtensions, vpc.publicAddresses].map((m) => m.size),
    ).toStrictEqual([0, 0, 0, 0]);
});

test("health: normal by default, as set for a server, unavailable while the listener is stopped", async () => {
    const api = await withGroup();
    await api.ok("AddVServerGroupBackendServers", {
        VServerGroupId: "rsp-0001",
        BackendServers: '[{"ServerId":"i-1","Port":80},{"ServerId":"i-2","Port":80}]',
    });
    await api.ok("CreateLoadBalancerTCPListener", { ...at, VServerGroupId: "rsp-0001" });
    const health = async (): Promise<unknown[]> =>
        (
            (await api.ok("DescribeHealthStatus", { LoadBalancerId: "lb-0001" }))["BackendServers"] as {
                BackendServer: { ServerHealthStatus: string }[];
            }
        ).BackendServer.map((b) => b.ServerHealthStatus);
    expect(await health()).toStrictEqual(["unavailable", "unavailable"]);
    await api.ok("StartLoadBalancerListener", { ...at, ListenerProtocol: "tcp" });
    api.world.slb.health.set("i-2", "abnormal");
    expect(await health()).toStrictEqual(["normal", "abnormal"]);
});
