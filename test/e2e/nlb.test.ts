/** A Service behind an NLB, from `pulumi up` to `pulumi destroy`, and what each step costs in API calls. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Session } from "../../lab";
import { assertEmpty, callsOf, type ServiceSpec, Stack, startWorld, stateOf } from "./world";

const ZONES = "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b";

const WEB: ServiceSpec = {
    name: "web",
    loadBalancerClass: "alibabacloud.com/nlb",
    annotations: { "zone-maps": ZONES, "protocol-port": "TCPSSL:443", "cert-id": "cert-one", "health-check-type": "tcp" },
    ports: [{ port: 80 }, { port: 53, protocol: "UDP" }, { port: 443 }],
};

let session: Session;
let stack: Stack;

before(async () => {
    session = await startWorld();
    await session.cloud("/_seed", { certificates: [{ id: "cert-one" }, { id: "cert-two" }, { id: "cert-three" }] });
    stack = await Stack.create(session, "nlb", [WEB]);
    await stack.config("vpcId", "vpc-lab");
});

after(async () => {
    await session.lab.stop();
});

test("up makes an instance, and a listener and a server group for each port", async () => {
    const calls = await callsOf(session, async () => stack.succeed(await stack.up()));
    console.log(calls);
    const { nlb } = await stateOf(session);
    console.log(JSON.stringify(nlb, null, 1));
});

test("up again, with nothing to do, makes no API call", async () => {
    const calls = await callsOf(session, async () => stack.succeed(await stack.up("--expect-no-changes")));
    assert.deepEqual(calls, {});
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
});

test("destroy leaves nothing", async () => {
    const since = await session.lastCall();
    await stack.remove();
    const writes = (await session.calls(since)).filter((call) => call.mutating).map(({ action }) => action);
    console.log(writes);
    assertEmpty(await stateOf(session));
});
