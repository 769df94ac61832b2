/**
 * Changes of an existing Service: defaults that are restored, backends that move, and changes that are refused.
 * Only a run shows in which order the engine makes a change, and what it leaves as it is.
 *
 * Requirements: A58, B05, B06, C06, C18, F21.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { forget } from "../support/forget";
import { pattern } from "../support/pattern";
import { callsOf, serviceYaml, type ServiceSpec, Stack, startWorld, stateOf, writesOf } from "../support/world";

const BACKEND_TYPE = "service.beta.kubernetes.io/backend-type";

let session: Session;
/** One stack, whose Services have nothing to do with each other. */
let stack: Stack;
let services: Readonly<Record<string, ServiceSpec>> = {};

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Stack.create(session, "changes", []);
    await stack.config("vpcId", "vpc-lab");
});

afterAll(async () => {
    await session.lab.stop();
    forget(stack);
});

/** Writes Services beside those that are there. */
function write(...changed: readonly ServiceSpec[]): void {
    services = { ...services, ...Object.fromEntries(changed.map((one) => [one.name, one])) };
    stack.writeText([...Object.values(services).map(serviceYaml), ...NUMBERED.map(numbered)].join("---\n"));
}

/** A Service for which the cluster, and no annotation, has named its port or not. */
const NUMBERED = ["", "name: http, "] as const;
let number = 80;
const numbered = (name: string): string =>
    `apiVersion: v1\nkind: Service\nmetadata: { name: ${name === "" ? "bare" : "named"}, namespace: default }\n` +
    "spec:\n  type: LoadBalancer\n  selector: { app: shop }\n" +
    `  ports: [{ ${name}port: ${number}, targetPort: 8080 }]\n`;

/** Returns the listeners of a Service. */
const listenersOf = async (service: string) =>
    (await stateOf(session)).slb.listeners.filter(({ attributes }) =>
        String(attributes["Description"]).includes(`/${service}/`),
    );

const PORTS = [{ port: 80 }, { port: 443 }];
const KEPT = { "protocol-port": "http:80,https:443", "cert-id": "cert-one" };
const EXTRA = {
    "sticky-session": "on",
    "sticky-session-type": "insert",
    "cookie-timeout": "1800",
    "xforwardedfor-proto": "on",
    "idle-timeout": "30",
    "request-timeout": "30",
    "health-check-flag": "on",
    "health-check-type": "http",
    "health-check-uri": "/alive",
    "health-check-domain": "shop.example.com",
    "health-check-method": "get",
    "tls-cipher-policy": "tls_cipher_policy_1_2",
    "http2-enabled": "off",
};
const OPTIONS = { "health-check-switch": "off", "connection-drain": "on", "connection-drain-timeout": "30" };
const INNER: ServiceSpec = { name: "inner", annotations: { "address-type": "intranet" } };
const guarded = (id: string): ServiceSpec => ({
    name: "guarded",
    annotations: { "acl-status": "on", "acl-type": "white", "acl-id": id },
});
const ranged = (...sourceRanges: string[]): ServiceSpec => ({ name: "ranged", sourceRanges });

const attributes = async (port: number) =>
    (await listenersOf("shop")).find((listener) => listener.port === port)?.attributes ?? {};
const pick = (all: Record<string, unknown>, ...names: string[]) => names.map((name) => all[name]);
const EVERYWHERE = ["StickySession", "XForwardedFor_proto", "IdleTimeout", "RequestTimeout"];

