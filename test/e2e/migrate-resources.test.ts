/**
 * Moves inside a program: from handwritten resources, and from a Service that the program applies for the Cloud
 * Controller Manager.
 * Only a run shows that the engine keeps resources under their former names.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as path from "node:path";
import { dataPath, leaveFootprint, liveService, RECORDED_CLUSTER } from "../../examples/migrate-from-ccm/ccm";
import { REPOSITORY, type Session } from "../../lab";
import { readCase } from "../../tools/parity/case";
import { livingService } from "../../tools/parity/footprint";
import { Program } from "../support/program";
import { startRecorded } from "../support/recorded";

let session: Session;

beforeAll(async () => {
    session = await startRecorded({ isResident: true });
});
afterAll(() => session.lab.stop());

const CLUSTER = `const cluster = new Cluster({ clusterId: "${RECORDED_CLUSTER}" });\n`;

/** Runs an update with its preview, which is returned. */
const previewAndUp = async (program: Program): Promise<string> =>
    program.succeed(await program.pulumi("up", "--yes", "--diff")).split(/^Updating /m, 1)[0] ?? "";

/** Writes since a call, without those of Kubernetes. */
async function writes(since: number): Promise<string[]> {
    return (await session.calls(since)).filter(({ mutating }) => mutating).map(({ action }) => action);
}

const BALANCER = `
const balancer = new alicloud.slb.ApplicationLoadBalancer("web", {
    loadBalancerName: "web", addressType: "internet", instanceChargeType: "PayByCLCU",
}, { protect: false });
`;
const LISTENER = (group: string, after: string) => `
new alicloud.slb.Listener("web", {
    loadBalancerId: balancer.id,
    frontendPort: 80,
    protocol: "tcp",
    bandwidth: -1,
    description: "by hand",
    serverGroupId: ${group},
}, { dependsOn: ${after} });
`;
const PORTS = "ports: [{ name: 'http', port: 80, targetPort: 8080, nodePort: 30080, protocol: 'TCP' }]";
const BY_HAND = `${BALANCER}
new kubernetes.core.v1.Service("web", {
    // There are no pods, which the plugin would wait for.
    metadata: { name: "web", namespace: "default", annotations: { "pulumi.com/skipAwait": "true" } },
    spec: { type: "NodePort", selector: { app: "web" }, ${PORTS} },
});
const group = new alicloud.slb.ServerGroup("web", { loadBalancerId: balancer.id, name: "web" });
const members = ["i-node1", "i-node2", "i-node3"].map((serverId) =>
    new alicloud.slb.ServerGroupServerAttachment(serverId, {
        serverGroupId: group.id,
        serverId,
        port: 30080,
        weight: 100,
        type: "ecs",
    }));
${LISTENER("group.id", "members")}`;

/** Returns the component next to the balancer. Resources from the root of the program come to it by their aliases. */
const component = (loadBalancerId: string, annotations: object, moved: readonly string[]) => `${BALANCER}${CLUSTER}
const moved = ${JSON.stringify(moved)};
const fromRoot = ({ type, props, opts }) => moved.includes(type)
    ? { props, opts: pulumi.mergeOptions(opts, { aliases: [{ name: "web", parent: pulumi.rootStackResource }] }) }
    : undefined;
const web = new ServiceLoadBalancer("web", {
    cluster,
    manifest: {
        apiVersion: "v1", kind: "Service",
        metadata: { name: "web", namespace: "default", annotations: ${JSON.stringify({
            "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-id": loadBalancerId,
            ...annotations,
        })} },
        spec: { type: "LoadBalancer", selector: { app: "web" }, ${PORTS} },
    },
}, { transformations: [fromRoot] });
`;

