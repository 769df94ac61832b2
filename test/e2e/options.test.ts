/**
 * Options of the Pulumi CLI that apply a part of a stack or change the procedure: the rest is unchanged, and the next
 * run without them completes it.
 * Only a run shows what the engine does with a part of a stack.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { type Session, waitFor } from "../../lab";
import { Program } from "../support/program";
import { WHOLE } from "../support/sample";
import { assertEmpty, startWorld, stateOf, writesOf } from "../support/world";

const COMPONENT = "ack-loadbalancer:index:ServiceLoadBalancer";
const urn = (name: string): string => `urn:pulumi:dev::options::${COMPONENT}::${name}`;
const child = (type: string, name: string): string => `urn:pulumi:dev::options::${COMPONENT}$${type}::${name}`;

/** Two Services, each with the scheduler of its listener. */
const program = (a: string, b: string): string => `
const cluster = new Cluster({ clusterId: "c-options" });
for (const [name, scheduler] of Object.entries({ a: "${a}", b: "${b}" })) {
    new ServiceLoadBalancer(name, {
        cluster,
        service: { name, selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] },
        settings: { scheduler },
    });
}`;

let session: Session;
let stack: Program;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Program.create(session, "options", program("rr", "rr"));
});

afterAll(() => session.lab.stop());

/** Schedulers of the listeners, by Service. */
async function schedulers(): Promise<Record<string, unknown>> {
    const { slb } = await stateOf(session);
    const found = slb.listeners.map(({ attributes }) => [
        String(attributes["Description"]).split("/")[2],
        attributes["Scheduler"],
    ]);
    return Object.fromEntries(found.sort()) as Record<string, unknown>;
}

test("--target creates one of two Services, and the next run creates the other", async () => {
    stack.succeed(await stack.up("--target", urn("a"), "--target-dependents"));
    expect(await schedulers()).toStrictEqual({ a: "rr" });
    stack.succeed(await stack.up("--parallel", "1"));
    expect(await schedulers()).toStrictEqual({ a: "rr", b: "rr" });
});

test("--target and --exclude change one of two Services", async () => {
    stack.write(program("wrr", "wrr"));
    stack.succeed(await stack.up("--target", urn("a"), "--target-dependents"));
    expect(await schedulers()).toStrictEqual({ a: "wrr", b: "rr" });
    stack.write(program("sch", "sch"));
    stack.succeed(await stack.up("--exclude", urn("a"), "--exclude-dependents"));
    expect(await schedulers()).toStrictEqual({ a: "wrr", b: "sch" });
    stack.succeed(await stack.up());
    expect(await schedulers()).toStrictEqual({ a: "sch", b: "sch" });
});

test("--replace replaces a listener, and is refused for an instance with listeners", async () => {
    stack.succeed(await stack.up("--replace", child("alicloud:slb/listener:Listener", "a/tcp-80")));
    expect(await schedulers()).toStrictEqual({ a: "sch", b: "sch" });
    const before = (await stateOf(session)).slb;
    const type = "alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer";
    expect(stack.fail(await stack.up("--replace", child(type, "a")))).toMatch(
        /load balancer lb-\d+ has the name \w+ already and listens on tcp:80/,
    );
    expect((await stateOf(session)).slb).toStrictEqual(before);
});

test("up applies a plan that preview has saved", async () => {
    stack.write(program("rr", "rr"));
    stack.succeed(await stack.preview("--save-plan", "plan.json"));
    stack.succeed(await stack.up("--plan", "plan.json"));
    expect(await schedulers()).toStrictEqual({ a: "rr", b: "rr" });
});

test("pulumi refresh alone leaves no changes for the next run", async () => {
    stack.succeed(await stack.pulumi("refresh", "--yes", "--skip-preview"));
    stack.succeed(await stack.up("--expect-no-changes"));
});

test("a refused Service keeps the others unchanged, with and without --continue-on-error", async () => {
    const refused = (more: string) =>
        `new ServiceLoadBalancer("c", { cluster, service: { name: "c", selector: { app: "shop" }${more} }, ` +
        'settings: { id: "lb-none" } });';
    const flags = [[], ["--continue-on-error"]] as const;
    for (const [index, [more, cause]] of [
        ["", /Service default\/c: spec.ports: the Service has no ports/] as const,
        [`, ports: [{ port: 80 }]`, /Service default\/c: .*lb-none/] as const,
    ].entries())
        // A sample has each cause with one of the two.
        for (const way of WHOLE ? flags : flags.slice(index, index + 1)) {
            stack.write(program("sch", "sch") + refused(more));
            expect(stack.fail(await stack.up(...way))).toMatch(cause);
            expect(await schedulers()).toStrictEqual({ a: "rr", b: "rr" });
        }
    stack.write(program("rr", "rr"));
});