test("a missing ACL is refused at preview, and up warns of one without entries", async () => {
    await session.cloud("/_seed", {
        certificates: [{ id: "cert-one", name: "one" }],
        calls: [{ action: "CreateAccessControlList", params: { AclName: "office" }, id: "acl-office" }],
        vpcs: [{ id: "vpc-other", cidr: "10.0.0.0/8" }],
        vSwitches: [
            { id: "vsw-full", zoneId: "cn-hangzhou-b", cidr: "192.168.250.0/29" },
            { id: "vsw-free", zoneId: "cn-hangzhou-b", cidr: "192.168.251.0/24" },
            { id: "vsw-other", vpcId: "vpc-other", zoneId: "cn-hangzhou-b", cidr: "10.1.0.0/24" },
        ],
    });
    await session.cloud("/_seed", {
        instances: ["1", "2", "3", "4", "5", "6"].flatMap((n) => [
            { id: `i-full-${n}`, vSwitchId: "vsw-full", privateIp: `192.168.250.${n}` },
        ]),
    });
    await stack.config("vswitches", JSON.stringify(["vsw-full", "vsw-free"]));
    write(guarded("acl-none"));
    const writes = await writesOf(session, async () =>
        expect(stack.fail(await stack.preview())).toMatch(
            /Service default\/guarded: there is no access control list "acl-none" in this region\. Remedy: /,
        ),
    );
    expect(writes).toStrictEqual({});
    write(
        guarded("acl-office"),
        { name: "shop", ports: PORTS, annotations: { ...KEPT, ...EXTRA } },
        { name: "neighbour", ports: [{ port: 80 }, { port: 8443 }], annotations: OPTIONS },
        { name: "attached" },
        INNER,
        { name: "web" },
        ranged("10.0.0.0/8"),
    );
    const warning = /Service default\/guarded: access control list "acl-office" has no entries.*Remedy: add entries/;
    const pack = ["--policy-pack", "policies"];
    const text = stack.succeed(await stack.up(...pack));
    expect(text).toMatch(warning);
    expect(text).toMatch(/exposure-empty-list/);
    expect(text).not.toMatch(/interrupts traffic/);
    const entries = { AclId: "acl-office", AclEntrys: '[{"entry":"10.0.0.0/8"}]' };
    await session.cloud("/_seed", { calls: [{ action: "AddAccessControlListEntry", params: entries }] });
    expect(stack.succeed(await stack.preview("--refresh", ...pack))).not.toMatch(/exposure-empty-list/);
});

test("a TCP listener whose backends are checked by HTTP after a time without checks asks for the path", async () => {
    const [path, off] = [{ "health-check-uri": "/" }, { "health-check-switch": "off" }];
    const byHttp = { ...path, "health-check-type": "http" };
    for (const annotations of [{ ...off, ...path }, { ...off, ...byHttp }, byHttp]) {
        write({ name: "checked", annotations });
        stack.succeed(await stack.up());
        stack.succeed(await stack.up("--refresh"));
    }
    const [listener] = await listenersOf("checked");
    expect(pick(listener?.attributes ?? {}, "HealthCheckType", "HealthCheckURI")).toStrictEqual(["http", "/"]);
});

test("an internal load balancer takes the first vSwitch with a free address, and stays there", async () => {
    const found = async () => {
        const { slb } = await stateOf(session);
        return slb.loadBalancers.flatMap(({ addressType, vSwitchId }) => (addressType === "intranet" ? vSwitchId : []));
    };
    expect(await found()).toStrictEqual(["vsw-free"]);
    await stack.config("vswitches", JSON.stringify(["vsw-example", "vsw-free"]));
    expect(await callsOf(session, async () => stack.succeed(await stack.up()))).toStrictEqual({});
    expect(await found()).toStrictEqual(["vsw-free"]);
});

test("preview refuses a vSwitch that is missing, full or in another VPC", async () => {
    for (const [vswitch, problem] of [
        ["vsw-none", /there is no vSwitch "vsw-none" in this region\. Remedy: /],
        ["vsw-full", /vSwitch "vsw-full" has no free address\. Remedy: /],
        ["vsw-other", /vSwitch "vsw-other" is in VPC vpc-other, the cluster in vpc-lab.*Remedy: /],
    ] as const) {
        stack.write([{ name: "other", annotations: { ...INNER.annotations, "vswitch-id": vswitch } }]);
        const writes = await writesOf(session, async () => expect(stack.fail(await stack.preview())).toMatch(problem));
        expect(writes).toStrictEqual({});
    }
});

test("preview shows an interruption until the change is made", async () => {
    expect(pick(await attributes(80), ...EVERYWHERE)).toStrictEqual(["on", "on", 30, 30]);
    expect(pick(await attributes(443), ...EVERYWHERE, "TLSCipherPolicy", "EnableHttp2")).toStrictEqual([
        "on",
        "on",
        30,
        30,
        "tls_cipher_policy_1_2",
        "off",
    ]);
    const expected = pattern(
        /Service default\/web: this change interrupts traffic\.\s+proxyProtocol changes from "off" to "on".*/,
        /\s+Remedy: Make the change in a maintenance window/,
    );
    // The first preview after the creation shows changed port numbers, too.
    number = 81;
    write(
        { name: "web", annotations: { "proxy-protocol": "on" } },
        { name: "shop", ports: PORTS, annotations: KEPT },
        { name: "neighbour", ports: [{ port: 80 }, { port: 8443 }], annotations: { "protocol-port": "http:80" } },
    );
    const [before, after] = stack.succeed(await stack.run("up", ["--yes"])).split("Resources:");
    expect(before).toMatch(expected);
    expect(after).toMatch(expected);
    const kept = services;
    write({ name: "web", annotations: { "proxy-protocol": "on", "protocol-port": "http:80" } });
    expect(stack.succeed(await stack.preview())).toMatch(
        /listener TCP:80 changes from "tcp" to "http": the listener is deleted and created again/,
    );
    services = kept;
    write();
});

