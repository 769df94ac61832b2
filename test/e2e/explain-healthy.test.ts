/**
 * Services that work, of each kind and with each network plugin of ACK: nothing is broken, and the exit code is 0.
 * Only a run shows that Services which runs have made are judged to be healthy.
 *
 * Requirements: G10, H24.
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { applyYaml, scaleDeployment, waitFor, waitForEndpoints } from "../../lab";
import { type Breakage, ExplainLab, type Plugin, PLUGINS, serverOf, testBreakages } from "../support/breakages";
import { found } from "../support/found";
import { attachPods } from "../support/network-plugin";
import { Program } from "../support/program";
import { installBindings, ReplicaProcess, statusOf } from "../support/replica";
import { WHOLE } from "../support/sample";
import { type ServiceSpec, serviceYaml, stateOf } from "../support/world";
import { stringify } from "yaml";

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
    {
        name: "second",
        annotations: { id: "lb-users", "vgroup-port": "rsp-users:9000", "ignore-weight-update": "on" },
        ports: [{ port: 9000, targetPort: 8081 }],
    },
    {
        name: "redirect",
        annotations: { "protocol-port": "http:80,https:443", "forward-port": "80:443", "cert-id": "cert-nlb" },
        ports: [{ port: 80 }, { port: 443 }],
    },
    {
        name: "guarded",
        loadBalancerClass: NLB_CLASS,
        annotations: {
            ...ZONES,
            "protocol-port": "tcpssl:443",
            "cert-id": "cert-nlb",
            "additional-cert-ids": "cert-more",
        },
        ports: [{ port: 443 }],
        sourceRanges: ["10.0.0.0/8"],
    },
    FOLLOWED,
];

const users = { LoadBalancerId: "lb-users", ListenerPort: "9000", ListenerProtocol: "tcp" };

const OLD_EVENT = stringify({
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "old", namespace: "default" },
    involvedObject: { kind: "Service", apiVersion: "v1", namespace: "default", name: "local" },
    type: "Warning",
    reason: "SyncLoadBalancerFailed",
    message: "Error syncing load balancer: Code: Forbidden.RAM Message: User not authorized.",
    lastTimestamp: new Date(Date.now() - 3_600_000).toISOString(),
});

const ENI: ServiceSpec = { name: "eni", annotations: { "service.beta.kubernetes.io/backend-type": "eni" } };

/** A Service on a shared load balancer, and another that the sync controller keeps. */
const PROGRAM = `
module.exports = async () => {
    const cluster = await Cluster.discover({});
    const loadBalancer = new SharedLoadBalancer("front", { cluster });
    const expose = (name, args) => new ServiceLoadBalancer(name, { ...args,
        service: { name, selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] } });
    expose("shared", { cluster, loadBalancer });
    expose("synced", { cluster: await Cluster.discover({ sync: true }) });
};
`;

const servicesOf = (plugin: Plugin): readonly ServiceSpec[] => (plugin === "terway" ? [...SERVICES, ENI] : SERVICES);

let lab: ExplainLab;
let program: Program;
let replica: ReplicaProcess;

const profile = (clusterid: string) =>
    lab.session.lab.cluster.patch("/api/v1/namespaces/kube-system/configmaps/ack-cluster-profile", {
        data: { clusterid },
    });
const certificate = (days: number, id = "cert-web") =>
    lab.session.cloud("/_seed", {
        certificates: [{ id, kind: "server", expiresAt: new Date(Date.now() + days * 86_400_000).toISOString() }],
    });
const forced = { LoadBalancerId: "lb-users", ListenerPort: "9001", ListenerProtocol: "tcp" };

async function startReplica(): Promise<void> {
    replica = new ReplicaProcess(lab.session);
    await replica.prints('"leading"');
}

async function stopReplica(): Promise<void> {
    replica.signal("SIGTERM");
    await replica.ended();
}

async function isSynced(): Promise<boolean> {
    const name = lab.plugin === "terway" ? "synced-target-8080" : "synced-tcp-80";
    return (await statusOf(lab.session, name)).conditions?.[0]?.status === "True";
}

