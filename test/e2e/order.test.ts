/**
 * Programs that create everything: members are read when the resources that determine them are complete, not when the
 * program starts.
 * Only a run shows which resources the engine waits for.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as path from "node:path";
import { applyYaml, REPOSITORY, type Session } from "../../lab";
import { pattern } from "../support/pattern";
import { Program } from "../support/program";
import { assertEmpty, callsOf, serviceYaml, startWorld, stateOf } from "../support/world";

let session: Session;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
});

afterAll(() => session.lab.stop());

const weights = async (): Promise<number[]> =>
    (await stateOf(session)).slb.vServerGroups.flatMap(({ backends }) => backends.map(({ weight }) => weight));

const deployment = (namespace: string, labels: string, more = ""): string => `
const labels = ${labels};
const app = new kubernetes.apps.v1.Deployment("app", {
    metadata: { name: "app", namespace: "${namespace}" },
    spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
            metadata: { labels },
            spec: { automountServiceAccountToken: false, containers: [{ name: "app", image: "app:1" }] },
        },
    },
}, { ${more} });`;

const component = (service: string, opts: string): string =>
    'new ServiceLoadBalancer("web", { cluster: new Cluster({ clusterId: "c-order" }), service: { name: "web", ' +
    `ports: [{ port: 80, targetPort: 8080 }], externalTrafficPolicy: "Local", ${service} } }, { ${opts} });`;

test("a program with Namespace, Deployment and component has members after the first up", async () => {
    const stack = await Program.create(
        session,
        "greenfield",
        `const shop = new kubernetes.core.v1.Namespace("shop", { metadata: { name: "shop" } });` +
            deployment("shop", `{ app: "greenfield" }`, "dependsOn: [shop]") +
            component(`namespace: "shop", selector: { app: "greenfield" }`, "dependsOn: [app]"),
    );
    expect(stack.succeed(await stack.preview())).not.toMatch(/nodePort|error/);
    stack.succeed(await stack.up());
    expect((await weights()).length).toBeGreaterThan(0);
    expect(await callsOf(session, async () => stack.succeed(await stack.up()))).toStrictEqual({});
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

test("a selector that is an Output of the Deployment waits for its pods without dependsOn", async () => {
    const stack = await Program.create(
        session,
        "selector",
        deployment("default", `{ app: "selector" }`) + component("selector: app.spec.selector.matchLabels", ""),
    );
    stack.succeed(await stack.preview());
    stack.succeed(await stack.up());
    expect((await weights()).length).toBeGreaterThan(0);
    stack.succeed(await stack.destroy());
});

/** Pods are the backends: behind an NLB each by its address. */
const pods = (image: string): string => `
const app = new kubernetes.apps.v1.Deployment("pods", {
    metadata: { name: "pods", namespace: "default" },
    spec: {
        replicas: 3,
        selector: { matchLabels: { app: "pods" } },
        template: {
            metadata: { labels: { app: "pods" } },
            spec: { automountServiceAccountToken: false, containers: [{ name: "app", image: "${image}" }] },
        },
    },
});
new ServiceLoadBalancer("pods", {
    cluster: new Cluster({ clusterId: "c-order" }),
    service: { name: "pods", selector: app.spec.selector.matchLabels, ports: [{ port: 80, targetPort: 8080 }] },
    loadBalancerType: "nlb",
    settings: {
        backendType: "eni",
        serverGroupType: "Ip",
        zoneMaps: [
            { zoneId: "cn-hangzhou-a", vswitchId: "vsw-lab-a" },
            { zoneId: "cn-hangzhou-b", vswitchId: "vsw-lab-b" },
        ],
    },
}, { dependsOn: [app] });`;

/** Addresses of the ready pods, and those that the server group holds. */
async function podAddresses(): Promise<{ readonly running: string[]; readonly members: string[] }> {
    const { items } = await session.lab.cluster.get<{
        items: { metadata: { deletionTimestamp?: string }; status: { podIP?: string } }[];
    }>("/api/v1/namespaces/default/pods?labelSelector=app%3Dpods");
    const { nlb } = await stateOf(session);
    return {
        running: items
            .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
            .flatMap(({ status }) => status.podIP ?? [])
            .sort(),
        members: nlb.serverGroups.flatMap(({ servers }) => servers.map(({ serverIp }) => serverIp)).sort(),
    };
}