test("removed HTTP and HTTPS annotations return to their defaults on the same listeners", async () => {
    expect(pick(await attributes(80), ...EVERYWHERE)).toStrictEqual(["off", "off", 15, 60]);
    expect(pick(await attributes(443), ...EVERYWHERE, "TLSCipherPolicy", "EnableHttp2")).toStrictEqual([
        "off",
        "off",
        15,
        60,
        "tls_cipher_policy_1_0",
        "on",
    ]);
    expect((await attributes(80))["HealthCheck"]).toBe("off");
});

test("options that are removed while another listener is replaced return to their defaults", async () => {
    const found = (await listenersOf("neighbour")).map(({ protocol, port, attributes }) => ({
        listener: `${protocol}:${port}`,
        check: attributes["HealthCheckSwitch"],
        drain: attributes["ConnectionDrain"],
    }));
    expect(found.toSorted((one, other) => one.listener.localeCompare(other.listener))).toStrictEqual([
        { listener: "http:80", check: undefined, drain: undefined },
        { listener: "tcp:8443", check: "on", drain: "off" },
    ]);
});

test("a change between nodes and pods keeps the listener, and deletes the old group last", async () => {
    const pods = await session.lab.cluster.get<{ items: { status: { podIP: string } }[] }>(
        "/api/v1/namespaces/default/pods?labelSelector=app%3Dshop",
    );
    await session.cloud("/_seed", {
        networkInterfaces: [{ id: "eni-1", privateIps: pods.items.map((pod) => pod.status.podIP) }],
    });
    const groups = async () =>
        (await stateOf(session)).slb.vServerGroups.filter(({ name }) => name.includes("/attached/"));
    const types = async () => [
        ...new Set((await groups()).flatMap(({ backends }) => backends.map(({ type }) => type))),
    ];
    expect(await types()).toStrictEqual(["ecs"]);

    for (const type of ["eni", "ecs"]) {
        write({ name: "attached", annotations: { [BACKEND_TYPE]: type } });
        const since = await session.lastCall();
        stack.succeed(await stack.up());
        const actions = (await session.calls(since)).map(({ action }) => action);
        expect(await types()).toStrictEqual([type]);
        expect(await groups()).toHaveLength(1);
        // The listener stays.
        expect(actions.filter((action) => /^(Create|Delete)LoadBalancer/.test(action))).toStrictEqual([]);
        const order = [
            "AddVServerGroupBackendServers",
            "SetLoadBalancerTCPListenerAttribute",
            "DeleteVServerGroup",
        ].map((action) => actions.indexOf(action));
        expect([
            actions.join(", "),
            order.every((at, index) => at >= 0 && at > (order[index - 1] ?? -1)),
        ]).toStrictEqual([actions.join(", "), true]);
    }
});

test("a deleted list of source ranges is created again with --replace, as the error tells", async () => {
    const { slb } = await stateOf(session);
    const console = (action: string, params: object) => session.cloud("/_console", { action, params, as: "other" });
    const [listener] = await listenersOf("ranged");
    const list = slb.acls.find(({ id }) => listener?.aclIds.includes(id));
    expect(Object.keys(list?.entries ?? {})).toStrictEqual(["10.0.0.0/8"]);
    await console("SetLoadBalancerTCPListenerAttribute", {
        LoadBalancerId: listener?.loadBalancerId,
        ListenerPort: listener?.port,
        AclStatus: "off",
    });
    await console("DeleteAccessControlList", { AclId: list?.id });
    write(ranged("10.0.0.0/8", "192.168.0.0/16"));
    expect(stack.fail(await stack.up())).toMatch(/AclNotExist[\s\S]*remedy: .* --replace/);
    const type = "ack-loadbalancer:index:ServiceLoadBalancer$alicloud:slb/acl:Acl";
    const urn = `urn:pulumi:${stack.name}::ack-loadbalancer::${type}::default/ranged`;
    stack.succeed(await stack.up("--replace", urn));
    const [after] = await listenersOf("ranged");
    const lists = (await stateOf(session)).slb.acls.filter(({ id }) => after?.aclIds.includes(id));
    expect(lists.map(({ entries }) => Object.keys(entries))).toStrictEqual([["10.0.0.0/8", "192.168.0.0/16"]]);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
});
