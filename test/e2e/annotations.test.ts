/** Every annotation of a CLB but those of reuse, through `pulumi up`: created, changed, taken away again. After each step a refresh finds nothing to do. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Session } from "../../lab";
import { rowsOf } from "../../provider/annotations";
import { BAD_VALUES } from "../support/bad-values";
import {
    assertEmpty,
    type CloudInstance,
    type CloudListener,
    type ServiceSpec,
    Stack,
    startWorld,
    stateOf,
} from "../support/world";

/** The Services of the table: few, with many annotations each. */
const SERVICES: Readonly<Record<string, ServiceSpec>> = {
    layer4: { name: "layer4", ports: [{ port: 80 }, { port: 53 }, { port: 53, protocol: "UDP" }] },
    layer7: { name: "layer7", ports: [{ port: 80 }, { port: 443 }] },
    redirect: { name: "redirect", ports: [{ port: 80 }, { port: 443 }] },
    inner: { name: "inner", policy: "Local" },
};

/** What the cloud, or the Service's status, says now. */
interface View {
    readonly instance: CloudInstance;
    listener(key: string): CloudListener | undefined;
    readonly domains: readonly string[];
    readonly weights: readonly number[];
    readonly external: string;
}

/** One annotation: its values, and what the cloud has to say after each step. */
interface Row {
    readonly annotation: string;
    readonly service: keyof typeof SERVICES;
    readonly read: (view: View) => unknown;
    readonly created: readonly [value: string, found: unknown];
    /** Absent: the value cannot change, which another test sees to. */
    readonly changed?: readonly [value: string, found: unknown];
    /** What is found after the annotation was taken away. */
    readonly removed: unknown;
}

const attribute = (listener: string, name: string) => (view: View) => view.listener(listener)?.attributes[name];
const instance = (name: keyof CloudInstance) => (view: View) => view.instance[name];

const row = (
    annotation: string,
    service: keyof typeof SERVICES,
    read: Row["read"],
    created: Row["created"],
    changed: Row["changed"],
    removed: unknown,
): Row => ({
    annotation,
    service,
    read,
    created,
    ...(changed === undefined ? {} : { changed }),
    removed,
});