test("a run without preview creates nothing if one Service is refused", async () => {
    await applyYaml(session.lab.cluster, serviceYaml({ name: "taken", loadBalancerClass: "example.com/other" }));
    await session.lab.cluster.patch("/api/v1/namespaces/default/services/taken/status", {
        status: { loadBalancer: { ingress: [{ ip: "203.0.113.99" }] } },
    });
    const services = ["first", "taken", "last"].map((name) =>
        component(`name: "${name}", selector: { app: "shop" }`, "")
            .replace('name: "web", ', "")
            .replace('"web"', `"${name}"`)
            .replace('new Cluster({ clusterId: "c-order" })', "cluster"),
    );
    const stack = await Program.create(
        session,
        "all-or-nothing",
        `const cluster = new Cluster({ clusterId: "c-order" });${services.join("\n")}`,
    );
    expect(stack.fail(await stack.up())).toMatch(/Service default\/taken: another controller serves this Service/);
    assertEmpty(await stateOf(session));
    const { items } = await session.lab.cluster.get<{ items: { metadata: { name: string } }[] }>(
        "/api/v1/namespaces/default/services",
    );
    const names = items.map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name === "first" || name === "last")).toStrictEqual([]);
    await session.run("kubectl", ["delete", "service", "taken"]);
    stack.succeed(await stack.up());
    expect((await stateOf(session)).slb.loadBalancers).toHaveLength(3);
    expect(await callsOf(session, async () => stack.succeed(await stack.up()))).toStrictEqual({});
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

