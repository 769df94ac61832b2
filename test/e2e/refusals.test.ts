/**
 * Bad input, an unreachable cluster and a troubled cloud get a clear answer, and leave nothing half done.
 * Only a run shows what the CLI prints of a refusal, and that nothing was done.
 *
 * Requirements: A01, A67, B03, C35, D27, D34, F01, F23, G12, G13, G14, G24, G25, G35, H20, X01.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { writeFileSync } from "node:fs";
import { scaleDeployment, type Session, waitForDeployment, waitForEndpoints } from "../../lab";
import { forget } from "../support/forget";
import { pattern } from "../support/pattern";
import { LIMIT_CASES } from "../support/limits";
import { callsOf, serviceYaml, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";
import { changeWeight } from "../support/drift";

const WEB: ServiceSpec = { name: "web", policy: "Local" };

let session: Session;
let stack: Stack;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Stack.create(session, "refusals", [WEB]);
    stack.succeed(await stack.up());
});

afterAll(async () => {
    await session.lab.stop();
    forget(stack);
});

/** The Service as the cluster has it, with the version of its last write. */
const serviceOf = async (name: string): Promise<string> =>
    (await session.run("kubectl", ["get", "service", name, "--namespace", "default", "--output", "json"])).text;

test("all mistakes of all Services are reported at once, with file, line, column and remedy", async () => {
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
        { name: "other", annotations: { spec: "x", scheduler: "best" } },
    ]);
    const calls = await callsOf(session, async () => {
        const text = stack.fail(await stack.up());
        expect(text).toMatch(/services\.yaml:\d+:\d+: error\[annotation-unknown\].*shceduler/);
        expect(text).toMatch(/scheduler/);
        expect(text).toMatch(/services\.yaml:\d+:\d+: error\[annotation-value\].*Internet/);
        expect(text).toMatch(/"internet"/);
        expect(text).toMatch(/bandwidth/);
        expect(text).toMatch(/81/);
        expect(text).toMatch(/remedy:/);
        for (const name of ["broken", "other"]) expect(text).toMatch(new RegExp(`Service default/${name}`));
    });
    expect(calls).toStrictEqual({});
});

test("what exceeds a fixed limit of the cloud is refused before the first call", async () => {
    // A name that is too long for a server group needs a long cluster id.
    const cases = LIMIT_CASES.filter(({ limit }) => limit !== "serverGroupName");
    const beyond = cases.map((one, index) => ({ ...one.with(one.accepted + 1), name: `over-${index}` }));
    stack.write([WEB, ...beyond]);
    const calls = await callsOf(session, async () => {
        const refused = stack.fail(await stack.up());
        for (const { cause } of cases) expect(refused).toMatch(cause);
    });
    expect(calls).toStrictEqual({});
});

test("a node port outside the cluster's range is refused by the API server, before a cloud call", async () => {
    const text =
        "apiVersion: v1\nkind: Service\nmetadata: { name: outside, namespace: default }\n" +
        "spec:\n  { type: LoadBalancer, selector: { app: shop }, ports: [{ port: 80, targetPort: 8080, nodePort: 26916 }] }\n";
    stack.writeText(`${serviceYaml(WEB)}---\n${text}`);
    const warning = /node port 26916 is outside 30000-32767, the range that clusters have by default/;
    const since = await session.lastCall();
    const refused = stack.fail(await stack.up());
    expect(refused).toMatch(warning);
    expect(refused).toMatch(/provided port is not in the valid range/);
    expect((await session.calls(since)).filter((call) => call.mutating)).toStrictEqual([]);
});

test("a Service of another type gets no load balancer, and a warning tells so", async () => {
    stack.write([WEB, { name: "inside", type: "ClusterIP" }]);
    expect(stack.succeed(await stack.up())).toMatch(/not a LoadBalancer Service/);
    expect((await stateOf(session)).slb.loadBalancers).toHaveLength(1);
    stack.write([WEB]);
});

test("preview and up refuse a changed create-only setting with cause and remedy", async () => {
    stack.write([{ ...WEB, annotations: { "address-type": "intranet", "vswitch-id": "vsw-lab-a" } }]);
    const since = await session.lastCall();
    for (const result of [await stack.preview(), await stack.up()]) {
        const text = stack.fail(result);
        expect(text).toMatch(
            pattern(
                /Service default\/web: addressType cannot change from "internet" to "intranet": /,
                /the address type of an instance is fixed when it is created\. Remedy: put addressType back/,
            ),
        );
    }
    expect((await session.calls(since)).filter((call) => call.mutating)).toStrictEqual([]);
    stack.write([WEB]);
});