const untilSynced = () =>
    waitFor("the sync controller has filled the group", async () =>
        (await isSynced()) && (await lab.members((await groupOf("synced")).id)).length > 0 ? true : undefined,
    );

/** Services of the program. A sample has them with one plugin. */
const hasProgram = (plugin: Plugin): boolean => WHOLE || plugin === "flannel";
const OF_PROGRAM = WHOLE ? {} : ({ only: "flannel" } as const);

const editPorts = (name: string, edit: object) =>
    lab.kubectl("patch", "service", name, "--type=json", `--patch=${JSON.stringify([edit])}`);

const setStatus = (id: string, status: string) => lab.session.cloud("/_seed", { loadBalancers: { [id]: { status } } });

async function scale(replicas: number): Promise<void> {
    const { cluster } = lab.session.lab;
    await scaleDeployment(cluster, "default", "shop", replicas);
    await waitForEndpoints(cluster, "default", "eni", replicas);
    await attachPods(lab.session);
}

/** Services of the stack now. */
let stated: readonly ServiceSpec[];

/** Changes annotations of a Service in the stack's manifest. */
function annotate(name: string, annotations: Readonly<Record<string, string>>): void {
    stated = stated.map((one) =>
        one.name === name ? { ...one, annotations: { ...one.annotations, ...annotations } } : one,
    );
    lab.stack.write(stated);
}

/** Returns instance, first listener and first group of a Service's NLB. */
async function networkOf(name: string) {
    const { nlb } = await stateOf(lab.session);
    const group = found(
        nlb.serverGroups.find((one) => one.name.includes(`.${name}.`)),
        `group of ${name}`,
    );
    const listener = nlb.listeners.find(({ serverGroupId }) => serverGroupId === group.id);
    const instance = nlb.loadBalancers.find(({ id }) => id === listener?.loadBalancerId);
    return { group, listener: found(listener, "listener"), instance: found(instance, "instance") };
}

/** Returns the vServer group of a Service's own. */
const groupOf = async (name: string) =>
    found(
        (await stateOf(lab.session)).slb.vServerGroups.find((one) => one.name.includes(`/${name}/`)),
        `group of ${name}`,
    );

