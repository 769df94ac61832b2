/**
 * Every annotation of a CLB except those of reuse, through `pulumi up`: created, changed, removed. After each step a
 * refresh finds no changes.
 * Only a run shows that the plugin's state, the cloud and the next refresh agree on an annotation.
 *
 * Requirements: A01, A02, A03, A04, A05, A06, A09, A10, A11, A12, A13, A14, A15, A16, A17, A18, A19, A20, A21, A22,
 * A23, A24, A25, A26, A27, A28, A29, A30, A31, A32, A33, A34, A35, A36, A37, A38, A39, A40, A41, A42, A43, A44, A45,
 * A46, A47, A48, A49, A50, A51, A52, A53, A54, A55, A56, A61, A65, A67, B04, B05, B10, B11, B12, B13, B14, B15, B20,
 * B21, B23, B24, B25, B26, C04, C05, C07, C08, C09, C12, C14, C15, C17, C20, C21, C22, C23, C24, C25, C26, C27, C28,
 * C29, C37, D24, D28, D29, F05, F20, G31, H26, I11, I15, I28, I37, X10, X17, X18, X26, X27, X30.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { rowsOf } from "../../provider/service/annotations";
import { addressesOfServices } from "../support/addresses";
import { BAD_VALUES } from "../support/bad-values";
import { found } from "../support/found";
import {
    assertEmpty,
    type CloudInstance,
    type CloudListener,
    type ServiceSpec,
    Stack,
    startWorld,
    stateOf,
} from "../support/world";
import { rowsOf as annotationRows, type Step } from "../support/annotation-row";
import { changeWeight } from "../support/drift";
import { eventsOfServices } from "../support/events";

/** The Services of the table: few, with many annotations each. */
const SERVICES: Readonly<Record<string, ServiceSpec>> = {
    layer4: { name: "layer4", ports: [{ port: 80 }, { port: 53 }, { port: 53, protocol: "UDP" }] },
    layer7: { name: "layer7", ports: [{ port: 80 }, { port: 443 }] },
    redirect: { name: "redirect", ports: [{ port: 80 }, { port: 443 }] },
    inner: { name: "inner", policy: "Local" },
};

/** The observed state of the cloud or of the Service's status. */
interface View {
    readonly instance: CloudInstance;
    listener(key: string): CloudListener | undefined;
    readonly domains: readonly string[];
    readonly weights: readonly number[];
    readonly external: string;
}

const attribute = (listener: string, name: string) => (view: View) => view.listener(listener)?.attributes[name];
const instance = (name: keyof CloudInstance) => (view: View) => view.instance[name];

const row = annotationRows<View, keyof typeof SERVICES, Step | undefined>();

const TABLE: readonly ReturnType<typeof row>[] = [
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
        (view) => {
            const { StickySessionType: type, Cookie: cookie } = view.listener("http:80")?.attributes ?? {};
            return type === "server" ? `server, ${cookie}` : type;
        },
        ["insert", "insert"],
        ["server", "server, my-cookie"],
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

    row("default-weight", "layer7", (view) => [...new Set(view.weights)], ["50", [50]], ["60", [60]], [100]),

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
        "PayBySpec",
    ),
    row(
        "spec",
        "redirect",
        instance("spec"),
        ["slb.s2.small", "slb.s2.small"],
        ["slb.s3.small", "slb.s3.small"],
        "slb.s1.small",
    ),
    row(
        "charge-type",
        "redirect",
        instance("internetChargeType"),
        ["paybybandwidth", "paybybandwidth"],
        ["paybybandwidth", "paybybandwidth"],
        "paybytraffic",
    ),
    // Without the annotation traffic is paid for by volume, where the last bandwidth stays recorded and limits nothing.
    row("bandwidth", "redirect", instance("bandwidth"), ["100", 100], ["200", 200], 200),

    row("address-type", "inner", instance("addressType"), ["intranet", "intranet"], undefined, "intranet"),
    row("network-type", "inner", instance("addressType"), ["vpc", "intranet"], undefined, "intranet"),
    row("type", "inner", (view) => view.instance.id.slice(0, 3), ["clb", "lb-"], undefined, "lb-"),
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

