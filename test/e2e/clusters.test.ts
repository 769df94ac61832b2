/**
 * A stack belongs to one cluster: a kubeconfig, context or provider of another cluster is refused before a change.
 * Only a run shows which cluster each of the plugins reaches.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import { applyYaml, type Lab, Session, waitFor } from "../../lab";
import { pattern } from "../support/pattern";
import { Program } from "../support/program";
import { startTwoClusters, type TwoClusters } from "../support/two-clusters";
import { assertEmpty, callsOf, serviceYaml, Stack, stateOf, writesOf } from "../support/world";

let clusters: TwoClusters;
let uid: { a: string; b: string };

beforeAll(async () => {
    clusters = await startTwoClusters();
    const [a, b] = await Promise.all([clusterUid(clusters.session.lab.cluster), clusterUid(clusters.other.cluster)]);
    uid = { a, b };
});

afterAll(() => clusters.stop());

const clusterUid = async (cluster: Lab["cluster"]): Promise<string> =>
    (await cluster.get<{ metadata: { uid: string } }>("/api/v1/namespaces/kube-system")).metadata.uid;

interface Service {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly loadBalancerClass?: string };
    readonly status: { readonly loadBalancer: { readonly ingress?: readonly { ip?: string }[] } };
}

const serviceIn = async (cluster: Lab["cluster"], name: string): Promise<Service | undefined> =>
    (await cluster.get<{ items: Service[] }>("/api/v1/namespaces/default/services")).items.find(
        ({ metadata }) => metadata.name === name,
    );

/** A run does not wait until the garbage collector has removed a Service. */
const serviceGone = (cluster: Lab["cluster"], name: string): Promise<true> =>
    waitFor(`the Service ${name} is gone`, async () => ((await serviceIn(cluster, name)) ? undefined : true));

const members = async (): Promise<string[]> =>
    (await stateOf(clusters.session)).slb.vServerGroups
        .flatMap(({ backends }) => backends.map(({ serverId }) => serverId))
        .sort();

/**
 * Returns a program with a Service, after other statements, and with further arguments and options of its component.
 */
const program = (cluster: string, { before = "", args = "", opts = "" } = {}): string =>
    `${before}\nconst cluster = new Cluster({ clusterId: "c-one", ${cluster} });\n` +
    'new ServiceLoadBalancer("web", { cluster, service: { name: "web", selector: { app: "shop" }, ' +
    `ports: [{ port: 80, targetPort: 8080 }] }, ${args} }, { ${opts} });`;

test("a kubeconfig of another cluster is refused at preview, up and destroy", async () => {
    const { session, kubeconfig, other } = clusters;
    const stack = await Program.create(session, "switched", program(""));
    stack.succeed(await stack.up());
    const before = await members();
    expect(before).toHaveLength(3);
    await applyYaml(other.cluster, serviceYaml({ name: "web", type: "ClusterIP" }));

    stack.env = { KUBECONFIG: kubeconfig.b };
    const calls = await callsOf(session, async () => {
        for (const refused of [await stack.preview(), await stack.up()]) {
            const text = stack.fail(refused);
            expect(text).toContain(`it belongs to the cluster ${uid.a} (https://`);
            expect(text).toContain(`but this run reaches ${uid.b} (https://`);
            expect(text).toMatch(/Remedy: correct kubeconfig or context/);
            expect(text).not.toMatch(/ {4}at /);
        }
        expect(stack.fail(await stack.destroy())).toMatch(
            /the Service of that name has the UID .*remedy: correct kubeconfig or context/s,
        );
    });
    expect(calls).toStrictEqual({});
    expect(await members()).toStrictEqual(before);
    expect((await serviceIn(other.cluster, "web"))?.spec.loadBalancerClass).toBeUndefined();

    stack.env = {};
    stack.succeed(await stack.preview("--expect-no-changes"));
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
    await session.run("kubectl", ["delete", "service", "web", "--kubeconfig", kubeconfig.b]);
});

