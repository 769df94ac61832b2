/**
 * Compares each sentence of the report on addresses, listeners and backends with the cloud before and after an update.
 * Only a run shows whether a run does what the report of its preview says.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { leaveFootprint } from "../../examples/migrate-from-ccm/ccm";
import { applyYaml, type Session, waitForDeployment, waitForEndpoints } from "../../lab";
import { type Report, REPORT } from "../../cli/report/model";
import { Commands } from "../support/commands";
import { forget } from "../support/forget";
import { Program } from "../support/program";
import { adopting, keysOf, stackOf, startRecorded } from "../support/recorded";
import { untrue } from "../support/report-check";
import { type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";
import { placedDeploymentYaml } from "../support/yaml";

let session: Session;
let commands: Commands;
const stacks: Stack[] = [];

function use(started: Session): void {
    session = started;
    commands = new Commands(session);
}

async function stop(): Promise<void> {
    commands.stop();
    await session.lab.stop();
    forget(...stacks.splice(0));
}

async function create(name: string): Promise<Stack> {
    const stack = await Stack.create(session, name, []);
    stacks.push(stack);
    return stack;
}

beforeAll(async () => use(await startWorld({ isResident: true })));

afterAll(stop);

/** Previews, reports and updates, and returns the report after a comparison of each sentence with the cloud. */
async function checked(stack: Stack | Program, settle?: () => Promise<unknown>): Promise<Report> {
    const file = path.join(session.lab.dir, "preview.json");
    const flags = ["--json", "--show-sames"];
    const preview = stack instanceof Program ? await stack.preview(...flags) : await stack.run("preview", flags);
    fs.writeFileSync(file, preview.text.slice(preview.text.indexOf("{")));
    if (process.env["KEEP"] !== undefined) fs.copyFileSync(file, path.join(process.env["KEEP"], `${Date.now()}.json`));
    const { text } = await commands.run("report", file, "--format", "json");
    const report = REPORT.parse(JSON.parse(text));
    if (process.env["SHOW"] === "1") process.stderr.write((await commands.run("report", file)).text + "\n----\n");
    const before = await stateOf(session);
    const since = await session.lastCall();
    const up = stack instanceof Program ? await stack.up() : await stack.run("up", ["--yes", "--skip-preview"]);
    expect({ code: up.code, text: up.text }).toMatchObject({ code: 0 });
    await settle?.();
    const writes = (await session.calls(since)).filter(({ mutating }) => mutating).map(({ action }) => action);
    expect(untrue(report, { before, after: await stateOf(session), writes })).toStrictEqual([]);
    return report;
}

const WEB: ServiceSpec = { name: "web", policy: "Local", annotations: { scheduler: "wrr" }, ports: [{ port: 8443 }] };

type Verdict = Report["verdict"];

/** Runs a stack through steps, each with the gravest verdict, and those of its Services. */
async function scenario(
    name: string,
    steps: readonly (readonly [
        what: string,
        services: readonly ServiceSpec[],
        verdict: Verdict,
        subjects: Readonly<Record<string, Verdict>>,
    ])[],
) {
    const stack = await create(name);
    for (const [what, services, verdict, subjects] of steps) {
        stack.write(services);
        const report = await checked(stack);
        const found = report.subjects.map((one) => [one.subject.replace("Service default/", ""), one.verdict]);
        expect([what, report.verdict, Object.fromEntries(found)]).toStrictEqual([what, verdict, subjects]);
    }
}

