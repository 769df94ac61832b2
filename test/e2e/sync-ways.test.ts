/**
 * Sync controller with load balancers of every origin: adopted and handed back, user-managed groups shared by several
 * Services, a program's shared load balancer, a GitOps repository.
 * Only a run shows that the controller keeps the groups which runs have left to it.
 *
 * Requirements: E18.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
    ccmObjections,
    dataPath,
    leaveFootprint,
    liveService,
    RECORDED_NODES,
} from "../../examples/migrate-from-ccm/ccm";
import {
    applyYaml,
    REPOSITORY,
    scaleDeployment,
    type Session,
    setNodeReady,
    waitFor,
    waitForDeployment,
} from "../../lab";
import { RECORDED_CLUSTER } from "../../examples/migrate-from-ccm/ccm";
import { onTestFinished } from "../support/finished";
import { Program } from "../support/program";
import { startRecorded } from "../support/recorded";
import { installBindings, ReplicaProcess, statusOf } from "../support/replica";
import { deploymentYaml, type ServiceSpec, Stack, stateOf } from "../support/world";

const THIRD = RECORDED_NODES[2]?.name ?? "";

let session: Session;
let replica: ReplicaProcess | undefined;

beforeAll(async () => {
    session = await startRecorded({ isResident: true });
    const { cluster } = session.lab;
    await applyYaml(cluster, deploymentYaml("shop", 3));
    await waitForDeployment(cluster, "default", "shop");
    await installBindings(session);
    replica = new ReplicaProcess(session, "--user-managed-group", "default/rsp-users");
    await replica.prints('"watching"');
});

afterAll(async () => {
    replica?.signal("SIGTERM");
    await replica?.ended();
    await session.lab.stop();
});

/** Members of a group: first part of the name in their mark, machine and weight. */
async function membersOf(group: string): Promise<string[]> {
    const found = (await stateOf(session)).slb.vServerGroups.find(
        ({ id, name }) => id === group || name.includes(group),
    );
    return (found?.backends ?? [])
        .map(({ serverId, weight, description }) => {
            const [, , name = description] = description.split("/");
            return `${name} ${serverId} ${weight}`;
        })
        .sort();
}

/** Waits until a group has these members. */
async function follows(group: string, desired: readonly string[]): Promise<void> {
    let seen: string[] = [];
    await waitFor(
        `${group} has ${desired.join(", ")}`,
        async () => (isDeepStrictEqual((seen = await membersOf(group)), desired) ? true : undefined),
        { state: () => `there are ${seen.join(", ")}` },
    );
}

const members = (name: string, weight: number, ...machines: readonly string[]): string[] =>
    machines.map((machine) => `${name} ${machine} ${weight}`);

const scale = async (replicas: number): Promise<void> => {
    await scaleDeployment(session.lab.cluster, "default", "shop", replicas);
    await waitForDeployment(session.lab.cluster, "default", "shop");
};

/** Sum of the weights of a Service's members: its pods, in Local mode. */
const podsBehind = async (group: string): Promise<number> =>
    (await membersOf(group)).reduce((sum, member) => sum + Number(member.split(" ")[2]), 0);

test("a Service is adopted with sync, followed and handed back; only the controller writes", async () => {
    const left = await leaveFootprint(session.lab, "seed-01-internet-clb-default", "adopted");
    const stack = await Stack.create(session, "adopted", []);
    onTestFinished(() => stack.clear());
    stack.writeText(JSON.stringify(left.manifest));
    await stack.config("sync", "true");
    await stack.config("adopt", '{"default/adopted": {}}');
    const untouched = async (operation: () => Promise<unknown>): Promise<void> => {
        const since = await session.lastCall();
        await operation();
        expect((await session.calls(since)).filter(({ mutating }) => mutating)).toStrictEqual([]);
    };
    const bindings = async (): Promise<string> =>
        (await session.run("kubectl", ["get", "servergroupbindings", "-o", "name"])).text;
    await untouched(async () => stack.succeed(await stack.up()));
    expect(await bindings()).toMatch(/adopted-/);
    await stack.config("adopt", "{}");
    await stack.config("follow", '["default/adopted"]');
    await untouched(async () => stack.succeed(await stack.up("--expect-no-changes")));

    await setNodeReady(session.lab.cluster, THIRD, false);
    await follows("/adopted/", members("adopted", 100, "i-node1", "i-node2"));
    await setNodeReady(session.lab.cluster, THIRD, true);
    await follows("/adopted/", members("adopted", 100, "i-node1", "i-node2", "i-node3"));
    await untouched(async () => stack.succeed(await stack.preview("--refresh", "--expect-no-changes")));

    await stack.config("handBack", '["default/adopted"]');
    await untouched(async () => stack.succeed(await stack.up()));
    stack.writeText("apiVersion: v1\nkind: ConfigMap\nmetadata: { name: none }\n");
    await untouched(async () => stack.succeed(await stack.up()));
    expect(await bindings()).not.toMatch(/adopted-/);
    expect(ccmObjections(await liveService(session.lab, "adopted"), await dataPath(session.lab))).toStrictEqual([]);
});

