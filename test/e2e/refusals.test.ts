/** What bad input, an unreachable cluster and a troubled cloud get: a clear answer, and nothing half done. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scaleDeployment, type Session, waitForDeployment, waitForEndpoints } from "../../lab";
import { callsOf, serviceYaml, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";
import { changeWeight } from "../support/drift";

const WEB: ServiceSpec = { name: "web", policy: "Local" };

let session: Session;
let stack: Stack;

before(async () => {
    session = await startWorld();
    stack = await Stack.create(session, "refusals", [WEB]);
    stack.succeed(await stack.up());
});

after(async () => {
    await stack.remove();
    await session.lab.stop();
});

/** The Service as the cluster has it, with the version of its last write. */
const serviceOf = async (name: string): Promise<string> =>
    (await session.run("kubectl", ["get", "service", name, "--namespace", "default", "--output", "json"])).text;

test("every mistake of every Service is reported at once, with file, line, column and remedy; nothing is changed", async () => {
    stack.write([
        WEB,
        {
            name: "broken",
            annotations: {
                shceduler: "wrr",
                "address-type": "Internet",
                bandwidth: "many",
                "protocol-port": "http:81",
            },
        },
    ]);
    const calls = await callsOf(session, async () => {
        const text = stack.fail(await stack.up());
        assert.match(text, /services\.yaml:\d+:\d+: error\[annotation-unknown\].*shceduler/);
        assert.match(text, /scheduler/);
        assert.match(text, /services\.yaml:\d+:\d+: error\[annotation-value\].*Internet/);
        assert.match(text, /"internet"/);
        assert.match(text, /bandwidth/);
        assert.match(text, /81/);
        assert.match(text, /remedy:/);
    });
    assert.deepEqual(calls, {});
    stack.write([WEB]);
    stack.succeed(await stack.up("--expect-no-changes"));
});

test("YAML that is no YAML names its place", async () => {
    stack.writeText("apiVersion: v1\nkind: Service\nmetadata: [\n");
    assert.match(stack.fail(await stack.preview()), /services\.yaml:\d+:\d+: error\[manifest-syntax\]/);
    stack.write([WEB]);
});

test("a Service of another type gets no load balancer, and the run says so", async () => {
    stack.write([WEB, { name: "inside", type: "ClusterIP" }]);
    const text = stack.succeed(await stack.up("--expect-no-changes"));
    assert.match(text, /not a LoadBalancer Service/);
    stack.write([WEB]);
});

test("a create-only setting is refused at preview and at up, with cause and remedy, before any write", async () => {
    stack.write([{ ...WEB, annotations: { "address-type": "intranet", "vswitch-id": "vsw-lab-a" } }]);
    const since = await session.lastCall();
    for (const result of [await stack.preview("--policy-pack", "policies"), await stack.up()]) {
        const text = stack.fail(result);
        assert.match(
            text,
            /Service default\/web: addressType cannot change from "internet" to "intranet": the address type of an instance is fixed when it is created\. Remedy: put addressType back/,
        );
    }
    assert.deepEqual(
        (await session.calls(since)).filter((call) => call.mutating),
        [],
    );
    stack.write([WEB]);
});