const TABLE: readonly Row[] = [
    row("scheduler", "layer4", attribute("tcp:80", "Scheduler"), ["wrr", "wrr"], ["sch", "sch"], "rr"),
    row("acl-status", "layer4", attribute("udp:53", "AclStatus"), ["on", "on"], ["on", "on"], "off"),
    row(
        "acl-id",
        "layer4",
        (view) =>
            view.listener("tcp:53")?.attributes["AclStatus"] === "on" ? view.listener("tcp:53")?.aclIds : "none",
        ["acl-one", ["acl-one"]],
        ["acl-two,acl-one", ["acl-two", "acl-one"]],
        "none",
    ),
    row(
        "acl-type",
        "layer4",
        (view) =>
            view.listener("tcp:80")?.attributes["AclStatus"] === "on"
                ? view.listener("tcp:80")?.attributes["AclType"]
                : "none",
        ["white", "white"],
        ["black", "black"],
        "none",
    ),
    row("persistence-timeout", "layer4", attribute("tcp:53", "PersistenceTimeout"), ["1800", 1800], ["60", 60], 0),
    row("established-timeout", "layer4", attribute("tcp:80", "EstablishedTimeout"), ["60", 60], ["600", 600], 900),
    row("proxy-protocol", "layer4", attribute("udp:53", "ProxyProtocolV2Enabled"), ["on", true], ["off", false], false),
    row("connection-drain", "layer4", attribute("udp:53", "ConnectionDrain"), ["on", "on"], ["on", "on"], "off"),
    row(
        "connection-drain-timeout",
        "layer4",
        (view) =>
            view.listener("tcp:80")?.attributes["ConnectionDrain"] === "on" &&
            view.listener("tcp:80")?.attributes["ConnectionDrainTimeout"],
        ["30", 30],
        ["300", 300],
        false,
    ),
    row(
        "health-check-type",
        "layer4",
        attribute("tcp:80", "HealthCheckType"),
        ["http", "http"],
        ["http", "http"],
        "tcp",
    ),
    row(
        "health-check-connect-timeout",
        "layer4",
        attribute("udp:53", "HealthCheckConnectTimeout"),
        ["8", 8],
        ["20", 20],
        5,
    ),
    row(
        "health-check-connect-port",
        "layer4",
        attribute("tcp:80", "HealthCheckConnectPort"),
        ["8081", 8081],
        ["8082", 8082],
        undefined,
    ),
    row("health-check-interval", "layer4", attribute("udp:53", "HealthCheckInterval"), ["3", 3], ["5", 5], 2),
    row("healthy-threshold", "layer4", attribute("tcp:80", "HealthyThreshold"), ["4", 4], ["5", 5], 3),
    row("unhealthy-threshold", "layer4", attribute("udp:53", "UnhealthyThreshold"), ["4", 4], ["5", 5], 3),

    row(
        "protocol-port",
        "layer7",
        (view) => [view.listener("http:80")?.status, view.listener("https:443")?.status],
        ["https:443,http:80", ["running", "running"]],
        ["https:443,http:80", ["running", "running"]],
        [undefined, undefined],
    ),
    row(
        "cert-id",
        "layer7",
        attribute("https:443", "ServerCertificateId"),
        ["cert-one", "cert-one"],
        ["cert-two", "cert-two"],
        undefined,
    ),
    row(
        "tls-cipher-policy",
        "layer7",
        attribute("https:443", "TLSCipherPolicy"),
        ["tls_cipher_policy_1_2", "tls_cipher_policy_1_2"],
        ["tls_cipher_policy_1_1", "tls_cipher_policy_1_1"],
        undefined,
    ),
    row("http2-enabled", "layer7", attribute("https:443", "EnableHttp2"), ["off", "off"], ["on", "on"], undefined),
    row(
        "domain-extensions",
        "layer7",
        (view) => view.domains,
        ["a.example.com:cert-one,b.example.com:cert-two", ["a.example.com=cert-one", "b.example.com=cert-two"]],
        ["a.example.com:cert-two,c.example.com:cert-one", ["a.example.com=cert-two", "c.example.com=cert-one"]],
        [],
    ),
    row("sticky-session", "layer7", attribute("https:443", "StickySession"), ["on", "on"], ["on", "on"], undefined),
    row(
        "sticky-session-type",
        "layer7",
        attribute("http:80", "StickySessionType"),
        ["insert", "insert"],
        ["server", "server"],
        undefined,
    ),
    row("cookie-timeout", "layer7", attribute("http:80", "CookieTimeout"), ["1800", 1800], undefined, undefined),
    row(
        "xforwardedfor-proto",
        "layer7",
        attribute("https:443", "XForwardedFor_proto"),
        ["on", "on"],
        ["off", "off"],
        undefined,
    ),
    row(
        "xforwardedfor-slbport",
        "layer7",
        attribute("http:80", "XForwardedFor_SLBPORT"),
        ["on", "on"],
        ["off", "off"],
        undefined,
    ),
    row(
        "xforwardedfor-clientsrcport",
        "layer7",
        attribute("https:443", "XForwardedFor_ClientSrcPort"),
        ["on", "on"],
        ["on", "on"],
        undefined,
    ),
    row("idle-timeout", "layer7", attribute("http:80", "IdleTimeout"), ["30", 30], ["20", 20], undefined),
    row("request-timeout", "layer7", attribute("https:443", "RequestTimeout"), ["90", 90], ["120", 120], undefined),
    row("health-check-flag", "layer7", attribute("http:80", "HealthCheck"), ["on", "on"], ["on", "on"], undefined),
    row(
        "health-check-uri",
        "layer7",
        attribute("http:80", "HealthCheckURI"),
        ["/healthz", "/healthz"],
        ["/ready", "/ready"],
        undefined,
    ),
    row(
        "health-check-httpcode",
        "layer7",
        attribute("https:443", "HealthCheckHttpCode"),
        ["http_2xx,http_3xx", "http_2xx,http_3xx"],
        ["http_4xx", "http_4xx"],
        undefined,
    ),
    row(
        "health-check-domain",
        "layer7",
        attribute("http:80", "HealthCheckDomain"),
        ["a.example.com", "a.example.com"],
        ["$_ip", "$_ip"],
        undefined,
    ),
    row(
        "health-check-timeout",
        "layer7",
        attribute("https:443", "HealthCheckTimeout"),
        ["10", 10],
        ["20", 20],
        undefined,
    ),
    row(
        "health-check-method",
        "layer7",
        attribute("http:80", "HealthCheckMethod"),
        ["get", "get"],
        ["head", "head"],
        undefined,
    ),

    row("forward-port", "redirect", attribute("http:80", "ForwardPort"), ["80:443", 443], ["80:443", 443], undefined),
    row(
        "hostname",
        "redirect",
        (view) => view.external,
        ["www.example.com", "www.example.com"],
        ["api.example.com", "api.example.com"],
        "address",
    ),
    row("name", "redirect", instance("name"), ["web-lb", "web-lb"], ["shop-lb", "shop-lb"], "derived"),
    row(
        "additional-resource-tags",
        "redirect",
        (view) => view.instance.tags["team"],
        ["team=web,stage=test", "web"],
        ["team=shop", "shop"],
        undefined,
    ),
    row("delete-protection", "redirect", instance("deleteProtection"), ["off", "off"], ["on", "on"], "on"),
    row(
        "modification-protection",
        "redirect",
        instance("modificationProtectionStatus"),
        ["NonProtection", "NonProtection"],
        ["ConsoleProtection", "ConsoleProtection"],
        "ConsoleProtection",
    ),
    row(
        "instance-charge-type",
        "redirect",
        instance("instanceChargeType"),
        ["PayBySpec", "PayBySpec"],
        ["PayBySpec", "PayBySpec"],
        "PayByCLCU",
    ),
    row(
        "spec",
        "redirect",
        instance("spec"),
        ["slb.s2.small", "slb.s2.small"],
        ["slb.s3.small", "slb.s3.small"],
        "slb.lcu.elastic",
    ),
    row(
        "charge-type",
        "redirect",
        instance("internetChargeType"),
        ["paybybandwidth", "paybybandwidth"],
        ["paybybandwidth", "paybybandwidth"],
        "paybytraffic",
    ),
    row("bandwidth", "redirect", instance("bandwidth"), ["100", 100], ["200", 200], 5120),

    row("address-type", "inner", instance("addressType"), ["intranet", "intranet"], undefined, "intranet"),
    row("vswitch-id", "inner", instance("vSwitchId"), ["vsw-lab-a", "vsw-lab-a"], undefined, "vsw-lab-a"),
    row("ip", "inner", instance("address"), ["10.1.0.77", "10.1.0.77"], undefined, "10.1.0.77"),
    row(
        "master-zoneid",
        "inner",
        instance("masterZoneId"),
        ["cn-hangzhou-a", "cn-hangzhou-a"],
        undefined,
        "cn-hangzhou-a",
    ),
    row(
        "slave-zoneid",
        "inner",
        instance("slaveZoneId"),
        ["cn-hangzhou-b", "cn-hangzhou-b"],
        undefined,
        "cn-hangzhou-b",
    ),
    row("resource-group-id", "inner", instance("resourceGroupId"), ["rg-one", "rg-one"], undefined, "rg-one"),
    row("health-check-switch", "inner", attribute("tcp:80", "HealthCheckSwitch"), ["off", "off"], ["on", "on"], "on"),
    row(
        "backend-label",
        "inner",
        (view) => view.weights.length,
        ["kubernetes.io/hostname=node-1", 1],
        ["kubernetes.io/hostname=node-2", 1],
        3,
    ),
    row("remove-unscheduled-backend", "inner", (view) => view.weights.length, ["off", 1], ["on", 1], 3),
    // What these two do shows only later: in the tests below.
    row("ignore-weight-update", "inner", () => "later", ["on", "later"], ["on", "later"], "later"),
    row("preserve-lb-on-delete", "inner", () => "later", ["true", "later"], ["yes", "later"], "later"),
];