/** Annotations that the table requires: companions of a changed value, and those that stay when the rest is removed. */
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

/** Create-only annotations, which stay as they were while others change. */
function KEPT(): Record<string, string> {
    return Object.fromEntries(
        TABLE.flatMap(({ annotation, service, created, changed }) =>
            service === "inner" && changed === undefined ? [[annotation, created[0]]] : [],
        ),
    );
}

let session: Session;
let stack: Stack;
/** The instances of the Services, as they were created. */
let made: readonly string[] | undefined;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await session.cloud("/_seed", {
        certificates: [{ id: "cert-one" }, { id: "cert-two" }, { id: "cert-old", expiresAt: "2020-01-01T00:00:00Z" }],
        calls: ["acl-one", "acl-two"].map((id) => ({ action: "CreateAccessControlList", params: { AclName: id }, id })),
    });
    stack = await Stack.create(session, "annotations", []);
    await stack.config("vswitches", '["vsw-lab-b","vsw-lab-a"]');
});

afterAll(async () => {
    await session.lab.stop();
});

/** Annotations of reuse, which need a user-managed instance: see reuse.test.ts and lifecycle-matrix.test.ts. */
const OF_REUSE = ["id", "force-override-listeners", "vgroup-port", "weight"];

const OF_TESTS_BELOW = ["ip-version", "backend-ip-version", "external-ip-type"];

/** Rollouts have tests of their own: graceful-shutdown.test.ts. */
const OF_ROLLOUTS = ["graceful-shutdown"];

test("the tables cover every annotation", () => {
    const named = new Set([
        ...TABLE.map((one) => one.annotation),
        "cookie",
        ...OF_TESTS_BELOW,
        ...OF_REUSE,
        ...OF_ROLLOUTS,
    ]);
    const supported = rowsOf("clb").map((one) => one.suffix.replace("alibaba-cloud-loadbalancer-", ""));
    expect([...new Set([...named, "backend-type"])].sort()).toStrictEqual(supported.sort());
});

for (const stage of ["created", "changed", "removed"] as const) {
    test(`${stage}: each annotation has its effect, and a refresh finds nothing to do`, async () => {
        stack.write(Object.keys(SERVICES).map((name) => specOf(name, stage)));
        const text = stack.succeed(await stack.up());
        const again = await weighByHand(stage);
        // Every run says it while it is so.
        for (const said of [text, again])
            expect(/PreservedOnDelete: the load balancer of Service default\/inner stays/.test(said)).toBe(
                stage !== "removed",
            );
        const views = await Promise.all(Object.keys(SERVICES).map(async (name) => [name, await viewOf(name)] as const));
        const instances = views.map(([, view]) => view.instance.id);
        made ??= instances;
        // No instance is replaced.
        expect(instances).toStrictEqual(made);
        expect(await eventsOfServices(session)).toContain(
            `inner PreservedOnDelete The lb [${instances[Object.keys(SERVICES).indexOf("inner")]}] ` +
                "will be preserved after the service is deleted.",
        );
        for (const { annotation, service, read, created, changed, removed } of TABLE) {
            const expected =
                stage === "removed" ? removed : stage === "changed" && changed !== undefined ? changed[1] : created[1];
            if (stage === "changed" && changed === undefined && service !== "inner") {
                continue;
            }
            const view = found(views.find(([name]) => name === service)?.[1], service);
            expect([annotation, read(view)]).toStrictEqual([annotation, expected]);
        }
    });
}

/**
 * A weight that is changed outside Pulumi stays while weights are ignored, and is corrected afterwards, alone. Returns
 * what the run with refresh says.
 */