test("created, changed, port added and removed, listener replaced, renamed, preserved, deleted", async () => {
    const net: ServiceSpec = {
        name: "net",
        loadBalancerClass: "alibabacloud.com/nlb",
        annotations: { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" },
    };
    const kept: ServiceSpec = { ...WEB, name: "kept", annotations: { "preserve-lb-on-delete": "true" } };
    const others = [net, kept];
    const same = { net: "nothing", kept: "nothing" } as const;
    await scenario("check", [
        ["new", [WEB, ...others], "creates", { web: "creates", net: "creates", kept: "creates" }],
        [
            "scheduler, and another port",
            [
                { ...WEB, annotations: { scheduler: "rr" }, ports: [{ port: 8443 }, { port: 8080 }] },
                { ...net, ports: [{ port: 80 }, { port: 8080 }] },
                kept,
            ],
            "in-place",
            { web: "in-place", net: "in-place", kept: "nothing" },
        ],
        ["a port less", [WEB, ...others], "interrupts", { web: "interrupts", net: "interrupts", kept: "nothing" }],
        [
            "protocol",
            [{ ...WEB, annotations: { scheduler: "wrr", "protocol-port": "http:8443" } }, ...others],
            "replaces-listener",
            { web: "replaces-listener", ...same },
        ],
        [
            "no pod",
            [WEB, { ...WEB, name: "alone", selector: "nobody" }, ...others],
            "replaces-listener",
            { web: "replaces-listener", alone: "creates", ...same },
        ],
        [
            "rename, and deletion of the others",
            [{ ...WEB, name: "storefront" }],
            "deletes",
            { web: "deletes", alone: "deletes", storefront: "creates", net: "deletes", kept: "deletes" },
        ],
    ]);
});

test("a reused load balancer: members only, then listeners, then left", async () => {
    await session.cloud("/_seed", {
        calls: [
            {
                action: "CreateLoadBalancer",
                params: { LoadBalancerName: "users", AddressType: "internet", InstanceChargeType: "PayByCLCU" },
                id: "lb-users",
            },
            {
                action: "CreateVServerGroup",
                params: { LoadBalancerId: "lb-users", VServerGroupName: "users" },
                id: "rsp-users",
            },
            {
                action: "CreateLoadBalancerTCPListener",
                params: {
                    LoadBalancerId: "lb-users",
                    ListenerPort: "9000",
                    Bandwidth: "-1",
                    VServerGroupId: "rsp-users",
                },
            },
        ],
    });
    const tenant = (name: string, port: number, annotations: Record<string, string> = {}): ServiceSpec => ({
        name,
        annotations: { id: "lb-users", ...annotations },
        ports: [{ port }],
    });
    const FORCED = { "force-override-listeners": "true" };
    const member = tenant("member", 8081);
    const joined = tenant("joined", 8082, { "vgroup-port": "rsp-users:8082" });
    const taker = tenant("taker", 9000, FORCED);
    await scenario("check-reuse", [
        [
            "members only, a group joined, listeners, a listener of the user",
            [member, joined, tenant("owner", 8083, FORCED), taker],
            "replaces-listener",
            { member: "creates", joined: "creates", owner: "creates", taker: "replaces-listener" },
        ],
        [
            "listeners no longer managed, and left to nobody",
            [member, joined, tenant("owner", 8083)],
            "deletes",
            { member: "nothing", joined: "nothing", owner: "interrupts", taker: "deletes" },
        ],
        [
            "left for good, and members of the port",
            [tenant("taker", 9000)],
            "deletes",
            { member: "deletes", joined: "deletes", owner: "deletes", taker: "creates" },
        ],
    ]);
});

test("ignored weights: neither preview nor report announces them, no command calls them wrong", async () => {
    const { cluster } = session.lab;
    const scale = async (pods: number): Promise<void> => {
        await applyYaml(cluster, placedDeploymentYaml("more", pods, "node-1"));
        await waitForDeployment(cluster, "default", "more");
    };
    await scale(2);
    const calm: ServiceSpec = {
        ...WEB,
        name: "calm",
        annotations: { scheduler: "wrr", "ignore-weight-update": "on" },
    };
    const stack = await create("check-ignored");
    try {
        stack.write([calm]);
        stack.succeed(await stack.up());
        await scale(4);
        await waitForEndpoints(cluster, "default", "calm", 8);
        expect((await checked(stack)).verdict).toBe("nothing");
        for (const command of ["show", "explain"])
            expect(await commands.run(command, "default/calm")).toMatchObject({ code: 0 });
        // Whoever sets a weight by hand keeps it.
        const group = (await stateOf(session)).slb.vServerGroups.find(({ name }) => name.includes("/calm/"));
        const [{ serverId = "", port = 0 } = {}] = group?.backends ?? [];
        await session.cloud("/_console", {
            action: "SetVServerGroupAttribute",
            params: {
                VServerGroupId: group?.id ?? "",
                BackendServers: JSON.stringify([{ ServerId: serverId, Port: port, Weight: 77 }]),
            },
            as: "other",
        });
        for (const command of ["show", "explain"])
            expect(await commands.run(command, "default/calm")).toMatchObject({ code: 0 });
        expect((await stack.run("preview", ["--refresh", "--expect-no-changes"])).code).toBe(0);
    } finally {
        await scale(0);
    }
});

test("Deployment and Service in one program: backends are known at the update", async () => {
    const program = (replicas: number, image: string) => `
const app = new kubernetes.apps.v1.Deployment("app", {
    metadata: { name: "app", namespace: "default" },
    spec: {
        replicas: ${replicas},
        selector: { matchLabels: { app: "app" } },
        template: {
            metadata: { labels: { app: "app" } },
            spec: { automountServiceAccountToken: false, containers: [{ name: "app", image: "${image}" }] },
        },
    },
});
new ServiceLoadBalancer("web", {
    cluster: new Cluster({ clusterId: "c-check" }),
    service: {
        name: "app",
        selector: { app: "app" },
        ports: [{ port: 80, targetPort: 8080 }],
        externalTrafficPolicy: "Local",
    },
}, { dependsOn: [app] });`;
    const stack = await Program.create(session, "check-program", program(2, "app:1"));
    await checked(stack);
    stack.write(program(1, "app:2"));
    expect((await checked(stack)).verdict).toBe("backends-only");
    expect((await checked(stack)).verdict).toBe("nothing");
});

test("a load balancer of CCM: adopted, handed back, and left to CCM", async () => {
    // The same lab, which becomes the cluster of the recordings.
    await stop();
    use(await startRecorded({ isResident: true }));
    const lefts = [await leaveFootprint(session.lab, "seed-01-internet-clb-default", "there")];
    const stack = await stackOf(
        session,
        "check-ccm",
        lefts.map(({ manifest }) => manifest),
    );
    stacks.push(stack);
    await stack.config("adopt", adopting(lefts));
    const adopted = await checked(stack);
    expect([adopted.verdict, adopted.subjects.flatMap(({ billing }) => billing)]).toStrictEqual(["adopts", []]);
    await stack.config("adopt", "{}");
    await stack.config("follow", JSON.stringify(keysOf(lefts)));
    await stack.config("handBack", JSON.stringify(keysOf(lefts)));
    await checked(stack);
    stack.writeText("apiVersion: v1\nkind: ConfigMap\nmetadata: { name: none }\n");
    expect((await checked(stack)).verdict).toBe("leaves");
});