const BREAKAGES: readonly Breakage[] = [
    {
        what: "a followed Service without its class annotation",
        service: "followed",
        code: 0,
        breakIt: () => lab.annotate("followed", "class-"),
        first: /found; nothing keeps the Cloud Controller/,
    },
    {
        what: "a followed Service that its owner has deleted",
        service: "followed",
        onTop: true,
        code: 2,
        breakIt: () => lab.kubectl("delete", "service", "followed"),
        first: /error: the cluster has no Service default\/followed/,
        remedy: /A stack that only follows it cannot: apply the Service first, then run pulumi up --refresh/,
        byHand: async () => {
            const followed = stated.find(({ name }) => name === "followed");
            await applyYaml(lab.session.lab.cluster, serviceYaml(found(followed, "followed")));
        },
    },
    {
        what: "a followed Service with an annotation that its stack does not state",
        service: "followed",
        breakIt: () => lab.annotate("followed", "alibaba-cloud-loadbalancer-scheduler=wrr"),
        first: /differs from what the Service asks for: scheduler/,
        remedy: /is to be written there, too/,
        byHand: async () => annotate("followed", { scheduler: "wrr" }),
    },
    {
        what: "a port that was added by kubectl",
        service: "clb",
        breakIt: () =>
            editPorts("clb", {
                op: "add",
                path: "/spec/ports/-",
                value: { name: "more", port: 9443, targetPort: 8080 },
            }),
        first: /the Service was edited by kubectl-patch: spec\.ports/,
        mend: [/or remove it from the Service/, () => editPorts("clb", { op: "remove", path: "/spec/ports/1" })],
    },
    {
        what: "a targetPort that was edited, which no pod has",
        service: "clb",
        breakIt: () => editPorts("clb", { op: "replace", path: "/spec/ports/0/targetPort", value: "nothing" }),
        first: /the Service was edited by kubectl-patch: spec\.ports\[80\/TCP\]\.targetPort/,
    },
    {
        what: "an annotation that names another controller",
        service: "clb",
        code: 0,
        breakIt: () => lab.annotate("clb", "class=alb"),
        first: /nothing broken was found/,
        mend: [/annotate service clb service\.beta\.kubernetes\.io\/class-/, () => lab.annotate("clb", "class-")],
    },
    {
        what: "an annotation with a wrong value",
        service: "clb",
        breakIt: () => lab.annotate("clb", "alibaba-cloud-loadbalancer-scheduler=fastest"),
        first: /scheduler/,
        mend: [
            /remove it: kubectl -n default annotate service clb \S+-scheduler- /,
            () => lab.annotate("clb", "alibaba-cloud-loadbalancer-scheduler-"),
        ],
    },
    {
        what: "a type that was edited",
        service: "nodes",
        breakIt: () => lab.patch("service", "nodes", { spec: { type: "NodePort" } }),
        first: /the Service is of type NodePort, and stack \S+ made a load balancer for it/,
    },
    {
        what: "a Service that is being deleted, and is kept by a finalizer",
        service: "nodes",
        breakIt: async () => {
            await lab.patch("service", "nodes", { metadata: { finalizers: ["example.com/hold"] } });
            await lab.kubectl("delete", "service", "nodes", "--wait=false");
        },
        first: /the Service is being deleted, and finalizers keep it/,
        remedy: /Remove a finalizer by hand only if that controller is gone\. Then run pulumi up --refresh in /,
        byHand: () => lab.patch("service", "nodes", { metadata: { finalizers: [] } }),
    },
    {
        what: "a user's listener in the place of a forced one",
        service: "forced",
        breakIt: async () => {
            await lab.slb("DeleteLoadBalancerListener", forced);
            await lab.slb("CreateLoadBalancerTCPListener", {
                ...forced,
                Bandwidth: "-1",
                VServerGroupId: "rsp-users",
            });
            await lab.slb("StartLoadBalancerListener", forced);
        },
        first: /tcp:9001 of the reused load balancer is a user-managed listener/,
        text: /which takes the port back/,
    },
    {
        what: "a forced listener that was deleted",
        service: "forced",
        breakIt: () => lab.slb("DeleteLoadBalancerListener", forced),
        first: /nothing listens on tcp:9001/,
    },
    {
        what: "a reused instance that was stopped",
        service: "joined",
        breakIt: () => lab.slb("SetLoadBalancerStatus", { LoadBalancerId: "lb-users", LoadBalancerStatus: "inactive" }),
        first: /load balancer lb-users is inactive: no listener answers/,
        mend: [
            /start it in the console, or by SetLoadBalancerStatus with LoadBalancerStatus=active/,
            () => lab.slb("SetLoadBalancerStatus", { LoadBalancerId: "lb-users", LoadBalancerStatus: "active" }),
        ],
    },
    {
        what: "a user's listener that was stopped",
        service: "joined",
        breakIt: () => lab.slb("StopLoadBalancerListener", users),
        first: /listener tcp:9000 of lb-users is stopped/,
        mend: [/start it in the console: it is user-managed/, () => lab.slb("StartLoadBalancerListener", users)],
    },
    {
        what: "a user's listener that forwards to another group",
        service: "joined",
        code: 0,
        breakIt: async () => {
            await lab.slb("CreateVServerGroup", { LoadBalancerId: "lb-users", VServerGroupName: "other" });
            const all = (await stateOf(lab.session)).slb.vServerGroups;
            const id = all.find(({ name }) => name === "other")?.id;
            await lab.slb("SetLoadBalancerTCPListenerAttribute", { ...users, VServerGroup: "on", VServerGroupId: id });
        },
        first: /nothing broken was found/,
        text: /listener tcp:9000 forwards to rsp-\S+ \(other\) instead of rsp-users/,
        mend: [
            /let the listener forward to it, unless that is meant/,
            () =>
                lab.slb("SetLoadBalancerTCPListenerAttribute", {
                    ...users,
                    VServerGroup: "on",
                    VServerGroupId: "rsp-users",
                }),
        ],
    },
    {
        what: "the tag of a reused instance that was removed",
        service: "joined",
        code: 0,
        breakIt: () =>
            lab.slb("UntagResources", {
                ResourceType: "instance",
                "ResourceId.1": "lb-users",
                "TagKey.1": "kubernetes.reused.by.user",
            }),
        first: /found; the tag set of the load balancer differs/,
    },
    {
        what: "the members of one of two Services that share a group",
        service: "second",
        breakIt: async () => {
            const port = /8081|3\d{4}/;
            const mine = (await lab.members("rsp-users")).filter(({ description }) => description.includes("/second/"));
            expect(mine.length).toBeGreaterThan(0);
            expect(String(mine[0]?.port)).toMatch(port);
            await lab.slb("RemoveVServerGroupBackendServers", {
                VServerGroupId: "rsp-users",
                BackendServers: JSON.stringify(mine.map(serverOf)),
            });
        },
        first: /server group port-9000 has no backend of the Service/,
    },
    {
        what: "weights of a Service that leaves them to others",
        service: "second",
        code: 0,
        breakIt: async () => {
            const mine = (await lab.members("rsp-users")).filter(({ description }) => description.includes("/second/"));
            await lab.slb("SetVServerGroupAttribute", {
                VServerGroupId: "rsp-users",
                BackendServers: JSON.stringify(mine.map((one) => ({ ...serverOf(one), Weight: "7" }))),
            });
        },
        first: /nothing broken was found$/,
        mend: [undefined, () => Promise.resolve()],
    },
    {
        what: "a redirect that was replaced by a plain listener",
        service: "redirect",
        breakIt: async () => {
            const { id, loadBalancerId: LoadBalancerId } = await groupOf("redirect");
            const place = { LoadBalancerId, ListenerPort: "80", ListenerProtocol: "http" };
            await lab.slb("DeleteLoadBalancerListener", place);
            await lab.slb("CreateLoadBalancerHTTPListener", {
                ...place,
                StickySession: "off",
                HealthCheck: "off",
                VServerGroupId: id,
            });
            await lab.slb("StartLoadBalancerListener", place);
        },
        first: /listener http:80 differs from what the Service asks for: .*redirect/,
        text: /replaces the listener: its connections break/,
    },
    {
        what: "an IPv6 listener that was stopped",
        service: "v6",
        breakIt: async () => {
            const { loadBalancerId: LoadBalancerId } = await groupOf("v6");
            await lab.slb("StopLoadBalancerListener", { LoadBalancerId, ListenerPort: "80", ListenerProtocol: "tcp" });
        },
        first: /listener tcp:80 of lb-\S+ is stopped/,
    },
    {
        what: "an instance that the cloud has locked",
        service: "v6",
        breakIt: async () => setStatus((await groupOf("v6")).loadBalancerId, "locked"),
        first: /load balancer lb-\S+ is locked: no listener answers/,
        mend: [/Expenses and Costs/, async () => setStatus((await groupOf("v6")).loadBalancerId, "active")],
    },
    {
        what: "an NLB listener that was deleted",
        service: "guarded",
        breakIt: async () => lab.nlb("DeleteListener", { ListenerId: (await networkOf("guarded")).listener.id }),
        first: /nothing listens on tcpssl:443/,
    },
    {
        what: "an NLB that was taken out of its security group",
        service: "guarded",
        breakIt: async () => {
            const { id, securityGroupIds } = (await networkOf("guarded")).instance;
            await lab.nlb("LoadBalancerLeaveSecurityGroup", {
                LoadBalancerId: id,
                SecurityGroupIds: [...securityGroupIds],
            });
        },
        first: /the Service is open to everybody: load balancer/,
    },
    {
        what: "weights of an NLB's backends that were edited",
        service: "nlb",
        breakIt: async () => {
            const { id, servers } = (await networkOf("nlb")).group;
            await lab.nlb("UpdateServerGroupServersAttribute", {
                ServerGroupId: id,
                Servers: servers.map(({ serverId, serverIp, serverType, port }) => ({
                    ServerId: serverId,
                    ...(serverType === "Ecs" ? {} : { ServerIp: serverIp }),
                    ServerType: serverType,
                    Port: port,
                    Weight: "30",
                })),
            });
        },
        first: /is not as the cluster asks for it/,
        text: /has 30, 100 desired/,
    },
    {
        what: "a bandwidth package that somebody attached",
        service: "nlb",
        code: 0,
        breakIt: async () =>
            lab.nlb("AttachCommonBandwidthPackageToLoadBalancer", {
                LoadBalancerId: (await networkOf("nlb")).instance.id,
                BandwidthPackageId: "cbwp-theirs",
            }),
        first: /nothing broken was found/,
        text: /bandwidth package cbwp-theirs limits the traffic/,
        mend: [
            /detach it there if nobody needs it/,
            async () =>
                lab.nlb("DetachCommonBandwidthPackageFromLoadBalancer", {
                    LoadBalancerId: (await networkOf("nlb")).instance.id,
                    BandwidthPackageId: "cbwp-theirs",
                }),
        ],
    },
    {
        what: "the zone of an NLB that was exchanged",
        service: "dual",
        breakIt: async () =>
            lab.nlb("UpdateLoadBalancerZones", {
                LoadBalancerId: (await networkOf("dual")).instance.id,
                ZoneMappings: [
                    { ZoneId: "cn-hangzhou-a", VSwitchId: "vsw-lab-a" },
                    { ZoneId: "cn-hangzhou-c", VSwitchId: "vsw-lab-c" },
                ],
            }),
        first: /load balancer differs from what the Service asks for: zoneMaps/,
        text: /changes addresses: connections to the former ones break/,
    },
    {
        what: "an expired certificate of an NLB, one of two",
        service: "guarded",
        breakIt: () => certificate(-3, "cert-more"),
        first: /certificate cert-more of listener tcpssl:443 has expired on/,
        mend: [/upload a new certificate to the Certificate Management Service/, () => certificate(300, "cert-more")],
    },
    {
        what: "a certificate that expires soon",
        service: "https",
        code: 0,
        breakIt: () => certificate(10),
        first: /found; certificate cert-web of listener https:443 expires on/,
        remedy: /upload a new certificate/,
    },
    {
        what: "a certificate that has expired",
        service: "https",
        onTop: true,
        breakIt: () => certificate(-1),
        first: /certificate cert-web of listener https:443 has expired on/,
        remedy: /upload a new certificate to the CLB console, write its id into cert-id/,
        byHand: async () => annotate("https", { "cert-id": "cert-new" }),
    },
    {
        what: "another id of the cluster",
        service: "clb",
        code: 0,
        breakIt: () => profile("c-renamed"),
        first: /found; each run is refused: the cluster's id is c-renamed now/,
        mend: [/write clusterid c-test back/, () => profile("c-test")],
    },
    {
        what: "an old event, while a listener is stopped",
        service: "local",
        breakIt: async () => {
            await applyYaml(lab.session.lab.cluster, OLD_EVENT);
            const { loadBalancerId: LoadBalancerId } = await groupOf("local");
            await lab.slb("StopLoadBalancerListener", { LoadBalancerId, ListenerPort: "80", ListenerProtocol: "tcp" });
        },
        first: /: listener tcp:80 of lb-\S+ is stopped/,
        text: /\(history\)\n *evidence: event FailedToUpdateEndpointSlices|\(history\)\n *evidence: event SyncLoadBalancerFailed/,
        remedy: /run pulumi up --refresh, which starts it/,
        byHand: () => lab.kubectl("delete", "event", "old"),
    },
    {
        // The last: other Services lack the pod, too.
        what: "a pod that started after the last run",
        only: "terway",
        service: "eni",
        breakIt: () => scale(5),
        first: /server group \S+ is not as the cluster asks for it/,
        text: /missing in rsp-\S+: shop-\S+ \([\d.]+:8080\)\n/,
    },
    {
        what: "backends that change while no sync controller leads",
        service: "synced",
        ...OF_PROGRAM,
        breakIt: async () => {
            await stopReplica();
            // A replica that could not give its Lease back before it ended leads until that has expired.
            await waitFor("nobody leads", async () =>
                (await lab.explain("synced")).text.includes("no replica of the sync controller") ? true : undefined,
            );
            await lab.removeMembers((await groupOf("synced")).id);
        },
        first: /no replica of the sync controller leads since 20/,
        mend: [/start the sync controller/, () => startReplica().then(untilSynced)],
    },
    {
        what: "a binding that was deleted while no sync controller leads",
        service: "synced",
        ...OF_PROGRAM,
        breakIt: async () => {
            await stopReplica();
            await lab.kubectl("delete", "servergroupbindings", "--all");
            await lab.removeMembers((await groupOf("synced")).id);
        },
        first: /has no backend of the Service/,
        mend: [
            /makes the ServerGroupBinding again, and the sync controller/,
            async () => {
                await lab.refresh(program);
                await startReplica();
                await untilSynced();
            },
        ],
    },
    {
        what: "a sync controller whose role the cloud refuses",
        service: "synced",
        ...OF_PROGRAM,
        breakIt: async () => {
            await stopReplica();
            await lab.fault({ action: "AddVServerGroupBackendServers", code: "Forbidden.RAM", status: 403, times: 99 });
            await lab.removeMembers((await groupOf("synced")).id);
            // A new leader looks at every group at once.
            await startReplica();
            await waitFor("the binding is not synced", async () => ((await isSynced()) ? undefined : true));
        },
        first: /controller/,
        text: /docs\/sync\.md/,
        mend: [/role/, () => lab.noFaults().then(untilSynced)],
    },
];

