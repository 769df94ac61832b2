/**
 * The three scenarios of an ACK Edge cluster with their examples, from `pulumi up` to `pulumi destroy`, and unsupported
 * combinations.
 * Only a run shows that the examples work from their first command to their last.
 *
 * Requirements: D31, H01, H02, H03, H04, H05, H06, I45, I53.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY, scaleDeployment, type Session, waitForDeployment, waitForEndpoints } from "../../lab";
import { addressesOfServices } from "../support/addresses";
import { forget } from "../support/forget";
import { pattern } from "../support/pattern";
import { assertEmpty, type CloudState, Stack, startWorld, stateOf } from "../support/world";

const EDGE_WORKER = "alibabacloud.com/is-edge-worker";

/** Pods at the edge have addresses outside all vSwitches of the lab's cloud. */
const EDGE_PODS = "172.30";

interface CloudNode {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly providerID: string };
}

let session: Session;
/** Stack of what is refused. */
let stack: Stack;
/** ECS instances of the cloud nodes. */
let servers: string[];

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    const { cluster } = session.lab;
    const { items } = await cluster.get<{ items: CloudNode[] }>("/api/v1/nodes");
    for (const { metadata } of items)
        await cluster.patch(`/api/v1/nodes/${metadata.name}`, { metadata: { labels: { [EDGE_WORKER]: "false" } } });
    servers = items.map(({ spec }) => spec.providerID.split(".")[1] ?? "");
    const edge = { [EDGE_WORKER]: "true" };
    await session.lab.addNode({
        name: "ens-1",
        providerId: "cn-hangzhou-44.i-5ens1",
        labels: { ...edge, "alibabacloud.com/ens-instance-id": "i-5ens1" },
        podCidr: `${EDGE_PODS}.1.0/24`,
    });
    await session.lab.addNode({ name: "site-1", providerId: "", labels: edge, podCidr: `${EDGE_PODS}.2.0/24` });
});

afterAll(async () => {
    await session.lab.stop();
    forget(stack);
});

async function kubectl(...args: string[]): Promise<string> {
    const { code, text } = await session.run("kubectl", args);
    expect({ code, text }).toStrictEqual({ code: 0, text });
    return text.trim();
}

/** An example, run as its README says. */
class Example {
    private constructor(
        readonly folder: string,
        readonly stack: string,
    ) {}

    /** Applies the workload and creates the stack. */
    static async open(
        name: string,
        config: Readonly<Record<string, string>>,
        deployments: readonly string[],
    ): Promise<Example> {
        const example = new Example(path.join(REPOSITORY, "examples", name), `edge-${process.pid}`);
        await kubectl("apply", "-f", path.join(example.folder, "workload.yaml"));
        for (const deployment of deployments) await waitForDeployment(session.lab.cluster, "default", deployment);
        await example.pulumi("stack", "init", example.stack);
        for (const [key, value] of Object.entries({ clusterId: "c-edge", ...config }))
            await example.pulumi("config", "set", key, value, "--stack", example.stack);
        return example;
    }

    async pulumi(...args: string[]): Promise<string> {
        const { code, text } = await session.run("pulumi", [...args, "--non-interactive"], { cwd: this.folder });
        expect({ code, text }).toStrictEqual({ code: 0, text });
        return text;
    }

    up(...flags: string[]): Promise<string> {
        return this.pulumi("up", "--yes", "--skip-preview", "--stack", this.stack, ...flags);
    }

    /** Destroys all of it and removes the workload. */
    async close(): Promise<void> {
        await this.pulumi("destroy", "--yes", "--skip-preview", "--stack", this.stack);
        assertEmpty(await stateOf(session));
        fs.rmSync(path.join(this.folder, `Pulumi.${this.stack}.yaml`), { force: true });
        await kubectl("delete", "-f", path.join(this.folder, "workload.yaml"));
    }
}

/** Names of the nodes, and addresses, of the pods of a workload. */
async function podsOf(app: string): Promise<{ ip: string; node: string }[]> {
    const { items } = await session.lab.cluster.get<{
        items: { spec: { nodeName: string }; status: { podIP: string } }[];
    }>(`/api/v1/namespaces/default/pods?labelSelector=app%3D${app}`);
    return items.map(({ spec, status }) => ({ ip: status.podIP, node: spec.nodeName }));
}

/** Backends of the only vServer group, by server. */
function backendsOf({ slb }: CloudState): string[] {
    expect(slb.vServerGroups).toHaveLength(1);
    return (slb.vServerGroups[0]?.backends ?? []).map(({ serverId, type }) => `${type} ${serverId}`).sort();
}

test("pods on cloud nodes: a CLB without annotations leaves out the edge nodes and names them", async () => {
    const example = await Example.open("edge-ecs-clb", {}, ["edge-shop"]);
    const text = await example.up();
    expect(text).toMatch(
        pattern(
            /Service default\/edge-shop: /,
            /without an ECS instance in the cluster's VPC, and so never backends: nodes ens-1, site-1/,
        ),
    );
    expect(text).not.toMatch(/Express Connect/);
    const state = await stateOf(session);
    const names = new Set((await podsOf("edge-shop")).map(({ node }) => node));
    expect(backendsOf(state).length).toBe(names.size);
    for (const backend of backendsOf(state)) expect(servers).toContain(backend.replace("ecs ", ""));
    const addresses = state.slb.loadBalancers.map(({ address }) => address);
    expect((await addressesOfServices(session))["edge-shop"]).toStrictEqual(addresses);
    await example.close();
});

