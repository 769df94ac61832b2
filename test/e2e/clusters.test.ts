/**
 * A stack belongs to a single cluster: a kubeconfig, context or provider of another is refused before a change. The
 * examples of several clusters, and of a cluster that the program makes, are here, too.
 * Only a run shows which cluster each of the plugins reaches.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { applyYaml, type Lab, REPOSITORY, waitFor } from "../../lab";
import { addPlace, FAR, runExample } from "../support/example";
import { forget } from "../support/forget";
import { pattern } from "../support/pattern";
import { Program } from "../support/program";
import { startTwoClusters, type TwoClusters } from "../support/two-clusters";
import { assertEmpty, callsOf, type CloudState, PLAIN, serviceYaml, Stack, stateOf, writesOf } from "../support/world";

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

/** Stack of the next four tests, with {@link program} as it is. */
let stack: Program;

test("a kubeconfig of another cluster is refused at preview, up and destroy", async () => {
    const { session, kubeconfig, other } = clusters;
    stack = await Program.create(session, "switched", program(""));
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
            expect(text).toContain(`set allowReplacement: ["identity"]`);
            expect(text).not.toMatch(/ {4}at /);
        }
        expect(stack.fail(await stack.destroy())).toMatch(
            /the Service of that name has the UID .*remedy: correct kubeconfig or context/s,
        );
    });
    stack.env = {};
    expect(calls).toStrictEqual({});
    expect(await members()).toStrictEqual(before);
    expect((await serviceIn(other.cluster, "web"))?.spec.loadBalancerClass).toBeUndefined();
    await session.run("kubectl", ["delete", "service", "web", "--kubeconfig", kubeconfig.b]);
});

test("a state of the previous version is kept without changes, and its cluster is recorded", async () => {
    const { session, kubeconfig } = clusters;
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

    // The account is asked for once in each process, so this run has its own.
    const args = ["up", "--yes", "--skip-preview", "--expect-no-changes", "--stack", "dev", ...PLAIN];
    const calls = await callsOf(session, async () =>
        stack.succeed(await session.start("pulumi", args, { cwd: stack.folder }).done),
    );
    expect(calls).toStrictEqual({ GetCallerIdentity: 1 });
    stack.env = { KUBECONFIG: kubeconfig.b };
    expect(stack.fail(await stack.preview())).toContain(`it belongs to the cluster ${uid.a}`);
    stack.env = {};
});

test("preview refuses a Service of another stack, and a clusterId that the nodes do not have", async () => {
    const { session } = clusters;
    const others = await Program.create(session, "others", "");
    const follows =
        'ServiceLoadBalancer.forExisting("web", { cluster: new Cluster({ clusterId: "c-one" }), ' +
        'namespace: "default", name: "web" });';
    for (const source of [program(""), follows]) {
        others.write(source);
        expect(others.fail(await others.preview())).toContain(
            "the stack switched/dev applies this Service, and this stack is others/dev",
        );
    }
    stack.write(program("").replaceAll(`"web"`, `"renamed"`).replace(`name: "renamed"`, `name: pulumi.output("web")`));
    expect(stack.fail(await stack.preview())).toMatch(/this stack \(switched\/dev\) applies the Service already/);
    const renamed = (opts: string) => program("", { opts }).replace(`("web"`, `("renamed"`);
    stack.write(renamed(""));
    expect(stack.fail(await stack.preview())).toContain("give the component renamed the resource option aliases");

    await session.run("kubectl", ["label", "nodes", "--all", "ack.aliyun.com=c-real"]);
    // A Service that is there keeps the id of its cluster, and a renamed component its Service.
    stack.write(renamed(`aliases: [{ name: "web" }]`));
    stack.succeed(await stack.preview("--expect-no-changes"));
    stack.write(program(""));
    others.write(program("").replace(`name: "web"`, `name: "fresh"`));
    expect(others.fail(await others.preview())).toMatch(
        pattern(
            /has the clusterId "c-one", but the nodes that this run reaches are those of the ACK cluster c-real\. /,
            /Remedy: write clusterId "c-real"/,
        ),
    );
    await session.run("kubectl", ["label", "nodes", "--all", "ack.aliyun.com-"]);
});