/** Annotations that make the rest of the table possible, and follow no row: companions of a changed value, and what has to stay when the rest goes. */
const BESIDE: Readonly<Record<Stage, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
    created: {
        layer4: { "health-check-uri": "/live", "health-check-domain": "$_ip", "health-check-method": "get" },
        redirect: REDIRECT(),
    },
    changed: {
        layer4: { "health-check-uri": "/live", "health-check-domain": "b.example.com" },
        layer7: { cookie: "my-cookie" },
        redirect: REDIRECT(),
        inner: KEPT(),
    },
    removed: { redirect: REDIRECT(), inner: { "address-type": "intranet" } },
};

type Stage = "created" | "changed" | "removed";

function REDIRECT(): Record<string, string> {
    return { "protocol-port": "https:443,http:80", "cert-id": "cert-one" };
}

/** Create-only ones stay as they were while others change. */
function KEPT(): Record<string, string> {
    return Object.fromEntries(
        TABLE.flatMap(({ annotation, service, created, changed }) =>
            service === "inner" && changed === undefined ? [[annotation, created[0]]] : [],
        ),
    );
}

let session: Session;
let stack: Stack;

before(async () => {
    session = await startWorld();
    await session.cloud("/_seed", {
        certificates: [{ id: "cert-one" }, { id: "cert-two" }, { id: "cert-old", expiresAt: "2020-01-01T00:00:00Z" }],
        calls: ["acl-one", "acl-two"].map((id) => ({ action: "CreateAccessControlList", params: { AclName: id }, id })),
    });
    stack = await Stack.create(session, "annotations", []);
    await stack.config("vswitches", '["vsw-lab-b","vsw-lab-a"]');
});

