/**
 * A rollout with graceful-shutdown: a pod that terminates keeps its place with weight 0 for as long as it serves, in a
 * run and, between runs, by the sync controller.
 * Only a run shows a rollout in which pods terminate while a run and the controller look.
 *
 * Requirements: X33.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Session, waitFor, waitForDeployment } from "../../lab";
import { found } from "../support/found";
import { installBindings, ReplicaProcess, statusOf } from "../support/replica";
import { assertEmpty, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

const ROLLOUT = { "service.beta.kubernetes.io/backend-type": "eni", "graceful-shutdown": "true", scheduler: "wrr" };
const CLB: ServiceSpec = { name: "pay", annotations: ROLLOUT };
const NLB: ServiceSpec = {
    name: "web",
    loadBalancerClass: "alibabacloud.com/nlb",
    annotations: {
        ...ROLLOUT,
        "server-group-type": "Ip",
        "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b",
    },
};

let session: Session;
let stack: Stack;
let replica: ReplicaProcess | undefined;

interface Pod {
    readonly metadata: { readonly name: string };
    readonly status: { readonly podIP: string };
}

const PODS = "/api/v1/namespaces/default/pods";

const pods = async (): Promise<readonly Pod[]> =>
    (await session.lab.cluster.get<{ items: Pod[] }>(`${PODS}?labelSelector=app%3Dshop`)).items;

/** Gives the interfaces of a Terway node to all pods of the cluster. */
async function attachPods(): Promise<void> {
    const privateIps = (await pods()).map(({ status }) => status.podIP);
    await session.cloud("/_seed", { networkInterfaces: [{ id: "eni-pods", privateIps }] });
}

/** Deletes a pod that goes on serving until its work is done. Another pod takes its place. */
async function startTerminating(): Promise<Pod> {
    const pod = found((await pods())[0], "pod");
    const url = `${PODS}/${pod.metadata.name}`;
    await session.lab.cluster.patch(url, { metadata: { finalizers: ["lab.example/finishes-its-work"] } });
    await session.lab.cluster.delete(url);
    await waitForDeployment(session.lab.cluster, "default", "shop");
    await attachPods();
    return pod;
}

const finish = ({ metadata }: Pod): Promise<unknown> =>
    session.lab.cluster.patch(`${PODS}/${metadata.name}`, { metadata: { finalizers: null } });

/** Weights by address of the only group of each kind of load balancer. */
async function weights(): Promise<readonly Record<string, number>[]> {
    const { slb, nlb } = await stateOf(session);
    return [
        ...slb.vServerGroups.map(({ backends }) => backends.map(({ serverIp, weight }) => [serverIp, weight])),
        ...nlb.serverGroups.map(({ servers }) => servers.map(({ serverIp, weight }) => [serverIp, weight])),
    ].map((entries) => Object.fromEntries(entries) as Record<string, number>);
}

/** Returns the weights that both groups should have: 100 for each pod, 0 for the pod that drains. */
async function wanted(draining?: Pod): Promise<Record<string, number>> {
    const addresses = (await pods()).map(({ status }) => status.podIP);
    return Object.fromEntries(addresses.map((ip) => [ip, ip === draining?.status.podIP ? 0 : 100]));
}

const bothAre = async (expected: Record<string, number>) => expect(await weights()).toStrictEqual([expected, expected]);

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await attachPods();
    stack = await Stack.create(session, "graceful", [CLB, NLB]);
    await stack.config("networkPlugin", "terway");
});

afterAll(async () => {
    replica?.signal("SIGTERM");
    await replica?.ended();
    await session.lab.stop();
});

test("in a run: the preview shows weight 0 for a terminating pod, and the update keeps its place", async () => {
    stack.succeed(await stack.up());
    await bothAre(await wanted());
    const leaving = await startTerminating();
    const preview = stack.succeed(await stack.preview("--diff"));
    expect(preview).toMatch(/weight: 100 => 0/);
    expect(preview).not.toMatch(/- weight/);
    stack.succeed(await stack.up());
    await bothAre(await wanted(leaving));
    const shown = await session.run("ack-loadbalancer", ["show", "default/web"]);
    expect(shown.text).toMatch(new RegExp(`${leaving.status.podIP.replaceAll(".", "\\.")}.*0 \\(draining\\)`));
    await finish(leaving);
    stack.succeed(await stack.up());
    await bothAre(await wanted());
    stack.succeed(await stack.preview("--expect-no-changes"));
});

test("between runs: the controller gives weight 0, waits for the pod, and removes it", async () => {
    await installBindings(session);
    await stack.config("sync", "true");
    stack.succeed(await stack.up());
    replica = new ReplicaProcess(session);
    await replica.prints('"leading"');
    const before = await wanted();
    const leaving = await startTerminating();
    const drained = await wanted(leaving);
    const since = await session.lastCall();
    await waitFor("both groups drain the pod", async () =>
        (await weights()).every((one) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(drained)))
            ? true
            : undefined,
    );
    await waitFor("the status names a backend that drains", async () => {
        const { backends } = await statusOf(session, "web-target-tcp-8080");
        return backends?.draining === 1 && backends.total === Object.keys(before).length + 1 ? true : undefined;
    });
    // No pod was left out in between: nothing was removed.
    expect((await session.calls(since)).map(({ action }) => action)).not.toContainEqual(
        expect.stringMatching(/^Remove/),
    );
    stack.succeed(await stack.preview("--expect-no-changes"));
    await finish(leaving);
    const after = await wanted();
    await waitFor("both groups have the pods that are left", async () =>
        (await weights()).every((one) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(after)))
            ? true
            : undefined,
    );
    await stack.remove();
    assertEmpty(await stateOf(session));
});

const sorted = (entries: Record<string, number>) => Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
