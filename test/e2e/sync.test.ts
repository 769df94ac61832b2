/**
 * The sync controller's process on a real control plane: members follow the cluster, without a run.
 * Only a run shows what a process sees of a real control plane.
 *
 * Requirements: D01, D32, E18, X24.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
    applyYaml,
    endpointSlices,
    kubectl,
    scaleDeployment,
    type Session,
    setNodeReady,
    setSchedulable,
    waitFor,
    waitForDeployment,
} from "../../lab";
import { found } from "../support/found";
import { installController, type Installed } from "../support/installed";
import { pattern } from "../support/pattern";
import { applyBinding, ReplicaProcess, statusOf, waitForMembers } from "../support/replica";
import {
    desiredWeights,
    MARK,
    NODES_GROUP,
    nodesSpec,
    PODS_GROUP,
    podsSpec,
    seedGroups,
    weightsOf,
} from "../support/sync";
import { deploymentYaml, startWorld, stateOf } from "../support/world";

let session: Session;
let replica: ReplicaProcess | undefined;
/** The controller as it is installed by default. */
let installed: Installed;

interface GatedPod {
    readonly metadata: { readonly deletionTimestamp?: string };
    readonly status: {
        readonly phase: string;
        readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
    };
}

/** Does an action as a person in the console would. */
const cloud = (action: string, params: object): Promise<unknown> =>
    session.cloud("/_console", { product: "Slb", action, params });

beforeAll(async () => {
    session = await startWorld();
    installed = await installController(session);
    await seedGroups(session);
    replica = new ReplicaProcess(session, ...installed.args, "--kubeconfig", installed.kubeconfig);
    await replica.prints('"leading"');
});

afterAll(async () => {
    replica?.signal("SIGCONT");
    replica?.signal("SIGTERM");
    await replica?.ended();
    await session.lab.stop();
});

const nodeWeights = (): Promise<Record<string, number>> => weightsOf(session);

/** Addresses in the NLB's group. */
const members = async (): Promise<string[]> => {
    const found = (await stateOf(session)).nlb.serverGroups.find(({ id }) => id === PODS_GROUP);
    return (found?.servers ?? []).map(({ serverIp }) => serverIp).sort();
};

const desired = (): Promise<Record<string, number>> => desiredWeights(session);

test("a binding's group follows scaling and nodes, and kubectl shows its status", async () => {
    const { cluster } = session.lab;
    await applyBinding(session, "web-tcp-80", nodesSpec());
    await waitForMembers(nodeWeights, await desired());
    await scaleDeployment(cluster, "default", "shop", 7);
    await waitForDeployment(cluster, "default", "shop");
    await waitForMembers(nodeWeights, await desired());
    await setNodeReady(cluster, "node-1", false);
    await waitFor("node-1 is no backend", async () =>
        Object.keys(await nodeWeights()).length === 2 ? true : undefined,
    );
    await setNodeReady(cluster, "node-1", true);
    await waitForMembers(nodeWeights, await desired());
    expect(Object.keys(await nodeWeights())).toHaveLength(3);
    const status = await statusOf(session, "web-tcp-80");
    expect(status.conditions?.[0]).toMatchObject({ type: "Synced", status: "True", reason: "Synced" });
    expect(await kubectl(cluster, ["get", "servergroupbindings", "web-tcp-80"])).toMatch(
        pattern(
            /NAME\s+SERVICE\s+GROUP\s+SYNCED\s+REASON\s+BACKENDS\s+DRAINING\s+CHANGED\s+AGE\s+/,
            /web-tcp-80\s+web\s+rsp-\S+\s+True\s+Synced\s+3\s+0/,
        ),
    );
    expect(await kubectl(cluster, ["get", "events", "--field-selector", "involvedObject.kind=Service"])).toMatch(
        /SyncedBackends/,
    );
});

