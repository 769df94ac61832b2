/**
 * Read-only commands on a live Service: doctor, show and explain. Each fault is created, found by explain, and
 * corrected.
 * Only a run shows what the commands find of a Service that a run has made.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { applyYaml, type Session } from "../../lab";
import { Commands } from "../support/commands";
import { forget } from "../support/forget";
import { Program } from "../support/program";
import { type CloudState, type ServiceSpec, serviceYaml, Stack, startWorld, stateOf } from "../support/world";

const WEB: ServiceSpec = {
    name: "web",
    policy: "Local",
    annotations: { "address-type": "internet", scheduler: "wrr" },
    ports: [{ port: 8443 }],
};

interface Explained {
    readonly explanations: readonly {
        readonly verdict: string;
        readonly what: string;
        readonly evidence: readonly string[];
        readonly remedy: string;
    }[];
}

const NET: ServiceSpec = {
    name: "net",
    loadBalancerClass: "alibabacloud.com/nlb",
    annotations: { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" },
};

let session: Session;
let stack: Stack;
let commands: Commands;
let since = 0;

const command = (...args: string[]) => commands.run(...args);

/** Returns explain's report of a Service, and its exit code. */
async function explain(name: string): Promise<Explained & { readonly code: number }> {
    const { code, text } = await command("explain", `default/${name}`, "--format", "json");
    return { code, ...(JSON.parse(text) as Explained) };
}

async function group(): Promise<CloudState["slb"]["vServerGroups"][number]> {
    const { slb } = await stateOf(session);
    const found = slb.vServerGroups.find(({ name }) => name.includes("/web/"));
    if (found === undefined) throw new Error("the group is not there");
    return found;
}

const console_ = (action: string, params: object) => session.cloud("/_console", { action, params, as: "other" });

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Stack.create(session, "inspect", [WEB, NET]);
    stack.succeed(await stack.up());
    commands = new Commands(session);
    since = await session.lastCall();
});

// Commands change nothing in the cloud. Calls of the tests, as users of the console, are not counted.
afterEach(async () => {
    const calls = await session.calls(since);
    since = await session.lastCall();
    expect(calls.filter(({ mutating }) => mutating).map(({ action }) => action)).toStrictEqual([]);
});

afterAll(async () => {
    commands.stop();
    await session.lab.stop();
    forget(stack);
});

/** Leaves out of the count what a test has done in the console. */
const settled = async (): Promise<void> => void (since = await session.lastCall());

/** Output of a command with its wrapped lines joined. */
const unwrapped = async (...args: string[]) => {
    const { code, text } = await command(...args);
    return { code, text: text.replace(/\n {4,}(?:→ )?/g, " ") };
};

test("doctor finds no problem, and names what it could not check", async () => {
    const { code, text } = await unwrapped("doctor");
    expect([code, text]).toStrictEqual([0, expect.stringMatching(/^nothing is in the way of a run/)]);
    for (const line of [
        /ok +Node +v24/,
        /ok +API server/,
        /ok +may patch services\/status +yes/,
        /ok +credentials +account \d+/,
        /ok +slb:DescribeLoadBalancers +allowed/,
        /ok +quota of CLB: instances of the account +1 of 30 \(asked of the cloud\)/,
        /ok +quota of NLB: instances of the account in the region +1 of 60 \(asked of the cloud\)/,
        /ok +quota of NLB: backends of the instance +400 \(the published default; yours may differ\)/,
        /not seen +write permissions/,
    ])
        expect(text).toMatch(line);
});

test("doctor names a missing permission, and invalid keys", async () => {
    await session.cloud("/_faults", [
        { product: "Slb", action: "DescribeVServerGroups", code: "Forbidden.RAM", status: 403, times: 1 },
    ]);
    const denied = await unwrapped("doctor");
    expect(denied.code).toBe(1);
    expect(denied.text).toMatch(
        /ERROR +slb:DescribeVServerGroups +Forbidden\.RAM.*allow slb:DescribeVServerGroups to the user or role/,
    );
    await session.cloud("/_faults", undefined, "DELETE");
    const lost = await session.run("ack-loadbalancer", ["doctor", "--format", "json"], {
        env: { ALIBABA_CLOUD_ACCESS_KEY_ID: "LTAInone" },
    });
    expect(lost.code).toBe(1);
    const { checks } = JSON.parse(lost.text) as { checks: { what: string; state: string }[] };
    expect(checks.find(({ what }) => what === "credentials")?.state).toBe("error");
});