after(async () => {
    await session.lab.stop();
});

/** Annotations of reuse are created, changed and removed in reuse.test.ts and lifecycle-matrix.test.ts: they need a user-managed instance. */
const OF_REUSE = ["id", "force-override-listeners", "vgroup-port", "weight"];

test("the table and the tests below name every annotation", () => {
    const named = new Set([...TABLE.map((one) => one.annotation), "cookie", "ip-version", ...OF_REUSE]);
    const supported = rowsOf("clb").map((one) => one.suffix.replace("alibaba-cloud-loadbalancer-", ""));
    assert.deepEqual([...new Set([...named, "backend-type"])].sort(), supported.sort());
});

for (const stage of ["created", "changed", "removed"] as const) {
    test(`${stage}: each annotation has its effect, and a refresh finds nothing to do`, async () => {
        stack.write(Object.keys(SERVICES).map((name) => specOf(name, stage)));
        const text = stack.succeed(await stack.up());
        assert.equal(/PreservedOnDelete: .*default\/inner/.test(text), stage !== "removed");
        if (stage === "removed") {
            stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
        }
        await weighByHand(stage);
        const views = await Promise.all(Object.keys(SERVICES).map(async (name) => [name, await viewOf(name)] as const));
        for (const { annotation, service, read, created, changed, removed } of TABLE) {
            const expected =
                stage === "removed" ? removed : stage === "changed" && changed !== undefined ? changed[1] : created[1];
            if (stage === "changed" && changed === undefined && service !== "inner") {
                continue;
            }
            const view = views.find(([name]) => name === service)?.[1];
            assert.ok(view, service);
            assert.deepEqual(read(view), expected, annotation);
        }
    });
}

