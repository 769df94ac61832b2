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
let stack: Program;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Program.create(session, "order", "");
});

afterAll(() => session.lab.stop());

const weights = async (): Promise<number[]> =>
    (await stateOf(session)).slb.vServerGroups.flatMap(({ backends }) => backends.map(({ weight }) => weight));

const deployment = (name: string, namespace: string, opts: string): string => `
const ${name} = new kubernetes.apps.v1.Deployment("${name}", {
    metadata: { name: "${name}", namespace: "${namespace}" },
    spec: {
        replicas: 2,
        selector: { matchLabels: { app: "${name}" } },
        template: {
            metadata: { labels: { app: "${name}" } },
            spec: { automountServiceAccountToken: false, containers: [{ name: "app", image: "app:1" }] },
        },
    },
}, { ${opts} });`;

const component = (name: string, service: string, opts: string): string =>
    `new ServiceLoadBalancer("${name}", { cluster: new Cluster({ clusterId: "c-order" }), service: { ` +
    `name: "${name}", ports: [{ port: 80, targetPort: 8080 }], externalTrafficPolicy: "Local", ${service} } }, ` +
    `{ ${opts} });`;

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

/** A Namespace and what is in it, and a Service that waits for the Deployment that gives its selector. */
const EVERYTHING =
    'const shop = new kubernetes.core.v1.Namespace("shop", { metadata: { name: "shop" } });' +
    deployment("greenfield", "shop", "dependsOn: [shop]") +
    component("web", 'namespace: "shop", selector: { app: "greenfield" }', "dependsOn: [greenfield]") +
    deployment("selector", "default", "") +
    component("waiting", "selector: selector.spec.selector.matchLabels", "") +
    pods("app:1");

test("a program with Namespace, Deployments and components has members after the first up", async () => {
    stack.write(EVERYTHING);
    expect(stack.succeed(await stack.pulumi("up", "--yes"))).not.toMatch(/nodePort|error/);
    const { slb } = await stateOf(session);
    const filled = slb.vServerGroups.filter(({ backends }) => backends.length > 0);
    expect(filled.map(({ name }) => name.split("/")[2]).sort()).toStrictEqual(["waiting", "web"]);
    const { members, running } = await podAddresses();
    expect(members).toHaveLength(3);
    expect(members).toStrictEqual(running);
    expect(await callsOf(session, async () => stack.succeed(await stack.up()))).toStrictEqual({});
});

test("a new image with pods as backends ends with the new pods", async () => {
    const before = await podAddresses();
    stack.write(pods("app:2"));
    stack.succeed(await stack.up());
    const after = await podAddresses();
    expect(after.members).toStrictEqual(after.running);
    expect(after.members).not.toStrictEqual(before.members);
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

test("a run without preview creates nothing if one Service is refused", async () => {
    await applyYaml(session.lab.cluster, serviceYaml({ name: "taken", loadBalancerClass: "example.com/other" }));
    await session.lab.cluster.patch("/api/v1/namespaces/default/services/taken/status", {
        status: { loadBalancer: { ingress: [{ ip: "203.0.113.99" }] } },
    });
    const services = ["first", "taken", "last"].map((name) =>
        component(name, 'selector: { app: "shop" }', "").replace('new Cluster({ clusterId: "c-order" })', "cluster"),
    );
    stack.write(`const cluster = new Cluster({ clusterId: "c-order" });${services.join("\n")}`);
    expect(stack.fail(await stack.up())).toMatch(/Service default\/taken: another controller serves this Service/);
    assertEmpty(await stateOf(session));
    const { items } = await session.lab.cluster.get<{ items: { metadata: { name: string } }[] }>(
        "/api/v1/namespaces/default/services",
    );
    const names = items.map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name === "first" || name === "last")).toStrictEqual([]);
    await session.run("kubectl", ["delete", "service", "taken"]);
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

interface Recorded {
    readonly type: string;
    readonly outputs?: { readonly namespace?: string };
}

test("Outputs as names, labels and cluster id have the effect of plain values", async () => {
    stack.write(OUTPUTS);
    const [preview = ""] = stack.succeed(await stack.pulumi("up", "--yes")).split("Resources:");
    const lines = preview.split("\n").filter((line) => line.includes("not known before pulumi up"));
    expect(new Set(lines.map((line) => line.replace(/^.*?Service web/, "Service web"))).size).toBe(1);
    expect(lines[0]).toMatch(/: metadata\.name, clusterId, vpcId\. Names, ownership marks/);
    const { slb } = await stateOf(session);
    const state = await stack.state();
    const { resources } = (JSON.parse(state) as { deployment: { resources: readonly Recorded[] } }).deployment;
    const namespace = resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs?.namespace;
    expect(namespace).toMatch(/^shop-[0-9a-f]{8}$/);
    expect(slb.listeners[0]?.attributes).toMatchObject({ Description: `k8s/80/shop/${namespace}/c-outputs` });
    expect(slb.vServerGroups[0]?.name).toMatch(new RegExp(`^k8s/3\\d{4}/shop/${namespace}/c-outputs$`));
    expect((await weights()).length).toBeGreaterThan(0);
    expect(state).not.toMatch(/known-later|to(?:JSON|String)\]/);
    expect(state).toContain(`"service": "${namespace}/shop"`);

    const again = async () => void stack.succeed(await stack.up("--expect-no-changes"));
    expect(await callsOf(session, again)).toStrictEqual({});
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

test("an invalid value of an Output is refused before anything is created for the Service", async () => {
    stack.write(
        `const shop = new kubernetes.core.v1.Namespace("shop");` +
            component("web", `namespace: shop.metadata.name.apply((name) => name + "_"), selector: { app: "web" }`, ""),
    );
    expect(stack.fail(await stack.up())).toMatch(
        /Service web: metadata\.namespace: "shop-[0-9a-f]+_" is not a namespace\. Remedy: /,
    );
    assertEmpty(await stateOf(session));
});

test("a text that an Output was put into is refused with its field", async () => {
    stack.write(
        'const shop = new kubernetes.core.v1.Namespace("shop");\n' +
            'new ServiceLoadBalancer("web", { cluster: new Cluster({ clusterId: "c" }), ' +
            'service: { name: `web-${shop.metadata.name}`, selector: { app: "web" }, ports: [{ port: 80 }] } });',
    );
    const text = stack.fail(await stack.preview());
    expect(text).toMatch(
        pattern(
            /ServiceLoadBalancer web: metadata\.name: /s,
            /this is an Output \(or a text that an Output was put into\).*pulumi\.interpolate/s,
        ),
    );
    expect(text).not.toMatch(/toJSON|\[toString| {4}at /);
});

test("each run of a program in one process (Automation API) has its hooks and warnings", async () => {
    const { folder } = stack;
    const { code, text } = await session.run("node", [path.join(REPOSITORY, "test/support/inline.js")], {
        cwd: folder,
    });
    expect({ code, text }).toMatchObject({ code: 0 });
    // An update of a program that is refused ends, and changes nothing for the Service that could be made.
    expect(text).toMatch(/refused: [^]*Service default\/two: spec.ports: the Service has no ports/);
    const [up = "", again = ""] = text.split("Resources:");
    expect([up, again].map((run) => run.includes("annotation-effect"))).toStrictEqual([true, true]);
    expect((await stateOf(session)).slb.listeners.map(({ attributes }) => attributes["Description"])).toStrictEqual([
        "k8s/80/inline/default/c-inline",
    ]);
});