test("pods at the edge: all ECS instances forward to them, and a warning names the network", async () => {
    const example = await Example.open("edge-ens-forwarding", {}, ["edge-cache"]);
    expect(new Set((await podsOf("edge-cache")).map(({ node }) => node))).toStrictEqual(new Set(["ens-1", "site-1"]));
    expect(await example.up()).toMatch(
        pattern(
            /pods at the edge \(nodes ens-1, site-1\) need ECS instances that forward to them, /,
            /and an Express Connect circuit .*edgeLink: true/,
        ),
    );
    expect(backendsOf(await stateOf(session))).toStrictEqual(servers.map((id) => `ecs ${id}`).sort());
    await example.pulumi("config", "set", "edgeLink", "true", "--stack", example.stack);
    expect(await example.up("--expect-no-changes")).not.toMatch(/Express Connect/);
    await example.close();
});

test("pods on both sides: the NLB sends to each pod by its address", async () => {
    const vswitches = '{"cn-hangzhou-a": "vsw-lab-a", "cn-hangzhou-b": "vsw-lab-b"}';
    const example = await Example.open("edge-hybrid-nlb", { vswitches, edgeLink: "true" }, [
        "edge-api-cloud",
        "edge-api-edge",
    ]);
    await example.up();
    const members = async () =>
        (await stateOf(session)).nlb.serverGroups.flatMap(({ type, servers }) =>
            servers.map(
                ({ serverId, serverType, serverIp, port }) => `${type} ${serverType} ${serverId} ${serverIp} ${port}`,
            ),
        );
    const wanted = async () => (await podsOf("edge-api")).map(({ ip }) => `Ip Ip ${ip} ${ip} 8080`);
    expect((await members()).sort()).toStrictEqual((await wanted()).sort());
    expect((await members()).filter((member) => member.includes(` ${EDGE_PODS}.`))).toHaveLength(2);
    expect((await addressesOfServices(session))["edge-api"]).toStrictEqual([expect.stringMatching(/nlb/)]);
    await scaleDeployment(session.lab.cluster, "default", "edge-api-edge", 3);
    await waitForDeployment(session.lab.cluster, "default", "edge-api-edge");
    await waitForEndpoints(session.lab.cluster, "default", "edge-api", 5);
    await example.up();
    expect((await members()).sort()).toStrictEqual((await wanted()).sort());
    expect(await members()).toHaveLength(5);
    await example.close();
});

test("externalTrafficPolicy Local is refused for pods at the edge", async () => {
    await kubectl("apply", "-f", path.join(REPOSITORY, "examples/edge-ens-forwarding/workload.yaml"));
    await waitForDeployment(session.lab.cluster, "default", "edge-cache");
    const forwarded = { name: "cache", selector: "edge-cache", ports: [{ port: 80 }] } as const;
    stack = await Stack.create(session, "edge", [{ ...forwarded, policy: "Local" }]);
    const since = await session.lastCall();
    expect(stack.fail(await stack.up())).toMatch(
        pattern(
            /Service default\/cache: pods at the edge \(nodes ens-1, site-1\) cannot be reached /,
            /with externalTrafficPolicy Local: .*Remedy: set externalTrafficPolicy to Cluster.*/,
            /Source: Use LoadBalancer Services to expose applications in ACK Edge clusters/,
        ),
    );
    expect((await session.calls(since)).filter(({ mutating }) => mutating)).toStrictEqual([]);
    // The Service was not applied.
    expect(Object.keys(await addressesOfServices(session))).not.toContain("cache");

    stack.write([forwarded]);
    stack.succeed(await stack.up());
    stack.write([
        { ...forwarded, policy: "Local", annotations: { "address-type": "intranet", "vswitch-id": "vsw-lab-a" } },
    ]);
    const before = await stateOf(session);
    const both = stack.fail(await stack.preview());
    expect(both).toMatch(/cannot be reached with externalTrafficPolicy Local/);
    expect(both).toMatch(/addressType cannot change/);
    expect((await stateOf(session)).slb).toStrictEqual(before.slb);
});

test("pods are refused as an NLB's backends on Flannel, and Terway is refused on an edge cluster", async () => {
    const hybrid = fs.readFileSync(path.join(REPOSITORY, "examples/edge-hybrid-nlb/service.yaml"), "utf8");
    const zones =
        "    service.beta.kubernetes.io/alibaba-cloud-loadbalancer-zone-maps: " +
        '"cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b"\n';
    stack.writeText(hybrid.replace("  annotations:\n", `  annotations:\n${zones}`));
    await stack.config("clusterType", "edge");
    await stack.config("networkPlugin", "flannel");
    expect(stack.fail(await stack.preview())).toMatch(
        pattern(
            /error\[annotation-exclusion\].*backend-type.*only with Terway Edge.*\n/,
            /.*remedy: .*\n.*source: Use LoadBalancer Services to expose/,
        ),
    );
    await stack.config("networkPlugin", "terway");
    expect(stack.fail(await stack.preview())).toMatch(
        /error\[cluster-facts\].*an ACK Edge cluster runs Terway Edge or Flannel/,
    );
    await stack.config("networkPlugin", "terway-edge");
    stack.succeed(await stack.preview());
});
