/** A stack that configures nothing but its manifests: the cluster says the rest. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { assertEmpty, Stack, startWorld, stateOf } from "../support/world";

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

test("id, VPC and vSwitches are the cluster's; a contradiction, and another account or region than the cluster's, are refused without a write; what is not said is asked for by name", async () => {
    const stack = await Stack.create(session, "discovery", [INNER]);
    const since = await session.lastCall();
    const refused = async (message: RegExp): Promise<void> => {
        expect(stack.fail(await stack.preview())).toMatch(message);
        expect(stack.fail(await stack.up())).toMatch(message);
    };

    await stack.config("vpcId", "vpc-other");
    await refused(/"vpc-other" is configured, but the cluster says that it is "vpc-lab"/);
    stack.succeed(await stack.command("config", "rm", "vpcId", "--stack", stack.name));

    await say({ uid: "1000000000000009" });
    await refused(
        /credentials are of account 1000000000000001, but the cluster belongs to account 1000000000000009.*Remedy: use credentials of the cluster's account/,
    );
    await say({ uid: "1000000000000001", "vsw-zone": "vsw-lab-a:cn-beijing-a" });
    await refused(/run is for region cn-hangzhou, but the cluster stands in cn-beijing/);

    const { data } = await session.lab.cluster.get<{ data: Record<string, string> }>(PROFILE);
    await session.lab.cluster.delete(PROFILE);
    await refused(/clusterId is not configured, and the cluster does not say it/);
    expect((await session.calls(since)).filter(({ mutating }) => mutating)).toStrictEqual([]);

    await session.lab.cluster.create(CONFIG_MAPS, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "ack-cluster-profile", namespace: "kube-system" },
        data: { ...data, "vsw-zone": "vsw-lab-a:cn-hangzhou-a, vsw-lab-b:cn-hangzhou-b" },
    });
    stack.succeed(await stack.up());
    const { slb } = await stateOf(session);
    expect(slb.loadBalancers.map(({ vSwitchId }) => vSwitchId)).toStrictEqual(["vsw-lab-a"]);
    expect(slb.vServerGroups.map(({ name }) => name.endsWith("/inner/default/c-test"))).toStrictEqual([true]);
    stack.succeed(await stack.up("--expect-no-changes"));
    await stack.remove();
    assertEmpty(await stateOf(session));
});

test("another answer of the cluster than in the last run changes neither names nor backends unseen: it is refused until it is stated", async () => {
    const stack = await Stack.create(session, "pinned", [{ name: "pinned" }]);
    stack.succeed(await stack.up());

    await say({ clusterid: "c-renamed" });
    expect(stack.fail(await stack.preview())).toMatch(/clusterId/);
    await say({ clusterid: "c-test" });

    await installTerway();
    const refused = stack.fail(await stack.up());
    expect(refused).toMatch(/knew no networkPlugin, and now the cluster says "terway"/);
    expect(refused).toMatch(/Remedy: state it: pulumi config set networkPlugin terway/);
    await session.lab.cluster.delete(`${CONFIG_MAPS}/eni-config`);
    stack.succeed(await stack.up());
    stack.succeed(await stack.up("--expect-no-changes"));

    await stack.remove();
    assertEmpty(await stateOf(session));
});

test("on Terway, pods are the backends of a new stack; when the cluster stops saying so, they stay", async () => {
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
        /went by networkPlugin "terway", as the cluster said, and now the cluster does not say it any more/,
    );
    await stack.config("networkPlugin", "terway");
    stack.succeed(await stack.up());
    expect(await backends()).toHaveLength(4);
    await stack.remove();
    assertEmpty(await stateOf(session));
});
