/**
 * Breakages made by hand, each with its explanation and its remedy, run. Before and after, the Services work.
 * Only a run shows that a printed remedy mends what it is printed for. Edits of any attribute: drift.test.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
    applyYaml,
    scaleDeployment,
    setNodeReady,
    setSchedulable,
    waitForDeployment,
    waitForEndpoints,
} from "../../lab";
import { type Breakage, ExplainLab, PLUGINS, serverOf, testBreakages } from "../support/breakages";
import { found } from "../support/found";
import { attachPods } from "../support/network-plugin";
import { type ServiceSpec, stateOf } from "../support/world";

const SERVICES: readonly ServiceSpec[] = [
    {
        name: "web",
        policy: "Local",
        annotations: { scheduler: "wrr" },
        ports: [{ port: 8443 }],
        sourceRanges: ["10.0.0.0/8"],
    },
    {
        name: "net",
        loadBalancerClass: "alibabacloud.com/nlb",
        annotations: { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" },
    },
    { name: "joined", annotations: { id: "lb-users", "vgroup-port": "rsp-users:9000" }, ports: [{ port: 9000 }] },
];

let lab: ExplainLab;
let lb: string;
let group: string;

async function findOwn(): Promise<void> {
    const { slb: cloud } = await stateOf(lab.session);
    const own = cloud.vServerGroups.find(({ name }) => name.includes("/web/"));
    lb = own?.loadBalancerId ?? "";
    group = own?.id ?? "";
}

async function netListener(action: string, attributes: object = {}): Promise<void> {
    const [first] = (await stateOf(lab.session)).nlb.listeners;
    await lab.nlb(action, { ListenerId: first?.id, ...attributes });
}

async function netInstance(action: string, attributes: object): Promise<void> {
    const [first] = (await stateOf(lab.session)).nlb.loadBalancers;
    await lab.nlb(action, { LoadBalancerId: first?.id, ...attributes });
}

const editListener = (attributes: object) =>
    lab.slb("SetLoadBalancerTCPListenerAttribute", { LoadBalancerId: lb, ListenerPort: "8443", ...attributes });

const NODES = ["node-1", "node-2", "node-3"];
const KUBERNETES = "node.kubernetes.io/exclude-from-external-load-balancers";
const ACK = "service.beta.kubernetes.io/exclude-node";

/** Sets a label of nodes that excludes them, or takes it away. */
const exclude = (nodes: readonly string[], label: string, value: "true" | null) =>
    Promise.all(
        nodes.map((node) =>
            lab.session.lab.cluster.patch(`/api/v1/nodes/${node}`, { metadata: { labels: { [label]: value } } }),
        ),
    );

/** Returns a member on a port that the Service does not have. */
const strange = async () => ({ ...serverOf(found((await lab.members(group))[0], "a member")), Port: "9" });

async function addStranger(weight: number): Promise<void> {
    const server = { ...(await strange()), Weight: String(weight), Description: "theirs" };
    await lab.slb("AddVServerGroupBackendServers", { VServerGroupId: group, BackendServers: JSON.stringify([server]) });
}

async function removeStranger(): Promise<void> {
    const servers = JSON.stringify([await strange()]);
    await lab.slb("RemoveVServerGroupBackendServers", { VServerGroupId: group, BackendServers: servers });
}

/** Makes the user's listener of the shared load balancer, and starts it. */
async function usersListener(protocol: "TCP" | "HTTP", attributes: object): Promise<void> {
    const place = { LoadBalancerId: "lb-users", ListenerPort: "9000" };
    await lab.slb(`CreateLoadBalancer${protocol}Listener`, {
        ...place,
        Bandwidth: "-1",
        VServerGroupId: "rsp-users",
        ...attributes,
    });
    await lab.slb("StartLoadBalancerListener", { ...place, ListenerProtocol: protocol.toLowerCase() });
}

const eventYaml = [
    "apiVersion: v1",
    "kind: Event",
    "metadata: { name: healed, namespace: default }",
    "involvedObject: { kind: Service, apiVersion: v1, namespace: default, name: web }",
    "type: Warning",
    "reason: SyncLoadBalancerFailed",
    'message: "Error syncing load balancer: Code: Throttling.User Message: Request was denied."',
    "count: 3",
    'lastTimestamp: "2026-01-01T00:00:00Z"\n',
].join("\n");

