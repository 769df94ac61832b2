/** Services on an instance that somebody else has made: what is refused, what is managed, and what stays when they go. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Session } from "../../lab";
import { callsOf, type ServiceSpec, Stack, startWorld, stateOf } from "./world";

const ID = "lb-users";
const OWN = { deleteProtection: "off", modificationProtectionStatus: "NonProtection" };

let session: Session;
let stack: Stack;

const web = (annotations: Record<string, string> = {}, ports: ServiceSpec["ports"] = [{ port: 80 }]): ServiceSpec => ({
    name: "web",
    annotations: { id: ID, ...annotations },
    ports,
});
const FORCED = { "force-override-listeners": "true" };

before(async () => {
    session = await startWorld();
    await session.cloud("/_seed", {
        calls: [
            {
                action: "CreateLoadBalancer",
                params: { LoadBalancerName: "users", AddressType: "internet", InstanceChargeType: "PayByCLCU", "Tag.1.Key": "team", "Tag.1.Value": "shop" },
                id: ID,
            },
            { action: "CreateVServerGroup", params: { LoadBalancerId: ID, VServerGroupName: "users-group" }, id: "rsp-users" },
        ],
    });
    stack = await Stack.create(session, "reuse", []);
    await stack.config("vpcId", "vpc-lab");
});

after(async () => {
    try {
        await stack.clear();
    } finally {
        await session.lab.stop();
    }
});

test("without force-override groups and backends are managed, listeners are not", async () => {
    stack.write([web()]);
    stack.succeed(await stack.up());
    const { slb } = await stateOf(session);
    assert.deepEqual(slb.listeners, []);
    assert.equal(slb.vServerGroups.length, 2);
    assert.equal(slb.vServerGroups.find(({ name }) => name.includes("/web/"))?.backends.length, 3);
    assert.deepEqual(
        slb.loadBalancers.map(({ tags }) => tags),
        [{ team: "shop", "kubernetes.reused.by.user": "true" }],
    );
    const calls = await callsOf(session, async () => stack.succeed(await stack.up("--refresh", "--expect-no-changes")));
    console.log(calls, OWN);
});

test("with it the listener is there", async () => {
    stack.write([web(FORCED)]);
    console.log(stack.succeed(await stack.preview("--diff")));
    stack.succeed(await stack.up());
    const { slb } = await stateOf(session);
    assert.deepEqual(
        slb.listeners.map(({ port, status }) => `${port} ${status}`),
        ["80 running"],
    );
    stack.write([]);
    stack.succeed(await stack.up());
    console.log(JSON.stringify(await stateOf(session), null, 1));
});