test("doctor: a region other than the cluster's is an error, and so is an unknown context", async () => {
    const elsewhere = await unwrapped("doctor", "--region", "cn-beijing");
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.text).toMatch(
        /ERROR +region +cn-beijing, and the cluster is in cn-hangzhou +set ALIBABA_CLOUD_REGION=cn-h/,
    );
    const lost = await unwrapped("doctor", "--context", "nowhere");
    expect(lost.code).toBe(1);
    expect(lost.text).toMatch(/ERROR +API server +invalid-kubeconfig: there is no context "nowhere"; there are: /);
});

test("as in a run, the cluster's region counts if none is named", async () => {
    const unnamed = new Commands(session, { ALIBABA_CLOUD_REGION: "" });
    const [doctor, show] = [await unnamed.run("doctor"), await unnamed.run("show", "default/web")];
    unnamed.stop();
    expect(doctor).toMatchObject({ code: 0, text: expect.stringMatching(/ok +region +cn-hangzhou/) as unknown });
    expect(show).toMatchObject({ code: 0, text: expect.not.stringMatching(/could not be read/) as unknown });
});

test("doctor: a sync controller that is not there while sync is off is no error", async () => {
    expect((await command("doctor")).text).toMatch(/ok +sync controller +not (?:installed|running)/);
});

test("show lists every LoadBalancer Service, and one with weights, shares and health", async () => {
    const table = await command("show");
    expect(table.text).toMatch(
        /default\/web +stack ack-loadbalancer\/inspect-\d+ +CLB +internet +203\.0\.113\.\d+ +TCP:8443 +Local +works +none/,
    );
    const one = await command("show", "default/web");
    expect(one.code).toBe(0);
    expect(one.text).toMatch(/node-\d \(i-\w+:\d+\) +2 +2 +50 +normal +yes/);
    expect((await command("show", "default/net")).text).toMatch(/node-\d \(i-\w+:\d+\) +100 +100 +33\.3 +normal +yes/);
    expect((await command("show", "default/none")).code).toBe(2);
    for (const name of ["web", "net"]) {
        const { text } = await command("show", `default/${name}`);
        expect(text).toMatch(/listener tcp:\d+ +stack ack-loadbalancer\/inspect-\d+/);
    }
});

test("explain finds no error, and names the trap of Local inside the cluster", async () => {
    const { code, explanations } = await explain("web");
    expect([code, explanations.filter(({ verdict }) => verdict === "broken")]).toStrictEqual([0, []]);
    expect(explanations.some(({ what }) => /answers only on nodes with a pod/.test(what))).toBe(true);
});

test("explain finds no error behind an NLB", async () => {
    const { code, explanations } = await explain("net");
    expect([code, explanations.filter(({ verdict }) => verdict === "broken")]).toStrictEqual([0, []]);
});

/** A Service on a shared load balancer, and Services whose settings and references stand in code. */
const PROGRAM = `
const cluster = new Cluster({ clusterId: "c-test" });
const expose = (name, more) => new ServiceLoadBalancer(name, { cluster, ...more, service: {
    name, selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] } });
expose("pair", { loadBalancer: new SharedLoadBalancer("front", { cluster }) });
expose("coded", { settings: { scheduler: "wrr", addressType: "intranet", vswitchId: "vsw-lab-a" } });
expose("zoned", { loadBalancerType: "nlb", references: {
    zoneVswitches: { "cn-hangzhou-a": pulumi.output("vsw-lab-a"), "cn-hangzhou-b": "vsw-lab-b" } } });
`;

let program: Program;

test("a Service on a shared load balancer of a program works", async () => {
    program = await Program.create(session, "coded", PROGRAM);
    program.succeed(await program.up());
    await settled();
    const { code, text } = await command("show", "default/pair");
    expect([code, text]).toStrictEqual([0, expect.stringMatching(/listeners: tcp:80/)]);
    expect(await explain("pair")).toMatchObject({ code: 0, explanations: [] });
});

