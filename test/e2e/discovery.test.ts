/**
 * A stack that configures nothing but its manifests: the cluster says the rest.
 * Only a run shows what a program finds in a cluster that nobody configured.
 *
 * Requirements: X05.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Result, Session } from "../../lab";
import { onTestFinished } from "../support/finished";
import { forget } from "../support/forget";
import { pattern } from "../support/pattern";
import { Program } from "../support/program";
import { WHOLE } from "../support/sample";
import { assertEmpty, type CloudState, Stack, startWorld, stateOf } from "../support/world";

const PROFILE = "/api/v1/namespaces/kube-system/configmaps/ack-cluster-profile";
const CONFIG_MAPS = "/api/v1/namespaces/kube-system/configmaps";

let session: Session;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
});

afterAll(async () => {
    await session.lab.stop();
});

const INNER = { name: "inner", annotations: { "address-type": "intranet" } };

const say = (data: Readonly<Record<string, string | null>>) => session.lab.cluster.patch(PROFILE, { data });

/** Terway's own ConfigMap. */
const installTerway = () =>
    session.lab.cluster.create(CONFIG_MAPS, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "eni-config", namespace: "kube-system" },
        data: { eni_conf: '{"ip_stack": "ipv4"}' },
    });

test("id, VPC and vSwitches come from the cluster, and contradictions are refused", async () => {
    const stack = await Stack.create(session, "discovery", [INNER]);
    const since = await session.lastCall();
    const refused = async (...messages: readonly RegExp[]): Promise<void> => {
        const text = stack.fail(await stack.up());
        for (const message of messages) expect(text).toMatch(message);
    };
    const zones = "vsw-lab-a:cn-hangzhou-a, vsw-lab-b:cn-hangzhou-b";

    await stack.config("vpcId", "vpc-other");
    await say({ "vsw-zone": "vsw-lab-a:cn-beijing-a" });
    await refused(
        /"vpc-other" is configured, but the cluster says that it is "vpc-lab"/,
        /run is for region cn-hangzhou, but the cluster stands in cn-beijing/,
    );
    await stack.config("vpcId", "");
    await say({ uid: "1000000000000009", "vsw-zone": zones });
    await refused(
        pattern(
            /credentials are of account 1000000000000001, but the cluster belongs to account 1000000000000009.*/,
            /Remedy: use credentials of the cluster's account/,
        ),
    );
    await say({ uid: "1000000000000001" });

    const { data } = await session.lab.cluster.get<{ data: Record<string, string> }>(PROFILE);
    await session.lab.cluster.delete(PROFILE);
    await refused(/clusterId is not configured, and cannot be detected from the cluster/);
    expect((await session.calls(since)).filter(({ mutating }) => mutating)).toStrictEqual([]);

    await session.lab.cluster.create(CONFIG_MAPS, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "ack-cluster-profile", namespace: "kube-system" },
        data,
    });
    stack.succeed(await stack.up());
    const { slb } = await stateOf(session);
    expect(slb.loadBalancers.map(({ vSwitchId }) => vSwitchId)).toStrictEqual(["vsw-lab-a"]);
    expect(slb.vServerGroups.map(({ name }) => name.endsWith("/inner/default/c-test"))).toStrictEqual([true]);

    // An edge node in another region does not affect the cluster's region. It is listed before all others.
    const labels = { "alibabacloud.com/is-edge-worker": "true" };
    await session.lab.addNode({ name: "an-edge", zone: "cn-beijing-a", labels });
    // As the profiles of older clusters.
    await say({ "vsw-zone": null, vswitch: "vsw-lab-a,vsw-lab-b" });
    stack.succeed(await stack.up("--expect-no-changes"));
    await session.lab.cluster.delete("/api/v1/nodes/an-edge");
    await say({ "vsw-zone": zones, vswitch: null });
    await stack.remove();
    assertEmpty(await stateOf(session));
});