test("destroy, and up without the Service, write nothing if KUBECONFIG leads to another cluster", async () => {
    const { session, kubeconfig, other } = clusters;
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
    stack.succeed(await stack.up());
    stack.env = { KUBECONFIG: kubeconfig.b };
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

test("the stack's context selects the cluster of nodes, Service and status", async () => {
    const { session, both, other } = clusters;
    const stack = await Stack.create(session, "context", [{ name: "ctx" }]);
    await stack.config("context", "b");
    const run = { env: { KUBECONFIG: both } };
    stack.succeed(await stack.run("up", ["--yes", "--skip-preview"], run));
    expect(await serviceIn(session.lab.cluster, "ctx")).toBeUndefined();
    expect((await serviceIn(other.cluster, "ctx"))?.status.loadBalancer.ingress?.[0]?.ip).toMatch(/^\d/);
    expect(await members()).toHaveLength(2);
    // Without the program, too: the state knows the context.
    stack.succeed(await stack.run("destroy", ["--yes", "--skip-preview", "--remove"], run));
    await serviceGone(other.cluster, "ctx");
    assertEmpty(await stateOf(session));
    forget(stack);
});

const provider = (file: string) => `const b = new kubernetes.Provider("b", { kubeconfig: ${JSON.stringify(file)} });`;

test("a kubernetes provider selects the cluster with the program's kubeconfig, never alone", async () => {
    const { session, kubeconfig, other } = clusters;
    await applyYaml(session.lab.cluster, serviceYaml({ name: "web", loadBalancerClass: "example.com/other" }));
    const before = provider(kubeconfig.b);
    const stack = await Program.create(
        session,
        "provider",
        program("", { before, opts: "providers: { kubernetes: b }" }),
    );
    const text = stack.fail(await stack.up());
    expect(text).toContain(`the kubernetes provider reaches the cluster ${uid.b}`);
    expect(text).toContain(`and \`cluster\` is ${uid.a}`);
    expect(text).toMatch(/Remedy: make the Cluster with the provider's kubeconfig/);
    expect(await serviceIn(other.cluster, "web")).toBeUndefined();
    assertEmpty(await stateOf(session));

    stack.write(program(`kubeconfig: ${JSON.stringify(kubeconfig.b)}`, { before, opts: "providers: [b]" }));
    stack.succeed(await stack.up());
    expect((await serviceIn(session.lab.cluster, "web"))?.status.loadBalancer.ingress).toBeUndefined();
    expect((await serviceIn(other.cluster, "web"))?.status.loadBalancer.ingress?.[0]?.ip).toMatch(/^\d/);
    expect(await members()).toHaveLength(2);
    stack.succeed(await stack.destroy());
    await serviceGone(other.cluster, "web");
    await session.run("kubectl", ["delete", "service", "web"]);
});

/** Service `web` in each of two clusters: with the file of the first kubeconfig, and secret contents of the second. */
const twice = ({ a, b }: TwoClusters["kubeconfig"]): string =>
    "const contents = " +
    `pulumi.secret(pulumi.output(require("fs").readFileSync(${JSON.stringify(b)}, "utf8")));` +
    Object.entries({ a: JSON.stringify(a), b: "contents" })
        .map(([name, kubeconfig]) =>
            program(`kubeconfig: ${kubeconfig}`)
                .replace("const cluster", `const ${name}`)
                .replace("{ cluster,", `{ cluster: ${name},`)
                .replace("c-one", `c-${name}`)
                .replace(`("web"`, `("web-${name}"`),
        )
        .join("\n");

/** The token of the second cluster's kubeconfig. */
const token = (): string => /token: (\S+)/.exec(fs.readFileSync(clusters.kubeconfig.b, "utf8"))![1]!;

test("Services of one name in two clusters stay separate, and a secret kubeconfig secret", async () => {
    const { session, kubeconfig, other } = clusters;
    const stack = await Program.create(session, "twice", twice(kubeconfig));
    const log = stack.succeed(await stack.pulumi("up", "--yes", "--diff"));
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
    const shown = stack.succeed(await stack.pulumi("stack", "export", "--show-secrets", "--stack", "dev"));
    expect(shown.includes(token()) || log.includes(token())).toBe(false);
    stack.succeed(await stack.preview("--expect-no-changes"));
    stack.succeed(await stack.destroy());
    await Promise.all([session.lab.cluster, other.cluster].map((cluster) => serviceGone(cluster, "web")));
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
    const text = other.fail(await other.up());
    expect(text).toContain(`is used by the cluster ${uid.a} under the clusterId "c-shared" already`);
    expect(text).toContain(`but this run reaches the cluster ${uid.b}`);
    first.succeed(await first.destroy());
    expect((await tags())["ack-loadbalancer.io/c-shared"]).toBe(uid.a);
    first.succeed(await second.destroy());
    expect(await tags()).toStrictEqual({});
    other.succeed(await other.up());
    expect((await tags())["ack-loadbalancer.io/c-shared"]).toBe(uid.b);
    other.succeed(await other.destroy());
    await session.cloud("/_console", { action: "DeleteLoadBalancer", params: { LoadBalancerId: "lb-users" } });
    assertEmpty(await stateOf(session));
});

test("example two-regions: each cluster's members are behind the instance of its region", async () => {
    const { session, kubeconfig, both } = clusters;
    const config = { firstContext: "a", firstRegion: "cn-hangzhou", secondContext: "b", secondRegion: FAR };
    await addPlace(session, `region=${FAR}`, { region: FAR });
    const inFar = () => session.cloud<CloudState>(`/_state?region=${FAR}`);
    const membersOf = ({ slb }: CloudState) => slb.vServerGroups.map(({ backends }) => backends.length);
    /** Lets the nodes of the second cluster say where they stand. */
    const standIn = (region: string) =>
        session.run("kubectl", [
            ...["label", "nodes", "--all", "--overwrite", `topology.kubernetes.io/region=${region}`],
            ...["--kubeconfig", kubeconfig.b],
        ]);
    await standIn(FAR);
    await runExample(session, "two-regions", { config, env: { KUBECONFIG: both } }, async ({ succeeds }) => {
        expect(membersOf(await stateOf(session))).toStrictEqual([3]);
        expect(membersOf(await inFar())).toStrictEqual([2]);
        await succeeds("preview", "--expect-no-changes");
    });
    for (const state of [await stateOf(session), await inFar()]) assertEmpty(state);
    await standIn("cn-hangzhou");
});

test("example new-cluster: preview knows little of the cluster, and the first up has members", async () => {
    const { session, kubeconfig, other, both } = clusters;
    const config = { zoneId: "cn-hangzhou-a", instanceType: "ecs.c7.large", image: "app:1" };
    const programEnv = {
        MADE_KUBECONFIG: kubeconfig.b,
        NODE_OPTIONS: `--require ${path.join(REPOSITORY, "test/support/made-cluster.js")}`,
    };
    await runExample(
        session,
        "new-cluster",
        { config, env: { KUBECONFIG: both }, programEnv },
        async ({ log, succeeds }) => {
            expect(log).toMatch(/Service shop: not known before pulumi up: .*metadata\.namespace, clusterId, vpcId/);
            expect(await members()).toHaveLength(2);
            expect(await serviceIn(session.lab.cluster, "shop")).toBeUndefined();
            const { slb } = await stateOf(session);
            expect(slb.vServerGroups[0]?.name).toMatch(/^k8s\/\d+\/shop\/shop-[0-9a-f]{8}\/c-made$/);
            const again = () => succeeds("up", "--yes", "--skip-preview", "--expect-no-changes");
            expect(await callsOf(session, again)).toStrictEqual({});
            expect((await succeeds("stack", "export")).includes(token())).toBe(false);
        },
    );
    await waitFor("no Service shop in any namespace", async () => {
        const { items } = await other.cluster.get<{ items: Service[] }>("/api/v1/services");
        return items.some(({ metadata }) => metadata.name === "shop") ? undefined : true;
    });
    assertEmpty(await stateOf(session));
});
