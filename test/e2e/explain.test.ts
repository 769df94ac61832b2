/**
 * Errors and traps of the documents (requirements G01 to G38), each created in the lab: explain finds it.
 * Only a run shows what explain finds of a Service that a run has made or refused.
 *
 * Requirements: G01, G02, G03, G04, G05, G06, G07, G08, G10, G11, G12, G13, G14, G15, G16, G17, G18, G19, G20, G21,
 * G22, G23, G24, G25, G26, G27, G28, G29, G30, G31, G32, G33, G34, G35, G36, G38.
 *
 * What the Cloud Controller Manager says stands in events, which the test writes as it does.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { applyYaml, type Session } from "../../lab";
import { Commands } from "../support/commands";
import { forget } from "../support/forget";
import { type ServiceSpec, serviceYaml, Stack, startWorld } from "../support/world";

/** Services of the stack, each with a trap. The reused load balancer belongs to a user. */
const SERVICES: readonly ServiceSpec[] = [
    { name: "local", policy: "Local" },
    { name: "proxy", annotations: { "proxy-protocol": "on" } },
    { name: "http", annotations: { "protocol-port": "http:80" } },
    { name: "https", annotations: { "protocol-port": "https:443", "cert-id": "cert-one" }, ports: [{ port: 443 }] },
    { name: "hosted", annotations: { hostname: "shop.example.com" } },
    { name: "tenant", annotations: { id: "lb-users" }, ports: [{ port: 8081 }] },
];

const SEED = {
    certificates: [{ id: "cert-one" }],
    calls: [
        {
            action: "CreateLoadBalancer",
            params: { LoadBalancerName: "users", AddressType: "internet", InstanceChargeType: "PayByCLCU" },
            id: "lb-users",
        },
    ],
};

/** Events of the Cloud Controller Manager about a Service, and explain's report of each. */
const EVENTS: readonly (readonly [row: string, message: string, found: RegExp])[] = [
    ["G13", "something that no table knows", /a reason that is not in this table/],
    ["G17", "The backend server number has reached to the quota limit of this load balancers", /externalTrafficPolicy/],
    ["G18", "The backend server number has reached to the quota limit of this load balancer", /Quota Center/],
    ["G19", "The loadbalancer does not support backend servers of eni type", /PayByCLCU/],
    ["G20", "There are no available nodes for LoadBalancer", /selector/],
    ["G21", "alicloud: can not find loadbalancer, but it's defined in service", /EXTERNAL-IP/],
    ["G22", "ORDER.ARREARAGE Message: The account is arrearage.", /Pay/],
    ["G23", "PAY.INSUFFICIENT_BALANCE Message: Your account does not have enough balance.", /Top/],
    ["G24", "Status Code: 400 Code: Throttling.User Message: Request was denied.", /later/],
    ["G25", "Code: RspoolVipExist Message: there are vips associating with this vServer group.", /Delete the listener/],
    ["G26", "Status Code: 400 Code: NetworkConflict", /cluster's VPC/],
    ["G27", "Code: VSwitchAvailableIpNotExist Message: The specified VSwitch has no available ip.", /vswitch-id/],
    ["G28", "Message: The specified VSwitch does not exist.", /vswitch-id/],
    ["G29", "The specified Port must be between 1 and 65535.", /integer/],
    ["G30", "Code: ShareSlbHaltSales Message: The share instance has been discontinued.", /compatibility/],
    ["G31", "alicloud: can not change ResourceGroupId once created", /resource-group-id/],
    ["G32", "can not find eniid for ip 172.16.0.9 in vpc vpc-abc", /backend-type/],
    ["G33", "User does not have permission modify InstanceChargeType to spec.", /Remove.*spec/],
    ["G34", "the loadbalancer lb-1 can not be reused, can not reuse loadbalancer created by kubernetes.", /console/],
    ["G35", "alicloud: can not change LoadBalancer AddressType once created. delete and retry", /delete the Service/],
    ["G36", "alicloud: service has been associated with ip [1.2.3.4], cannot be bound to ip [5.6.7.8]", /former id/],
    ["G38", "User not authorized to operate on the specified resource: nlb:ListAsynJobs", /k8sMasterRolePolicy-Ccm/],
];

const serviceOf = (row: string): string => `ccm-${row.toLowerCase()}`;

const eventYaml = (row: string, message: string): string =>
    [
        "apiVersion: v1",
        "kind: Event",
        `metadata: { name: ${serviceOf(row)}, namespace: default }`,
        `involvedObject: { kind: Service, apiVersion: v1, namespace: default, name: ${serviceOf(row)} }`,
        "type: Warning",
        "reason: SyncLoadBalancerFailed",
        `message: ${JSON.stringify(`Error syncing load balancer: ${message}`)}`,
        "count: 3",
        'lastTimestamp: "2026-01-01T00:00:00Z"',
        "source: { component: cloud-controller-manager }\n",
    ].join("\n");

interface Explanation {
    readonly what: string;
    readonly evidence: readonly string[];
    readonly remedy: string;
}

let session: Session;
let stack: Stack;
let commands: Commands;

async function explain(name: string): Promise<readonly Explanation[]> {
    const { text } = await commands.run("explain", `default/${name}`, "--format", "json");
    return (JSON.parse(text) as { readonly explanations: readonly Explanation[] }).explanations;
}

const said = async (name: string): Promise<string> =>
    (await explain(name)).map(({ what, remedy }) => `${what}. ${remedy}`).join("\n");

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await session.cloud("/_seed", SEED);
    const managed = EVENTS.map(([row]) => serviceYaml({ name: serviceOf(row) }));
    const events = EVENTS.map(([row, message]) => eventYaml(row, message));
    await applyYaml(session.lab.cluster, [...managed, ...events].join("---\n"));
    stack = await Stack.create(session, "explain", SERVICES);
    stack.succeed(await stack.up());
    commands = new Commands(session);
});