const TARGETS = [
    ["a listener", child("alicloud:slb/listener:Listener", "a/tcp-80"), { instances: 2, groups: 2, listeners: 1 }],
    [
        "a server group",
        child("alicloud:slb/serverGroup:ServerGroup", "a/tcp-80"),
        { instances: 2, groups: 1, listeners: 1 },
    ],
    [
        "the load balancer",
        child("alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer", "a"),
        { instances: 1, groups: 1, listeners: 1 },
    ],
] as const;

// A listener goes with each of the others, and a server group with the load balancer.
test.each(WHOLE ? TARGETS : TARGETS.slice(-1))(
    "destroy --target of %s alone leaves the other Service, and the next run makes it again",
    async (_what, target, left) => {
        const count = async () => {
            const { loadBalancers, vServerGroups, listeners } = (await stateOf(session)).slb;
            return { instances: loadBalancers.length, groups: vServerGroups.length, listeners: listeners.length };
        };
        stack.succeed(
            await stack.pulumi("destroy", "--yes", "--skip-preview", "--target", target, "--target-dependents"),
        );
        expect([await count(), await schedulers()]).toStrictEqual([left, { b: "rr" }]);
        stack.succeed(await stack.up());
        expect([await count(), await schedulers()]).toStrictEqual([
            { instances: 2, groups: 2, listeners: 2 },
            { a: "rr", b: "rr" },
        ]);
    },
);

test("destroy --target deletes one Service, and destroy --run-program the rest", async () => {
    stack.succeed(
        await stack.pulumi("destroy", "--yes", "--skip-preview", "--target", urn("a"), "--target-dependents"),
    );
    expect(await schedulers()).toStrictEqual({ b: "rr" });
    stack.succeed(await stack.pulumi("destroy", "--yes", "--skip-preview", "--run-program"));
    assertEmpty(await stateOf(session));
});

test("a program runs without default providers if it passes its own", async () => {
    const other = await Program.create(session, "explicit", "");
    // As `pulumi config set --path` leaves it.
    const disabled = "config:\n  pulumi:disable-default-providers: [kubernetes, alicloud]\n";
    fs.appendFileSync(path.join(other.folder, "Pulumi.dev.yaml"), disabled);
    const write = (cluster: string, options: string): void =>
        other.write(`
const cluster = new Cluster({ clusterId: "c-explicit", ${cluster} });
const service = { name: "web", selector: { app: "shop" }, ports: [{ port: 80 }] };
new ServiceLoadBalancer("web", { cluster, service }, { ${options} });`);
    write("", "");
    const writes = await writesOf(session, async () => {
        // Processes: a resident program does not fail by a rejection that nothing waits for.
        const args = ["up", "--yes", "--skip-preview", "--stack", "dev", "--non-interactive"];
        expect(other.fail(await session.start("pulumi", args, { cwd: other.folder }).done)).toMatch(
            /Default provider for '(?:kubernetes|alicloud)' disabled\. '\S+' must use an explicit provider/,
        );
    });
    expect(writes).toStrictEqual({});
    write(
        "kubeconfig: process.env.KUBECONFIG",
        `providers: [new alicloud.Provider("cloud", { region: process.env.ALIBABA_CLOUD_REGION })]`,
    );
    other.succeed(await other.up());
});

test("the error for SyncController and sync: true in one program names two runs, which work", async () => {
    const both = await Program.create(
        session,
        "both",
        `
const { SyncController } = require("ack-loadbalancer");
const controller = new SyncController("sync", {
    image: "registry.example/ack-loadbalancer:1",
    watchNamespaces: ["default"],
    resources: { requests: { cpu: "1" } },
});
new ServiceLoadBalancer("web", {
    cluster: new Cluster({ clusterId: "c-both", sync: true }),
    service: { name: "synced", selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] },
}, { dependsOn: controller });`,
    );
    const remedy =
        /Remedy: .*if both are in one program, in two runs: first pulumi up --target '(\S+)', then pulumi up\b/;
    const [, target = ""] = remedy.exec(both.fail(await both.preview())) ?? [];
    both.succeed(await both.up("--target", target));
    await waitFor("bindings are served", async () =>
        (await session.run("kubectl", ["get", "servergroupbindings"])).code === 0 ? true : undefined,
    );
    both.succeed(await both.up());
    const get = ["get", "roles,rolebindings", "--all-namespaces", "-o", "name"];
    const { text } = await session.run("kubectl", get);
    for (const kind of ["role", "rolebinding"])
        expect(text).toContain(`${kind}.rbac.authorization.k8s.io/ack-loadbalancer-sync-watch`);
    expect((await session.run("kubectl", ["get", "servergroupbindings", "-o", "name"])).text).toMatch(/synced-tcp-80/);
});
