import { expect, test } from "@jest/globals";
import { scriptedCloud } from "../../test/support/cloud-client";
import { failedNlb, nlbListener, nlbLoadBalancer, nlbServerGroups, securityGroups } from "./sweep";

const OWNER = "a5e4dbfc9c2ae4642b0335607860aef6";
const tags = [
    { Key: "kubernetes.do.not.delete", Value: OWNER },
    { Key: "ack.aliyun.com", Value: "c1" },
];

/** Makes a cloud that lists these objects, and whose jobs succeed at once. */
function world(lists: Readonly<Record<string, object>>) {
    const { cloud, asked } = scriptedCloud(({ action }) => ({
        body: action === "GetJobStatus" ? { Status: "Succeeded" } : (lists[action] ?? { JobId: "job-1" }),
    }));
    const writes = () => asked.filter(({ action }) => !/^(List|Get)/.test(action)).map(({ action }) => action);
    return { cloud, writes };
}

const instance = (own: boolean) => ({
    LoadBalancers: [
        {
            LoadBalancerId: "nlb-1",
            LoadBalancerName: "web",
            DeletionProtectionConfig: { Enabled: true },
            Tags: own ? tags : [],
        },
    ],
});

test("an own instance without listeners is deleted, its protection first", async () => {
    const { cloud, writes } = world({ ListLoadBalancers: instance(true), ListListeners: { Listeners: [] } });
    await nlbLoadBalancer(cloud, { name: "web", owner: OWNER });
    expect(writes()).toStrictEqual(["UpdateLoadBalancerProtection", "DeleteLoadBalancer"]);
});

test("an instance that only has the name is left alone", async () => {
    const { cloud, writes } = world({ ListLoadBalancers: instance(false) });
    await nlbLoadBalancer(cloud, { name: "web", owner: OWNER });
    expect(writes()).toStrictEqual([]);
});

test("an own instance that listens may carry traffic, and is refused", async () => {
    const Listeners = [
        { ListenerId: "lsn-1", ListenerProtocol: "TCP", ListenerPort: 0, StartPort: "80", EndPort: "90" },
    ];
    const { cloud, writes } = world({ ListLoadBalancers: instance(true), ListListeners: { Listeners } });
    await expect(nlbLoadBalancer(cloud, { name: "web", owner: OWNER })).rejects.toThrow(
        /nlb-1 has the name web already and listens on tcp:80-90\. Cause: .* Remedy: /,
    );
    expect(writes()).toStrictEqual([]);
});

const failed = {
    LoadBalancerId: "nlb-1",
    LoadBalancerStatus: "CreateFailed",
    DeletionProtectionConfig: { Enabled: true },
};
const isOurs = (found: Readonly<Record<string, string>>) => found["kubernetes.do.not.delete"] === OWNER;

test("a managed instance whose creation failed is deleted without a further call", async () => {
    const { cloud, writes } = world({
        ListLoadBalancers: { LoadBalancers: [{ ...failed, LoadBalancerName: "web", Tags: tags }] },
        ListListeners: { Listeners: [] },
    });
    await nlbLoadBalancer(cloud, { name: "web", owner: OWNER });
    expect(writes()).toStrictEqual(["DeleteLoadBalancer"]);
});

test("one that is recorded as made is deleted, and what to do next is said", async () => {
    const { cloud, writes } = world({
        GetLoadBalancerAttribute: { ...failed, Tags: tags },
        ListListeners: { Listeners: [] },
    });
    expect(await failedNlb(cloud, "nlb-1", isOurs)).toMatch(
        /could not make load balancer nlb-1: .*CreateFailed.*deleted\. Remedy: run pulumi up --refresh/,
    );
    expect(writes()).toStrictEqual(["DeleteLoadBalancer"]);
});

test("an unpaid bill does not hide that the creation failed", async () => {
    const { cloud, writes } = world({
        GetLoadBalancerAttribute: { ...failed, LoadBalancerBusinessStatus: "Abnormal", Tags: tags },
        ListListeners: { Listeners: [] },
    });
    expect(await failedNlb(cloud, "nlb-1", isOurs)).toMatch(/status was CreateFailed/);
    expect(writes()).toStrictEqual(["DeleteLoadBalancer"]);
});

const LISTENERS = { Listeners: [{ ListenerId: "lsn-1", ListenerProtocol: "TCP", ListenerPort: 80 }] };

test.each([
    ["that works", { ...failed, LoadBalancerStatus: "Active", Tags: tags }, { Listeners: [] }],
    ["that is still being made", { ...failed, LoadBalancerStatus: "Provisioning", Tags: tags }, { Listeners: [] }],
    ["without the owner's mark", { ...failed, Tags: [] }, { Listeners: [] }],
    ["with a listener", { ...failed, Tags: tags }, LISTENERS],
])("an instance %s is left alone", async (_what, attributes, listeners) => {
    const { cloud, writes } = world({ GetLoadBalancerAttribute: attributes, ListListeners: listeners });
    expect(await failedNlb(cloud, "nlb-1", isOurs)).toBeUndefined();
    expect(writes()).toStrictEqual([]);
});

test("own groups that no listener uses are deleted", async () => {
    const group = (id: string, users: readonly string[]) => ({ ServerGroupId: id, RelatedLoadBalancerIds: users });
    const { cloud, writes } = world({
        ListServerGroups: { ServerGroups: [group("sgp-1", []), group("sgp-2", ["nlb-1"])] },
    });
    await nlbServerGroups(cloud, { tags: { "kubernetes.do.not.delete": OWNER } });
    expect(writes()).toStrictEqual(["DeleteServerGroup"]);
});