afterAll(async () => {
    commands.stop();
    await session.lab.stop();
    forget(stack);
});

for (const [row, message, found] of EVENTS) {
    test(`${row}: the event is explained: ${message}`, async () => {
        // The control plane may have had something to say about the Service, too.
        const explained = (await explain(serviceOf(row))).find(({ evidence }) => evidence.join().includes(message));
        expect(`${explained?.what} ${explained?.remedy}`).toMatch(found);
    });
}

/** Rows, the Service that they happen to, and what is said of it. */
const TRAPS: readonly (readonly [rows: string, service: string, found: RegExp])[] = [
    ["G02, G10", "local", /the address answers only on nodes with a pod/],
    ["G01, G03", "proxy", /no Proxy Protocol header.*\n?.*local, or set hostname/],
    ["G04, G05", "http", /lack the headers of the load balancer.* http\.default\.svc\.cluster\.local/],
    ["G08", "https", /wrong version number/],
    ["G07", "hosted", /its own address comes back.*different nodes/],
    ["G16", "tenant", /nothing listens on tcp:8081 of the load balancer.*force-override-listeners/],
];

for (const [rows, name, found] of TRAPS) {
    test(`${rows}: the trap of Service ${name} is explained`, async () => {
        expect(await said(name)).toMatch(found);
    });
}

test("G06: with a host name calls from inside the cluster reach the load balancer", async () => {
    expect(await said("hosted")).not.toMatch(/from inside the cluster/);
});

test("G11, G12: a pending Service without an event is distinguished from one with an error", async () => {
    await applyYaml(session.lab.cluster, serviceYaml({ name: "silent" }));
    expect(await said("silent")).toMatch(/there is no event.*before v1\.9\.3\.276-g372aa98-aliyun/);
});

test("G14: an annotation with a wrong value is named", async () => {
    await applyYaml(session.lab.cluster, serviceYaml({ name: "wrong", annotations: { scheduler: "fastest" } }));
    expect(await said("wrong")).toMatch(/"fastest" is not valid/);
});

test("G15: an edit in the console is named as drift", async () => {
    const listed = await commands.run("show", "default/local", "--format", "json");
    const { cloud } = JSON.parse(listed.text) as { cloud: { id: string } };
    await session.cloud("/_console", {
        action: "UntagResources",
        params: { ResourceType: "instance", "ResourceId.1": cloud.id, "TagKey.1": "ack.aliyun.com" },
        as: "other",
    });
    const preview = stack.succeed(await stack.preview("--refresh", "--diff"));
    expect(preview).toMatch(/\+ ack\.aliyun\.com *: "c-test"/);
});

test("G17, G18: a quota that is used up is named with the account's own number", async () => {
    await session.cloud("/_config", { quotas: { backendsPerLoadBalancer: 2 } });
    expect(await said("local")).toMatch(/the account's quota of backends of an instance is used up/);
});
