/**
 * Other inputs: a Service that is in the cluster already, a Service described in code, pods as backends, node filters.
 * Only a run shows that these inputs lead to the same objects as a manifest.
 *
 * Requirements: A56, A57, A58, D04, D08, D09, D11, D13, E06, G32, H16, H18, X19, X25.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import {
    applyYaml,
    endpointSlices,
    REPOSITORY,
    scaleDeployment,
    type Session,
    setNodeReady,
    setSchedulable,
    waitForEndpoints,
} from "../../lab";
import { addressesOfServices } from "../support/addresses";
import { forget } from "../support/forget";
import { pattern } from "../support/pattern";
import { Program } from "../support/program";
import {
    assertEmpty,
    callsOf,
    serviceYaml,
    type ServiceSpec,
    Stack,
    startWorld,
    stateOf,
    writesOf,
} from "../support/world";

let session: Session;
/** Stack of the root project. */
let stack: Stack;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
});

afterAll(async () => {
    await session.lab.stop();
    forget(stack);
});

test("pods as backends (eni) are added by address after one query of the VPC", async () => {
    const service: ServiceSpec = { name: "pods", annotations: { "service.beta.kubernetes.io/backend-type": "eni" } };
    const pods = await session.lab.cluster.get<{ items: { metadata: { name: string }; status: { podIP: string } }[] }>(
        "/api/v1/namespaces/default/pods?labelSelector=app%3Dshop",
    );
    const ips = pods.items.map((pod) => pod.status.podIP);
    await session.cloud("/_seed", {
        networkInterfaces: [
            { id: "eni-1", privateIps: ips.slice(0, 2) },
            { id: "eni-2", privateIps: ips.slice(2) },
        ],
    });

    stack = await Stack.create(session, "backends", [service]);
    const created = await callsOf(session, async () => stack.succeed(await stack.up()));
    expect(created["DescribeNetworkInterfaces"]).toBe(1);
    expect(created["AddVServerGroupBackendServers"]).toBe(1);
    const [group] = (await stateOf(session)).slb.vServerGroups;
    expect(
        group?.backends.map(({ serverIp, port, weight, type }) => `${type} ${serverIp}:${port} ${weight}`).sort(),
    ).toStrictEqual(ips.map((ip) => `eni ${ip}:8080 100`).sort());
    expect(group?.name).toBe("k8s/8080/pods/default/c-test");
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));

    expect(pods.items).not.toHaveLength(0);
    await scaleDeployment(session.lab.cluster, "default", "shop", 3);
    await waitForEndpoints(session.lab.cluster, "default", "pods", 3);
    const scaled = await callsOf(session, async () => stack.succeed(await stack.up()));
    expect(scaled).toStrictEqual({ RemoveVServerGroupBackendServers: 1 });
});

test("node filters: labels, cordoned and unready nodes", async () => {
    const { cluster } = session.lab;
    const label = (node: string) => cluster.patch(`/api/v1/nodes/${node}`, { metadata: { labels: { tier: "front" } } });
    await Promise.all(["node-1", "node-2"].map(label));
    stack.write([
        { name: "filtered", annotations: { "backend-label": "tier=front", "remove-unscheduled-backend": "on" } },
    ]);
    const names = async () => {
        const nodes = await cluster.get<{ items: { metadata: { name: string }; spec: { providerID: string } }[] }>(
            "/api/v1/nodes",
        );
        const [group] = (await stateOf(session)).slb.vServerGroups;
        return nodes.items
            .filter((node) => group?.backends.some(({ serverId }) => node.spec.providerID.endsWith(serverId)))
            .map((node) => node.metadata.name);
    };
    stack.succeed(await stack.up());
    expect(await names()).toStrictEqual(["node-1", "node-2"]);
    await setSchedulable(cluster, "node-1", false);
    await setNodeReady(cluster, "node-2", false);
    await label("node-3");
    stack.succeed(await stack.up());
    expect(await names()).toStrictEqual(["node-3"]);
    await setSchedulable(cluster, "node-1", true);
    await setNodeReady(cluster, "node-2", true);
});