test("cordoned nodes are removed if the spec requires it, at once after an edit", async () => {
    await applyBinding(session, "web-tcp-80", { ...nodesSpec(), removeUnscheduled: true });
    await setSchedulable(session.lab.cluster, "node-2", false);
    await waitFor("node-2 is no backend", async () =>
        Object.keys(await nodeWeights()).length === 2 ? true : undefined,
    );
    await setSchedulable(session.lab.cluster, "node-2", true);
    await applyBinding(session, "web-tcp-80", nodesSpec());
    await waitForMembers(nodeWeights, await desired());
});

test("the next resync reverts a console edit and keeps user-managed members", async () => {
    const weights = await desired();
    const first = found(Object.keys(weights)[0], "member");
    await session.cloud("/_seed", { instances: [{ id: "i-user", name: "user", privateIp: "192.168.9.9" }] });
    await cloud("AddVServerGroupBackendServers", {
        VServerGroupId: NODES_GROUP,
        BackendServers: JSON.stringify([
            { ServerId: "i-user", Port: "9000", Weight: "5", Type: "ecs", Description: "by hand" },
        ]),
    });
    await cloud("RemoveVServerGroupBackendServers", {
        VServerGroupId: NODES_GROUP,
        BackendServers: JSON.stringify([{ ServerId: first, Port: "30080", Type: "ecs" }]),
    });
    await waitForMembers(nodeWeights, { ...weights, "i-user": 5 });
    await waitFor("the status counts it", async () =>
        (await statusOf(session, "web-tcp-80")).backends?.userManaged === 1 ? true : undefined,
    );
    await cloud("RemoveVServerGroupBackendServers", {
        VServerGroupId: NODES_GROUP,
        BackendServers: JSON.stringify([{ ServerId: "i-user", Port: "9000", Type: "ecs" }]),
    });
});

test("a rollout with a readiness gate continues as pods become members", async () => {
    const { cluster } = session.lab;
    const gated = (name: string, replicas: number, service: string): string =>
        deploymentYaml(name, replicas).replace(
            "      automountServiceAccountToken",
            `      readinessGates:\n        - conditionType: service.readiness.alibabacloud.com/${service}\n` +
                "      automountServiceAccountToken",
        );
    const podsOf = async (app: string) =>
        (await cluster.get<{ items: GatedPod[] }>(`/api/v1/namespaces/default/pods?labelSelector=app%3D${app}`)).items;
    await applyBinding(session, "web-target-8080", podsSpec());
    await applyYaml(cluster, gated("lonely", 1, "nobody"));
    await applyYaml(cluster, gated("shop", 7, "web"));
    await waitForDeployment(cluster, "default", "shop");
    const ips = async (): Promise<string[]> =>
        (await endpointSlices(cluster, "default", "web"))
            .flatMap((slice) => slice.endpoints ?? [])
            .flatMap((one) => one.addresses)
            .sort();
    await waitFor("pods are members", async () =>
        JSON.stringify(await members()) === JSON.stringify(await ips()) ? true : undefined,
    );
    for (const { metadata, status } of await podsOf("shop"))
        if (metadata.deletionTimestamp === undefined)
            expect(status.conditions).toContainEqual(
                expect.objectContaining({
                    type: "service.readiness.alibabacloud.com/web",
                    status: "True",
                    reason: "ServerRegistered",
                }),
            );
    // The gate of a Service that nobody manages stays closed, and with it the pod.
    const [lonely] = await podsOf("lonely");
    expect(lonely?.status).toMatchObject({
        phase: "Running",
        conditions: expect.arrayContaining([
            expect.objectContaining({ type: "ContainersReady", status: "True" }),
            expect.objectContaining({ type: "Ready", status: "False" }),
        ]) as unknown,
    });
});

