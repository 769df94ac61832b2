/** Settings without an effect are reported once, and nothing else is said about them. Requirements: C31, I42, E17. */
import { expect, test } from "@jest/globals";
import { isError } from "../diagnostics";
import type { LoadBalancerType } from "../schema/load-balancer-type";
import { recognise, rowsOf } from "./annotations";
import { documentOf } from "./manifests";
import { parseService } from "./service";

/** A value of each setting that listeners of a type of load balancer regard, by the end of its key. */
const OF_LISTENERS: Readonly<Record<LoadBalancerType, Readonly<Record<string, string>>>> = {
    clb: {
        "acl-id": "acl-1",
        "acl-status": "on",
        "acl-type": "white",
        "cert-id": "cert-1",
        "connection-drain": "on",
        "connection-drain-timeout": "30",
        cookie: "shop",
        "cookie-timeout": "100",
        "domain-extensions": "a.example:cert-2",
        "established-timeout": "60",
        "forward-port": "80:443",
        "health-check-connect-port": "80",
        "health-check-connect-timeout": "10",
        "health-check-domain": "shop.example",
        "health-check-flag": "on",
        "health-check-httpcode": "http_2xx",
        "health-check-interval": "10",
        "health-check-method": "get",
        "health-check-switch": "off",
        "health-check-timeout": "10",
        "health-check-type": "http",
        "health-check-uri": "/healthy",
        "healthy-threshold": "4",
        "http2-enabled": "off",
        "idle-timeout": "20",
        "persistence-timeout": "60",
        "proxy-protocol": "on",
        "request-timeout": "60",
        scheduler: "rr",
        "sticky-session": "on",
        "sticky-session-type": "insert",
        "tls-cipher-policy": "tls_cipher_policy_1_0",
        "unhealthy-threshold": "4",
        "xforwardedfor-clientsrcport": "on",
        "xforwardedfor-proto": "on",
        "xforwardedfor-slbport": "on",
    },
    nlb: {
        "additional-cert-ids": "cert-2",
        alpn: "on",
        "alpn-policy": "HTTP1Only",
        cacert: "on",
        "cacert-id": "ca-1",
        "cert-id": "cert-1",
        cps: "100",
        "idle-timeout": "20",
        "ppv2-pvl-ep-id-enabled": "on",
        "ppv2-pvl-eps-id-enabled": "on",
        "ppv2-pvl-vpc-id-enabled": "on",
        "proxy-protocol": "on",
        "tls-cipher-policy": "tls_cipher_policy_1_0",
    },
};

const KEY = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";

const INSTANCES = { clb: "lb-1", nlb: "nlb-1" } as const;

/** Settings of the same groups that act on server groups, or that assign listeners to ports. */
const ACT_ANYWAY = {
    clb: ["protocol-port"],
    nlb: [
        "connection-drain",
        "connection-drain-timeout",
        "listener-port-range",
        "preserve-client-ip",
        "protocol-port",
        "scheduler",
    ],
} as const;

/** Listeners that the settings above are for. */
const PROTOCOLS = { clb: "http:80,https:443", nlb: "tcpssl:443" } as const;

/** Returns the reports on a Service, each with severity, key, cause and remedy. */
function reportsOn(
    type: LoadBalancerType,
    annotations: Readonly<Record<string, string>>,
    policy = "Cluster",
): string[] {
    const document = documentOf({
        apiVersion: "v1",
        kind: "Service",
        metadata: {
            name: "web",
            annotations: Object.fromEntries(Object.entries(annotations).map(([end, value]) => [KEY + end, value])),
        },
        spec: {
            type: "LoadBalancer",
            externalTrafficPolicy: policy,
            selector: { app: "web" },
            ports: [
                { name: "http", port: 80 },
                { name: "https", port: 443 },
            ],
        },
    });
    const { diagnostics } = parseService(document, { clusterId: "c1" }, {}, type);
    return diagnostics.map((one) => {
        const key = String(one.place.path?.at(-1) ?? "").replace(KEY, "");
        return `${isError(one) ? "error" : "warning"} ${key}: ${one.cause}; ${one.remedy ?? ""}`;
    });
}

for (const type of ["clb", "nlb"] as const) {
    const reused = { id: INSTANCES[type] };
    const settings = OF_LISTENERS[type];

    test(`${type}: every setting of listeners is in the table`, () => {
        const groups = type === "clb" ? ["listener", "health-check"] : ["listener"];
        const known = rowsOf(type).filter((row) => groups.includes(row.group));
        const ends = known.map(({ suffix }) => suffix.replace("alibaba-cloud-loadbalancer-", ""));
        expect(ends.filter((end) => !(end in settings)).sort()).toStrictEqual(ACT_ANYWAY[type]);
    });

    for (const [end, value] of Object.entries(settings)) {
        test(`${type}: ${end} of a reused instance has no effect, and no other report names it`, () => {
            const about = reportsOn(type, { ...reused, [end]: value }).filter((report) => report.includes(end));
            expect(about).toHaveLength(1);
            expect(about[0]).toMatch(
                new RegExp(`^warning ${end}: belongs to listeners, which are not managed .*no effect; remove it`),
            );
        });

        test(`${type}: ${end} is managed where force-override-listeners says so`, () => {
            const own = reportsOn(type, { [end]: value });
            const forced = reportsOn(type, { ...reused, "force-override-listeners": "true", [end]: value });
            expect(forced.filter((report) => report.includes(end))).toStrictEqual(
                own.filter((report) => report.includes(end)),
            );
        });
    }

    test(`${type}: all of them with listeners that need them are as many reports, and no error`, () => {
        const reports = reportsOn(type, { ...reused, "protocol-port": PROTOCOLS[type], ...settings }, "Local");
        const idle = reports.filter((report) => /belongs to listeners/.test(report));
        expect(idle).toHaveLength(Object.keys(settings).length);
        expect(reports.filter((report) => report.startsWith("error"))).toStrictEqual([]);
    });
}

test("no advice about a reused instance without managed listeners is answered by another report", () => {
    for (const [annotations, policy] of [
        [{}, "Local"],
        [{ "protocol-port": "http:80" }, "Cluster"],
        [{ "protocol-port": "https:443" }, "Cluster"],
        [{ "graceful-shutdown": "true", "backend-type": "eni" }, "Cluster"],
    ] as const) {
        const given = { id: "lb-1", ...annotations };
        for (const report of reportsOn("clb", given, policy)) {
            const [, end, value] = new RegExp(`(?:set|add) ${KEY}([a-z-]+): "([^"]+)"`).exec(report) ?? [];
            if (end === undefined || value === undefined) continue;
            const after = reportsOn("clb", { ...given, [end]: value }, policy);
            expect(after.filter((one) => one.includes(`${end}: `) && /no effect/.test(one))).toStrictEqual([]);
        }
    }
});

test("what has to go needs no companion", () => {
    expect(reportsOn("clb", { "address-type": "intranet", "vswitch-id": "vsw-1", bandwidth: "10" })).toStrictEqual([
        expect.stringMatching(/^error bandwidth: an internal load balancer .*; remove .*bandwidth$/),
    ]);
});

test("each annotation of the table is one that the parser knows", () => {
    for (const type of ["clb", "nlb"] as const)
        for (const end of Object.keys(OF_LISTENERS[type]))
            expect([end, recognise(KEY + end, type).kind]).toStrictEqual([end, "setting"]);
});
