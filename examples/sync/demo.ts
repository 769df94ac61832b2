/**
 * `make sync-demo`, and the second part of `make demo`: the program of this folder in a lab, and its backends between
 * runs.
 *
 * The lab runs no containers: a process of this repository is the sync controller instead of the Deployment's pods. The
 * commands are those that a user would type.
 */
import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { kubectl, perAction, REPOSITORY, setNodeReady, waitFor, waitForDeployment } from "../../lab";
import { perform, type Show, type Stage } from "../stage";

const STACK = `sync-${process.pid}`;
const HERE = path.join(REPOSITORY, "examples/sync");
const IN_HERE = ["-C", "examples/sync"];
const UP = [...IN_HERE, "up", "--yes", "--skip-preview", "--non-interactive", "--suppress-outputs"];
const SHOP = "sync-shop";

interface Group {
    readonly id: string;
    readonly name: string;
    readonly backends: readonly { readonly serverId: string; readonly weight: number }[];
}

interface Pod {
    readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
    readonly spec: { readonly nodeName: string };
    readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

async function play(stage: Stage): Promise<void> {
    const { lab } = stage;
    let controller: ChildProcess | undefined;
    try {
        await stage.act("1  A cluster, and a run that installs the sync controller and exposes a Service", async () => {
            for (const name of ["node-1", "node-2", "node-3"]) await lab.addNode({ name });
            await stage.must("pulumi", [...IN_HERE, "stack", "init", STACK]);
            await stage.must("pulumi", [...IN_HERE, "config", "set", "image", "registry.example/ack-loadbalancer:1"]);
            await stage.must("pulumi", UP);
            await stage.must("kubectl", ["get", "deployments", "--all-namespaces"]);
            stage.check("weights are the pods", await weightsArePods(stage));
        });
        controller = startController(stage);

        await stage.act(
            "2  Sync is switched on: a binding for the server group, members are the controller's",
            async () => {
                await stage.must("pulumi", [...IN_HERE, "config", "set", "sync", "true"]);
                const { text } = await stage.must("pulumi", UP);
                stage.check("the run makes a binding", text.includes("ServerGroupBinding"));
                await follows(stage, "the controller has taken over");
                await stage.must("kubectl", ["get", "servergroupbindings"]);
            },
        );

        const scaled = await stage.act("3  Scale to seven pods: weights follow, without a run", async () => {
            await stage.must("kubectl", ["scale", "deployment", SHOP, "--replicas", "7"]);
            await waitForDeployment(lab.cluster, "default", SHOP);
            await follows(stage, "weights are the seven pods");
            await stage.must("kubectl", ["get", "servergroupbindings"]);
        });
        const writes = scaled.filter(({ mutating }) => mutating);
        stage.say(`  API calls that write: ${perAction(writes)}`);

        await stage.act("4  A node is not ready: it takes no traffic until it is", async () => {
            const machine = await machineOf(stage, "node-1");
            stage.say("  (the kubelet of node-1 reports no more)");
            await setNodeReady(lab.cluster, "node-1", false);
            await stage.must("kubectl", ["get", "nodes"]);
            await waitFor("node-1 takes no traffic", async () =>
                (await group(stage)).backends.some(({ serverId, weight }) => serverId === machine && weight > 0)
                    ? undefined
                    : true,
            );
            stage.check("node-1 takes no traffic", true);
            stage.say("  (it reports again)");
            await setNodeReady(lab.cluster, "node-1", true);
            await waitForDeployment(lab.cluster, "default", SHOP);
            await follows(stage, "weights are the pods again, node-1 included");
        });

        await stage.act(
            "5  A rollout: each new pod waits at its readiness gate until the load balancer has it",
            async () => {
                await stage.must("kubectl", ["rollout", "restart", `deployment/${SHOP}`]);
                await stage.must("kubectl", ["rollout", "status", `deployment/${SHOP}`]);
                await waitForDeployment(lab.cluster, "default", SHOP);
                const gate = `service.readiness.alibabacloud.com/${SHOP}`;
                const gates = (await pods(stage)).map(({ status }) =>
                    status.conditions?.some(({ type, status: value }) => type === gate && value === "True"),
                );
                stage.check("the controller has opened every pod's gate", gates.length === 7 && gates.every(Boolean));
                await follows(stage, "weights are the new pods");
            },
        );

        await stage.act("6  Someone removes a backend in the console: the next resync heals it", async () => {
            const { id, backends } = await group(stage);
            await stage.must("labcloud", ["edit", "remove-backend", id, backends[0]?.serverId ?? ""]);
            await follows(stage, "the backend is back");
            await stage.must("kubectl", ["get", "events", "--field-selector", "involvedObject.kind=Service"]);
        });

        await stage.act(
            "7  The next run has nothing to do but what the program says; destroy leaves nothing",
            async () => {
                await stage.must("pulumi", [...IN_HERE, "config", "set", "replicas", "7"]);
                const { text } = await stage.must("pulumi", [...IN_HERE, "preview", "--diff", "--non-interactive"]);
                stage.check(
                    "the number of replicas is the one difference",
                    /replicas: 3 => 7/.test(text) && /~ 1 to update/.test(text),
                );
                await stage.must("pulumi", [...IN_HERE, "destroy", "--yes", "--skip-preview", "--non-interactive"]);
                const { slb } = await stage.cloud<{ slb: { vServerGroups: Group[] } }>("/_state");
                stage.check("the cloud is empty", slb.vServerGroups.length === 0);
                await stage.must("pulumi", [...IN_HERE, "stack", "rm", "--yes", STACK]);
            },
        );
        stage.summary();
    } finally {
        await end(controller);
        fs.rmSync(path.join(HERE, `Pulumi.${STACK}.yaml`), { force: true });
    }
}

function startController(stage: Stage): ChildProcess {
    const args = ["sync", "--namespace", "ack-loadbalancer", "--port", "0", "--resync-seconds", "10"];
    stage.say(`\n$ ack-loadbalancer ${args.join(" ")} &`);
    return spawn(process.execPath, ["dist/cli/main.js", ...args], {
        cwd: REPOSITORY,
        env: stage.lab.env,
        stdio: ["ignore", "ignore", "inherit"],
    });
}

async function end(controller: ChildProcess | undefined): Promise<void> {
    if (controller === undefined || controller.exitCode !== null) return;
    const ended = new Promise((resolve) => controller.once("close", resolve));
    controller.kill("SIGTERM");
    await ended;
}

/** Waits until the group's weights are the pods, which is a promise of the show. */
async function follows(stage: Stage, promise: string): Promise<void> {
    await waitFor(promise, async () => ((await weightsArePods(stage)) ? true : undefined));
    stage.check(promise, true);
}

async function group(stage: Stage): Promise<Group> {
    const { slb } = await stage.cloud<{ slb: { vServerGroups: Group[] } }>("/_state");
    const found = slb.vServerGroups.find(({ name }) => name.includes(`/${SHOP}/`));
    if (found === undefined) throw new Error(`no server group of ${SHOP}`);
    return found;
}

async function pods({ lab }: Stage): Promise<Pod[]> {
    const text = await kubectl(lab.cluster, ["get", "pods", "-l", `app=${SHOP}`, "-o", "json"]);
    const { items } = JSON.parse(text) as { items: Pod[] };
    return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

async function machineOf({ lab }: Stage, node: string): Promise<string> {
    return (await kubectl(lab.cluster, ["get", "node", node, "-o", "jsonpath={.spec.providerID}"])).split(".")[1] ?? "";
}

/** Reports whether the group weighs each node by the pods that it runs. */
async function weightsArePods(stage: Stage): Promise<boolean> {
    const desired = new Map<string, number>();
    for (const { spec } of await pods(stage)) {
        const machine = await machineOf(stage, spec.nodeName);
        desired.set(machine, (desired.get(machine) ?? 0) + 1);
    }
    const { backends } = await group(stage);
    return (
        backends.length === desired.size && backends.every(({ serverId, weight }) => desired.get(serverId) === weight)
    );
}

export const SYNC: Show = { stack: STACK, clusterId: "c-sync", play };

if (require.main === module) perform(SYNC);
