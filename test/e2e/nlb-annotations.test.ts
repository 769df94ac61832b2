/**
 * Annotations of an NLB through `pulumi up`: created, changed, removed. After each step a refresh finds no changes.
 * Only a run shows that the plugin's state, the cloud and the next refresh agree on an annotation.
 *
 * Requirements: X20, X21, X34, X35.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Session, setSchedulable } from "../../lab";
import { rowsOf } from "../../provider/service/annotations";
import { found } from "../support/found";
import {
    assertEmpty,
    type CloudState,
    type NlbCloudListener,
    type NlbGroup,
    type NlbInstance,
    type ServiceSpec,
    Stack,
    startWorld,
    stateOf,
} from "../support/world";
import { rowsOf as annotationRows } from "../support/annotation-row";

const NLB = { loadBalancerClass: "alibabacloud.com/nlb" } as const;
const ZONES = { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" };

/** Services of the table: few, with many annotations each. A node is cordoned. */
const SERVICES: Readonly<Record<string, ServiceSpec>> = {
    plain: { ...NLB, name: "plain", ports: [{ port: 80 }, { port: 53, protocol: "UDP" }] },
    tls: { ...NLB, name: "tls", ports: [{ port: 443 }] },
    range: { ...NLB, name: "range", ports: [{ port: 80 }] },
    addresses: { ...NLB, name: "addresses", ports: [{ port: 80 }] },
    steady: { ...NLB, name: "steady", ports: [{ port: 80 }] },
    dual: { ...NLB, name: "dual", ports: [{ port: 80 }] },
};

/** Observed state of a Service in the cloud. */
interface View {
    readonly instance: NlbInstance & { readonly name: string };
    readonly listener: NlbCloudListener;
    readonly group: NlbGroup;
}

const row = annotationRows<View, keyof typeof SERVICES>();

const instance = (name: keyof NlbInstance) => (view: View) => view.instance[name];
const listener = (name: keyof NlbCloudListener) => (view: View) => view.listener[name];
const group = (name: keyof NlbGroup) => (view: View) => view.group[name];
const check = (name: string) => (view: View) => view.group.healthCheck[name];
/** Returns attributes that apply to HTTP health checks only. The cloud keeps the others. */
const webCheck = (name: string) => (view: View) =>
    view.group.healthCheck["HealthCheckType"] === "HTTP" && view.group.healthCheck[name];
/** Returns attributes that count only while Proxy Protocol is on. */
const vector = (name: string) => (view: View) =>
    view.listener.proxyProtocolEnabled && (view.listener.proxyProtocolV2Config[name] ?? false);
const servers = (view: View) => view.group.servers.length;
const weights = (view: View) => [...new Set(view.group.servers.map(({ weight }) => weight))];