test("own security groups are deleted, and others of the name stay", async () => {
    const group = (SecurityGroupId: string, owner: string) => ({
        SecurityGroupId,
        Tags: { Tag: [{ TagKey: "kubernetes.do.not.delete", TagValue: owner }] },
    });
    const SecurityGroups = { SecurityGroup: [group("sg-1", "another"), group("sg-2", OWNER)] };
    const { cloud, asked } = scriptedCloud(({ action }) => ({
        body: action === "DescribeSecurityGroups" ? { SecurityGroups } : {},
    }));
    await securityGroups(cloud, { name: `k8s-nlb-${OWNER}`, owner: OWNER });
    const deleted = asked.filter(({ action }) => action === "DeleteSecurityGroup");
    expect(deleted.map(({ params }) => params["SecurityGroupId"])).toStrictEqual(["sg-2"]);
});

test("a managed listener on the ports is deleted, a user-managed one refused, others kept", async () => {
    const listener = (description: string) => ({
        Listeners: [
            { ListenerId: "lsn-1", ListenerProtocol: "TCP", ListenerPort: 80, ListenerDescription: description },
        ],
    });
    const desired = { protocol: "tcp", port: 80, description: "k8s.80.TCP.web.shop.c1" } as const;
    const own = world({ ListListeners: listener("k8s.80.TCP.web.shop.c1") });
    await nlbListener(own.cloud, "nlb-1", desired);
    expect(own.writes()).toStrictEqual(["DeleteListener"]);
    const userManaged = world({ ListListeners: listener("by hand") });
    await expect(nlbListener(userManaged.cloud, "nlb-1", desired)).rejects.toThrow(
        /listener tcp:80 of nlb-1 exists and is not this Service's/,
    );
    const other = world({ ListListeners: listener("by hand") });
    await nlbListener(other.cloud, "nlb-1", { ...desired, port: 81 });
    expect(other.writes()).toStrictEqual([]);
});

test("a listener of the Service whose ports another one takes goes before, and its group stays", async () => {
    const former = {
        ListenerId: "lsn-1",
        ListenerProtocol: "UDP",
        ListenerPort: 0,
        StartPort: "80",
        EndPort: "99",
        ListenerDescription: "k8s.80_99.UDP.web.shop.c1",
        ServerGroupId: "sgp-1",
    };
    const { cloud, writes } = world({ ListListeners: { Listeners: [former] } });
    const desired = { protocol: "udp", port: 80, endPort: 90, description: "k8s.80_90.UDP.web.shop.c1" } as const;
    await nlbListener(cloud, "nlb-1", { ...desired, serverGroupId: "sgp-2" });
    expect(writes()).toStrictEqual(["DeleteListener"]);
});

test("user-managed listeners on the ports are deleted only if the preview announced each of them", async () => {
    const Listeners = [
        { ListenerId: "lsn-1", ListenerProtocol: "TCPSSL", ListenerPort: 80, ListenerDescription: "theirs" },
        {
            ListenerId: "lsn-2",
            ListenerProtocol: "TCP",
            ListenerPort: 0,
            StartPort: "85",
            EndPort: "99",
            ListenerDescription: "theirs too",
        },
        { ListenerId: "lsn-3", ListenerProtocol: "UDP", ListenerPort: 80, ListenerDescription: "another family" },
        { ListenerId: "lsn-4", ListenerProtocol: "TCP", ListenerPort: 100, ListenerDescription: "another port" },
    ];
    const desired = {
        protocol: "tcp",
        port: 0,
        startPort: 80,
        endPort: 90,
        description: "k8s.80_90.TCP.web.shop.c1",
    } as const;
    const first = { id: "lsn-1", protocol: "tcpssl", port: 80, description: "theirs" } as const;
    const second = { id: "lsn-2", protocol: "tcp", port: 85, endPort: 99, description: "theirs too" } as const;
    const announced = world({ ListListeners: { Listeners } });
    await nlbListener(announced.cloud, "nlb-1", desired, [first, second]);
    expect(announced.writes()).toStrictEqual(["DeleteListener", "DeleteListener"]);
    for (const known of [
        [first],
        [first, { ...second, description: "as it was" }],
        [first, { ...second, id: "lsn-9" }],
    ]) {
        const surprising = world({ ListListeners: { Listeners } });
        await expect(nlbListener(surprising.cloud, "nlb-1", desired, known)).rejects.toThrow(
            /listener tcp:85-99 of nlb-1 exists and is not this Service's \(its description is "theirs too"\)/,
        );
        expect(surprising.writes()).toStrictEqual([]);
    }
});

for (const [what, name, group, writes] of [
    ["of the Service goes", "k8s.30080.TCP.web.shop.c1", "sgp-2", ["DeleteListener", "DeleteServerGroup"]],
    ["that the new listener sends to stays", "k8s.30080.TCP.web.shop.c1", "sgp-1", ["DeleteListener"]],
    ["of another name stays", "by hand", "sgp-2", ["DeleteListener"]],
] as const) {
    test(`with our listener: a group ${what}`, async () => {
        const { cloud, writes: written } = world({
            ListListeners: {
                Listeners: [
                    {
                        ListenerId: "lsn-1",
                        ListenerProtocol: "TCP",
                        ListenerPort: 80,
                        ListenerDescription: "k8s.80.TCP.web.shop.c1",
                        ServerGroupId: group,
                    },
                ],
            },
            ListServerGroups: { ServerGroups: [{ ServerGroupId: group, ServerGroupName: name }] },
        });
        const desired = {
            protocol: "tcp",
            port: 80,
            description: "k8s.80.TCP.web.shop.c1",
            serverGroupId: "sgp-1",
        } as const;
        await nlbListener(cloud, "nlb-1", desired);
        expect(written()).toStrictEqual(writes);
    });
}