test("a CLB does not become an NLB, at preview or at up, not even where that is allowed; nothing is written", async () => {
    const nlb: ServiceSpec = {
        ...WEB,
        loadBalancerClass: "ack-loadbalancer.io/nlb",
        annotations: { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" },
    };
    stack.write([nlb]);
    await stack.config("allowReplacement", '{"default/web": ["loadBalancerType"]}');
    const before = await serviceOf("web");
    const since = await session.lastCall();
    for (const result of [await stack.preview("--policy-pack", "policies"), await stack.up()]) {
        const text = stack.fail(result);
        assert.match(
            text,
            /Service default\/web: loadBalancerType cannot change from "clb" to "nlb": a CLB and an NLB cannot be converted into each other.+Remedy: put loadBalancerType back to "clb", or delete the Service and create it again/,
        );
        assert.doesNotMatch(text, /addressType cannot change|ipVersion cannot change/);
    }
    assert.equal(await serviceOf("web"), before);
    stack.succeed(await session.run("pulumi", ["config", "rm", "allowReplacement", "--stack", stack.name]));
    stack.write([WEB]);
    // The refused run has noted in the state, and nowhere else, that it looked at zones.
    stack.succeed(await stack.up());
    stack.succeed(await stack.up("--expect-no-changes"));
    assert.equal(await serviceOf("web"), before);
    assert.deepEqual(
        (await session.calls(since)).filter((call) => call.mutating),
        [],
    );
});

test("what a program allows, the platform team's pack still refuses", async () => {
    stack.write([{ ...WEB, annotations: { "address-type": "intranet", "vswitch-id": "vsw-lab-a" } }]);
    await stack.config("allowReplacement", '{"default/web": ["addressType", "vswitchId"]}');
    const without = stack.succeed(await stack.preview());
    assert.match(without, /replace/);
    const text = stack.fail(await stack.preview("--policy-pack", "policies"));
    assert.match(text, /\[mandatory\].*immutability/);
    stack.succeed(await session.run("pulumi", ["config", "rm", "allowReplacement", "--stack", stack.name]));
    stack.write([WEB]);
});

test("a cluster that cannot be reached fails preview and up; nothing is removed", async () => {
    const before = await stateOf(session);
    const env = { KUBECONFIG: `${session.lab.dir}/nowhere.kubeconfig` };
    const { writeFileSync } = await import("node:fs");
    writeFileSync(
        env.KUBECONFIG,
        "apiVersion: v1\nkind: Config\ncurrent-context: x\ncontexts: [{name: x, context: {cluster: x, user: x}}]\nclusters: [{name: x, cluster: {server: 'https://127.0.0.1:1'}}]\nusers: [{name: x, user: {token: t}}]\n",
    );
    for (const operation of ["preview", "up"]) {
        const flags = operation === "up" ? ["--yes", "--skip-preview"] : [];
        const text = stack.fail(await stack.run(operation, flags, { env }));
        assert.match(text, /127\.0\.0\.1:1/);
        assert.match(text, /[Rr]emedy/);
    }
    assert.deepEqual((await stateOf(session)).slb, before.slb);
});

test("a Deployment scaled to zero keeps its backends until their removal is allowed, and the run says so", async () => {
    const members = async () =>
        (await stateOf(session)).slb.vServerGroups.find(({ name }) => name.includes("/web/"))?.backends.length;
    const had = await members();
    await scaleDeployment(session.lab.cluster, "default", "shop", 0);
    await waitForDeployment(session.lab.cluster, "default", "shop");
    await waitForEndpoints(session.lab.cluster, "default", "web", 0);
    assert.match(stack.succeed(await stack.up()), /has no backend.*Backends that are there stay/);
    assert.equal(await members(), had);
    await stack.config("allowEmpty", '["default/web"]');
    stack.succeed(await stack.up());
    assert.equal(await members(), 0);
    await scaleDeployment(session.lab.cluster, "default", "shop", 4);
    await waitForDeployment(session.lab.cluster, "default", "shop");
    await waitForEndpoints(session.lab.cluster, "default", "web", 4);
    stack.succeed(await stack.up());
    assert.equal(await members(), 3);
});

test("a throttled or troubled call is tried again", async () => {
    for (const [code, status] of [
        ["Throttling.User", 400],
        ["ServiceUnavailable", 503],
    ] as const) {
        await session.cloud("/_faults", { action: "SetVServerGroupAttribute", code, status, times: 2 });
        await changeWeight(session, "web");
        stack.succeed(await stack.up("--refresh"));
        assert.deepEqual(
            (await session.cloud<{ hits: number }[]>("/_faults")).map(({ hits }) => hits),
            [2],
        );
        await session.cloud("/_faults", undefined, "DELETE");
    }
});

test("a call that keeps failing ends in an error with action, code, request id, cause and remedy", async () => {
    await session.cloud("/_faults", {
        action: "SetVServerGroupAttribute",
        code: "RspoolVipExist",
        message: "there are vips associating with this vServer group.",
    });
    await changeWeight(session, "web");
    const text = stack.fail(await stack.up("--refresh"));
    for (const expected of [/SetVServerGroupAttribute/, /RspoolVipExist/, /request id/i, /cause/i, /remedy/i]) {
        assert.match(text, expected);
    }
    await session.cloud("/_faults", undefined, "DELETE");
    stack.succeed(await stack.up("--refresh"));
});

test("two mistakes in two documents are both reported", async () => {
    stack.writeText(
        [
            serviceYaml({ name: "a", annotations: { spec: "x", "address-type": "inside" } }),
            serviceYaml({ name: "b", annotations: { scheduler: "best" } }),
        ].join("---\n"),
    );
    const text = stack.fail(await stack.preview());
    assert.match(text, /Service default\/a/);
    assert.match(text, /Service default\/b/);
    stack.write([WEB]);
});