const TABLE: readonly ReturnType<typeof row>[] = [
    row("scheduler", "plain", group("scheduler"), ["wlc", "Wlc"], ["sch", "Sch"], "Wrr"),
    row("idle-timeout", "plain", listener("idleTimeout"), ["60", 60], ["30", 30], 900),
    row("cps", "plain", (view) => view.listener.cps ?? 0, ["500", 500], ["600", 600], 0),
    row("proxy-protocol", "plain", listener("proxyProtocolEnabled"), ["on", true], ["on", true], false),
    row("ppv2-pvl-vpc-id-enabled", "plain", vector("Ppv2VpcIdEnabled"), ["on", true], ["off", false], false),
    row("ppv2-pvl-ep-id-enabled", "plain", vector("Ppv2PrivateLinkEpIdEnabled"), ["off", false], ["on", true], false),
    row("ppv2-pvl-eps-id-enabled", "plain", vector("Ppv2PrivateLinkEpsIdEnabled"), ["on", true], ["off", false], false),
    row("connection-drain", "plain", group("connectionDrainEnabled"), ["on", true], ["on", true], false),
    row(
        "connection-drain-timeout",
        "plain",
        (view) => view.group.connectionDrainEnabled && view.group.connectionDrainTimeout,
        ["5", 5],
        ["300", 300],
        false,
    ),
    row("preserve-client-ip", "plain", group("preserveClientIpEnabled"), ["off", false], ["on", true], true),
    row("health-check-type", "plain", check("HealthCheckType"), ["http", "HTTP"], ["http", "HTTP"], "TCP"),
    row("health-check-uri", "plain", webCheck("HealthCheckUrl"), ["/a", "/a"], ["/b", "/b"], false),
    row(
        "health-check-domain",
        "plain",
        webCheck("HealthCheckDomain"),
        ["a.example.com", "a.example.com"],
        ["b.example.com", "b.example.com"],
        false,
    ),
    row("health-check-method", "plain", webCheck("HttpCheckMethod"), ["head", "HEAD"], ["get", "GET"], false),
    row(
        "health-check-httpcode",
        "plain",
        webCheck("HealthCheckHttpCode"),
        ["http_3xx", ["http_3xx"]],
        ["http_2xx,http_3xx", ["http_2xx", "http_3xx"]],
        false,
    ),
    row(
        "health-check-http-version",
        "plain",
        webCheck("HealthCheckHttpVersion"),
        ["HTTP1.1", "HTTP1.1"],
        ["HTTP1.0", "HTTP1.0"],
        false,
    ),
    row("health-check-connect-port", "plain", check("HealthCheckConnectPort"), ["8081", 8081], ["8082", 8082], 0),
    row("health-check-connect-timeout", "plain", check("HealthCheckConnectTimeout"), ["7", 7], ["8", 8], 5),
    row("health-check-interval", "plain", check("HealthCheckInterval"), ["11", 11], ["12", 12], 10),
    row("healthy-threshold", "plain", check("HealthyThreshold"), ["3", 3], ["4", 4], 2),
    row("unhealthy-threshold", "plain", check("UnhealthyThreshold"), ["3", 3], ["4", 4], 2),
    row(
        "backend-label",
        "plain",
        servers,
        ["kubernetes.io/hostname=node-1", 1],
        ["kubernetes.io/hostname=node-2", 1],
        3,
    ),
    row("default-weight", "plain", weights, ["50", [50]], ["60", [60]], [100]),
    row("cross-zone-enabled", "plain", instance("crossZoneEnabled"), ["off", false], ["on", true], true),
    row("type", "plain", (view) => view.instance.id.slice(0, 4), ["nlb", "nlb-"], ["nlb", "nlb-"], "nlb-"),
    row("name", "plain", instance("name"), ["web-one", "web-one"], ["web-two", "web-two"], "derived"),
    row(
        "additional-resource-tags",
        "plain",
        (view) => view.instance.tags["team"],
        ["team=a", "a"],
        ["team=b", "b"],
        undefined,
    ),
    row(
        "security-group-ids",
        "plain",
        instance("securityGroupIds"),
        ["sg-one", ["sg-one"]],
        ["sg-two", ["sg-two"]],
        [],
    ),
    row(
        "bandwidth-package-id",
        "plain",
        instance("bandwidthPackageId"),
        ["cbwp-one", "cbwp-one"],
        ["cbwp-two", "cbwp-two"],
        "",
    ),
    row(
        "delete-protection",
        "plain",
        (view) => view.instance.deletionProtection.enabled,
        ["off", false],
        ["on", true],
        true,
    ),
    row(
        "modification-protection",
        "plain",
        (view) => view.instance.modificationProtection.status,
        ["NonProtection", "NonProtection"],
        ["ConsoleProtection", "ConsoleProtection"],
        "ConsoleProtection",
    ),

    row("protocol-port", "tls", listener("protocol"), ["tcpssl:443", "TCPSSL"], ["tcpssl:443", "TCPSSL"], "TCP"),
    row("cert-id", "tls", listener("certificateIds"), ["cert-one", ["cert-one"]], ["cert-two", ["cert-two"]], []),
    row(
        "additional-cert-ids",
        "tls",
        listener("additionalCertificateIds"),
        ["cert-three", ["cert-three"]],
        ["cert-four", ["cert-four"]],
        [],
    ),
    row("cacert", "tls", listener("caEnabled"), ["on", true], ["on", true], false),
    row("cacert-id", "tls", listener("caCertificateIds"), ["ca-one", ["ca-one"]], ["ca-two", ["ca-two"]], []),
    row(
        "tls-cipher-policy",
        "tls",
        listener("securityPolicyId"),
        ["tls_cipher_policy_1_2", "tls_cipher_policy_1_2"],
        ["tls_cipher_policy_1_1", "tls_cipher_policy_1_1"],
        "",
    ),
    row("alpn", "tls", listener("alpnEnabled"), ["on", true], ["on", true], false),
    row("alpn-policy", "tls", listener("alpnPolicy"), ["HTTP1Only", "HTTP1Only"], ["HTTP2Only", "HTTP2Only"], ""),
    row("remove-unscheduled-backend", "tls", servers, ["on", 2], ["off", 3], 3),

    row(
        "listener-port-range",
        "range",
        (view) => [view.listener.startPort, view.listener.endPort, view.listener.port],
        ["80-90:80", [80, 90, 0]],
        ["80-95:80", [80, 95, 0]],
        [undefined, undefined, 80],
    ),
    row("health-check-flag", "range", check("HealthCheckEnabled"), ["off", false], ["on", true], true),

    row(
        "address-type",
        "addresses",
        instance("addressType"),
        ["intranet", "Intranet"],
        ["internet", "Internet"],
        "Internet",
    ),
    row("server-group-type", "addresses", group("type"), ["Ip", "Ip"], ["Ip", "Ip"], "Instance"),
    row("service.beta.kubernetes.io/backend-type", "addresses", servers, ["eni", 4], ["ecs", 3], 3),

    row("ignore-weight-update", "steady", weights, ["on", [50]], ["on", [50]], [100]),

    row(
        "ipv6-address-type",
        "dual",
        instance("ipv6AddressType"),
        ["internet", "Internet"],
        ["intranet", "Intranet"],
        "Intranet",
    ),
    row(
        "backend-ip-version",
        "dual",
        group("ipVersionAffinityMode"),
        ["dualstack", "Affinity"],
        ["ipv6", "NonAffinity"],
        "",
    ),
];

