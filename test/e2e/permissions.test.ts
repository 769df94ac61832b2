/**
 * The permissions in docs/ram-policy.md are sufficient for a stack: nothing else is allowed in these tests.
 * Only a run shows that no call of a plugin lacks a permission.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse, stringify } from "yaml";
import { leaveFootprint, RECORDED_CLUSTER, RECORDED_NODES } from "../../examples/migrate-from-ccm/ccm";
import { applyYaml, REPOSITORY, scaleDeployment, type Session, waitFor } from "../../lab";
import { installObjects } from "../../provider/sync/install";
import { onTestFinished } from "../support/finished";
import { Program } from "../support/program";
import { installBindings, ReplicaProcess, statusOf } from "../support/replica";
import { assertEmpty, serviceYaml, startWorld, stateOf, succeed } from "../support/world";

/** Actions that a page's RAM policy allows, by statement. */
function statementsOf(page: string): string[][] {
    const policy = JSON.parse(/```json\n([\s\S]*?)```/.exec(textOf(page))![1]!) as {
        Statement: { Action: string[] }[];
    };
    return policy.Statement.map(({ Action }) => Action);
}

const textOf = (page: string): string => fs.readFileSync(path.join(REPOSITORY, page), "utf8");

const RUN = statementsOf("docs/ram-policy.md");
const CONTROLLER = statementsOf("docs/sync.md").flat();

const MAIN = path.join(REPOSITORY, "dist/cli/main.js");

let session: Session;
let kubeconfig: string;
let stack: Program;

/** Lets the cloud refuse everything else. */
const allow = (actions: readonly string[]): Promise<unknown> => session.cloud("/_ram", { actions });

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    const role = /```yaml\n(apiVersion: rbac[\s\S]*?)```/.exec(textOf("docs/ram-policy.md"))![1]!;
    await applyYaml(
        session.lab.cluster,
        `${role}---\napiVersion: v1\nkind: ServiceAccount\nmetadata: { name: runner, namespace: default }\n---\n` +
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: { name: runner }\n" +
            "roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ack-loadbalancer }\n" +
            "subjects: [{ kind: ServiceAccount, name: runner, namespace: default }]\n",
    );
    kubeconfig = await kubeconfigOf("runner");
    stack = await Program.create(session, "permissions", "");
    stack.env = { KUBECONFIG: kubeconfig };
});

beforeEach(() => allow(RUN.flat()));

afterAll(() => session.lab.stop());

/** A kubeconfig of a service account of the namespace `default`. */
async function kubeconfigOf(account: string): Promise<string> {
    const { text } = await session.run("kubectl", ["create", "token", account, "--duration", "4h"]);
    const config = parse(fs.readFileSync(session.lab.variables["KUBECONFIG"]!, "utf8")) as {
        users: { user: object }[];
    };
    config.users[0]!.user = { token: text.trim() };
    const file = path.join(session.lab.dir, `${account}.kubeconfig`);
    fs.writeFileSync(file, stringify(config), { mode: 0o600 });
    return file;
}

/** A Service that is applied, with further properties. */
const applied = (more = ""): string =>
    'new ServiceLoadBalancer("web", { cluster, service: { name: "web", selector: { app: "shop" }, ' +
    `ports: [{ port: 80, targetPort: 8080 }] }, ${more} });`;

/** An applied and a followed Service, in a cluster that is asked for its id and other settings. */
const everything = (more = ""): string => `
module.exports = async () => {
    const cluster = await Cluster.discover();
    const { clusterId, vpcId } = cluster.facts;
    if (clusterId !== "c-test" || vpcId !== "vpc-lab") throw new Error(JSON.stringify(cluster.facts));
    ${applied(more)}
    await ServiceLoadBalancer.forExisting("own", { cluster, namespace: "default", name: "own" });
};`;

test("preview needs only read permissions: for new Services, for a changed one, and with drift", async () => {
    await applyYaml(session.lab.cluster, serviceYaml({ name: "own" }));
    stack.write(everything());
    await allow(RUN[0]!);
    stack.succeed(await stack.preview());

    await allow(RUN.flat());
    stack.succeed(await stack.up());
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));

    await allow(RUN[0]!);
    stack.write(everything('settings: { scheduler: "wrr" }'));
    stack.succeed(await stack.preview());
    expect(stack.fail(await stack.up())).toMatch(/Forbidden/);
    await allow(RUN.flat());
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
    expect(await session.lab.cluster.find("/api/v1/namespaces/default/services/own")).toBeDefined();
});

test("a Service of CCM is adopted with its load balancer, followed and handed back", async () => {
    const nodes = RECORDED_NODES.map((node) => ({ ...node, name: `recorded-${node.name}` }));
    for (const node of nodes) await session.lab.addNode(node);
    onTestFinished(() => session.run("kubectl", ["delete", "node", ...nodes.map(({ name }) => name)]));
    const { loadBalancerId } = await leaveFootprint(session.lab, "seed-01-internet-clb-default", "adopted");
    const adopting = (more: string) =>
        `ServiceLoadBalancer.adopt("adopted", { cluster: new Cluster({ clusterId: "${RECORDED_CLUSTER}" }), ` +
        `namespace: "default", name: "adopted", ${more} });`;
    stack.write(adopting("allowChanges: true"));
    stack.succeed(await stack.up());
    stack.write(
        `ServiceLoadBalancer.forExisting("adopted", { cluster: new Cluster({ clusterId: "${RECORDED_CLUSTER}" }), ` +
            'namespace: "default", name: "adopted", handBack: true });',
    );
    stack.succeed(await stack.up());
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    stack.write("");
    stack.succeed(await stack.up());
    expect((await stateOf(session)).slb.loadBalancers.map(({ id }) => id)).toStrictEqual([loadBalancerId]);
});

