/**
 * Services that work, of each kind and with each network plugin of ACK: nothing is broken, and the exit code is 0.
 *
 * Requirements: G10, H24.
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { applyYaml, type Session } from "../../lab";
import { Commands } from "../support/commands";
import { installPlugin } from "../support/network-plugin";
import { Program } from "../support/program";
import { installBindings, ReplicaProcess } from "../support/replica";
import { type ServiceSpec, serviceYaml, Stack, startWorld } from "../support/world";

const ZONES = { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" };
const NLB_CLASS = "alibabacloud.com/nlb";

const FOLLOWED: ServiceSpec = { name: "followed" };

/** Services of both plugins. Without backend-type the plugin decides what their backends are. */
const SERVICES: readonly ServiceSpec[] = [
    { name: "clb" },
    { name: "local", policy: "Local" },
    { name: "nlb", loadBalancerClass: NLB_CLASS, annotations: ZONES },
    { name: "https", annotations: { "protocol-port": "https:443", "cert-id": "cert-web" }, ports: [{ port: 443 }] },
    { name: "nodes", annotations: { "service.beta.kubernetes.io/backend-type": "ecs" } },
    { name: "v6", annotations: { "ip-version": "ipv6" } },
    { name: "dual", loadBalancerClass: NLB_CLASS, annotations: { ...ZONES, "ip-version": "DualStack" } },
    { name: "joined", annotations: { id: "lb-users", "vgroup-port": "rsp-users:9000" }, ports: [{ port: 9000 }] },
    {
        name: "forced",
        annotations: { id: "lb-users", "force-override-listeners": "true" },
        ports: [{ port: 9001 }],
    },
    FOLLOWED,
];

const ENI: ServiceSpec = { name: "eni", annotations: { "service.beta.kubernetes.io/backend-type": "eni" } };

const SHARED = `
const cluster = Cluster.discover({});
module.exports = async () => {
    const front = new SharedLoadBalancer("front", { cluster: await cluster });
    new ServiceLoadBalancer("shared", { cluster: await cluster, loadBalancer: front,
        service: { name: "shared", selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] } });
};
`;

describe.each(["flannel", "terway"] as const)("on %s", (plugin) => {
    let session: Session;
    let stack: Stack;
    let synced: Stack;
    let commands: Commands;
    let replica: ReplicaProcess;

    const all = plugin === "terway" ? [...SERVICES, ENI] : SERVICES;

    beforeAll(async () => {
        session = await startWorld({ isResident: true });
        await installPlugin(session, plugin);
        commands = new Commands(session);
        await session.cloud("/_seed", {
            certificates: [{ id: "cert-web", kind: "server" }],
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
                { action: "StartLoadBalancerListener", params: { LoadBalancerId: "lb-users", ListenerPort: "9000" } },
            ],
        });
        await applyYaml(session.lab.cluster, serviceYaml(FOLLOWED));
        stack = await Stack.create(session, "healthy", all);
        await stack.config("follow", '["default/followed"]');
        stack.succeed(await stack.up());
        const program = await Program.create(session, "shared", SHARED);
        program.succeed(await program.up());
        await installBindings(session);
        replica = new ReplicaProcess(session);
        await replica.prints('"leading"');
        synced = await Stack.create(session, "synced", [{ name: "synced" }]);
        await synced.config("sync", "true");
        synced.succeed(await synced.up());
    });

    afterAll(async () => {
        commands.stop();
        replica.signal("SIGTERM");
        await replica.ended();
        await session.lab.stop();
    });

    const works = async (name: string): Promise<void> => {
        const { code, text } = await commands.run("explain", `default/${name}`);
        expect([code, text]).toStrictEqual([0, expect.stringMatching(/^[^\n]*: nothing broken was found\n/)]);
        const kind = name === "eni" || (plugin === "terway" && name !== "nodes") ? "pods" : "nodes";
        expect(text).toMatch(new RegExp(`\n  backends +${kind} `));
        expect((await commands.run("show", `default/${name}`)).code).toBe(0);
    };

    test.each([...all.map(({ name }) => name), "shared", "synced"])("Service %s works", works);

    test("the overview says the same", async () => {
        const { code, text } = await commands.run("show");
        expect([code, text]).toStrictEqual([0, expect.stringMatching(/, 0 without an address, 0 broken\n/)]);
        expect(text).not.toMatch(/BROKEN/);
    });

    test("with nodes at the edge they work, too", async () => {
        await session.lab.addNode({ name: "edge", labels: { "alibabacloud.com/is-edge-worker": "true" } });
        const { code, text } = await commands.run("show");
        expect([code, text]).toStrictEqual([0, expect.stringMatching(/, 0 broken\n/)]);
    });
});