type Stage = "created" | "changed" | "removed";

/** Annotations that a Service needs in addition to its rows. */
const BESIDE: Readonly<Record<string, (stage: Stage) => Readonly<Record<string, string>>>> = {
    steady: (stage): Record<string, string> =>
        stage === "created" ? { "default-weight": "50" } : stage === "changed" ? { "default-weight": "60" } : {},
    range: (stage): Record<string, string> =>
        stage === "removed" ? {} : { "service.beta.kubernetes.io/backend-type": "eni", "server-group-type": "Ip" },
    dual: () => ({ "ip-version": "DualStack" }),
};

/**
 * Annotations that other tests of this folder create, change and remove: immutable annotations, zones, reuse and
 * deletion.
 */
const ELSEWHERE = [
    "zone-maps",
    "ip-version",
    "resource-group-id",
    "preserve-lb-on-delete",
    "id",
    "force-override-listeners",
    "vgroup-port",
    "weight",
    "graceful-shutdown",
];

let session: Session;
let stack: Stack;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await setSchedulable(session.lab.cluster, "node-3", false);
    await session.cloud("/_seed", {
        certificates: [
            ...["cert-one", "cert-two", "cert-three", "cert-four"].map((id) => ({ id })),
            ...["ca-one", "ca-two"].map((id) => ({ id, kind: "ca" })),
        ],
        securityGroups: [{ id: "sg-one" }, { id: "sg-two" }],
        bandwidthPackages: [{ id: "cbwp-one" }, { id: "cbwp-two" }],
    });
    stack = await Stack.create(session, "nlb-annotations", []);
});