test("a move from handwritten resources keeps UID, nodePort and backends at every step", async () => {
    const program = await Program.create(session, "by-hand", BY_HAND);
    program.succeed(await program.up());
    const before = await liveService(session.lab, "web");
    const { loadBalancers, vServerGroups } = await dataPath(session.lab);
    const id = loadBalancers[0]?.id ?? "";
    expect(vServerGroups.map(({ backends }) => backends.length)).toStrictEqual([3]);

    // The component fills its own server group next to the old group, and the listener is led to it.
    const SERVICE = "kubernetes:core/v1:Service";
    program.write(
        component(id, {}, [SERVICE]) + LISTENER('web.serverGroups["tcp-80"].id', "Object.values(web.backends)"),
    );
    let since = await session.lastCall();
    const preview = await previewAndUp(program);
    expect(preview).toMatch(/~ kubernetes:core\/v1:Service: \(update\)/);
    expect(preview).toMatch(/~ alicloud:slb\/listener:Listener: \(update\)/);
    expect(preview).not.toMatch(/replace/);
    const calls = await writes(since);
    expect(calls).not.toContain("DeleteLoadBalancerListener");
    const led = calls.indexOf("SetLoadBalancerTCPListenerAttribute");
    expect(calls.indexOf("AddVServerGroupBackendServers")).toBeLessThan(led);
    expect(calls.indexOf("RemoveVServerGroupBackendServers")).toBeGreaterThan(led);
    const after = await liveService(session.lab, "web");
    expect([after.metadata.uid, after.spec?.ports]).toStrictEqual([before.metadata.uid, before.spec?.ports]);
    expect(after.status?.loadBalancer?.ingress).toMatchObject([{ ip: loadBalancers[0]?.address }]);
    const moved = await dataPath(session.lab);
    expect(moved.vServerGroups.map(({ name, backends }) => [name, backends.length])).toStrictEqual([
        [`k8s/30080/web/default/${RECORDED_CLUSTER}`, 3],
    ]);
    expect(moved.listeners[0]?.attributes["VServerGroupId"]).toBe(moved.vServerGroups[0]?.id);

    // The listener can come to the component too.
    const override = { "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-force-override-listeners": "true" };
    program.write(component(id, override, [SERVICE, "alicloud:slb/listener:Listener"]));
    since = await session.lastCall();
    expect(await previewAndUp(program)).toMatch(/~ alicloud:slb\/listener:Listener: \(update\)/);
    const renamed = await writes(since);
    expect(renamed).toContain("SetLoadBalancerTCPListenerAttribute");
    expect(renamed.filter((action) => /^(Delete|Create|Stop)/.test(action))).toStrictEqual([]);
    program.succeed(await program.up("--expect-no-changes"));
});

const manifestOf = (kind: "clb" | "nlb", recording: string, name: string) =>
    livingService(readCase(path.join(REPOSITORY, `testdata/parity/${kind}`, `${recording}.json`)), name) as unknown as {
        readonly metadata: object;
        readonly spec: object;
    };

test.each([
    ["a CLB", "seed-01-internet-clb-default", "plain", undefined],
    ["an NLB", "nlb-basic", "plain-nlb", "ack-loadbalancer.io/nlb"],
] as const)(
    "a Service that the program applies for the Cloud Controller Manager, with %s",
    async (_, recording, name, loadBalancerClass) => {
        const kind = recording.startsWith("nlb-") ? "nlb" : "clb";
        const manifest = JSON.parse(
            JSON.stringify(manifestOf(kind, recording, name))
                .replaceAll("vsw-a", "vsw-lab-a")
                .replaceAll("vsw-b", "vsw-lab-b"),
        ) as { metadata: object; spec: object };
        const applied = (more: object) =>
            `const manifest = ${JSON.stringify({ ...manifest, spec: { ...manifest.spec, ...more } })};\n` +
            `const service = new kubernetes.core.v1.Service("${name}", { ...manifest, metadata: ` +
            "{ ...manifest.metadata, annotations: " +
            '{ ...manifest.metadata.annotations, "pulumi.com/skipAwait": "true" } } });\n';
        const program = await Program.create(session, name, applied({}));
        program.succeed(await program.up());
        const { live } = await leaveFootprint(session.lab, recording, name);

        const adopt =
            `ServiceLoadBalancer.adopt("${name}", { cluster, namespace: "default", name: "${name}", manifest }, ` +
            "{ dependsOn: service });";
        program.write(`${applied({})}${CLUSTER}${adopt}`);
        const before = await dataPath(session.lab);
        let since = await session.lastCall();
        expect(await previewAndUp(program)).not.toMatch(/kubernetes:core\/v1:Service: \((update|replace|create)/);
        expect(await writes(since)).toStrictEqual([]);
        expect(await dataPath(session.lab)).toStrictEqual(before);

        // From then on the program follows its own Service. A Service with an NLB has another class, and the program
        // says so.
        const now = loadBalancerClass === undefined ? {} : { loadBalancerClass };
        program.write(
            `${applied(now)}${CLUSTER}new ServiceLoadBalancer("${name}", { cluster, manifest, follow: true }, ` +
                "{ dependsOn: service });",
        );
        since = await session.lastCall();
        program.succeed(await program.up());
        expect(await writes(since)).toStrictEqual([]);
        program.succeed(await program.up("--expect-no-changes"));
        const managed = await liveService(session.lab, name);
        expect([managed.metadata.uid, managed.metadata.finalizers, managed.status]).toStrictEqual([
            live.metadata.uid,
            undefined,
            live.status,
        ]);
        expect(managed.spec).toStrictEqual({ ...live.spec, ...now });
    },
);