test("a new image with pods as backends ends with the new pods", async () => {
    const stack = await Program.create(session, "image", pods("app:1"));
    stack.succeed(await stack.up());
    const before = await podAddresses();
    expect(before.members).toHaveLength(3);
    expect(before.members).toStrictEqual(before.running);
    stack.write(pods("app:2"));
    stack.succeed(await stack.up());
    const after = await podAddresses();
    expect(after.members).toStrictEqual(after.running);
    expect(after.members).not.toStrictEqual(before.members);
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

/** Values that a first preview does not know. */
const LATER = `
const made = new alicloud.slb.Acl("made", { name: "made" });
const later = (value) => made.id.apply(() => value);`;

/**
 * Every value that may be an Output is an Output: a name that Pulumi chooses, which a preview shows, and values unknown
 * to it.
 */
const OUTPUTS = `${LATER}
const shop = new kubernetes.core.v1.Namespace("shop", {}, { dependsOn: [made] });
const labels = { app: "outputs" };
const app = new kubernetes.apps.v1.Deployment("app", {
    metadata: { namespace: shop.metadata.name, labels },
    spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
            metadata: { labels },
            spec: {
                automountServiceAccountToken: false,
                containers: [{ name: "app", image: "app:1", ports: [{ containerPort: 8080 }] }],
            },
        },
    },
});
const web = new ServiceLoadBalancer("web", {
    cluster: new Cluster({ clusterId: later("c-outputs"), vpcId: later("vpc-outputs") }),
    service: {
        namespace: shop.metadata.name,
        name: later("shop"),
        labels: app.metadata.labels,
        selector: app.spec.selector.matchLabels,
        ports: [{ port: 80, targetPort: 8080 }],
        externalTrafficPolicy: "Local",
    },
});
exports.namespace = web.namespace;
exports.clusterAddress = web.clusterAddress;`;

test("Outputs as names, labels and cluster id have the effect of plain values", async () => {
    const stack = await Program.create(session, "outputs", OUTPUTS);
    const preview = stack.succeed(await stack.preview());
    const lines = preview.split("\n").filter((line) => line.includes("not known before pulumi up"));
    expect(new Set(lines.map((line) => line.replace(/^.*?Service web/, "Service web"))).size).toBe(1);
    expect(lines[0]).toMatch(/: metadata\.name, clusterId, vpcId\. Names, ownership marks/);
    stack.succeed(await stack.up());
    const { slb } = await stateOf(session);
    const namespace = stack.succeed(await stack.pulumi("stack", "output", "namespace", "--stack", "dev")).trim();
    expect(namespace).toMatch(/^shop-[0-9a-f]{8}$/);
    expect(slb.listeners[0]?.attributes).toMatchObject({ Description: `k8s/80/shop/${namespace}/c-outputs` });
    expect(slb.vServerGroups[0]?.name).toMatch(new RegExp(`^k8s/3\\d{4}/shop/${namespace}/c-outputs$`));
    expect((await weights()).length).toBeGreaterThan(0);
    const state = await stack.state();
    expect(state).not.toMatch(/known-later|to(?:JSON|String)\]/);
    expect(state).toContain(`"service": "${namespace}/shop"`);

    stack.succeed(await stack.preview("--expect-no-changes"));
    expect(await callsOf(session, async () => stack.succeed(await stack.up()))).toStrictEqual({});
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

test("an invalid value of an Output is refused before anything is created for the Service", async () => {
    const stack = await Program.create(
        session,
        "wrong-value",
        `const shop = new kubernetes.core.v1.Namespace("shop");` +
            component(`namespace: shop.metadata.name.apply((name) => name + "_"), selector: { app: "web" }`, ""),
    );
    for (const refused of [await stack.preview(), await stack.up()])
        expect(stack.fail(refused)).toMatch(
            /Service web: metadata\.namespace: "shop-[0-9a-f]+_" is not a namespace\. Remedy: /,
        );
    assertEmpty(await stateOf(session));
    stack.succeed(await stack.destroy());
});

const MISPLACED: [string, string, RegExp][] = [
    [
        "port",
        'new ServiceLoadBalancer("web", { cluster: new Cluster({ clusterId: "c" }), ' +
            'service: { name: "web", selector: { app: "web" }, ports: [{ port: later(80) }] } });',
        /ServiceLoadBalancer web: spec\.ports\[0\]\.port: this is an Output/,
    ],
    [
        "ports",
        'new ServiceLoadBalancer("web", { cluster: new Cluster({ clusterId: "c" }), ' +
            'service: { name: "web", selector: { app: "web" }, ports: later([{ port: 80 }]) } });',
        /ServiceLoadBalancer web: spec\.ports: this is an Output/,
    ],
    [
        "setting",
        'new ServiceLoadBalancer("web", { cluster: new Cluster({ clusterId: "c" }), service: { name: "web", ' +
            'selector: { app: "web" }, ports: [{ port: 80 }] }, settings: { scheduler: later("wrr") } });',
        /ServiceLoadBalancer web: settings\.scheduler: this is an Output/,
    ],
    [
        "text that an Output was put into",
        'new ServiceLoadBalancer("web", { cluster: new Cluster({ clusterId: "c" }), ' +
            'service: { name: `web-${shop.metadata.name}`, selector: { app: "web" }, ports: [{ port: 80 }] } });',
        pattern(
            /ServiceLoadBalancer web: metadata\.name: /s,
            /this is an Output \(or a text that an Output was put into\).*pulumi\.interpolate/s,
        ),
    ],
    [
        "YAML that an Output was put into",
        'new ServiceLoadBalancer("web", { cluster: new Cluster({ clusterId: "c" }), ' +
            "manifest: `metadata: { namespace: ${shop.metadata.name} }` });",
        /ServiceLoadBalancer web: manifest: this is an Output/,
    ],
    [
        "fact of the cluster",
        `new Cluster({ clusterId: "c", networkPlugin: later("terway"), context: later("b") });`,
        /Cluster: networkPlugin: this is an Output.*Cluster: context: this is an Output/s,
    ],
    [
        "targetPort",
        'new ServiceLoadBalancer("web", { cluster: new Cluster({ clusterId: "c" }), ' +
            'service: { name: "web", selector: { app: "web" }, ports: [{ port: 80, targetPort: later(8080) }] } });',
        /ServiceLoadBalancer web: spec\.ports\[0\]\.targetPort: this is an Output.*write the value itself/s,
    ],
    [
        "region",
        'new ServiceLoadBalancer("web", { cluster: new Cluster({ clusterId: "c" }), region: later("cn-hangzhou"), ' +
            'service: { name: "web", selector: { app: "web" }, ports: [{ port: 80 }] } });',
        /ServiceLoadBalancer web: region: this is an Output.*write the value itself/s,
    ],
    [
        "region of the cluster's account",
        `new Cluster({ clusterId: "c", account: { region: later("cn-hangzhou") } });`,
        /Cluster: account\.region: this is an Output.*write the value itself/s,
    ],
    [
        "setting of a shared load balancer",
        'new SharedLoadBalancer("shared", { cluster: new Cluster({ clusterId: "c" }), ' +
            'settings: { spec: later("slb.s1.small") } });',
        /Shared load balancer shared: settings\.spec: this is an Output/,
    ],
];

test("an Output in any other place is refused with its field", async () => {
    const stack = await Program.create(session, "misplaced", "");
    for (const [what, source, message] of MISPLACED) {
        stack.write(
            'const shop = new kubernetes.core.v1.Namespace("shop");\n' +
                `const later = (value) => shop.metadata.name.apply(() => value);\n${source}`,
        );
        const text = stack.fail(await stack.preview());
        expect({ what, text }).toStrictEqual({ what, text: expect.stringMatching(message) });
        expect({ what, text }).toStrictEqual({ what, text: expect.not.stringMatching(/toJSON|\[toString| {4}at /) });
    }
});

test("each run of a program in one process (Automation API) has its hooks and warnings", async () => {
    const { folder } = await Program.create(session, "inline", "");
    const { code, text } = await session.run("node", [path.join(REPOSITORY, "test/support/inline.js")], {
        cwd: folder,
    });
    expect({ code, text }).toMatchObject({ code: 0 });
    // An update of a program that is refused ends, and changes nothing for the Service that could be made.
    expect(text).toMatch(/refused: [^]*Service default\/two: spec.ports: the Service has no ports/);
    const [preview = "", up = "", again = ""] = text.split("Resources:");
    expect([preview, up, again].map((run) => run.includes("annotation-effect"))).toStrictEqual([true, true, true]);
    assertEmpty(await stateOf(session));
});