/** A weight that somebody else sets stays while weights are ignored, and is put right once they no longer are. */
async function weighByHand(stage: Stage): Promise<void> {
    const group = (await stateOf(session)).slb.vServerGroups.find(({ name }) => name.includes("/inner/"));
    const backend = group?.backends[0];
    assert.ok(group && backend);
    const servers = [
        {
            ServerId: backend.serverId,
            Port: String(backend.port),
            Weight: "77",
            Type: backend.type,
            Description: backend.description,
        },
    ];
    await session.cloud("/_console", {
        action: "SetVServerGroupAttribute",
        params: { VServerGroupId: group.id, BackendServers: JSON.stringify(servers) },
        as: "other",
    });
    stack.succeed(await stack.up("--refresh", ...(stage === "removed" ? [] : ["--expect-no-changes"])));
    const after = (await stateOf(session)).slb.vServerGroups
        .find(({ id }) => id === group.id)
        ?.backends.find(({ serverId }) => serverId === backend.serverId);
    assert.equal(after?.weight, stage === "removed" ? backend.weight : 77);
}

function specOf(service: string, stage: Stage): ServiceSpec {
    const annotations = TABLE.flatMap((one): [string, string][] => {
        const value =
            one.service !== service || stage === "removed"
                ? undefined
                : stage === "created"
                  ? one.created[0]
                  : one.changed?.[0];
        return value === undefined ? [] : [[one.annotation, value]];
    });
    const spec = SERVICES[service];
    assert.ok(spec);
    return { ...spec, annotations: { ...Object.fromEntries(annotations), ...BESIDE[stage][service] } };
}

async function viewOf(service: string): Promise<View> {
    const { slb } = await stateOf(session);
    const { text } = await session.run("kubectl", [
        "get",
        "service",
        service,
        "-o",
        "jsonpath={.metadata.uid} {.status.loadBalancer.ingress[0].ip}{.status.loadBalancer.ingress[0].hostname}",
    ]);
    const [uid = "", external = ""] = text.trim().split(" ");
    const owner = `a${uid.replaceAll("-", "")}`.slice(0, 32);
    const found = slb.loadBalancers.find(({ tags }) => tags["kubernetes.do.not.delete"] === owner);
    assert.ok(found, `instance of ${service}`);
    return {
        instance: { ...found, name: found.name === owner ? "derived" : found.name },
        listener: (key) =>
            slb.listeners.find(
                (listener) => listener.loadBalancerId === found.id && `${listener.protocol}:${listener.port}` === key,
            ),
        domains: slb.domainExtensions
            .filter(({ loadBalancerId }) => loadBalancerId === found.id)
            .map(({ domain, certificateId }) => `${domain}=${certificateId}`)
            .sort(),
        weights: slb.vServerGroups
            .filter(({ loadBalancerId }) => loadBalancerId === found.id)
            .flatMap(({ backends }) => backends.map(({ weight }) => weight)),
        external: external === found.address ? "address" : external,
    };
}

test("a create-only annotation that changes is refused, and one that names what was chosen is not", async () => {
    const inner = { ...SERVICES["inner"], name: "inner" };
    const others = Object.keys(SERVICES)
        .filter((name) => name !== "inner")
        .map((name) => specOf(name, "removed"));
    for (const [annotation, value, setting] of [
        ["vswitch-id", "vsw-lab-b", "vswitchId"],
        ["resource-group-id", "rg-two", "resourceGroupId"],
    ] as const) {
        stack.write([...others, { ...inner, annotations: { "address-type": "intranet", [annotation]: value } }]);
        assert.match(stack.fail(await stack.preview()), new RegExp(`Service default/inner: ${setting} cannot change`));
    }
    stack.write([...others, { ...inner, annotations: { "address-type": "intranet", "vswitch-id": "vsw-lab-a" } }]);
    const text = stack.succeed(await stack.up());
    assert.doesNotMatch(text, /ApplicationLoadBalancer default\/inner .*(updated|replaced)/);
    await stack.remove();
    assertEmpty(await stateOf(session));
});

