/**
 * Services that work, of each kind and with each network plugin of ACK: nothing is broken, and the exit code is 0.
 *
 * Requirements: G10, H24.
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { applyYaml, type Session, waitFor } from "../../lab";
import { Commands } from "../support/commands";
import { found } from "../support/found";
import { installPlugin } from "../support/network-plugin";
import { Program } from "../support/program";
import { installBindings, ReplicaProcess } from "../support/replica";
import { type ServiceSpec, serviceYaml, Stack, startWorld, stateOf } from "../support/world";

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

    const slb = (action: string, params: object) => session.cloud("/_console", { action, params, as: "other" });
    const kubectl = (...args: string[]) => session.run("kubectl", args);
    const refresh = async (which: Stack): Promise<unknown> => which.succeed(await which.up("--refresh"));
    const profile = (clusterid: string) =>
        session.lab.cluster.patch("/api/v1/namespaces/kube-system/configmaps/ack-cluster-profile", {
            data: { clusterid },
        });
    const certificate = (days: number) =>
        session.cloud("/_seed", {
            certificates: [
                { id: "cert-web", kind: "server", expiresAt: new Date(Date.now() + days * 86_400_000).toISOString() },
            ],
        });
    const forced = { LoadBalancerId: "lb-users", ListenerPort: "9001", ListenerProtocol: "tcp" };
    const startReplica = async (): Promise<void> => {
        replica = new ReplicaProcess(session);
        await replica.prints('"leading"');
    };
    const stopReplica = async (): Promise<void> => {
        replica.signal("SIGTERM");
        await replica.ended();
    };
    const untilSynced = () =>
        waitFor("the sync controller has filled the group", async () =>
            (await commands.run("explain", "default/synced")).text.includes("nothing broken was found\n")
                ? true
                : undefined,
        );
    const syncedGroup = async () =>
        found(
            (await stateOf(session)).slb.vServerGroups.find(({ name }) => name.includes("/synced/")),
            "group of synced",
        );
    const empty = async (): Promise<void> => {
        const { id, backends } = await syncedGroup();
        const all = backends.map(({ serverId, serverIp, port, type }) => ({
            ServerId: serverId,
            Port: port,
            Type: type,
            ...(type === "eni" ? { ServerIp: serverIp } : {}),
        }));
        await slb("RemoveVServerGroupBackendServers", { VServerGroupId: id, BackendServers: JSON.stringify(all) });
    };

    /** Breakages with the words of explain, and its remedy, done. */
    const REMEDIES: readonly (readonly [
        what: string,
        name: string,
        breakIt: () => Promise<unknown>,
        said: { readonly code: number; readonly headline: RegExp; readonly remedy: RegExp },
        mend: () => Promise<unknown>,
    ])[] = [
        [
            "a followed Service without its class annotation",
            "followed",
            () => kubectl("annotate", "service", "followed", "service.beta.kubernetes.io/class-"),
            {
                code: 0,
                headline: /found; nothing keeps the Cloud Controller/,
                remedy: /run pulumi up --refresh in the stack/,
            },
            () => refresh(stack),
        ],
        [
            "a followed Service with an annotation that its stack does not state",
            "followed",
            () =>
                kubectl(
                    "annotate",
                    "service",
                    "followed",
                    "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-scheduler=wlc",
                ),
            {
                code: 1,
                headline: /differs from what the Service asks for: scheduler/,
                remedy: /is to be written there, too/,
            },
            async () => {
                stack.write(
                    all.map((one) => (one === FOLLOWED ? { ...FOLLOWED, annotations: { scheduler: "wlc" } } : one)),
                );
                await refresh(stack);
            },
        ],
        [
            "a port that was added by kubectl",
            "clb",
            () =>
                kubectl(
                    "patch",
                    "service",
                    "clb",
                    "--type=json",
                    `--patch=[{"op":"add","path":"/spec/ports/-","value":{"name":"more","port":9443,"targetPort":8080}}]`,
                ),
            {
                code: 1,
                headline: /the Service was edited by kubectl-patch: spec\.ports/,
                remedy: /or remove it from the Service/,
            },
            () => kubectl("patch", "service", "clb", "--type=json", `--patch=[{"op":"remove","path":"/spec/ports/1"}]`),
        ],
        [
            "an annotation that names another controller",
            "clb",
            () => kubectl("annotate", "service", "clb", "service.beta.kubernetes.io/class=alb"),
            {
                code: 0,
                headline: /nothing broken was found/,
                remedy: /annotate service clb service\.beta\.kubernetes\.io\/class-/,
            },
            () => kubectl("annotate", "service", "clb", "service.beta.kubernetes.io/class-"),
        ],
        [
            "a user's listener in the place of a forced one",
            "forced",
            async () => {
                await slb("DeleteLoadBalancerListener", forced);
                await slb("CreateLoadBalancerTCPListener", { ...forced, Bandwidth: "-1", VServerGroupId: "rsp-users" });
                await slb("StartLoadBalancerListener", forced);
            },
            {
                code: 1,
                headline: /tcp:9001 of the reused load balancer is a user-managed listener/,
                remedy: /which takes the port back/,
            },
            () => refresh(stack),
        ],
        [
            "the tag of a reused instance that was removed",
            "forced",
            () =>
                slb("UntagResources", {
                    ResourceType: "instance",
                    "ResourceId.1": "lb-users",
                    "TagKey.1": "kubernetes.reused.by.user",
                }),
            { code: 0, headline: /found; the tag set of the load balancer differs/, remedy: /run pulumi up --refresh/ },
            () => refresh(stack),
        ],
        [
            "another id of the cluster",
            "clb",
            () => profile("c-renamed"),
            {
                code: 0,
                headline: /found; each run is refused: the cluster's id is c-renamed now/,
                remedy: /write clusterid c-test back/,
            },
            () => profile("c-test"),
        ],
        [
            "a certificate that has expired",
            "https",
            () => certificate(-1),
            {
                code: 1,
                headline: /certificate cert-web of listener https:443 has expired on/,
                remedy: /upload a new certificate/,
            },
            () => certificate(365),
        ],
        [
            "a certificate that expires soon",
            "https",
            () => certificate(10),
            {
                code: 0,
                headline: /found; certificate cert-web of listener https:443 expires on/,
                remedy: /upload a new certificate/,
            },
            () => certificate(365),
        ],
        [
            "backends that change while no sync controller leads",
            "synced",
            async () => {
                await stopReplica();
                await empty();
            },
            {
                code: 1,
                headline: /no replica of the sync controller leads since 20/,
                remedy: /start the sync controller/,
            },
            async () => {
                await startReplica();
                await untilSynced();
            },
        ],
        [
            "a binding that was deleted while no sync controller leads",
            "synced",
            async () => {
                await stopReplica();
                await kubectl("delete", "servergroupbindings", "--all");
                await empty();
            },
            {
                code: 1,
                headline: /has no backend of the Service/,
                remedy: /makes the ServerGroupBinding again, and the sync controller/,
            },
            async () => {
                await refresh(synced);
                await startReplica();
                await untilSynced();
            },
        ],
    ];

    test.each(REMEDIES)("the remedy mends: %s", async (_, name, breakIt, { code, headline, remedy }, mend) => {
        await breakIt();
        const said = await commands.run("explain", `default/${name}`);
        expect([said.code, said.text.split("\n", 1)[0]]).toStrictEqual([code, expect.stringMatching(headline)]);
        expect(said.text).toMatch(new RegExp(`remedy: .*${remedy.source}`));
        await mend();
        const { text } = await commands.run("explain", `default/${name}`);
        expect(text.split("\n", 1)[0]).toMatch(/: nothing broken was found$/);
    });

    test("with nodes at the edge they work, too", async () => {
        await session.lab.addNode({ name: "edge", labels: { "alibabacloud.com/is-edge-worker": "true" } });
        const { code, text } = await commands.run("show");
        expect([code, text]).toStrictEqual([0, expect.stringMatching(/, 0 broken\n/)]);
    });
});