async function weighByHand(stage: Stage): Promise<string> {
    const { groupId, backend } = await changeWeight(session, "inner");
    const text = stack.succeed(await stack.up("--refresh", ...(stage === "removed" ? [] : ["--expect-no-changes"])));
    if (stage === "removed") expect(text).toMatch(/^Resources:\n +~ 1 updated\n +\d+ unchanged\n/m);
    const after = (await stateOf(session)).slb.vServerGroups
        .find(({ id }) => id === groupId)
        ?.backends.find(({ serverId }) => serverId === backend.serverId);
    expect(after?.weight).toBe(stage === "removed" ? backend.weight : 77);
    return text;
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
    const spec = found(SERVICES[service], service);
    return { ...spec, annotations: { ...Object.fromEntries(annotations), ...BESIDE[stage][service] } };
}

async function viewOf(service: string): Promise<View> {
    const { slb } = await stateOf(session);
    const { metadata } = await session.lab.cluster.get<{ metadata: { uid: string } }>(
        `/api/v1/namespaces/default/services/${service}`,
    );
    const owner = `a${metadata.uid.replaceAll("-", "")}`.slice(0, 32);
    const external = await addressOf(service);
    const instance = found(
        slb.loadBalancers.find(({ tags }) => tags["kubernetes.do.not.delete"] === owner),
        `instance of ${service}`,
    );
    return {
        instance: { ...instance, name: instance.name === owner ? "derived" : instance.name },
        listener: (key) =>
            slb.listeners.find(
                (listener) =>
                    listener.loadBalancerId === instance.id && `${listener.protocol}:${listener.port}` === key,
            ),
        domains: slb.domainExtensions
            .filter(({ loadBalancerId }) => loadBalancerId === instance.id)
            .map(({ domain, certificateId }) => `${domain}=${certificateId}`)
            .sort(),
        weights: slb.vServerGroups
            .filter(({ loadBalancerId }) => loadBalancerId === instance.id)
            .flatMap(({ backends }) => backends.map(({ weight }) => weight)),
        external: external === instance.address ? "address" : external,
    };
}

