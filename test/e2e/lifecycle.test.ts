/**
 * Two Services from `pulumi up` to `pulumi destroy`, and what each step costs in API calls.
 * Only a run shows which calls the plugins and the hooks make together.
 *
 * Requirements: A16, B17, B22, B29, B35, D01, D06, D32, F16, G05, G15, I09, I12, I21, X23.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
    endpointSlices,
    type Result,
    scaleDeployment,
    type Session,
    waitForDeployment,
    waitForEndpoints,
} from "../../lab";
import { eventsOfServices } from "../support/events";
import { found } from "../support/found";
import { assertEmpty, callsOf, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

const LOCAL: ServiceSpec = {
    name: "local",
    policy: "Local",
    annotations: { scheduler: "wrr" },
    ports: [{ port: 8443 }],
};
const WEB: ServiceSpec = { name: "web", annotations: { "protocol-port": "http:80" } };

let session: Session;
let stack: Stack;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Stack.create(session, "lifecycle", [LOCAL, WEB]);
});

afterAll(async () => {
    await session.lab.stop();
});

/** An operation of which nothing was loaded, or asked for, before. */
const inProcesses = (operation: string, ...flags: string[]): Promise<Result> =>
    session.start("pulumi", stack.commandLine(operation, ...flags)).done;

test("preview shows instance, listener, group and members with weights, and writes nothing", async () => {
    const calls = await callsOf(session, async () => {
        const text = stack.succeed(await inProcesses("preview", "--diff"));
        for (const expected of [
            /alicloud:slb\/applicationLoadBalancer:ApplicationLoadBalancer/,
            /slb\/listener:Listener/,
            /slb\/serverGroup:ServerGroup/,
            /i-\w+\s*:\s*\{\s*weight\s*: [12]\b/,
        ]) {
            expect(text).toMatch(expected);
        }
    });
    // Whether the account is the cluster's, and has room for what is to be made.
    expect(calls).toStrictEqual({ DescribeLoadBalancers: 2, GetCallerIdentity: 1, ListProductQuotas: 1 });
});

test("up creates two instances, with one call per object on top of the plugin's calls", async () => {
    const calls = await callsOf(session, async () => stack.succeed(await inProcesses("up", "--yes", "--skip-preview")));
    expect(calls).toStrictEqual({
        AddVServerGroupBackendServers: 2,
        CreateLoadBalancer: 2,
        CreateLoadBalancerHTTPListener: 1,
        CreateLoadBalancerTCPListener: 1,
        CreateVServerGroup: 2,
        DescribeLoadBalancerAttribute: 6,
        // One of them to know the options: a record that is made again may be that of listeners which were there.
        DescribeLoadBalancerHTTPListenerAttribute: 4,
        DescribeLoadBalancerTCPListenerAttribute: 4,
        // Two of them, and the quotas, because instances are to be made.
        DescribeLoadBalancers: 4,
        DescribeVServerGroupAttribute: 4,
        // Once in the life of a stack: which account it belongs to.
        GetCallerIdentity: 1,
        ListProductQuotas: 1,
        ListTagResources: 4,
        SetLoadBalancerHTTPListenerAttribute: 1,
        SetLoadBalancerTCPListenerAttribute: 1,
        SetVServerGroupAttribute: 2,
        StartLoadBalancerListener: 2,
        TagResources: 2,
    });
});

test("an event of each Service names its instance, as CCM's does, and there is no other one", async () => {
    expect(await eventsOfServices(session)).toStrictEqual([
        expect.stringMatching(/^local EnsuredLoadBalancer Ensured load balancer \[lb-[a-z0-9]+\]$/),
        expect.stringMatching(/^web EnsuredLoadBalancer Ensured load balancer \[lb-[a-z0-9]+\]$/),
    ]);
});

test("listeners run with their protocols on their groups, and instances are tagged and protected", async () => {
    const { slb } = await stateOf(session);
    expect(slb.loadBalancers).toHaveLength(2);
    for (const balancer of slb.loadBalancers) {
        expect(balancer.deleteProtection).toBe("on");
        expect(balancer.tags).toStrictEqual({ "ack.aliyun.com": "c-test", "kubernetes.do.not.delete": balancer.name });
    }
    expect(slb.listeners.map(({ port, protocol, status }) => `${protocol}:${port} ${status}`).sort()).toStrictEqual([
        "http:80 running",
        "tcp:8443 running",
    ]);
    for (const listener of slb.listeners) {
        const group = slb.vServerGroups.find(({ id }) => id === listener.attributes["VServerGroupId"]);
        expect(group?.loadBalancerId).toBe(listener.loadBalancerId);
        expect(group?.backends.every(({ description }) => description === group.name)).toBeTruthy();
    }
});

test("weights are the pods of each node in Local mode, and equal in Cluster mode", async () => {
    expect(await weights("local")).toStrictEqual(await podsByServer("local"));
    expect([...(await weights("web")).values()]).toStrictEqual([100, 100, 100]);
});

test("kubectl shows the addresses", async () => {
    const { text } = await session.run("kubectl", [
        "get",
        "services",
        "-o",
        "jsonpath={range .items[*]}{.metadata.name}={.status.loadBalancer.ingress[0].ip} {end}",
    ]);
    for (const { address } of (await stateOf(session)).slb.loadBalancers) {
        expect(text).toContain(`=${address}`);
    }
});

test("the output services has name, namespace, address and address type of each Service", async () => {
    const text = stack.succeed(await stack.command("stack", "output", "services", "--json", "--stack", stack.name));
    const { slb } = await stateOf(session);
    const expected = slb.vServerGroups.map(({ name, loadBalancerId }) => {
        const service = name.split("/")[2] ?? "";
        const { address, addressType } = slb.loadBalancers.find(({ id }) => id === loadBalancerId) ?? {};
        const clusterAddress = `${service}.default.svc.cluster.local`;
        return [`default/${service}`, { namespace: "default", name: service, address, addressType, clusterAddress }];
    });
    expect(expected.length).toBeGreaterThan(1);
    expect(JSON.parse(text)).toStrictEqual(Object.fromEntries(expected));
});

test("up again, with nothing to do, makes no API call", async () => {
    const calls = await callsOf(session, async () => stack.succeed(await stack.up("--expect-no-changes")));
    expect(calls).toStrictEqual({});
});

test("one more pod is one line in the preview, and up makes at most two calls", async () => {
    await scaleDeployment(session.lab.cluster, "default", "shop", 5);
    await waitForDeployment(session.lab.cluster, "default", "shop");
    await waitForEndpoints(session.lab.cluster, "default", "local", 5);
    const calls = await callsOf(session, async () => {
        const [preview = ""] = stack.succeed(await stack.run("up", ["--yes", "--diff"])).split("Resources:");
        expect([preview, preview.match(/~ weight\s*: \d+ => \d+/g)?.length]).toStrictEqual([preview, 1]);
    });
    expect(calls).toStrictEqual({ SetVServerGroupAttribute: 1 });
    expect(await weights("local")).toStrictEqual(await podsByServer("local"));
});

test("a changed listener annotation is one write", async () => {
    stack.write([LOCAL, { ...WEB, annotations: { ...WEB.annotations, scheduler: "wrr" } }]);
    const since = await session.lastCall();
    stack.succeed(await stack.up());
    const writes = (await session.calls(since)).filter((call) => call.mutating);
    expect(writes.map(({ action }) => action)).toStrictEqual(["SetLoadBalancerHTTPListenerAttribute"]);
    expect(await eventsOfServices(session)).toContain(
        "web AnnotationChanged The Service is updated, because its annotations have changed: " +
            "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-scheduler",
    );
});

test("a change of protocol replaces only the listener of that port", async () => {
    const since = await session.lastCall();
    stack.write([LOCAL, { ...WEB, annotations: {} }]);
    stack.succeed(await stack.up());
    const writes = (await session.calls(since)).filter((call) => call.mutating).map(({ action }) => action);
    expect(writes).toStrictEqual([
        "DeleteLoadBalancerListener",
        "CreateLoadBalancerTCPListener",
        "StartLoadBalancerListener",
        "SetLoadBalancerTCPListenerAttribute",
    ]);
});

test("refresh shows edits made outside Pulumi line by line, and up corrects them", async () => {
    const { slb } = await stateOf(session);
    const group = found(
        slb.vServerGroups.find(({ name }) => name.includes("/web/")),
        "group of web",
    );
    const listener = found(
        slb.listeners.find(({ attributes }) => attributes["VServerGroupId"] === group.id),
        "listener of web",
    );
    const { serverId, port } = found(group.backends[0], "backend");
    const other = (action: string, params: object) => session.cloud("/_console", { action, params, as: "other" });
    await other("RemoveVServerGroupBackendServers", {
        VServerGroupId: group.id,
        BackendServers: JSON.stringify([{ ServerId: serverId, Port: port }]),
    });
    await other("SetLoadBalancerTCPListenerAttribute", {
        LoadBalancerId: listener.loadBalancerId,
        ListenerPort: "80",
        Scheduler: "wlc",
    });

    const [preview = ""] = stack.succeed(await stack.run("up", ["--yes", "--refresh", "--diff"])).split("Resources:");
    expect(preview).toMatch(new RegExp(`\\+ ${serverId}`));
    expect(preview).toMatch(/scheduler\s*: "wlc" => "rr"/);

    const healed = await stateOf(session);
    expect(
        healed.slb.vServerGroups
            .find(({ id }) => id === group.id)
            ?.backends.map((backend) => backend.serverId)
            .sort(),
    ).toStrictEqual(group.backends.map((backend) => backend.serverId).sort());
    expect(
        healed.slb.listeners.find(({ attributes }) => attributes["VServerGroupId"] === group.id)?.attributes[
            "Scheduler"
        ],
    ).toBe("rr");
});

test("a user-managed backend in the group stays", async () => {
    const group = found(
        (await stateOf(session)).slb.vServerGroups.find(({ name }) => name.includes("/web/")),
        "group of web",
    );
    await session.cloud("/_seed", { instances: [{ id: "i-user", privateIp: "10.9.9.9" }] });
    const userManaged = [
        { ServerId: "i-user", Port: "9000", Weight: "10", Type: "ecs", Description: "put here by hand" },
    ];
    await session.cloud("/_console", {
        action: "AddVServerGroupBackendServers",
        params: { VServerGroupId: group.id, BackendServers: JSON.stringify(userManaged) },
        as: "other",
    });
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    const after = (await stateOf(session)).slb.vServerGroups.find(({ id }) => id === group.id);
    expect(after?.backends.some(({ serverId }) => serverId === "i-user")).toBeTruthy();
});

test("destroy empties the cloud and the cluster, with one delete for each instance", async () => {
    const since = await session.lastCall();
    await stack.remove();
    const writes = (await session.calls(since)).filter((call) => call.mutating).map(({ action }) => action);
    expect(writes.sort()).toStrictEqual([
        "DeleteLoadBalancer",
        "DeleteLoadBalancer",
        "SetLoadBalancerDeleteProtection",
        "SetLoadBalancerDeleteProtection",
    ]);
    assertEmpty(await stateOf(session));
    const { text } = await session.run("kubectl", ["get", "services", "-o", "name"]);
    expect(text.trim()).toBe("service/kubernetes");
});

async function weights(service: string): Promise<Map<string, number>> {
    const group = (await stateOf(session)).slb.vServerGroups.find(({ name }) => name.includes(`/${service}/`));
    return new Map(group?.backends.map(({ serverId, weight }): [string, number] => [serverId, weight]).sort());
}

async function podsByServer(service: string): Promise<Map<string, number>> {
    const nodes = await session.lab.cluster.get<{
        items: { metadata: { name: string }; spec: { providerID: string } }[];
    }>("/api/v1/nodes");
    const servers = new Map(nodes.items.map((node) => [node.metadata.name, node.spec.providerID.split(".")[1] ?? ""]));
    const pods = new Map<string, number>();
    for (const endpoint of (await endpointSlices(session.lab.cluster, "default", service)).flatMap(
        (slice) => slice.endpoints ?? [],
    )) {
        const server = servers.get(endpoint.nodeName ?? "") ?? "";
        pods.set(server, (pods.get(server) ?? 0) + 1);
    }
    return new Map([...pods].sort());
}
