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
import { Program } from "../support/program";
import { adopting, keysOf, stackOf, startRecorded } from "../support/recorded";
import { untrue } from "../support/report-check";
import { type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";
import { placedDeploymentYaml } from "../support/yaml";

let session: Session;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
});

afterAll(() => session.lab.stop());

/** Previews, reports and updates, and returns the report after a comparison of each sentence with the cloud. */
async function checked(stack: Stack | Program, settle?: () => Promise<unknown>): Promise<Report> {
    const { session } = stack;
    const file = path.join(session.lab.dir, "preview.json");
    const flags = ["--json", "--show-sames"];
    const preview = stack instanceof Program ? await stack.preview(...flags) : await stack.run("preview", flags);
    fs.writeFileSync(file, preview.text.slice(preview.text.indexOf("{")));
    if (process.env["KEEP"] !== undefined) fs.copyFileSync(file, path.join(process.env["KEEP"], `${Date.now()}.json`));
    const { text } = await session.run("ack-loadbalancer", ["report", file, "--format", "json"]);
    const report = REPORT.parse(JSON.parse(text));
    if (process.env["SHOW"] === "1")
        process.stderr.write((await session.run("ack-loadbalancer", ["report", file])).text + "\n----\n");
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

async function scenario(
    name: string,
    steps: readonly (readonly [what: string, services: readonly ServiceSpec[], verdict: string])[],
) {
    const stack = await Stack.create(session, name, []);
    try {
        for (const [what, services, verdict] of steps) {
            if (services.length > 0) stack.write(services);
            else stack.writeText("apiVersion: v1\nkind: ConfigMap\nmetadata: { name: none }\n");
            const report = await checked(stack);
            expect([what, report.verdict]).toStrictEqual([what, verdict]);
        }
    } finally {
        await stack.clear();
    }
}

test("a CLB: created, changed, listener replaced, port added and removed, renamed, deleted", async () => {
    await scenario("check-clb", [
        ["new", [WEB], "creates"],
        ["nothing", [WEB], "nothing"],
        ["scheduler", [{ ...WEB, annotations: { scheduler: "rr" } }], "in-place"],
        ["another port", [{ ...WEB, ports: [{ port: 8443 }, { port: 8080 }] }], "in-place"],
        ["a port less", [WEB], "interrupts"],
        [
            "protocol",
            [{ ...WEB, annotations: { scheduler: "wrr", "protocol-port": "http:8443" } }],
            "replaces-listener",
        ],
        ["no pod", [WEB, { ...WEB, name: "alone", selector: "nobody" }], "replaces-listener"],
        ["rename", [{ ...WEB, name: "storefront" }], "deletes"],
        ["deletion", [], "deletes"],
    ]);
});

test("an NLB: created, a port added and removed, deleted", async () => {
    const zones = (...names: string[]) => ({
        "zone-maps": names.map((name) => `cn-hangzhou-${name}:vsw-lab-${name}`).join(","),
    });
    const net: ServiceSpec = { name: "net", loadBalancerClass: "alibabacloud.com/nlb", annotations: zones("a", "b") };
    await scenario("check-nlb", [
        ["new", [net], "creates"],
        ["another port", [{ ...net, ports: [{ port: 80 }, { port: 8080 }] }], "in-place"],
        ["a port less", [net], "interrupts"],
        ["deletion", [], "deletes"],
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
    const tenant = (annotations: Record<string, string>, ports = [{ port: 8081 }]): ServiceSpec => ({
        name: "tenant",
        annotations: { id: "lb-users", ...annotations },
        ports,
    });
    const USERS = [{ port: 9000 }];
    await scenario("check-reuse", [
        ["members only", [tenant({})], "creates"],
        ["left", [], "deletes"],
        ["joined", [tenant({ "vgroup-port": "rsp-users:8081" })], "creates"],
        ["left again", [], "deletes"],
        ["listeners", [tenant({ "force-override-listeners": "true" })], "creates"],
        ["listeners no longer managed", [tenant({})], "interrupts"],
        ["left for good", [], "deletes"],
        ["a listener of the user", [tenant({ "force-override-listeners": "true" }, USERS)], "replaces-listener"],
        ["left to nobody", [], "deletes"],
        ["members of the port", [tenant({}, USERS)], "creates"],
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
    const stack = await Stack.create(session, "check-ignored", []);
    try {
        stack.write([calm]);
        await checked(stack);
        await scale(4);
        await waitForEndpoints(cluster, "default", "calm", 8);
        expect((await checked(stack)).verdict).toBe("nothing");
        for (const command of ["show", "explain"])
            expect(await session.run("ack-loadbalancer", [command, "default/calm"])).toMatchObject({ code: 0 });
        // Whoever sets a weight by hand keeps it.
        const [group] = (await stateOf(session)).slb.vServerGroups;
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
            expect(await session.run("ack-loadbalancer", [command, "default/calm"])).toMatchObject({ code: 0 });
        expect((await stack.run("preview", ["--refresh", "--expect-no-changes"])).code).toBe(0);
    } finally {
        await stack.clear();
        await scale(0);
    }
});

test("a load balancer that is preserved stays, and its listeners with it", async () => {
    await scenario("check-preserved", [
        ["new", [{ ...WEB, annotations: { "preserve-lb-on-delete": "true" } }], "creates"],
        ["deletion", [], "deletes"],
    ]);
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
    for (const [replicas, image] of [
        [4, "app:1"],
        [4, "app:2"],
        [1, "app:2"],
    ] as const) {
        stack.write(program(replicas, image));
        const report = await checked(stack);
        expect(report.verdict).toBe("backends-only");
    }
    expect((await checked(stack)).verdict).toBe("nothing");
    stack.succeed(await stack.destroy());
});

test("a load balancer of CCM: adopted, handed back, and left to CCM", async () => {
    // The same lab, which becomes the cluster of the recordings.
    await session.lab.stop();
    session = await startRecorded({ isResident: true });
    const lefts = [await leaveFootprint(session.lab, "seed-01-internet-clb-default", "there")];
    const stack = await stackOf(
        session,
        "check-ccm",
        lefts.map(({ manifest }) => manifest),
    );
    await stack.config("adopt", adopting(lefts));
    const adopted = await checked(stack);
    expect([adopted.verdict, adopted.subjects.flatMap(({ billing }) => billing)]).toStrictEqual(["adopts", []]);
    await stack.config("adopt", "{}");
    await stack.config("follow", JSON.stringify(keysOf(lefts)));
    await stack.config("handBack", JSON.stringify(keysOf(lefts)));
    await checked(stack);
    stack.writeText("apiVersion: v1\nkind: ConfigMap\nmetadata: { name: none }\n");
    expect((await checked(stack)).verdict).toBe("leaves");
    await stack.clear();
});