test("with sync a run creates bindings, and the controller needs only its installed roles", async () => {
    await installBindings(session);
    const access = ["ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"];
    /** Starts a controller with the roles of an installation. */
    const startController = async (name: string, watchNamespaces: string[]): Promise<ReplicaProcess> => {
        const install = installObjects({ image: "unused", namespace: "default", name, watchNamespaces });
        const roles = Object.values(install).flat();
        for (const object of roles.filter(({ kind }) => access.includes(kind)))
            await applyYaml(session.lab.cluster, stringify(object));
        const env = { ...session.lab.env, KUBECONFIG: await kubeconfigOf(name) };
        const args = watchNamespaces.map((one) => `--watch-namespace=${one}`);
        const replica = new ReplicaProcess({ lab: { env } }, `--lease=${name}`, ...args);
        onTestFinished(async () => {
            replica.signal("SIGTERM");
            await replica.ended();
        });
        await replica.prints('"leading"');
        return replica;
    };
    stack.write(
        // The controller takes marks of the cluster's own id.
        'const cluster = new Cluster({ clusterId: "c-test", sync: true });' +
            applied()
                .replace(`name: "web"`, `name: "synced"`)
                .replace("ports:", `externalTrafficPolicy: "Local", ports:`),
    );
    stack.succeed(await stack.up());

    await allow(CONTROLLER);
    const replica = await startController("everywhere", []);
    await scaleDeployment(session.lab.cluster, "default", "shop", 7);
    let seen = "";
    const pods = async () => {
        const weights = (await stateOf(session)).slb.vServerGroups
            .filter(({ name }) => name.includes("/synced/"))
            .flatMap(({ backends }) => backends.map(({ weight }) => weight));
        seen = JSON.stringify(weights);
        return weights.reduce((sum, weight) => sum + weight, 0);
    };
    const serves = (count: number, by: ReplicaProcess) =>
        waitFor(`${count} pods get traffic`, async () => ((await pods()) === count ? true : undefined), {
            state: () => `${seen}; ${by.text}`,
        });
    await serves(7, replica);
    await waitFor("the binding says so", async () =>
        (await statusOf(session, "synced-tcp-80")).conditions?.[0]?.status === "True" ? true : undefined,
    );
    replica.signal("SIGTERM");
    await replica.ended();
    const narrow = await startController("narrow", ["default"]);
    await scaleDeployment(session.lab.cluster, "default", "shop", 5);
    await serves(5, narrow);
    for (const { text } of [replica, narrow]) expect(text).not.toMatch(/forbidden/i);

    await allow(RUN.flat());
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    stack.succeed(await stack.destroy());
});

test("a user without permission to read the cluster gets one message with cause and remedy", async () => {
    await session.run("kubectl", ["delete", "clusterrolebinding", "runner"]);
    stack.write(`const cluster = new Cluster({ clusterId: "c-permissions" });${applied()}`);
    const all = stack.fail(await stack.preview());
    // The progress of the run repeats what the diagnostics say.
    const text = all.slice(all.indexOf("Diagnostics:"));
    expect(text.match(/get service default\/web failed at .*: forbidden/g)).toHaveLength(1);
    expect(text).toMatch(/remedy: bind a ClusterRole of docs\/ram-policy\.md/);
    expect(text).not.toMatch(/unhandled|error serializing|\n\s+at /i);
});

test("kubectl applies the output of sync --manifests with all options, and names stay strings", async () => {
    const everyOption = ["--network-policy", "--resync-seconds", "60", "--image", "registry.example/x:1"];
    const file = path.join(session.lab.dir, "sync.yaml");
    for (const [namespace, lease, role] of [
        ["ack-loadbalancer", "ack-loadbalancer-sync", "ack-loadbalancer-sync"],
        ["on", "1e3", "0777"],
        ["no", "null", "1_000"],
    ] as const) {
        const names = ["--namespace", namespace, "--lease", lease, "--ram-role", role];
        const printed = await session.run("node", [MAIN, "sync", "--manifests", ...everyOption, ...names]);
        fs.writeFileSync(file, succeed(printed));
        const applied = succeed(
            await session.run("kubectl", ["apply", "--server-side", "--force-conflicts", "-f", file]),
        );
        expect(applied.match(/ serverside-applied$/gm)).toHaveLength(13);
        const read = (...what: string[]) => session.run("kubectl", ["get", ...what, "-o", "json"]);
        expect(JSON.parse((await read("namespace", namespace)).text)).toMatchObject({
            metadata: { labels: { "pod-identity.alibabacloud.com/injection": "on" } },
        });
        expect(JSON.parse((await read("serviceaccount", lease, "-n", namespace)).text)).toMatchObject({
            metadata: { annotations: { "pod-identity.alibabacloud.com/role-name": role } },
        });
    }
});