test("ports are redirected, taken away and given back in an order that the cloud accepts", async () => {
    const ordered = await Stack.create(session, "redirect", []);
    const service = (ports: readonly number[], annotations: Record<string, string>): ServiceSpec => ({
        name: "order",
        ports: ports.map((port) => ({ port })),
        annotations,
    });
    const both = { "protocol-port": "http:80,https:443", "cert-id": "cert-one", "xforwardedfor-slbport": "on" };
    const steps: readonly [ServiceSpec, readonly string[]][] = [
        [service([80, 443], { ...both, "forward-port": "80:443" }), ["http:80>443", "https:443"]],
        [service([80, 443], both), ["http:80", "https:443"]],
        [
            service([80, 443, 8443], {
                ...both,
                "protocol-port": "http:80,https:443,https:8443",
                "forward-port": "80:8443",
            }),
            ["http:80>8443", "https:443", "https:8443"],
        ],
        [service([80, 443], { ...both, "forward-port": "80:443" }), ["http:80>443", "https:443"]],
        [service([80, 443], {}), ["tcp:80", "tcp:443"]],
        [service([8080], {}), ["tcp:8080"]],
    ];
    for (const [spec, expected] of steps) {
        ordered.write([spec]);
        ordered.succeed(await ordered.up());
        const { slb } = await stateOf(session);
        const serving = slb.listeners.filter(
            ({ attributes }) =>
                attributes["XForwardedFor_SLBPORT"] !== undefined && attributes["ListenerForward"] !== "on",
        );
        assert.ok(
            serving.every(({ attributes }) => attributes["XForwardedFor_SLBPORT"] === "on"),
            "a listener that was made anew has its options",
        );
        assert.deepEqual(
            slb.listeners
                .map(
                    ({ protocol, port, attributes }) =>
                        `${protocol}:${port}${attributes["ForwardPort"] === undefined ? "" : `>${attributes["ForwardPort"]}`}`,
                )
                .sort(),
            [...expected].sort(),
        );
    }
    await ordered.remove();
    assertEmpty(await stateOf(session));
});

test("a certificate that is missing or expired is refused at preview, with what to do", async () => {
    const refused = await Stack.create(session, "certificates", []);
    const https = (annotations: Record<string, string>): ServiceSpec => ({
        name: "https",
        ports: [{ port: 443 }],
        annotations: { "protocol-port": "https:443", ...annotations },
    });
    const since = await session.lastCall();
    refused.write([https({ "cert-id": "cert-none", "domain-extensions": "a.example.com:cert-old" })]);
    const text = refused.fail(await refused.preview());
    assert.match(text, /there is no server certificate "cert-none" in this region\. Remedy: /);
    assert.match(text, /server certificate "cert-old" expired on 2020-01-01.*Remedy: /);
    refused.fail(await refused.up());
    assert.deepEqual(
        (await session.calls(since)).filter((call) => call.mutating),
        [],
    );
    await refused.remove();
});

test("source ranges guard the listeners by a list of our own; a preserved instance keeps it, with all that it serves", async () => {
    const guarded = await Stack.create(session, "ranges", []);
    const service = (
        sourceRanges: readonly string[] | undefined,
        annotations: Record<string, string> = {},
    ): ServiceSpec => ({
        name: "guarded",
        annotations,
        ...(sourceRanges === undefined ? {} : { sourceRanges }),
    });
    const ranges = Array.from({ length: 60 }, (_, n) => `10.${n}.0.0/16`);
    guarded.write([service(ranges)]);
    guarded.succeed(await guarded.up());
    assert.deepEqual(await guards(), { status: "on", type: "white", entries: [...ranges].sort() });
    guarded.succeed(await guarded.up("--refresh", "--expect-no-changes"));

    guarded.write([service(["10.0.0.0/16", "192.168.0.0/24"])]);
    const since = await session.lastCall();
    guarded.succeed(await guarded.up());
    const writes = (await session.calls(since)).filter((call) => call.mutating).map(({ action }) => action);
    assert.deepEqual(writes, [
        "AddAccessControlListEntry",
        "RemoveAccessControlListEntry",
        "RemoveAccessControlListEntry",
    ]);
    assert.deepEqual(await guards(), { status: "on", type: "white", entries: ["10.0.0.0/16", "192.168.0.0/24"] });

    guarded.write([service(undefined)]);
    guarded.succeed(await guarded.up());
    assert.deepEqual(await guards(), { status: "off", type: undefined, entries: undefined });
    guarded.succeed(await guarded.up("--refresh", "--expect-no-changes"));

    guarded.write([service(["10.0.0.0/8"], { "preserve-lb-on-delete": "true" })]);
    guarded.succeed(await guarded.up());
    await guarded.remove();
    const { slb } = await stateOf(session);
    const [kept] = slb.loadBalancers;
    assert.deepEqual(
        [kept?.deleteProtection, kept?.modificationProtectionStatus, kept?.tags],
        ["off", "NonProtection", {}],
    );
    assert.deepEqual([slb.listeners.length, slb.vServerGroups[0]?.backends.length], [1, 3]);
    assert.deepEqual(await guards(), { status: "on", type: "white", entries: ["10.0.0.0/8"] });
    await session.cloud("/_console", {
        action: "DeleteLoadBalancer",
        params: { LoadBalancerId: kept?.id },
        as: "other",
    });
});