const CCM_SERVICE = `
apiVersion: v1
kind: Service
metadata: { name: web, namespace: default, finalizers: [service.k8s.alibaba/resources] }
spec:
  type: LoadBalancer
  selector: { app: shop }
  ports: [{ port: 8443, targetPort: 8080 }]
`;

/** Deletes Service web, creates it without a class, and does for it what the Cloud Controller Manager does. */
async function createForCcm(): Promise<void> {
    await lab.kubectl("delete", "service", "web");
    await applyYaml(lab.session.lab.cluster, CCM_SERVICE);
    const { text } = await lab.kubectl("get", "service", "web", "--output", "json");
    const { metadata, spec } = JSON.parse(text) as {
        metadata: { uid: string };
        spec: { ports: { nodePort: number }[] };
    };
    const mark = `a${metadata.uid.replaceAll("-", "")}`.slice(0, 32);
    const port = lab.plugin === "terway" ? 8080 : spec.ports[0]?.nodePort;
    const name = `k8s/${port}/web/default/c-test`;
    const place = { LoadBalancerId: "lb-ccm", ListenerPort: "8443" };
    await lab.session.cloud("/_seed", {
        calls: [
            {
                action: "CreateLoadBalancer",
                params: { LoadBalancerName: mark, AddressType: "internet", InstanceChargeType: "PayByCLCU" },
                id: "lb-ccm",
            },
            {
                action: "TagResources",
                params: {
                    ResourceType: "instance",
                    "ResourceId.1": "lb-ccm",
                    "Tag.1.Key": "kubernetes.do.not.delete",
                    "Tag.1.Value": mark,
                    "Tag.2.Key": "ack.aliyun.com",
                    "Tag.2.Value": "c-test",
                },
            },
            {
                action: "CreateVServerGroup",
                params: { LoadBalancerId: "lb-ccm", VServerGroupName: name },
                id: "rsp-ccm",
            },
            {
                action: "CreateLoadBalancerTCPListener",
                params: {
                    ...place,
                    Bandwidth: "-1",
                    VServerGroupId: "rsp-ccm",
                    Description: "k8s/8443/web/default/c-test",
                },
            },
            { action: "StartLoadBalancerListener", params: place },
        ],
    });
    await lab.slb("AddVServerGroupBackendServers", {
        VServerGroupId: "rsp-ccm",
        BackendServers: JSON.stringify(
            (await lab.members(group)).map((member) => ({
                ...serverOf(member),
                Port: String(port),
                Weight: "100",
                Description: name,
            })),
        ),
    });
    const address = (await stateOf(lab.session)).slb.loadBalancers.find(({ id }) => id === "lb-ccm")?.address;
    await lab.patch(
        "service",
        "web",
        { status: { loadBalancer: { ingress: [{ ip: address }] } } },
        "--subresource",
        "status",
    );
}