test("a pod whose address no ENI of the VPC holds is an error with cause and remedy", async () => {
    await session.cloud("/_seed", { remove: { networkInterfaces: ["eni-1", "eni-2"] } });
    stack.write([{ name: "missing", annotations: { "service.beta.kubernetes.io/backend-type": "eni" } }]);
    expect(stack.fail(await stack.up())).toMatch(/no ENI of the VPC holds .*Cause: .*Remedy: /);
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

/** Examples are type-checked when the repository is compiled. Here they only run. */
const TRANSPILE_ONLY = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

test("the library example creates a Service, and follows an existing one without changing it", async () => {
    const existing: ServiceSpec = { name: "existing", ports: [{ port: 443 }] };
    await applyYaml(session.lab.cluster, serviceYaml(existing));
    const cwd = path.join(REPOSITORY, "examples/library");
    const stack = `library-${process.pid}`;
    const pulumi = async (...args: string[]) => {
        const result = await session.run("pulumi", [...args, "--non-interactive"], { cwd, env: TRANSPILE_ONLY });
        expect([result.code, result.text]).toStrictEqual([0, result.text]);
        return result.text;
    };
    await pulumi("stack", "init", stack);
    await pulumi("up", "--yes", "--skip-preview", "--stack", stack);
    const outputs = JSON.parse(await pulumi("stack", "output", "--json", "--stack", stack)) as Record<string, string>;
    const { slb } = await stateOf(session);
    expect([outputs["described"], outputs["existing"]].sort()).toStrictEqual(
        slb.loadBalancers.map(({ address }) => address).sort(),
    );
    await pulumi("destroy", "--yes", "--skip-preview", "--remove", "--stack", stack);
    assertEmpty(await stateOf(session));
    // A followed Service stays, and an applied Service goes.
    expect(Object.keys(await addressesOfServices(session)).sort()).toStrictEqual(["existing", "kubernetes"]);
    fs.rmSync(path.join(cwd, `Pulumi.${stack}.yaml`), { force: true });
    expect(await endpointSlices(session.lab.cluster, "default", "existing")).toHaveLength(1);
});

test("preview refuses to follow a Service of the stack, and to apply one that it follows", async () => {
    const service: ServiceSpec = { name: "either" };
    const refuse = async (refusal: RegExp) => {
        const writes = await writesOf(session, async () => {
            expect(stack.fail(await stack.preview())).toMatch(refusal);
        });
        expect(writes).toStrictEqual({});
        expect(Object.keys(await addressesOfServices(session))).toEqual(
            expect.arrayContaining([service.name, "followed"]),
        );
    };
    await applyYaml(session.lab.cluster, serviceYaml({ name: "followed" }));
    stack.write([service, { name: "followed" }]);
    await stack.config("follow", '["default/followed"]');
    stack.succeed(await stack.up());
    await stack.config("follow", '["default/either", "default/followed"]');
    await refuse(/Service default\/either: this stack applies it, .* would delete it from the cluster\. Remedy: /);
    await stack.config("follow", "[]");
    await refuse(/Service default\/followed is in the cluster already and is not in this stack\. .*Remedy: /);
    await stack.config("follow", '["default/followed"]');
    stack.succeed(await stack.destroy());
    expect(Object.keys(await addressesOfServices(session))).not.toContain(service.name);
    await session.run("kubectl", ["delete", "service", "followed"]);
});

test("two Services share a load balancer, and a port can be used once", async () => {
    const cwd = path.join(REPOSITORY, "examples/shared-load-balancer");
    const stack = `shared-${process.pid}`;
    const run = (...args: string[]) =>
        session.run("pulumi", [...args, "--non-interactive", "--stack", stack], { cwd, env: TRANSPILE_ONLY });
    const pulumi = async (...args: string[]) => {
        const result = await run(...args);
        expect([result.code, result.text]).toStrictEqual([0, result.text]);
        return result.text;
    };
    expect((await session.run("pulumi", ["stack", "init", stack, "--non-interactive"], { cwd })).code).toBe(0);
    await pulumi("up", "--yes", "--skip-preview");
    const outputs = JSON.parse(await pulumi("stack", "output", "--json")) as {
        address: string;
        ports: Record<string, string>;
    };
    const { slb } = await stateOf(session);
    const [instance] = slb.loadBalancers;
    expect([slb.loadBalancers.length, outputs.address]).toStrictEqual([1, instance?.address]);
    expect(outputs.ports).toStrictEqual({ "tcp:80": "default/shared-web", "tcp:8080": "default/shared-api" });
    expect(slb.listeners.map(({ port }) => port).sort()).toStrictEqual([80, 8080]);
    const shown = Object.values(await addressesOfServices(session)).flat();
    expect(shown.filter((address) => address === outputs.address)).toHaveLength(2);

    await pulumi("config", "set", "apiPort", "80");
    const since = await session.lastCall();
    const refused = await run("preview");
    expect(refused.code).not.toBe(0);
    expect(refused.text).toMatch(
        pattern(
            /Services default\/shared-web and default\/shared-api both /,
            /use listener tcp:80 of load balancer shared:front\. Remedy: /,
        ),
    );
    expect(await session.calls(since)).toStrictEqual([]);

    await pulumi("config", "set", "apiPort", "8081");
    await pulumi("up", "--yes", "--skip-preview");
    const after = (await stateOf(session)).slb;
    expect([after.loadBalancers[0]?.id, after.listeners.map(({ port }) => port).sort()]).toStrictEqual([
        instance?.id,
        [80, 8081],
    ]);
    await pulumi("destroy", "--yes", "--skip-preview", "--remove");
    assertEmpty(await stateOf(session));
    fs.rmSync(path.join(cwd, `Pulumi.${stack}.yaml`), { force: true });
});

test("preview refuses a port that another Service or a user has on the load balancer", async () => {
    const service = (name: string, port: number, more: string) =>
        `new ServiceLoadBalancer("${name}", { cluster, ${more}, service: { name: "${name}", ` +
        `selector: { app: "shop" }, ports: [{ port: ${port}, targetPort: 8080 }] } });\n`;
    const program = (...services: readonly string[]) =>
        'const cluster = new Cluster({ clusterId: "c-test" });\n' +
        `const loadBalancer = new SharedLoadBalancer("front", { cluster });\n${services.join("")}`;
    const shared = (name: string, port: number) => service(name, port, "loadBalancer");
    const own = (port: number) => service("own", port, "settings: {}");
    const zoneMaps = ["a", "b"].map((zone) => ({ zoneId: `cn-hangzhou-${zone}`, vswitchId: `vsw-lab-${zone}` }));
    const inZones = `loadBalancerType: "nlb", settings: ${JSON.stringify({ zoneMaps })}`;
    const network = (port: number) => service("network", port, inZones);
    const stack = await Program.create(
        session,
        "ports",
        program(shared("web", 80), shared("api", 8080), own(80), network(80)),
    );
    stack.succeed(await stack.up());
    const { slb, nlb } = await stateOf(session);
    const listener = slb.listeners.find(({ attributes }) => String(attributes["Description"]).includes("/own/"));
    for (const call of [
        {
            action: "CreateLoadBalancerTCPListener",
            params: {
                LoadBalancerId: listener?.loadBalancerId,
                ListenerPort: "81",
                Bandwidth: "-1",
                VServerGroupId: listener?.attributes["VServerGroupId"],
                Description: "by hand",
            },
        },
        {
            product: "Nlb",
            action: "CreateListener",
            params: {
                LoadBalancerId: nlb.loadBalancers[0]?.id,
                ListenerProtocol: "TCP",
                ListenerPort: "81",
                ServerGroupId: nlb.serverGroups[0]?.id,
                ListenerDescription: "by hand",
            },
        },
    ])
        expect(await session.cloud("/_console", { ...call, as: "other" })).toMatchObject({ status: 200 });

    // Pulumi creates first and deletes last, so a port cannot change hands within a run.
    const inTwoRuns =
        /Remedy: use another port, or take this one from the Service of the description in an earlier run/;
    for (const [services, refusal] of [
        [[shared("other", 80), shared("api", 8080), own(80), network(80)], inTwoRuns],
        [[shared("web", 8080), shared("api", 80), own(80), network(80)], inTwoRuns],
        [
            [shared("web", 80), shared("api", 8080), own(81), network(80)],
            /listener tcp:81 of lb-\S+ exists .*"by hand"\)\. Remedy: remove it/,
        ],
        [
            [shared("web", 80), shared("api", 8080), own(80), network(81)],
            /listener tcp:81 of nlb-\S+ exists .*"by hand"\)\. Remedy: remove it/,
        ],
    ] as const) {
        stack.write(program(...services));
        const writes = await writesOf(session, async () => expect(stack.fail(await stack.preview())).toMatch(refusal));
        expect(writes).toStrictEqual({});
    }

    for (const services of [[], [shared("other", 80)]]) {
        stack.write(program(shared("api", 8080), own(80), network(80), ...services));
        stack.succeed(await stack.up());
    }
});