/** Who may connect to the only listener, and the list that says so. */
async function guards(): Promise<{ status: unknown; type: unknown; entries: readonly string[] | undefined }> {
    const { slb } = await stateOf(session);
    const [listener] = slb.listeners;
    const on = listener?.attributes["AclStatus"] === "on";
    const acl = slb.acls.find(({ id }) => on && listener?.aclIds.includes(id));
    assert.equal(slb.acls.length, acl === undefined ? 2 : 3, "no list of ours is left over");
    return {
        status: listener?.attributes["AclStatus"],
        type: on ? listener?.attributes["AclType"] : undefined,
        entries: acl && Object.keys(acl.entries).sort(),
    };
}

test("an IPv6 load balancer is guarded by a list of its own IP version", async () => {
    const six = await Stack.create(session, "six", [
        { name: "six", annotations: { "ip-version": "ipv6" }, sourceRanges: ["2001:db8::/32"] },
    ]);
    six.succeed(await six.up());
    const { slb } = await stateOf(session);
    assert.equal(slb.loadBalancers.at(-1)?.addressIpVersion, "ipv6");
    assert.deepEqual(Object.keys(slb.acls.find(({ ipVersion }) => ipVersion === "ipv6")?.entries ?? {}), [
        "2001:db8::/32",
    ]);
    six.succeed(await six.up("--refresh", "--expect-no-changes"));
    await six.config("kubeProxyMode", "iptables");
    assert.match(six.fail(await six.preview()), /needs kube-proxy in IPVS mode/);
    await six.config("kubeProxyMode", "ipvs");
    await six.remove();
});

for (const [kind, bad, more] of [
    ["clb", BAD_VALUES.clb, {}],
    ["nlb", BAD_VALUES.nlb, { loadBalancerClass: "alibabacloud.com/nlb" }],
] as const) {
    test(`a bad value of every annotation of the kind ${kind}: all are told at once, each with its place and remedy, before anything is touched`, async () => {
        const suffixes = Object.keys(bad).map((key) => key.replace("service.beta.kubernetes.io/", ""));
        const choosy = rowsOf(kind).filter(({ type }) => type.allowed !== "any text");
        assert.deepEqual(
            suffixes.sort(),
            choosy.map(({ suffix }) => suffix.replace("alibaba-cloud-loadbalancer-", "")).sort(),
            "the table is complete",
        );
        const wrong = await Stack.create(session, `bad-${kind}`, [{ name: "bad", annotations: bad, ...more }]);
        const since = await session.lastCall();
        const text = wrong.fail(await wrong.up());
        for (const suffix of suffixes) {
            const told = new RegExp(
                `services\\.yaml:\\d+:\\d+: error\\[annotation-value\\]: Service default/bad: .*[-/]${suffix}"\\]: .*\\n\\s*remedy: `,
            );
            assert.match(text, told, suffix);
        }
        assert.deepEqual(await session.calls(since), []);
        await wrong.remove();
    });
}