describe.each(PLUGINS)("on %s", (plugin) => {
    beforeAll(async () => {
        lab = await ExplainLab.start(plugin, {
            certificates: ["cert-web", "cert-new", "cert-nlb", "cert-more"].map((id) => ({ id, kind: "server" })),
            vSwitches: [{ id: "vsw-lab-c", vpcId: "vpc-lab", zoneId: "cn-hangzhou-c", cidr: "10.9.0.0/16" }],
            bandwidthPackages: [{ id: "cbwp-theirs" }],
        });
        await applyYaml(lab.session.lab.cluster, serviceYaml(FOLLOWED));
        stated = servicesOf(plugin);
        await lab.up("healthy", stated, { follow: '["default/followed"]' });
        if (!hasProgram(plugin)) return;
        await installBindings(lab.session);
        await startReplica();
        program = await Program.create(lab.session, "program", PROGRAM);
        program.succeed(await program.up());
    });

    afterAll(async () => {
        if (hasProgram(plugin)) await stopReplica();
        await lab.stop();
    });

    const programmed = hasProgram(plugin) ? ["shared", "synced"] : [];

    test.each([...servicesOf(plugin).map(({ name }) => name), ...programmed])("Service %s works", async (name) => {
        const kind = plugin === "terway" && name !== "nodes" ? "pods" : "nodes";
        expect((await lab.works(name)).text).toMatch(new RegExp(`\n  backends +${kind} `));
    });

    test("the overview says the same", async () => {
        const { code, text } = await lab.show();
        expect([code, text]).toStrictEqual([0, expect.stringMatching(/, 0 without an address, 0 broken\n/)]);
        expect(text).not.toMatch(/BROKEN/);
    });

    testBreakages(BREAKAGES, plugin, () => lab);

    test("with nodes at the edge they work, too", async () => {
        await lab.session.lab.addNode({ name: "edge", labels: { "alibabacloud.com/is-edge-worker": "true" } });
        const { code, text } = await lab.show();
        expect([code, text]).toStrictEqual([0, expect.stringMatching(/, 0 broken\n/)]);
    });
});