test("a create-only annotation cannot change, but may name the value in use", async () => {
    const inner = { ...SERVICES["inner"], name: "inner" };
    const others = Object.keys(SERVICES)
        .filter((name) => name !== "inner")
        .map((name) => specOf(name, "removed"));
    const { slb } = await stateOf(session);
    const {
        vSwitchId: vswitchId,
        address,
        resourceGroupId,
        masterZoneId,
        slaveZoneId,
    } = found(
        slb.loadBalancers.find(({ addressType }) => addressType === "intranet"),
        "instance of inner",
    );
    const zones = { "master-zoneid": masterZoneId, "slave-zoneid": slaveZoneId };
    const writing = (annotations: Readonly<Record<string, string>>) =>
        stack.write([...others, { ...inner, annotations: { "address-type": "intranet", ...annotations } }]);
    writing({
        ...{ "vswitch-id": "vsw-lab-b", "resource-group-id": "rg-two", ip: "10.9.9.9" },
        ...{ "master-zoneid": "cn-hangzhou-y", "slave-zoneid": "cn-hangzhou-z" },
    });
    const refused = stack.fail(await stack.preview());
    for (const [setting, used] of Object.entries({
        vswitchId,
        resourceGroupId,
        masterZoneid: masterZoneId,
        slaveZoneid: slaveZoneId,
        ip: address,
    }))
        expect(refused).toContain(`Service default/inner: ${setting} cannot change from "${used}" to `);
    writing({ "vswitch-id": vswitchId, "resource-group-id": resourceGroupId, ...zones, ip: address });
    const text = stack.succeed(await stack.up());
    expect(text).not.toMatch(/ApplicationLoadBalancer default\/inner .*(updated|replaced)/);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

/** The Services of all tests below, as they are now. */
let now: Readonly<Record<string, ServiceSpec>> = {};

/** Writes changes of Services. Undefined takes a Service away. */
function change(changes: Readonly<Record<string, ServiceSpec | undefined>>): void {
    now = Object.fromEntries(Object.entries({ ...now, ...changes }).flatMap(([key, one]) => (one ? [[key, one]] : [])));
    stack.write(Object.values(now));
}

async function run(changes: Readonly<Record<string, ServiceSpec | undefined>>): Promise<string> {
    change(changes);
    return stack.succeed(await stack.up());
}

/** Returns the listeners of a Service. */
const listenersOf = async (service: string): Promise<CloudListener[]> =>
    (await stateOf(session)).slb.listeners.filter(({ attributes }) =>
        String(attributes["Description"]).includes(`/${service}/`),
    );

for (const [kind, bad, rest] of [
    ["clb", BAD_VALUES.clb, {}],
    ["nlb", BAD_VALUES.nlb, { loadBalancerClass: "alibabacloud.com/nlb" }],
] as const) {
    test(`bad values of all ${kind} annotations are reported at once, with place and remedy`, async () => {
        const suffixes = Object.keys(bad).map((key) => key.replace("service.beta.kubernetes.io/", ""));
        const choosy = rowsOf(kind).filter(({ type }) => type.allowed !== "any text");
        // The table is complete.
        expect(suffixes.sort()).toStrictEqual(
            choosy.map(({ suffix }) => suffix.replace("alibaba-cloud-loadbalancer-", "")).sort(),
        );
        change({ bad: { name: "bad", annotations: bad, ...rest } });
        const since = await session.lastCall();
        const text = stack.fail(await stack.up());
        for (const suffix of suffixes) {
            const expected = new RegExp(
                "services\\.yaml:\\d+:\\d+: error\\[annotation-value\\]: " +
                    `Service default/bad: .*[-/]${suffix}"\\]: .*\\n\\s*remedy: `,
            );
            expect(text).toMatch(expected);
        }
        expect(await session.calls(since)).toStrictEqual([]);
        change({ bad: undefined });
    });
}

test("preview refuses a missing or expired certificate with a remedy", async () => {
    const since = await session.lastCall();
    const domains = { "cert-id": "cert-none", "domain-extensions": "a.example.com:cert-old" };
    change({
        https: { name: "https", ports: [{ port: 443 }], annotations: { "protocol-port": "https:443", ...domains } },
    });
    const text = stack.fail(await stack.preview());
    expect(text).toMatch(/there is no server certificate "cert-none" in this region\. Remedy: /);
    expect(text).toMatch(/server certificate "cert-old" expired on 2020-01-01.*Remedy: /);
    expect((await session.calls(since)).filter((call) => call.mutating)).toStrictEqual([]);
    change({ https: undefined });
});

test("a Service of another controller gets nothing, and a warning tells so", async () => {
    const since = await session.lastCall();
    const shown = await run({
        other: { name: "other", annotations: { "service.beta.kubernetes.io/class": "example.com/lb" } },
        // Its annotations are those of the other controller.
        edge: {
            name: "edge",
            loadBalancerClass: "alibabacloud.com/elb",
            annotations: { "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-id": "lb-1,lb-2" },
        },
    });
    expect(shown).toMatch(/"example\.com\/lb" leaves the Service to another controller: nothing is created/);
    expect(shown).toMatch(/"alibabacloud\.com\/elb" leaves the Service to another controller: nothing is created/);
    expect(shown).not.toMatch(/annotation-/);
    expect(await session.calls(since)).toStrictEqual([]);
});

const order = (ports: readonly number[], annotations: Record<string, string>): ServiceSpec => ({
    name: "order",
    ports: ports.map((port) => ({ port })),
    annotations,
});
const BOTH = { "protocol-port": "http:80,https:443", "cert-id": "cert-one", "xforwardedfor-slbport": "on" };

/** Steps of Service `order`, and its listeners then. Runs of other Services take them along. */
const ORDER: [ServiceSpec, readonly string[]][] = [
    [order([80, 443], { ...BOTH, "forward-port": "80:443" }), ["http:80>443", "https:443"]],
    [order([80, 443], BOTH), ["http:80", "https:443"]],
    [
        order([80, 443, 8443], {
            ...BOTH,
            "protocol-port": "http:80,https:443,https:8443",
            "forward-port": "80:8443",
        }),
        ["http:80>8443", "https:443", "https:8443"],
    ],
    [order([80, 443], { ...BOTH, "forward-port": "80:443" }), ["http:80>443", "https:443"]],
    [order([80, 443], {}), ["tcp:80", "tcp:443"]],
    [order([8080], {}), ["tcp:8080"]],
];

/** Runs with changes and the next step of {@link ORDER}. */
async function step(changes: Readonly<Record<string, ServiceSpec>> = {}): Promise<string> {
    const [spec, expected] = found(ORDER.shift(), "a step");
    const text = await run({ ...changes, order: spec });
    const listeners = await listenersOf("order");
    const serving = listeners.filter(
        ({ attributes }) => attributes["XForwardedFor_SLBPORT"] !== undefined && attributes["ListenerForward"] !== "on",
    );
    // A replaced listener has its options.
    expect(serving.every(({ attributes }) => attributes["XForwardedFor_SLBPORT"] === "on")).toBe(true);
    expect(
        listeners
            .map(
                ({ protocol, port, attributes: { ForwardPort } }) =>
                    `${protocol}:${port}${ForwardPort === undefined ? "" : `>${ForwardPort}`}`,
            )
            .sort(),
    ).toStrictEqual([...expected].sort());
    return text;
}

const guarded = (
    sourceRanges: readonly string[] | undefined,
    annotations: Record<string, string> = {},
): ServiceSpec => ({
    name: "guarded",
    annotations,
    ...(sourceRanges === undefined ? {} : { sourceRanges }),
});
const RANGES = Array.from({ length: 60 }, (_, n) => `10.${n}.0.0/16`);
const INSIDE = { name: "elastic", annotations: { "address-type": "intranet", "vswitch-id": "vsw-lab-a" } };

let created: string;

test("an IPv6 load balancer is restricted by an ACL of its IP version", async () => {
    const versions = { "ip-version": "ipv6", "backend-ip-version": "ipv6" };
    change({ other: { name: "other" }, edge: undefined });
    created = await step({
        six: { name: "six", annotations: versions, sourceRanges: ["2001:db8::/32"] },
        guarded: guarded(RANGES),
        elastic: { ...INSIDE, annotations: { ...INSIDE.annotations, "external-ip-type": "eip" } },
    });
    const { slb } = await stateOf(session);
    const [six] = await listenersOf("six");
    expect(slb.loadBalancers.find(({ id }) => id === six?.loadBalancerId)?.addressIpVersion).toBe("ipv6");
    expect(Object.keys(slb.acls.find(({ ipVersion }) => ipVersion === "ipv6")?.entries ?? {})).toStrictEqual([
        "2001:db8::/32",
    ]);
    await stack.config("kubeProxyMode", "iptables");
    expect(stack.fail(await stack.preview())).toMatch(/needs kube-proxy in IPVS mode/);
    await stack.config("kubeProxyMode", "ipvs");
});

test("source ranges become a managed ACL", async () => {
    expect(await guards()).toStrictEqual({ status: "on", type: "white", entries: [...RANGES].sort() });
    // A user looks at a second preview with the policy pack: the list has its entries.
    const judged = stack.succeed(await stack.preview("--policy-pack", "policies"));
    expect(judged).not.toMatch(/exposure-empty-list|which has no entries/);

    const since = await session.lastCall();
    await run({ guarded: guarded(["10.0.0.0/16", "192.168.0.0/24"]) });
    const writes = (await session.calls(since)).filter((call) => call.mutating).map(({ action }) => action);
    expect(writes).toStrictEqual([
        "AddAccessControlListEntry",
        "RemoveAccessControlListEntry",
        "RemoveAccessControlListEntry",
    ]);
    expect(await guards()).toStrictEqual({ status: "on", type: "white", entries: ["10.0.0.0/16", "192.168.0.0/24"] });

    await step({ guarded: guarded(undefined) });
    expect(await guards()).toStrictEqual({ status: "off", type: undefined, entries: undefined });
    await step({ guarded: guarded(["10.0.0.0/8"], { "preserve-lb-on-delete": "true" }) });
});

/** Access control of the only listener of `guarded`, and its ACL. */
async function guards(): Promise<{ status: unknown; type: unknown; entries: readonly string[] | undefined }> {
    const { slb } = await stateOf(session);
    const [listener] = await listenersOf("guarded");
    const on = listener?.attributes["AclStatus"] === "on";
    const acl = slb.acls.find(({ id }) => on && listener?.aclIds.includes(id));
    // No managed list remains.
    expect(slb.acls.filter(({ ipVersion }) => ipVersion !== "ipv6").length).toBe(acl === undefined ? 2 : 3);
    return {
        status: listener?.attributes["AclStatus"],
        type: on ? listener?.attributes["AclType"] : undefined,
        entries: acl && Object.keys(acl.entries).sort(),
    };
}

test("external-ip-type eip shows the elastic IP address once one is associated", async () => {
    expect(created).toMatch(
        /no elastic IP address is associated with load balancer lb-\S+, and its status shows the address/,
    );
    const { slb } = await stateOf(session);
    const [listener] = await listenersOf("elastic");
    const own = found(
        slb.loadBalancers.find(({ id }) => id === listener?.loadBalancerId),
        "load balancer",
    );
    expect(await addressOf("elastic")).toBe(own.address);
    await session.cloud("/_seed", {
        calls: [
            { product: "Vpc", action: "AllocateEipAddress", params: {}, id: "eip-one" },
            { product: "Vpc", action: "AssociateEipAddress", params: { AllocationId: "eip-one", InstanceId: own.id } },
        ],
    });
    expect(await step()).not.toMatch(/no elastic IP address/);
    const shown = await addressOf("elastic");
    expect([shown === own.address, shown === ""]).toStrictEqual([false, false]);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    await step({ elastic: INSIDE });
    expect(await addressOf("elastic")).toBe(own.address);
});

async function addressOf(service: string): Promise<string> {
    return (await addressesOfServices(session))[service]?.join(" ") ?? "";
}

test("ports are redirected, removed and restored in an order that the cloud accepts", async () => {
    await step();
    expect(ORDER).toStrictEqual([]);
});

test("a Service that is served cannot be left to another controller", async () => {
    const served = await session.lastCall();
    change({ other: { name: "other", loadBalancerClass: "alibabacloud.com/elb" } });
    expect(stack.fail(await stack.up())).toMatch(
        /other is left to another controller .* has the class ack-loadbalancer\.io\/clb, which cannot be changed/,
    );
    expect((await session.calls(served)).filter(({ action }) => !action.startsWith("Describe"))).toStrictEqual([]);
});

test("a preserved instance keeps its managed ACL with its listeners", async () => {
    await stack.remove();
    const { slb } = await stateOf(session);
    expect(slb.loadBalancers).toHaveLength(1);
    const [kept] = slb.loadBalancers;
    expect([kept?.deleteProtection, kept?.modificationProtectionStatus, kept?.tags]).toStrictEqual([
        "off",
        "NonProtection",
        {},
    ]);
    expect([slb.listeners.length, slb.vServerGroups[0]?.backends.length]).toStrictEqual([1, 3]);
    expect(await guards()).toStrictEqual({ status: "on", type: "white", entries: ["10.0.0.0/8"] });
});