test("--once ends with an exit code, and --dry-run changes nothing", async () => {
    const second = new ReplicaProcess(session, ...installed.args, "--once");
    expect(await second.ended()).toBe(3);
    expect(second.text).toMatch(/another replica holds the lease/);
    // The controller would heal the edit before the dry run sees it.
    replica?.signal("SIGSTOP");
    const [first] = Object.keys(await nodeWeights());
    await cloud("SetVServerGroupAttribute", {
        VServerGroupId: NODES_GROUP,
        BackendServers: JSON.stringify([
            { ServerId: first, Port: "30080", Weight: "99", Type: "ecs", Description: MARK },
        ]),
    });
    const dry = new ReplicaProcess(session, "--dry-run");
    expect(await dry.ended()).toBe(0);
    expect(dry.text.split("\n").filter((line) => line.includes(` ${first}:30080 `))).toStrictEqual([
        expect.stringMatching(/^cn-hangzhou rsp-sync: set i-\S+:30080 weight [1-9]$/),
    ]);
    expect((await nodeWeights())[first ?? ""]).toBe(99);
    replica?.signal("SIGCONT");
    await waitForMembers(nodeWeights, await desired());
    const alone = new ReplicaProcess(session, "--once", "--lease", "another");
    expect(await alone.ended()).toBe(0);
    // Nothing was judged before everything was listed.
    expect(alone.text).not.toMatch(/Missing/);
    await applyBinding(session, "lonely", {
        ...nodesSpec(),
        serviceName: "nobody",
        ownershipMark: MARK.replace("/web/", "/nobody/"),
    });
    const unsynced = new ReplicaProcess(session, "--once", "--lease", "another");
    expect(await unsynced.ended()).toBe(1);
    expect(unsynced.text).toMatch(/"binding":"default\/lonely","reason":"ServiceMissing"/);
    await kubectl(session.lab.cluster, ["delete", "servergroupbinding", "lonely"]);
    const nowhere = new ReplicaProcess(session, "--once", "--namespace", "nowhere");
    expect(await nowhere.ended()).toBe(2);
    expect(nowhere.text).toMatch(/namespace "?nowhere/);
});

test("a terminating pod that still serves gets weight 0 and is removed later", async () => {
    const { cluster } = session.lab;
    const weights = async (): Promise<Record<string, number>> => {
        const group = (await stateOf(session)).nlb.serverGroups.find(({ id }) => id === PODS_GROUP);
        return Object.fromEntries((group?.servers ?? []).map(({ serverIp, weight }) => [serverIp, weight]));
    };
    await applyBinding(session, "web-target-8080", { ...podsSpec(), drainSeconds: 3600 });
    const { items } = await cluster.get<{ items: { metadata: { name: string }; status: { podIP: string } }[] }>(
        "/api/v1/namespaces/default/pods?labelSelector=app%3Dshop",
    );
    const pod = found(items[0], "pod");
    const url = `/api/v1/namespaces/default/pods/${pod.metadata.name}`;
    // It stays like a pod whose containers finish what they have begun.
    await cluster.patch(url, { metadata: { finalizers: ["lab.example/finishes-its-work"] } });
    await cluster.delete(url);
    await waitFor("it drains", async () => ((await weights())[pod.status.podIP] === 0 ? true : undefined));
    await waitFor("the status counts it", async () =>
        (await statusOf(session, "web-target-8080")).backends?.draining === 1 ? true : undefined,
    );
    await applyBinding(session, "web-target-8080", { ...podsSpec(), drainSeconds: 1 });
    await waitFor("its time is over", async () =>
        (await weights())[pod.status.podIP] === undefined ? true : undefined,
    );
    await cluster.patch(url, { metadata: { finalizers: null } });
});

test("the API server refuses a contradictory spec", async () => {
    const { nodePort: _, ...without } = nodesSpec();
    await expect(applyBinding(session, "broken", without)).rejects.toThrow(
        /nodePort is needed where nodes are backends/,
    );
    await expect(applyBinding(session, "broken", { ...nodesSpec(), weightShare: 5 })).rejects.toThrow(/user-managed/);
});

test("the installed roles are sufficient", () => {
    const text = replica?.text ?? "";
    expect(text).not.toMatch(/forbidden/i);
});

test("each line of the log is JSON, and none has a secret", () => {
    const text = replica?.text ?? "";
    const lines = text.trim().split("\n");
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) as unknown });
    for (const secret of [installed.token, session.lab.env["ALIBABA_CLOUD_ACCESS_KEY_SECRET"] ?? "none"])
        expect(text).not.toContain(secret);
    expect(lines.length).toBeGreaterThan(10);
});