test("two bindings in a user-managed group each keep their own members and share", async () => {
    await session.cloud("/_seed", {
        instances: [{ id: "i-users", privateIp: "10.9.9.9" }],
        calls: [
            {
                action: "CreateLoadBalancer",
                params: { LoadBalancerName: "users", AddressType: "internet", InstanceChargeType: "PayByCLCU" },
                id: "lb-users",
            },
            {
                action: "CreateVServerGroup",
                params: { LoadBalancerId: "lb-users", VServerGroupName: "users' group" },
                id: "rsp-users",
            },
            {
                action: "AddVServerGroupBackendServers",
                params: {
                    VServerGroupId: "rsp-users",
                    BackendServers: JSON.stringify([
                        { ServerId: "i-users", Port: "8000", Weight: "40", Type: "ecs", Description: "by hand" },
                    ]),
                },
            },
        ],
    });
    const joined = (name: string, weight: string): ServiceSpec => ({
        name,
        annotations: { id: "lb-users", "vgroup-port": "rsp-users:80", weight },
    });
    const stack = await Stack.create(session, "joined", [joined("blue", "60"), joined("green", "0")]);
    await stack.config("sync", "true");
    stack.succeed(await stack.up());
    const user = ["by hand i-users 40"];
    const nodes = ["i-node1", "i-node2", "i-node3"];
    await follows("rsp-users", [...members("blue", 20, ...nodes), ...user, ...members("green", 0, ...nodes)]);
    await setNodeReady(session.lab.cluster, THIRD, false);
    await follows("rsp-users", [
        ...members("blue", 30, ...nodes.slice(0, 2)),
        ...user,
        ...members("green", 0, ...nodes.slice(0, 2)),
    ]);
    await setNodeReady(session.lab.cluster, THIRD, true);
    await follows("rsp-users", [...members("blue", 20, ...nodes), ...user, ...members("green", 0, ...nodes)]);
    stack.succeed(await stack.preview("--expect-no-changes"));
    const [binding] = (await session.run("kubectl", ["get", "servergroupbindings", "-o", "name"])).text
        .split("\n")
        .flatMap((line) => (line.includes("/blue-") ? [line.split("/")[1] ?? ""] : []));
    expect((await statusOf(session, binding ?? "")).backends).toMatchObject({ total: 3, weight: 60, userManaged: 1 });
    await stack.remove();
    expect(await membersOf("rsp-users")).toStrictEqual(user);
});

test("the groups of a shared load balancer follow, and destroy deletes bindings first", async () => {
    const body = (sync: boolean) => `
        const cluster = new Cluster({ clusterId: "${RECORDED_CLUSTER}", sync: ${sync} });
        const shared = new SharedLoadBalancer("front", { cluster });
        for (const [name, port] of [["one", 80], ["two", 8080]])
            new ServiceLoadBalancer(name, {
                cluster,
                service: {
                    name,
                    selector: { app: "shop" },
                    ports: [{ port, targetPort: 8080 }],
                    externalTrafficPolicy: "Local",
                },
                settings: { scheduler: "wrr" },
                loadBalancer: shared,
            });`;
    const program = await Program.create(session, "shared-sync", body(true));
    program.succeed(await program.up());
    for (const replicas of [6, 2]) {
        await scale(replicas);
        for (const group of ["/one/", "/two/"])
            await waitFor(`${group} weighs ${replicas} pods`, async () =>
                (await podsBehind(group)) === replicas ? true : undefined,
            );
    }
    program.succeed(await program.preview("--expect-no-changes"));
    // Off: the run takes the members over as they are, and nobody else changes them.
    program.write(body(false));
    program.succeed(await program.up());
    await scale(4);
    expect(await podsBehind("/one/")).toBe(2);
    program.write(body(true));
    program.succeed(await program.up());
    await waitFor("four pods", async () => ((await podsBehind("/two/")) === 4 ? true : undefined));
    program.succeed(await program.destroy());
    expect(await membersOf("/one/")).toStrictEqual([]);
});

test("the example repository for the Pulumi Kubernetes Operator runs unchanged", async () => {
    const cwd = path.join(REPOSITORY, "examples/gitops-operator/repository");
    const name = `gitops-${process.pid}`;
    onTestFinished(() => fs.rmSync(path.join(cwd, `Pulumi.${name}.yaml`), { force: true }));
    // Processes, as the operator starts them.
    const pulumi = async (...args: string[]): Promise<void> => {
        const { code, text } = await session.start("pulumi", [...args, "--non-interactive"], { cwd }).done;
        expect({ code, text }).toMatchObject({ code: 0 });
    };
    await pulumi("stack", "init", name);
    const config = { manifests: "manifests", sync: "true" };
    for (const [key, value] of Object.entries(config)) await pulumi("config", "set", key, value);
    await pulumi("up", "--yes", "--skip-preview");
    await scale(5);
    await waitFor("five pods", async () => ((await podsBehind("/shop/")) === 5 ? true : undefined), {
        state: () => replica?.text ?? "",
    });
    await pulumi("preview", "--expect-no-changes");
    await pulumi("destroy", "--yes", "--skip-preview");
});