test("a change from CLB to NLB is refused even if it is permitted", async () => {
    const nlb: ServiceSpec = {
        ...WEB,
        loadBalancerClass: "ack-loadbalancer.io/nlb",
        annotations: { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" },
    };
    stack.write([nlb]);
    await stack.config("allowReplacement", '{"default/web": ["loadBalancerType"]}');
    const before = await serviceOf("web");
    const since = await session.lastCall();
    const text = stack.fail(await stack.up());
    expect(text).toMatch(
        pattern(
            /Service default\/web: spec\.loadBalancerClass cannot change from a CLB to an NLB: /,
            /a CLB and an NLB cannot be converted into each other.+Remedy: /,
            /put spec\.loadBalancerClass back to a CLB, or add a second .*/,
            /or delete the Service and create it again/,
        ),
    );
    expect(text).not.toMatch(/addressType cannot change|ipVersion cannot change/);
    expect(await serviceOf("web")).toBe(before);
    await stack.config("allowReplacement", "{}");
    stack.write([WEB]);
    // The refused run has noted in the state, and nowhere else, that it looked at zones.
    stack.succeed(await stack.up());
    expect(await serviceOf("web")).toBe(before);
    expect((await session.calls(since)).filter((call) => call.mutating)).toStrictEqual([]);
});

test("the policy pack refuses a replacement that the program permits", async () => {
    stack.write([{ ...WEB, annotations: { "address-type": "intranet", "vswitch-id": "vsw-lab-a" } }]);
    await stack.config("allowReplacement", '{"default/web": ["addressType", "vswitchId"]}');
    const text = stack.fail(await stack.preview("--policy-pack", "policies"));
    expect(text).toMatch(/\[mandatory\].*immutability/);
    expect(text).toMatch(/ApplicationLoadBalancer \S+ (?:create-)?replace/);
    await stack.config("allowReplacement", "{}");
    stack.write([WEB]);
});

test("an unreachable cluster fails up, and removes nothing", async () => {
    const before = await stateOf(session);
    const env = { KUBECONFIG: `${session.lab.dir}/nowhere.kubeconfig` };
    writeFileSync(
        env.KUBECONFIG,
        "apiVersion: v1\nkind: Config\ncurrent-context: x\n" +
            "contexts: [{name: x, context: {cluster: x, user: x}}]\n" +
            "clusters: [{name: x, cluster: {server: 'https://127.0.0.1:1'}}]\nusers: [{name: x, user: {token: t}}]\n",
    );
    const text = stack.fail(await stack.run("up", ["--yes", "--skip-preview"], { env }));
    expect(text).toMatch(/127\.0\.0\.1:1/);
    expect(text).toMatch(/[Rr]emedy/);
    expect((await stateOf(session)).slb).toStrictEqual(before.slb);
});

test("a Deployment scaled to zero keeps its backends until their removal is allowed", async () => {
    const members = async () =>
        (await stateOf(session)).slb.vServerGroups.find(({ name }) => name.includes("/web/"))?.backends.length;
    const had = await members();
    await scaleDeployment(session.lab.cluster, "default", "shop", 0);
    await waitForDeployment(session.lab.cluster, "default", "shop");
    await waitForEndpoints(session.lab.cluster, "default", "web", 0);
    expect(stack.succeed(await stack.up())).toMatch(/has no backend.*Backends that the group has stay/);
    expect(await members()).toBe(had);
    await stack.config("allowEmpty", '["default/web"]');
    stack.succeed(await stack.up());
    expect(await members()).toBe(0);
    await scaleDeployment(session.lab.cluster, "default", "shop", 4);
    await waitForDeployment(session.lab.cluster, "default", "shop");
    await waitForEndpoints(session.lab.cluster, "default", "web", 4);
    stack.succeed(await stack.up());
    expect(await members()).toBe(3);
});

test("calls are retried after throttling and temporary errors", async () => {
    const faults = [
        { code: "Throttling.User", status: 400 },
        { code: "ServiceUnavailable", status: 503 },
    ].map((fault) => ({ action: "SetVServerGroupAttribute", times: 2, ...fault }));
    await session.cloud("/_faults", faults);
    await changeWeight(session, "web");
    stack.succeed(await stack.up("--refresh"));
    expect((await session.cloud<{ hits: number }[]>("/_faults")).map(({ hits }) => hits)).toStrictEqual([2, 2]);
    await session.cloud("/_faults", undefined, "DELETE");
});

test("a call that keeps failing ends with action, code, request id, cause and remedy", async () => {
    await session.cloud("/_faults", {
        action: "SetVServerGroupAttribute",
        code: "RspoolVipExist",
        message: "there are vips associating with this vServer group.",
    });
    await changeWeight(session, "web");
    const text = stack.fail(await stack.up("--refresh"));
    for (const expected of [/SetVServerGroupAttribute/, /RspoolVipExist/, /request id/i, /cause/i, /remedy/i]) {
        expect(text).toMatch(expected);
    }
    await session.cloud("/_faults", undefined, "DELETE");
});

test("a Service whose listener the cloud refuses leaves the stack with its protected instance", async () => {
    stack.write([WEB, { name: "half", policy: "Local" }]);
    await session.cloud("/_faults", { action: "CreateLoadBalancerTCPListener", code: "ListenerForbidden" });
    expect(stack.fail(await stack.up())).toMatch(/ListenerForbidden/);
    await session.cloud("/_faults", undefined, "DELETE");
    const { slb } = await stateOf(session);
    expect(slb.loadBalancers.map(({ deleteProtection }) => deleteProtection)).toStrictEqual(["on", "on"]);
    stack.write([WEB]);
    stack.succeed(await stack.up());
    expect((await stateOf(session)).slb.loadBalancers).toHaveLength(1);
});