const BREAKAGES: readonly Breakage[] = [
    {
        what: "a CLB without name and tag",
        service: "web",
        code: 0,
        breakIt: async () => {
            const ids = { ResourceType: "instance", "ResourceId.1": lb };
            await lab.slb("UntagResources", { ...ids, "TagKey.1": "kubernetes.do.not.delete" });
            await lab.slb("SetLoadBalancerModificationProtection", {
                LoadBalancerId: lb,
                ModificationProtectionStatus: "NonProtection",
            });
            await lab.slb("SetLoadBalancerName", { LoadBalancerId: lb, LoadBalancerName: "edited" });
        },
        first: /nothing broken was found; load balancer differs from what the Service asks for: .*name/,
    },
    {
        what: "a listener that was edited",
        service: "web",
        onTop: true,
        breakIt: () =>
            lab.slb("SetLoadBalancerTCPListenerAttribute", {
                LoadBalancerId: lb,
                ListenerPort: "8443",
                Scheduler: "sch",
            }),
        first: /listener tcp:8443 differs from what the Service asks for: scheduler/,
        text: /evidence: scheduler: sch in the cloud, wrr desired\n *remedy: run pulumi up --refresh/,
    },
    {
        what: "an access control list that was emptied",
        service: "web",
        breakIt: async () => {
            const [acl] = (await stateOf(lab.session)).slb.acls;
            await lab.slb("RemoveAccessControlListEntry", {
                AclId: acl?.id,
                AclEntrys: JSON.stringify([{ entry: "10.0.0.0/8" }]),
            });
        },
        first: /the Service is open to everybody: access control list acl-\S+ admits clients that it keeps out/,
    },
    {
        what: "a status that was emptied",
        service: "web",
        onTop: true,
        breakIt: () =>
            lab.patch("service", "web", { status: { loadBalancer: { ingress: null } } }, "--subresource", "status"),
        first: /the Service has no address: no run has finished, or its status was emptied/,
        text: /remedy: run pulumi up --refresh in /,
    },
    {
        what: "an instance that was stopped",
        service: "web",
        onTop: true,
        breakIt: () => lab.slb("SetLoadBalancerStatus", { LoadBalancerId: lb, LoadBalancerStatus: "inactive" }),
        first: /load balancer lb-\d+ is inactive: no listener answers/,
        text: /remedy: run pulumi up --refresh, which starts it \(its modification protection refuses that/,
    },
    {
        what: "access control that was switched off",
        like: "an access control list that was emptied",
        service: "web",
        breakIt: () => editListener({ AclStatus: "off" }),
        first: /the Service is open to everybody: listener tcp:8443 admits clients/,
    },
    {
        what: "a status that was given another address",
        like: "a status that was emptied",
        service: "web",
        breakIt: () =>
            lab.patch(
                "service",
                "web",
                { status: { loadBalancer: { ingress: [{ ip: "192.0.2.9" }] } } },
                "--subresource",
                "status",
            ),
        first: /the Service shows 192\.0\.2\.9, and clients reach load balancer lb-\d+ at \d/,
        text: /remedy: run pulumi up --refresh, which writes the address again/,
    },
    {
        what: "a listener that forwards to another group",
        service: "web",
        breakIt: async () => {
            await lab.session.cloud("/_console", {
                action: "CreateVServerGroup",
                params: { LoadBalancerId: lb, VServerGroupName: "evil" },
                as: "other",
            });
            const evil = (await stateOf(lab.session)).slb.vServerGroups.find(({ name }) => name === "evil");
            await editListener({ VServerGroup: "on", VServerGroupId: evil?.id });
        },
        first: /listener tcp:8443 forwards to rsp-\S+ \(evil\) instead of rsp-\d+$/,
    },
    {
        what: "a listener with another protocol in its place",
        service: "web",
        breakIt: async () => {
            await lab.slb("DeleteLoadBalancerListener", {
                LoadBalancerId: lb,
                ListenerPort: "8443",
                ListenerProtocol: "tcp",
            });
            await lab.slb("CreateLoadBalancerHTTPListener", {
                LoadBalancerId: lb,
                ListenerPort: "8443",
                StickySession: "off",
                HealthCheck: "off",
                VServerGroupId: group,
            });
            await lab.slb("StartLoadBalancerListener", {
                LoadBalancerId: lb,
                ListenerPort: "8443",
                ListenerProtocol: "http",
            });
        },
        first: /the listener of port 8443 speaks http, and the Service asks for tcp/,
        text: /remedy: delete listener http:8443, which takes the port \(its connections break\), and then run pulumi up/,
        remedy: /delete listener http:8443, .*\(its connections break\), and then run pulumi up --refresh/,
        byHand: () =>
            lab.slb("DeleteLoadBalancerListener", {
                LoadBalancerId: lb,
                ListenerPort: "8443",
                ListenerProtocol: "http",
            }),
    },
    {
        what: "an NLB without name and tag",
        service: "net",
        code: 0,
        breakIt: async () => {
            const [first] = (await stateOf(lab.session)).nlb.loadBalancers;
            const ids = { ResourceType: "loadbalancer", ResourceId: [first?.id] };
            await lab.nlb("UntagResources", { ...ids, TagKey: ["kubernetes.do.not.delete", "ack.aliyun.com"] });
            await netInstance("UpdateLoadBalancerAttribute", { LoadBalancerName: "edited" });
        },
        first: /nothing broken was found; load balancer differs from what the Service asks for: name; the tag set/,
    },
    {
        what: "an NLB that was made internal",
        service: "net",
        onTop: true,
        breakIt: () => netInstance("UpdateLoadBalancerAddressTypeConfig", { AddressType: "Intranet" }),
        first: /load balancer differs from what the Service asks for: addressType/,
        text: /addressType: intranet in the cloud, internet desired/,
    },
    {
        what: "a nodePort that was edited",
        only: "flannel",
        service: "net",
        onTop: true,
        breakIt: () =>
            lab.kubectl(
                "patch",
                "service",
                "net",
                "--type",
                "json",
                "--patch",
                JSON.stringify([{ op: "replace", path: "/spec/ports/0/nodePort", value: 32111 }]),
            ),
        first: /the Service was edited by kubectl-patch: spec\.ports\[80\/TCP\]\.nodePort/,
    },
    {
        what: "a listener of an NLB that was stopped",
        service: "net",
        onTop: true,
        breakIt: () => netListener("StopListener"),
        first: /listener tcp:80 of nlb-\d+ is stopped/,
    },
    {
        what: "a listener of an NLB that forwards to another group",
        service: "net",
        breakIt: async () => {
            await lab.nlb("CreateServerGroup", { ServerGroupName: "evil", VpcId: "vpc-lab", Protocol: "TCP" });
            const evil = (await stateOf(lab.session)).nlb.serverGroups.find(({ name }) => name === "evil");
            await netListener("UpdateListenerAttribute", { ServerGroupId: evil?.id });
        },
        first: /listener tcp:80 forwards to sgp-\S+ \(evil\) instead of sgp-\S+$/,
    },
    {
        what: "a Service that was deleted by kubectl",
        service: "net",
        code: 2,
        breakIt: () => lab.kubectl("delete", "service", "net", "--wait=false"),
        first: /error: the cluster has no Service default\/net/,
        text: /a stack may still hold its load balancer: pulumi up --refresh there creates the Service again/,
    },
    {
        what: "an NLB that was deleted",
        service: "net",
        breakIt: async () => {
            await netInstance("UpdateLoadBalancerProtection", { DeletionProtectionEnabled: "false" });
            await netInstance("DeleteLoadBalancer", {});
        },
        first: /the load balancer of its address does not exist any more/,
        remedy: /run pulumi up --refresh: it is made again, with a new address/,
    },
    {
        what: "an access control list that was deleted",
        service: "web",
        breakIt: async () => {
            const [acl] = (await stateOf(lab.session)).slb.acls;
            await editListener({ AclStatus: "off" });
            await lab.slb("DeleteAccessControlList", { AclId: acl?.id });
        },
        first: /the Service is open to everybody: the access control list of its source ranges does not exist/,
        text: /run pulumi up --replace '\*\*slb\/acl:Acl::default\/web' without --refresh/,
        mend: [
            /run pulumi up --replace '\*\*slb\/acl:Acl::default\/web' without --refresh/,
            async () => lab.stack.succeed(await lab.stack.up("--replace", "**slb/acl:Acl::default/web")),
        ],
    },
    {
        what: "an NLB whose new connections are limited",
        service: "net",
        breakIt: () => netListener("UpdateListenerAttribute", { Cps: "1" }),
        first: /listener tcp:80 differs from what the Service asks for: cps/,
        text: /remedy: lift the limit in the console \(a run leaves alone what the Service does not set\)/,
        mend: [/lift the limit in the console/, () => netListener("UpdateListenerAttribute", { Cps: "0" })],
    },
    {
        what: "a member that somebody else added to the group",
        service: "web",
        code: 0,
        breakIt: () => addStranger(1),
        first: /nothing broken was found$/,
        text: /in server group \S+ is not of the Service and takes \d+(?:\.\d)? % of its new connections/,
        mend: [/remove it from rsp-\d+ in the console/, removeStranger],
    },
    {
        what: "a user's listener that speaks HTTP, in front of a group that the Service joins",
        service: "joined",
        code: 0,
        breakIt: async () => {
            await lab.slb("DeleteLoadBalancerListener", {
                LoadBalancerId: "lb-users",
                ListenerPort: "9000",
                ListenerProtocol: "tcp",
            });
            await usersListener("HTTP", { StickySession: "off", HealthCheck: "off" });
        },
        first: /nothing broken was found$/,
        mend: [
            undefined,
            async () => {
                await lab.slb("DeleteLoadBalancerListener", {
                    LoadBalancerId: "lb-users",
                    ListenerPort: "9000",
                    ListenerProtocol: "http",
                });
                await usersListener("TCP", {});
            },
        ],
    },
    {
        what: "a selector that was edited",
        service: "web",
        breakIt: () => lab.patch("service", "web", { spec: { selector: { app: "nobody" } } }),
        first: /the Service was edited by kubectl-patch: spec\.selector/,
        text: /no pod has the labels of the Service's selector \(broken\)/,
        mend: [
            /run pulumi up --refresh in /,
            async () => {
                await lab.refresh();
                await waitForEndpoints(lab.session.lab.cluster, "default", "web", 4);
                await lab.refresh();
            },
        ],
    },
    {
        what: "an externalTrafficPolicy that was edited",
        like: "a selector that was edited",
        service: "web",
        // It says nothing of pods that are backends themselves.
        code: { flannel: 1, terway: 0 },
        breakIt: () => lab.patch("service", "web", { spec: { externalTrafficPolicy: "Cluster" } }),
        first: /the Service was edited by kubectl-patch: spec\.externalTrafficPolicy/,
    },
    {
        what: "a scheduler annotation that was edited",
        like: "a selector that was edited",
        service: "web",
        breakIt: () =>
            lab.kubectl(
                "annotate",
                "service",
                "web",
                "--overwrite",
                "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-scheduler=rr",
            ),
        first: /the Service was edited by kubectl-annotate: metadata\.annotations\.service\.beta\.\S*-scheduler/,
    },
    {
        what: "all nodes that are excluded by a label: a run keeps their members",
        only: "flannel",
        service: "net",
        code: 0,
        breakIt: async () => {
            await exclude(NODES, KUBERNETES, "true");
            await lab.refresh();
        },
        first: /nothing broken was found$/,
        text: /server group tcp-80 keeps its backends[\s\S]*carries the label node\.kubernetes\.io\/exclude-from-external[\s\S]*allowEmpty/,
        mend: [/Let nodes be backends again/, () => exclude(NODES, KUBERNETES, null)],
    },
    {
        what: "members that were removed from a user's group",
        service: "joined",
        breakIt: () => lab.removeMembers("rsp-users"),
        first: /server group port-9000 has no backend of the Service/,
        text: { flannel: /missing in rsp-users: node-\d/, terway: /missing in rsp-users: shop-\S+ \([\d.]+:8080\)/ },
    },
    {
        what: "CCM that manages the Service again",
        service: "web",
        breakIt: () => lab.patch("service", "web", { metadata: { finalizers: ["service.k8s.alibaba/resources"] } }),
        first: /two controllers manage the Service: this package and the Cloud Controller Manager/,
        text: /spec\.loadBalancerClass ack-loadbalancer\.io\/clb[\s\S]*finalizer service\.k8s\.alibaba\/resources/,
        mend: [
            /or hand it back\. Look at the fields/,
            () => lab.patch("service", "web", { metadata: { finalizers: [] } }),
        ],
    },
    {
        what: "a node that is excluded by a label",
        only: "flannel",
        service: "net",
        breakIt: () => exclude(["node-1"], ACK, "true"),
        first: /server group tcp-80 is not as the cluster asks for it/,
        text: /no longer a backend: node-1 \(i-[\s\S]*node node-1 is not a backend: it carries the label service\.beta\.kubernetes\.io\/exclude-node/,
        mend: [/remove the label/, () => exclude(["node-1"], ACK, null)],
    },
    {
        what: "a node that is excluded by a label, with pods",
        only: "flannel",
        service: "web",
        breakIt: () => exclude(["node-1"], ACK, "true"),
        first: /server group tcp-8443 is not as the cluster asks for it/,
        text: /pods on node node-1 get no traffic: it carries the label/,
        mend: [/look at the node's labels and taints/, () => exclude(["node-1"], ACK, null)],
    },
    {
        what: "a node that is cordoned",
        only: "flannel",
        service: "net",
        code: 0,
        breakIt: () => setSchedulable(lab.session.lab.cluster, "node-2", false),
        first: /nothing broken was found/,
        text: /node node-2 is cordoned, and stays a backend/,
        mend: [/uncordon it/, () => setSchedulable(lab.session.lab.cluster, "node-2", true)],
    },
    {
        what: "health checks that fail",
        service: "web",
        breakIt: async () =>
            lab.session.cloud("/_seed", {
                health: Object.fromEntries((await lab.members(group)).map(({ serverId }) => [serverId, "abnormal"])),
            }),
        first: /no backend of listener tcp:8443 passes its health check/,
        text: /probes \(100\.64\.0\.0\/10\)/,
        mend: [
            /check that the security group of the nodes or pods admits the probes/,
            async () =>
                lab.session.cloud("/_seed", {
                    health: Object.fromEntries((await lab.members(group)).map(({ serverId }) => [serverId, "normal"])),
                }),
        ],
    },
    {
        what: "health checks that fail behind an NLB",
        service: "net",
        breakIt: async () =>
            lab.session.cloud("/_seed", {
                health: Object.fromEntries((await lab.members(group)).map(({ serverId }) => [serverId, "abnormal"])),
            }),
        first: /of listener tcp:80 (?:passes|fail)/,
        text: /probes \(the NLB's addresses in its vSwitches: .*vsw-lab-a/,
        mend: [
            /check that the security group of the nodes or pods admits the probes/,
            async () =>
                lab.session.cloud("/_seed", {
                    health: Object.fromEntries((await lab.members(group)).map(({ serverId }) => [serverId, "normal"])),
                }),
        ],
    },
    {
        what: "a cloud that refuses to answer",
        service: "web",
        code: 2,
        breakIt: () =>
            lab.fault({ product: "Slb", action: "DescribeLoadBalancers", code: "Forbidden.RAM", status: 403 }),
        first: /could not be checked: the load balancer, because the cloud refuses to answer/,
        mend: [/docs\/ram-policy\.md/, () => lab.noFaults()],
    },
    {
        what: "a cloud that refuses to tell the health",
        service: "web",
        code: 2,
        breakIt: () =>
            lab.fault({ product: "Slb", action: "DescribeHealthStatus", code: "Forbidden.RAM", status: 403 }),
        first: /could not be checked: the health of backends/,
        mend: [/allow the call: docs\/ram-policy\.md/, () => lab.noFaults()],
    },
    {
        what: "an event that is over",
        service: "web",
        code: 0,
        breakIt: () => applyYaml(lab.session.lab.cluster, eventYaml),
        first: /nothing broken was found/,
        text: /\(history\)\n *evidence: event SyncLoadBalancerFailed/,
        mend: [/None needed at once/, () => lab.kubectl("delete", "event", "healed")],
    },
    {
        what: "a node that is not ready",
        only: "flannel",
        service: "net",
        breakIt: () => setNodeReady(lab.session.lab.cluster, "node-3", false),
        first: /server group tcp-80 is not as the cluster asks for it/,
        text: /node node-3 is not a backend: it is not ready/,
        mend: [
            /kubectl describe node tells why it is not ready/,
            async () => {
                await setNodeReady(lab.session.lab.cluster, "node-3", true);
                await waitForEndpoints(lab.session.lab.cluster, "default", "web", 4);
            },
        ],
    },
    {
        what: "a pod that is not ready, on a node that is not",
        service: "web",
        breakIt: () => setNodeReady(lab.session.lab.cluster, "node-3", false),
        first: {
            flannel: /server group tcp-8443 is not as the cluster asks for it/,
            terway: /server group target-8080 is not as the cluster asks for it/,
        },
        text: /pod shop-\S+ on node node-3 gets no traffic: it is not ready/,
        mend: [
            /look at the pod: kubectl -n default describe pod/,
            async () => {
                await setNodeReady(lab.session.lab.cluster, "node-3", true);
                await waitForEndpoints(lab.session.lab.cluster, "default", "web", 4);
            },
        ],
    },
    {
        what: "a Service that was created again for CCM, while the stack holds the former load balancer",
        service: "web",
        code: 0,
        breakIt: createForCcm,
        first: /nothing broken was found/,
        text: /the stack that made it still holds load balancer lb-\d+ \([\d.]+\) for this Service, and it is billed/,
        mend: [
            /run pulumi preview in .*, which says how to go on/,
            async () => {
                expect((await lab.stack.preview()).text).toMatch(/Service default\/web: .*Cloud Controller Manager/);
                await lab.kubectl(
                    "patch",
                    "service",
                    "web",
                    "--type",
                    "merge",
                    "--patch",
                    '{"metadata":{"finalizers":[]}}',
                );
                await lab.kubectl("delete", "service", "web");
                await lab.slb("DeleteLoadBalancer", { LoadBalancerId: "lb-ccm" });
                await lab.refresh();
            },
        ],
    },
    {
        what: "a CLB that was deleted",
        service: "web",
        breakIt: async () => {
            await lab.slb("SetLoadBalancerDeleteProtection", { LoadBalancerId: lb, DeleteProtection: "off" });
            await lab.slb("DeleteLoadBalancer", { LoadBalancerId: lb });
        },
        first: /the load balancer of its address does not exist any more/,
        text: /run pulumi up --refresh: it is made again, with a new address/,
        mend: [
            /run pulumi up --refresh: it is made again, with a new address/,
            async () => {
                await lab.refresh();
                await findOwn();
            },
        ],
    },
    {
        what: "a Deployment that is scaled to 0",
        service: "web",
        breakIt: async () => {
            await scaleDeployment(lab.session.lab.cluster, "default", "shop", 0);
            await waitForEndpoints(lab.session.lab.cluster, "default", "web", 0);
        },
        first: /no pod serves it: Deployment shop is scaled to 0/,
        text: /^(?![\s\S]*\(broken\)[\s\S]*\(broken\))/,
        mend: [
            /scale/,
            async () => {
                await scaleDeployment(lab.session.lab.cluster, "default", "shop", 4);
                await waitForDeployment(lab.session.lab.cluster, "default", "shop");
                await attachPods(lab.session);
                await waitForEndpoints(lab.session.lab.cluster, "default", "web", 4);
                await lab.refresh();
            },
        ],
    },
];

describe.each(PLUGINS)("on %s", (plugin) => {
    beforeAll(async () => {
        lab = await ExplainLab.start(plugin, { securityGroups: [{ id: "sg-none" }] });
        await lab.up("breakages", SERVICES);
        await findOwn();
    });

    afterAll(() => lab.stop());

    test.each(SERVICES.map(({ name }) => name))("Service %s works at first", async (name) => {
        await lab.works(name);
    });

    testBreakages(BREAKAGES, plugin, () => lab);

    test("the overview has the same judgement", async () => {
        expect((await lab.show()).code).toBe(0);
        await lab.slb("StopLoadBalancerListener", {
            LoadBalancerId: lb,
            ListenerPort: "8443",
            ListenerProtocol: "tcp",
        });
        const { code, text } = await lab.show();
        expect(code).toBe(1);
        expect(text).toMatch(/default\/web .* BROKEN +\S+\n/);
        expect(text).toMatch(/default\/net .* works +none\n/);
        expect(text).toMatch(/Service default\/web\n *listener tcp:8443 of lb-\d+ is stopped/);
    });

    test("explained: a reused load balancer that was deleted, which no run makes again", async () => {
        await lab.slb("DeleteLoadBalancer", { LoadBalancerId: "lb-users" });
        const { code, text } = await lab.explain("joined");
        expect(code).toBe(1);
        expect(text).toMatch(/the load balancer of its address does not exist any more/);
        expect(text).toMatch(/remedy: the Service reuses lb-users, which no run makes again: create a load balancer/);
    });
});