test("explain finds backends that fail their health check", async () => {
    const { backends } = await group();
    await session.cloud("/_seed", {
        health: Object.fromEntries(backends.map(({ serverId }) => [serverId, "abnormal"])),
    });
    const { code, explanations } = await explain("web");
    expect([code, explanations[0]?.what]).toStrictEqual([1, "no backend of listener tcp:8443 passes its health check"]);
    await session.cloud("/_seed", { health: Object.fromEntries(backends.map(({ serverId }) => [serverId, "normal"])) });
});

test("explain finds a weight that was changed and a backend that was removed in the console", async () => {
    const { id, backends } = await group();
    const [first, second] = backends;
    await console_("SetVServerGroupAttribute", {
        VServerGroupId: id,
        BackendServers: JSON.stringify([{ ServerId: first?.serverId, Port: first?.port, Weight: 77, Type: "ecs" }]),
    });
    await console_("RemoveVServerGroupBackendServers", {
        VServerGroupId: id,
        BackendServers: JSON.stringify([{ ServerId: second?.serverId, Port: second?.port, Type: "ecs" }]),
    });
    await settled();
    const { code, explanations } = await explain("web");
    const [found] = explanations;
    expect([code, found?.what]).toStrictEqual([1, "server group tcp-8443 is not as the cluster asks for it"]);
    const key = (one: typeof first): string => `\\(${one?.serverId}:${one?.port}\\)`;
    expect(found?.evidence.join("; ")).toMatch(new RegExp(`missing in ${id}: node-\\d ${key(second)}`));
    expect(found?.evidence.join("; ")).toMatch(new RegExp(`node-\\d ${key(first)} has 77, \\d desired`));
    expect(found?.remedy).toMatch(/^run pulumi up --refresh/);
});

test("explain finds a deleted listener, and then a deleted load balancer", async () => {
    const { loadBalancerId } = await group();
    await console_("DeleteLoadBalancerListener", {
        LoadBalancerId: loadBalancerId,
        ListenerPort: "8443",
        ListenerProtocol: "tcp",
    });
    await settled();
    expect((await explain("web")).explanations[0]?.what).toBe("nothing listens on tcp:8443 of the load balancer");
    await console_("SetLoadBalancerDeleteProtection", { LoadBalancerId: loadBalancerId, DeleteProtection: "off" });
    await console_("DeleteLoadBalancer", { LoadBalancerId: loadBalancerId });
    await settled();
    expect((await explain("web")).explanations[0]?.what).toMatch(
        /the load balancer of its address does not exist any more/,
    );
});

test("explain names the reason why a Service is pending", async () => {
    const pending = async (spec: ServiceSpec): Promise<string[]> => {
        await applyYaml(session.lab.cluster, serviceYaml(spec));
        const { explanations } = await explain(spec.name);
        return explanations.filter(({ verdict }) => verdict === "broken").map(({ what }) => what);
    };
    expect(await pending({ name: "early", loadBalancerClass: "ack-loadbalancer.io/clb" })).toContain(
        "the Service has no address: no run has finished, or its status was emptied",
    );
    expect(await pending({ name: "metal", loadBalancerClass: "metallb.io/metallb" })).toContainEqual(
        expect.stringMatching(/belongs to the controller "metallb\.io\/metallb"/),
    );
    expect(await pending({ name: "wrong", annotations: { "address-type": "Internet" } })).toContainEqual(
        expect.stringMatching(/"Internet" is not valid/),
    );
    expect(await pending({ name: "alone", selector: "nobody" })).toContain(
        "no pod has the labels of the Service's selector",
    );
    expect(await pending({ name: "inner", type: "ClusterIP" })).toContain(
        "the Service is of type ClusterIP, and gets no load balancer",
    );
});

test("settings and references in code count as those of annotations", async () => {
    for (const name of ["coded", "zoned"]) {
        const { code, text } = await command("explain", `default/${name}`);
        expect([code, text]).toStrictEqual([0, expect.not.stringMatching(/\(broken\)/)]);
    }
    expect((await command("list")).text).toMatch(/default +coded .* intranet /);
    program.succeed(await program.preview("--expect-no-changes"));
    await settled();
});