afterAll(async () => {
    await session.lab.stop();
});

function specOf(service: string, stage: Stage): ServiceSpec {
    const spec = found(SERVICES[service], service);
    const own = TABLE.filter((one) => one.service === service && stage !== "removed").map((one) => [
        one.annotation,
        one[stage as "created" | "changed"][0],
    ]);
    return { ...spec, annotations: { ...ZONES, ...Object.fromEntries(own), ...BESIDE[service]?.(stage) } };
}

async function viewOf({ nlb }: CloudState, name: string): Promise<View> {
    const { metadata } = await session.lab.cluster.get<{ metadata: { uid: string } }>(
        `/api/v1/namespaces/default/services/${name}`,
    );
    const owner = `a${metadata.uid.replaceAll("-", "")}`.slice(0, 32);
    const instance = found(
        nlb.loadBalancers.find(({ tags }) => tags["kubernetes.do.not.delete"] === owner),
        `instance of ${name}`,
    );
    const first = found(
        nlb.listeners.find(({ loadBalancerId, protocol }) => loadBalancerId === instance.id && protocol !== "UDP"),
        `listener of ${name}`,
    );
    const behind = found(
        nlb.serverGroups.find(({ id }) => id === first.serverGroupId),
        `group of ${name}`,
    );
    return {
        instance: { ...instance, name: instance.name === owner ? "derived" : instance.name },
        listener: first,
        group: behind,
    };
}

test("the tables cover every annotation of an NLB", () => {
    const named = [
        ...TABLE.map(({ annotation }) => annotation.replace("service.beta.kubernetes.io/", "")),
        ...ELSEWHERE,
    ];
    expect(named.sort()).toStrictEqual(
        rowsOf("nlb")
            .map(({ suffix }) => suffix.replace("alibaba-cloud-loadbalancer-", ""))
            .sort(),
    );
});

for (const stage of ["created", "changed", "removed"] as const) {
    test(`${stage}: each annotation has its effect, and a refresh finds nothing to do`, async () => {
        stack.write(Object.keys(SERVICES).map((name) => specOf(name, stage)));
        stack.succeed(await stack.up());
        const state = await stateOf(session);
        const views = new Map(
            await Promise.all(Object.keys(SERVICES).map(async (name) => [name, await viewOf(state, name)] as const)),
        );
        const wrong = TABLE.flatMap(({ annotation, service, read, created, changed, removed }) => {
            const view = found(views.get(service), service);
            const expected = stage === "removed" ? removed : stage === "changed" ? changed[1] : created[1];
            const actual = read(view);
            return JSON.stringify(actual) === JSON.stringify(expected)
                ? []
                : [`${annotation}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];
        });
        expect(wrong).toStrictEqual([]);
        stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    });
}

test("a client-certificate check that was switched on by hand is mended by one run", async () => {
    const tls = { ...ZONES, "protocol-port": "tcpssl:443", "cert-id": "cert-one" };
    stack.write([{ ...NLB, name: "tls", ports: [{ port: 443 }], annotations: tls }]);
    stack.succeed(await stack.up());
    const listener = async () =>
        found(
            (await stateOf(session)).nlb.listeners.find(({ protocol }) => protocol === "TCPSSL"),
            "TCPSSL listener",
        );
    const params = { ListenerId: (await listener()).id, CaEnabled: "true", CaCertificateIds: ["ca-one"] };
    await session.cloud("/_console", { product: "Nlb", action: "UpdateListenerAttribute", params, as: "other" });
    expect(await listener()).toMatchObject({ caEnabled: true, caCertificateIds: ["ca-one"] });
    stack.succeed(await stack.up("--refresh"));
    expect((await listener()).caEnabled).toBe(false);
});

test("destroy leaves nothing", async () => {
    await stack.remove();
    assertEmpty(await stateOf(session));
});