test("objects of one cluster share hooks, reads and providers, and contradictions name both", async () => {
    const services = ["one", "two"]
        .map(
            (name, index) =>
                `new ServiceLoadBalancer("${name}", { cluster: clusters[${index}], service: { name: "${name}", ` +
                `selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] } });\n`,
        )
        .join("");
    const program = (...clusters: string[]): string =>
        `module.exports = Promise.all([${clusters.join(", ")}]).then((clusters) => {\n${services}return {};\n});`;
    const [stated, more] = ['new Cluster({ clusterId: "c-test" })', '{ kubeProxyMode: "ipvs", sync: false }'];
    const stack = await Program.create(session, "objects", program(stated, stated));
    onTestFinished(async () => void stack.succeed(await stack.destroy()));
    const connection = `clusterId: "c-test", kubeconfig: ${JSON.stringify(session.lab.env["KUBECONFIG"])}`;
    const pairs = [
        [stated, 'new Cluster({ clusterId: "c-test", vpcId: "vpc-lab" })'],
        ["Cluster.discover()", `Cluster.discover(${more})`],
        [stated, `Cluster.discover(${more})`],
    ];
    for (const clusters of WHOLE ? pairs : pairs.slice(-1)) {
        stack.write(program(...clusters));
        stack.succeed(await stack.preview());
    }
    stack.write(
        program(`new Cluster({ ${connection} })`, `Cluster.discover({ ${connection}, kubeProxyMode: "ipvs" })`),
    );
    stack.succeed(await stack.up());

    stack.write(program('new Cluster({ clusterId: "c-test", vpcId: "vpc-old" })', "Cluster.discover()"));
    const text = stack.fail(await stack.preview());
    expect(text).toContain('have the clusterId "c-test" and contradict each other: vpcId is "vpc-old" and "vpc-lab"');
    expect(text).not.toMatch(/ {4}at /);
    stack.write(program(stated, stated));
});

/** Stack of the next two tests. */
let stack: Stack;

test("the run that creates load balancers tells if they go into the default resource group", async () => {
    const said = /load balancers are created in the account's default resource group: none is named/g;
    stack = await Stack.create(session, "group", [{ name: "one" }, { name: "two" }]);
    // The preview says it, and the update after it.
    const text = stack.succeed(await stack.run("up", ["--yes"]));
    const diagnostics = text.match(/^Diagnostics:$[^]*?^Resources:$/gm) ?? [];
    expect(diagnostics.map((part) => part.match(said)?.length)).toStrictEqual([1, 1]);
    expect(stack.succeed(await stack.up())).not.toMatch(said);
    await stack.config("resourceGroupId", "rg-cluster");
    stack.write([{ name: "one" }, { name: "two" }, { name: "three" }]);
    expect(stack.succeed(await stack.up())).not.toMatch(said);
    const { slb } = await stateOf(session);
    expect(slb.loadBalancers.map(({ resourceGroupId }) => resourceGroupId).sort()).toStrictEqual([
        "rg-cluster",
        "rg-default",
        "rg-default",
    ]);
});

test("a detected setting that differs from the last run is refused until it is configured", async () => {
    await say({ clusterid: "c-renamed" });
    expect(stack.fail(await stack.preview())).toMatch(/clusterId/);
    await say({ clusterid: "c-test" });

    await installTerway();
    const refused = stack.fail(await stack.up());
    expect(refused).toMatch(/the last run detected no networkPlugin; now it is "terway"/);
    expect(refused).toMatch(/Remedy: configure it: pulumi config set networkPlugin terway/);
    await session.lab.cluster.delete(`${CONFIG_MAPS}/eni-config`);
    stack.succeed(await stack.up());

    await stack.remove();
    assertEmpty(await stateOf(session));
});

test("an unreachable cluster or invalid kubeconfig ends the run with one message", async () => {
    const stack = await Stack.create(session, "unreadable", [{ name: "one" }]);
    const program = await Program.create(session, "unreadable-program", "");
    const existing = `new Cluster({ clusterId: "c-test" }), namespace: "default", name: "shop"`;
    program.write(`const { MAKE } = process.env;
const make = MAKE === "adopt" ? ServiceLoadBalancer.adopt : ServiceLoadBalancer.forExisting;
module.exports = async () => ({ address: (await make("shop", { cluster: ${existing} })).address });`);
    const kubeconfig = fs.readFileSync(session.lab.cluster.kubeconfig, "utf8");
    const down = path.join(session.lab.dir, "down.kubeconfig");
    fs.writeFileSync(down, kubeconfig.replace(/server: .*/, "server: https://127.0.0.1:1"), { mode: 0o600 });
    const expectOneMessage = ({ code, text }: Result, kind: string) => {
        expect(code).not.toBe(0);
        expect(text).toMatch(new RegExp(`Kubernetes: .*${kind}[^]*remedy: `));
        expect(text).not.toMatch(/unhandled exception|PromiseRejection|^ +at .*\.js/m);
        expect(text.match(/remedy: /g)).toHaveLength(1);
    };
    // As processes: what Node itself prints counts, too.
    const asProcess = { NODE_OPTIONS: "--trace-warnings" };
    // A sample has the stack without an id, and both ways of the program.
    const stacks = [
        { clusterId: "", kind: "invalid-kubeconfig", KUBECONFIG: "/none" },
        { clusterId: "c-test", kind: "invalid-kubeconfig", KUBECONFIG: "/none" },
        { clusterId: "c-test", kind: "unreachable", KUBECONFIG: down },
    ];
    for (const { clusterId, kind, KUBECONFIG } of WHOLE ? stacks : stacks.slice(0, 1)) {
        await stack.config("clusterId", clusterId);
        expectOneMessage(await stack.run("preview", [], { env: { KUBECONFIG, ...asProcess } }), kind);
    }
    const programs = [
        { MAKE: "forExisting", kind: "invalid-kubeconfig", KUBECONFIG: "/none" },
        { MAKE: "adopt", kind: "invalid-kubeconfig", KUBECONFIG: "/none" },
        { MAKE: "forExisting", kind: "unreachable", KUBECONFIG: down },
    ];
    for (const { MAKE, kind, KUBECONFIG } of WHOLE ? programs : programs.slice(1)) {
        program.env = { KUBECONFIG, MAKE, ...asProcess };
        expectOneMessage(await program.preview(), kind);
    }
    forget(stack);
});

