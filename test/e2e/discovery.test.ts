/** A stack that configures nothing but its manifests: the cluster says the rest. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { assertEmpty, Stack, startWorld, stateOf } from "../support/world";

const PROFILE = {
    clusterid: "c-found",
    vpcid: "vpc-lab",
    "vsw-zone": "vsw-lab-a:cn-hangzhou-a, vsw-lab-b:cn-hangzhou-b",
};

let session: Session;

beforeAll(async () => {
    session = await startWorld();
});

afterAll(async () => {
    await session.lab.stop();
});

test("without the cluster's id: asked for by name where the cluster does not say it; found, with its vSwitches, where it does; a contradiction is refused", async () => {
    const stack = await Stack.create(session, "discovery", [
        { name: "inner", annotations: { "address-type": "intranet" } },
    ]);
    stack.succeed(await stack.command("config", "rm", "clusterId", "--stack", stack.name));
    const since = await session.lastCall();
    expect(stack.fail(await stack.preview())).toMatch(/clusterId is not configured, and the cluster does not say it/);
    const literals = Object.entries(PROFILE).map(([key, value]) => `--from-literal=${key}=${value}`);
    const create = ["create", "configmap", "ack-cluster-profile", "--namespace", "kube-system", ...literals];
    expect((await session.run("kubectl", create)).code).toBe(0);
    await stack.config("vpcId", "vpc-other");
    expect(stack.fail(await stack.preview())).toMatch(
        /"vpc-other" is configured, but the cluster says that it is "vpc-lab"/,
    );
    expect(await session.calls(since)).toStrictEqual([]);
    await stack.config("vpcId", "vpc-lab");
    stack.succeed(await stack.up());
    const { slb } = await stateOf(session);
    expect(slb.loadBalancers.map(({ vSwitchId }) => vSwitchId)).toStrictEqual(["vsw-lab-a"]);
    expect(slb.vServerGroups.map(({ name }) => name.endsWith("/inner/default/c-found"))).toStrictEqual([true]);
    stack.succeed(await stack.up("--expect-no-changes"));
    await stack.remove();
    assertEmpty(await stateOf(session));
});
