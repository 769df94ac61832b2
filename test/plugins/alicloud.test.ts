/** The alicloud stand-in against the simulated cloud. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCloud, type RunningCloud } from "../../lab/cloud";
import { PluginClient, urnOf, type Properties } from "./plugin-client";

let dir: string;
let cloud: RunningCloud;
let plugin: PluginClient;

beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "alicloud-plugin-"));
    const [accessKeyId, accessKeySecret] = [`LTAI${randomBytes(8).toString("hex")}`, randomBytes(15).toString("hex")];
    cloud = await startCloud({ dir, accessKeyId, accessKeySecret });
    const products = ["SLB", "NLB", "VPC", "ECS", "LOCATION", "BSSOPENAPI", "STS"];
    plugin = await PluginClient.start(
        "alicloud",
        { region: "cn-hangzhou", skipRegionValidation: "true" },
        {
            ALIBABA_CLOUD_ACCESS_KEY_ID: accessKeyId,
            ALIBABA_CLOUD_ACCESS_KEY_SECRET: accessKeySecret,
            ALIBABA_CLOUD_ACCOUNT_TYPE: "Domestic",
            ...Object.fromEntries(
                products.map((product) => [`ALIBABA_CLOUD_ENDPOINT_${product}`, `127.0.0.1:${cloud.port}`]),
            ),
            SSL_CERT_FILE: cloud.caFile,
        },
    );
});

afterAll(async () => {
    await plugin?.stop();
    await cloud?.stop();
    await rm(dir, { recursive: true, force: true });
});

interface Made {
    readonly urn: string;
    readonly id: string;
    readonly state: Properties;
    readonly inputs: Properties;
}

async function make(type: string, given: Properties): Promise<Made> {
    const urn = urnOf(type);
    const { inputs, failures } = await plugin.check(urn, {}, given);
    expect(failures).toStrictEqual([]);
    const { id, state } = await plugin.create(urn, inputs);
    return { urn, id, state, inputs };
}

async function change(made: Made, given: Properties): Promise<Made> {
    const { inputs, failures } = await plugin.check(made.urn, made.inputs, given);
    expect(failures).toStrictEqual([]);
    const diff = await plugin.diff(made.urn, made.id, made.state, made.inputs, inputs);
    expect([diff.changed, diff.replaces]).toStrictEqual([true, []]);
    return { ...made, inputs, state: await plugin.update(made.urn, made.id, made.state, made.inputs, inputs) };
}

const unmake = (made: Made): Promise<void> => plugin.delete(made.urn, made.id, made.state, made.inputs);

async function assertSettled(made: Made): Promise<void> {
    const found = await plugin.read(made.urn, made.id, made.state, made.inputs);
    // A refresh also shows defaults that the operation itself left out.
    const known = Object.fromEntries(Object.entries(found.state).filter(([name]) => name in made.state));
    // A refresh finds the state of the last operation.
    expect([made.urn, known]).toStrictEqual([made.urn, made.state]);
    expect((await plugin.diff(made.urn, made.id, found.state, found.inputs, made.inputs)).changed).toBe(false);
}

test("a CLB with server group and listener is created, read, updated and deleted", async () => {
    const balancer = await make("alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer", {
        loadBalancerName: "web",
        addressType: "intranet",
        vswitchId: "vsw-lab-a",
        instanceChargeType: "PayByCLCU",
        tags: { team: "edge" },
    });
    expect(balancer.id).toMatch(/^lb-/);
    expect(balancer.state["status"]).toBe("active");
    await assertSettled(balancer);
    const group = await make("alicloud:slb/serverGroup:ServerGroup", { loadBalancerId: balancer.id, name: "web" });
    const given: Properties = {
        loadBalancerId: balancer.id,
        frontendPort: 80,
        protocol: "http",
        bandwidth: -1,
        serverGroupId: group.id,
        healthCheck: "on",
        stickySession: "off",
    };
    let listener = await make("alicloud:slb/listener:Listener", given);
    expect(listener.id).toBe(`${balancer.id}:http:80`);
    await assertSettled(listener);
    listener = await change(listener, { ...given, idleTimeout: 30 });
    expect(listener.state["idleTimeout"]).toBe(30);
    await assertSettled(listener);
    const renamed = await change(balancer, { ...balancer.inputs, loadBalancerName: "web-2", tags: { team: "core" } });
    expect([renamed.state["loadBalancerName"], renamed.state["tags"]]).toStrictEqual(["web-2", { team: "core" }]);

    const imported = await plugin.read(balancer.urn, balancer.id);
    expect(imported.inputs["loadBalancerName"]).toBe("web-2");

    for (const made of [listener, group, renamed]) {
        await unmake(made);
        const { id } = await plugin.read(made.urn, made.id, made.state, made.inputs);
        expect([made.urn, id]).toStrictEqual([made.urn, ""]);
    }
});

test("an NLB with server group and listener is created, read, updated and deleted", async () => {
    const balancer = await make("alicloud:nlb/loadBalancer:LoadBalancer", {
        loadBalancerName: "net",
        addressType: "Intranet",
        vpcId: "vpc-lab",
        zoneMappings: [
            { zoneId: "cn-hangzhou-a", vswitchId: "vsw-lab-a" },
            { zoneId: "cn-hangzhou-b", vswitchId: "vsw-lab-b" },
        ],
    });
    expect(balancer.id).toMatch(/^nlb-/);
    expect(balancer.state["status"]).toBe("Active");
    await assertSettled(balancer);
    const group = await make("alicloud:nlb/serverGroup:ServerGroup", {
        serverGroupName: "net",
        vpcId: "vpc-lab",
        serverGroupType: "Ip",
        protocol: "TCP",
    });
    const given: Properties = {
        loadBalancerId: balancer.id,
        listenerPort: 443,
        listenerProtocol: "TCP",
        serverGroupId: group.id,
    };
    let listener = await make("alicloud:nlb/listener:Listener", given);
    listener = await change(listener, { ...given, idleTimeout: 60 });
    expect(listener.state["idleTimeout"]).toBe(60);
    await assertSettled(listener);
    for (const made of [listener, group, balancer]) {
        await unmake(made);
        const { id } = await plugin.read(made.urn, made.id, made.state, made.inputs);
        expect([made.urn, id]).toStrictEqual([made.urn, ""]);
    }
});

test("an error of the cloud keeps its code, and nothing is created", async () => {
    const urn = urnOf("alicloud:slb/serverGroup:ServerGroup");
    const { inputs } = await plugin.check(urn, {}, { loadBalancerId: "lb-none", name: "g" });
    await expect(plugin.create(urn, inputs)).rejects.toThrow(/InvalidLoadBalancerId.NotFound/);
});