test("destroy, and up without the Service, write nothing if KUBECONFIG leads to another cluster", async () => {
    const { session, kubeconfig, other } = clusters;
    const stack = await Program.create(session, "elsewhere", program(""));
    stack.succeed(await stack.up());
    const address = (await serviceIn(session.lab.cluster, "web"))?.status.loadBalancer.ingress?.[0]?.ip;
    expect(address).toMatch(/^\d/);
    expect(await serviceIn(other.cluster, "web")).toBeUndefined();

    const deletes = async (...flags: string[]) => {
        stack.write(`new Cluster({ clusterId: "c-one" });`);
        const result = await stack.up(...flags);
        stack.write(program(""));
        return result;
    };
    const refusals = async (runs: readonly (() => ReturnType<Program["up"]>)[]) => {
        stack.env = { KUBECONFIG: kubeconfig.b };
        for (const run of runs) {
            const text = stack.fail(await run());
            expect(text).toContain(
                `Service default/web: it belongs to the cluster ${uid.a}, but this run reaches ${uid.b} (https://`,
            );
            expect(text).toMatch(/Remedy: correct kubeconfig or context \(KUBECONFIG, kubectl config use-context\)/);
            expect(text).not.toMatch(/ {4}at /);
        }
        stack.env = {};
    };
    expect(await writesOf(session, () => refusals([() => stack.destroy(), () => deletes()]))).toStrictEqual({});
    stack.succeed(await stack.up("--expect-no-changes"));
    expect((await serviceIn(session.lab.cluster, "web"))?.status.loadBalancer.ingress?.[0]?.ip).toBe(address);

    // A refresh takes the Service out of the state, as the kubernetes plugin does not find it. Its status stays.
    const refreshing = [
        () => deletes("--refresh"),
        () => stack.pulumi("destroy", "--yes", "--skip-preview", "--refresh"),
    ];
    expect(await writesOf(session, () => refusals(refreshing))).toStrictEqual({});
    // In the cluster of a Service that was deleted there by hand nothing is refused.
    await session.run("kubectl", ["delete", "service", "web"]);
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

test("identity allows a move to another cluster, which is previewed and creates everything there", async () => {
    const { session, kubeconfig, other } = clusters;
    const stack = await Program.create(session, "moved", program(""));
    stack.succeed(await stack.up());
    stack.env = { KUBECONFIG: kubeconfig.b };
    expect(stack.fail(await stack.preview())).toContain(`set allowReplacement: ["identity"]`);
    stack.write(program("", { args: `allowReplacement: ["identity"]` }));
    const text = stack.succeed(await stack.preview("--diff"));
    expect(text).toMatch(new RegExp(`moves from the cluster ${uid.a} .* to ${uid.b}`));
    // With the refresh the run finds out that the Service is not there, and makes it.
    stack.succeed(await stack.up("--refresh"));
    expect((await serviceIn(other.cluster, "web"))?.status.loadBalancer.ingress?.[0]?.ip).toMatch(/^\d/);
    expect(await members()).toHaveLength(2);
    stack.write(program(""));
    stack.succeed(await stack.preview("--expect-no-changes"));
    stack.succeed(await stack.destroy());
    await serviceGone(other.cluster, "web");
    assertEmpty(await stateOf(session));
    // What was made before stays where it was.
    await session.run("kubectl", ["delete", "service", "web"]);
});

test("a state of the previous version is kept without changes, and its cluster is recorded", async () => {
    const { kubeconfig } = clusters;
    // The account is asked for once in each process.
    const session = new Session(clusters.session.lab);
    const stack = await Program.create(session, "before", program(""));
    stack.succeed(await stack.up());
    const state = JSON.parse(await stack.state()) as {
        deployment: {
            resources: { type: string; inputs?: Record<string, unknown>; outputs?: Record<string, unknown> }[];
        };
    };
    for (const { inputs, outputs } of state.deployment.resources) {
        delete inputs?.["identity"];
        delete outputs?.["identity"];
    }
    const file = `${stack.folder}/state.json`;
    fs.writeFileSync(file, JSON.stringify(state));
    stack.succeed(await stack.pulumi("stack", "import", "--stack", "dev", "--file", file));

    stack.succeed(await stack.preview("--expect-no-changes"));
    const calls = await callsOf(session, async () => stack.succeed(await stack.up("--expect-no-changes")));
    expect(calls).toStrictEqual({ GetCallerIdentity: 1 });
    expect(await callsOf(session, async () => stack.succeed(await stack.up()))).toStrictEqual({});
    stack.env = { KUBECONFIG: kubeconfig.b };
    expect(stack.fail(await stack.preview())).toContain(`it belongs to the cluster ${uid.a}`);
    stack.env = {};
    stack.succeed(await stack.destroy());
});

test("the stack's context selects the cluster of nodes, Service and status", async () => {
    const { session, both, other } = clusters;
    const stack = await Stack.create(session, "context", [{ name: "ctx" }]);
    await stack.config("context", "b");
    const run = { env: { KUBECONFIG: both } };
    stack.succeed(await stack.run("up", ["--yes", "--skip-preview"], run));
    expect(await serviceIn(session.lab.cluster, "ctx")).toBeUndefined();
    expect((await serviceIn(other.cluster, "ctx"))?.status.loadBalancer.ingress?.[0]?.ip).toMatch(/^\d/);
    expect(await members()).toHaveLength(2);
    stack.succeed(await stack.run("preview", ["--expect-no-changes"], run));
    // Without the program, too: the state knows the context.
    stack.succeed(await stack.run("destroy", ["--yes", "--skip-preview"], run));
    await serviceGone(other.cluster, "ctx");
    assertEmpty(await stateOf(session));
    await stack.remove();
});

const provider = (file: string) => `const b = new kubernetes.Provider("b", { kubeconfig: ${JSON.stringify(file)} });`;

test("a kubernetes provider of another cluster is refused before anything is created", async () => {
    const { session, kubeconfig, other } = clusters;
    const stack = await Program.create(
        session,
        "provider",
        program("", { before: provider(kubeconfig.b), opts: "providers: { kubernetes: b }" }),
    );
    for (const refused of [await stack.preview(), await stack.up()]) {
        const text = stack.fail(refused);
        expect(text).toContain(`the kubernetes provider reaches the cluster ${uid.b}`);
        expect(text).toContain(`and \`cluster\` is ${uid.a}`);
        expect(text).toMatch(/Remedy: make the Cluster with the provider's kubeconfig/);
    }
    expect(await serviceIn(other.cluster, "web")).toBeUndefined();
    expect(await serviceIn(session.lab.cluster, "web")).toBeUndefined();
    assertEmpty(await stateOf(session));
    stack.succeed(await stack.destroy());
});

test("a program's kubeconfig selects the cluster of nodes, Service and status", async () => {
    const { session, kubeconfig, other } = clusters;
    await applyYaml(session.lab.cluster, serviceYaml({ name: "web", loadBalancerClass: "example.com/other" }));
    const stack = await Program.create(
        session,
        "kubeconfig",
        program(`kubeconfig: ${JSON.stringify(kubeconfig.b)}`, {
            before: provider(kubeconfig.b),
            opts: "providers: [b]",
        }),
    );
    stack.succeed(await stack.up());
    expect((await serviceIn(session.lab.cluster, "web"))?.status.loadBalancer.ingress).toBeUndefined();
    expect((await serviceIn(other.cluster, "web"))?.status.loadBalancer.ingress?.[0]?.ip).toMatch(/^\d/);
    expect(await members()).toHaveLength(2);
    stack.succeed(await stack.destroy());
    await serviceGone(other.cluster, "web");
    await session.run("kubectl", ["delete", "service", "web"]);
});

test("kubeconfig contents may be a secret Output, which never enters state or log", async () => {
    const { session, kubeconfig, other } = clusters;
    const stack = await Program.create(
        session,
        "contents",
        program("kubeconfig", {
            before:
                "const kubeconfig = " +
                `pulumi.secret(pulumi.output(require("fs").readFileSync(${JSON.stringify(kubeconfig.b)}, "utf8")));`,
        }),
    );
    const log = stack.succeed(await stack.preview("--diff")) + stack.succeed(await stack.up());
    expect((await serviceIn(other.cluster, "web"))?.status.loadBalancer.ingress?.[0]?.ip).toMatch(/^\d/);
    const token = /token: (\S+)/.exec(fs.readFileSync(kubeconfig.b, "utf8"))![1]!;
    const shown = stack.succeed(await stack.pulumi("stack", "export", "--show-secrets", "--stack", "dev"));
    expect(shown.includes(token) || log.includes(token)).toBe(false);
    stack.succeed(await stack.preview("--expect-no-changes"));
    stack.succeed(await stack.destroy());
    await serviceGone(other.cluster, "web");
});

test("Services of the same name in two clusters of one program stay separate", async () => {
    const { session, kubeconfig, other } = clusters;
    const source = Object.entries(kubeconfig)
        .map(([name, file]) =>
            program(`kubeconfig: ${JSON.stringify(file)}`)
                .replace("const cluster", `const ${name}`)
                .replace("{ cluster,", `{ cluster: ${name},`)
                .replace("c-one", `c-${name}`)
                .replace(`("web"`, `("web-${name}"`),
        )
        .join("\n");
    const stack = await Program.create(session, "twice", source);
    stack.succeed(await stack.preview());
    stack.succeed(await stack.up());
    const addresses = await Promise.all(
        [session.lab.cluster, other.cluster].map(
            async (cluster) => (await serviceIn(cluster, "web"))?.status.loadBalancer.ingress?.[0]?.ip,
        ),
    );
    const { slb } = await stateOf(session);
    expect(slb.loadBalancers.map(({ address }) => address).sort()).toStrictEqual(addresses.sort());
    const groups = slb.vServerGroups.map(({ name, backends }) => [name.split("/").at(-1), backends.length]);
    expect(groups.sort()).toStrictEqual([
        ["c-a", 3],
        ["c-b", 2],
    ]);
    stack.succeed(await stack.preview("--expect-no-changes"));
    stack.succeed(await stack.destroy());
    await Promise.all([session.lab.cluster, other.cluster].map((cluster) => serviceGone(cluster, "web")));
    assertEmpty(await stateOf(session));
});

/** A cluster as a cloud makes it: its id, VPC and kubeconfig are Outputs that a first preview does not know. */
const MADE = (file: string) => `
const fs = require("fs");
class ManagedKubernetes extends pulumi.dynamic.Resource {
    constructor(name, opts) {
        const create = async () => {
            const kubeConfig = require("fs").readFileSync(${JSON.stringify(file)}, "utf8");
            return { id: "c-made", outs: { vpcId: "vpc-made", vswitchIds: ["vsw-1"], kubeConfig } };
        };
        const outputs = { vpcId: undefined, vswitchIds: undefined, kubeConfig: undefined };
        super({ create }, name, outputs, { ...opts, additionalSecretOutputs: ["kubeConfig"] });
    }
}
const made = new ManagedKubernetes("made");
const cluster = new Cluster({ clusterId: made.id, vpcId: made.vpcId, kubeconfig: made.kubeConfig });
const b = new kubernetes.Provider("b", { kubeconfig: made.kubeConfig });
const shop = new kubernetes.core.v1.Namespace("shop", {}, { provider: b });
const labels = { app: "made" };
const app = new kubernetes.apps.v1.Deployment("app", {
    metadata: { namespace: shop.metadata.name },
    spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
            metadata: { labels },
            spec: { automountServiceAccountToken: false, containers: [{ name: "app", image: "app:1" }] },
        },
    },
}, { provider: b });
const web = new ServiceLoadBalancer("web", {
    cluster,
    service: {
        namespace: shop.metadata.name,
        name: "web",
        selector: app.spec.selector.matchLabels,
        ports: [{ port: 80, targetPort: 8080 }],
    },
});
exports.address = web.address;`;

test("with a cluster created by the same program, preview works and the first up has members", async () => {
    const { session, kubeconfig, other } = clusters;
    const stack = await Program.create(session, "made", MADE(kubeconfig.b));
    const preview = stack.succeed(await stack.preview());
    expect(preview).toMatch(/Service web: not known before pulumi up: .*metadata\.namespace, clusterId, vpcId/);
    stack.succeed(await stack.up());
    expect(await members()).toHaveLength(2);
    expect((await serviceIn(session.lab.cluster, "web"))?.spec).toBeUndefined();
    const { slb } = await stateOf(session);
    expect(slb.vServerGroups[0]?.name).toMatch(/^k8s\/\d+\/web\/shop-[0-9a-f]{8}\/c-made$/);
    stack.succeed(await stack.preview("--expect-no-changes"));
    expect(await callsOf(session, async () => stack.succeed(await stack.up()))).toStrictEqual({});
    const token = /token: (\S+)/.exec(fs.readFileSync(kubeconfig.b, "utf8"))![1]!;
    expect((await stack.state()).includes(token)).toBe(false);
    stack.succeed(await stack.destroy());
    await waitFor("no Service web in any namespace", async () => {
        const { items } = await other.cluster.get<{ items: Service[] }>("/api/v1/services");
        return items.some(({ metadata }) => metadata.name === "web") ? undefined : true;
    });
    assertEmpty(await stateOf(session));
});

/** A Service on a user-managed instance. */
const reusing = (cluster: string, name: string, port: number): string =>
    `const cluster = new Cluster({ clusterId: "c-shared", ${cluster} });\n` +
    `new ServiceLoadBalancer("web", { cluster, service: { name: "${name}", selector: { app: "shop" }, ports: ` +
    `[{ port: ${port}, targetPort: 8080 }] }, settings: { id: "lb-users", forceOverrideListeners: "true" } });`;

test("the same clusterId on two clusters is refused on a shared load balancer", async () => {
    const { session, kubeconfig } = clusters;
    await session.cloud("/_seed", {
        calls: [
            {
                action: "CreateLoadBalancer",
                params: { LoadBalancerName: "users", AddressType: "internet", InstanceChargeType: "PayByCLCU" },
                id: "lb-users",
            },
        ],
    });
    const tags = async () => (await stateOf(session)).slb.loadBalancers.find(({ id }) => id === "lb-users")?.tags ?? {};
    const [first, second, other] = [
        await Program.create(session, "meet-first", reusing("", "web", 80)),
        await Program.create(session, "meet-second", reusing("", "api", 81)),
        await Program.create(session, "meet-other", reusing(`kubeconfig: ${JSON.stringify(kubeconfig.b)}`, "web", 82)),
    ];
    first.succeed(await first.up());
    expect((await tags())["ack-loadbalancer.io/c-shared"]).toBe(uid.a);
    second.succeed(await second.up());
    for (const refused of [await other.preview(), await other.up()]) {
        const text = other.fail(refused);
        expect(text).toContain(`is used by the cluster ${uid.a} under the clusterId "c-shared" already`);
        expect(text).toContain(`but this run reaches the cluster ${uid.b}`);
    }
    first.succeed(await first.destroy());
    expect((await tags())["ack-loadbalancer.io/c-shared"]).toBe(uid.a);
    first.succeed(await second.destroy());
    expect(await tags()).toStrictEqual({});
    other.succeed(await other.up());
    expect((await tags())["ack-loadbalancer.io/c-shared"]).toBe(uid.b);
    other.succeed(await other.destroy());
});

test("preview refuses a Service of another stack, and a clusterId that the nodes do not have", async () => {
    const { session } = clusters;
    const stack = await Program.create(session, "one", program(""));
    stack.succeed(await stack.up());
    for (const [name, source] of [
        ["applies", program("")],
        [
            "follows",
            'ServiceLoadBalancer.forExisting("web", { cluster: new Cluster({ clusterId: "c-one" }), ' +
                'namespace: "default", name: "web" });',
        ],
    ] as const) {
        const other = await Program.create(session, `two-${name}`, source);
        expect(other.fail(await other.preview())).toContain(
            `the stack one/dev applies this Service, and this stack is two-${name}/dev`,
        );
    }
    stack.write(program("").replaceAll(`"web"`, `"renamed"`).replace(`name: "renamed"`, `name: pulumi.output("web")`));
    expect(stack.fail(await stack.preview())).toMatch(/this stack \(one\/dev\) applies the Service already/);
    const renamed = (opts: string) => program("", { opts }).replace(`("web"`, `("renamed"`);
    stack.write(renamed(""));
    expect(stack.fail(await stack.preview())).toContain("give the component renamed the resource option aliases");
    stack.write(renamed(`aliases: [{ name: "web" }]`));
    stack.succeed(await stack.preview("--expect-no-changes"));
    stack.write(program(""));

    await session.run("kubectl", ["label", "nodes", "--all", "ack.aliyun.com=c-real"]);
    stack.succeed(await stack.preview("--expect-no-changes"));
    const fresh = await Program.create(session, "fresh", program("").replace(`name: "web"`, `name: "fresh"`));
    expect(fresh.fail(await fresh.preview())).toMatch(
        pattern(
            /has the clusterId "c-one", but the nodes that this run reaches are those of the ACK cluster c-real\. /,
            /Remedy: write clusterId "c-real"/,
        ),
    );
    await session.run("kubectl", ["label", "nodes", "--all", "ack.aliyun.com-"]);
    stack.succeed(await stack.destroy());
});