test("on Terway, pods are the backends of a new stack, and stay if detection fails later", async () => {
    await installTerway();
    const stack = await Stack.create(session, "terway", [{ name: "pods" }]);
    const pods = await session.lab.cluster.get<{ items: { status: { podIP: string } }[] }>(
        "/api/v1/namespaces/default/pods?labelSelector=app%3Dshop",
    );
    await session.cloud("/_seed", {
        networkInterfaces: [{ id: "eni-1", privateIps: pods.items.map((pod) => pod.status.podIP) }],
    });
    stack.succeed(await stack.up());
    const backends = async () => (await stateOf(session)).slb.vServerGroups.flatMap((group) => group.backends);
    expect((await backends()).map(({ type }) => type)).toStrictEqual(["eni", "eni", "eni", "eni"]);

    await session.lab.cluster.delete(`${CONFIG_MAPS}/eni-config`);
    expect(stack.fail(await stack.up())).toMatch(
        /the last run detected networkPlugin "terway" from the cluster; now it can no longer be detected/,
    );
    await stack.config("networkPlugin", "terway");
    stack.succeed(await stack.up());
    expect(await backends()).toHaveLength(4);
    await stack.remove();
    assertEmpty(await stateOf(session));
});

test("a region with a different naming of zones needs no configuration", async () => {
    const region = "ap-southeast-1";
    const { ecs } = await session.cloud<{ ecs: { instances: { id: string }[] } }>("/_state");
    await session.cloud("/_places", { region });
    await session.cloud(`/_seed?region=${region}`, {
        vpcs: [{ id: "vpc-lab" }],
        vSwitches: ["a", "b"].map((zone, index) => ({
            ...{ id: `vsw-lab-${zone}`, vpcId: "vpc-lab" },
            ...{ zoneId: `${region}${zone}`, cidr: `10.${index}.0.0/16` },
        })),
        instances: ecs.instances.map(({ id }) => ({ id })),
    });
    await say({ "vsw-zone": `vsw-lab-a:${region}a,vsw-lab-b:${region}b` });
    const labels = [`topology.kubernetes.io/region=${region}`, `topology.kubernetes.io/zone=${region}a`];
    await session.run("kubectl", ["label", "nodes", "--all", "--overwrite", ...labels]);

    const network = {
        name: "network",
        loadBalancerClass: "alibabacloud.com/nlb",
        annotations: { "zone-maps": `${region}a:vsw-lab-a,${region}b:vsw-lab-b` },
    };
    const stack = await Stack.create(session, "abroad", [INNER, network]);
    onTestFinished(() => forget(stack));
    const up = async (...flags: string[]) => {
        const env = { ALIBABA_CLOUD_REGION: region };
        stack.succeed(await stack.run("up", ["--yes", "--skip-preview", ...flags], { env }));
    };
    await up();
    const { slb, nlb } = await session.cloud<CloudState>(`/_state?region=${region}`);
    expect(slb.vServerGroups.flatMap(({ backends }) => backends)).toHaveLength(3);
    expect(nlb.loadBalancers).toHaveLength(1);
    await up("--refresh", "--expect-no-changes");
    assertEmpty(await stateOf(session));
});
