import * as fc from "fast-check";
import type { ClbProtocol } from "../../../provider/schema/protocols";
import { ACLS } from "../world";
import { all, type Annotations, CERTIFICATES, pick, type Port, seldom, some, together, type Ways } from "./versions";

/** Immutable fields of an instance: zones and billing. */
const CREATE_ONLY = all(
    fc.constantFrom<Annotations>(
        {},
        { "address-type": "intranet", "vswitch-id": "vsw-a" },
        { "address-type": "intranet", "vswitch-id": "vsw-a", ip: "192.168.0.100" },
        { "ip-version": "ipv6" },
        { "master-zoneid": "cn-hangzhou-b", "slave-zoneid": "cn-hangzhou-i" },
        { "resource-group-id": "rg-1" },
    ),
    fc.constantFrom<Annotations>({}, { "instance-charge-type": "PayBySpec" }),
);

const INSTANCE = (fixed: Annotations): fc.Arbitrary<Annotations> => {
    const bySpec = fixed["instance-charge-type"] === "PayBySpec";
    return all(
        some({
            "delete-protection": pick("on", "off"),
            "modification-protection": pick("ConsoleProtection", "NonProtection"),
            name: pick("shop", "shop-2"),
            "additional-resource-tags": pick("a=1", "a=2,b=3"),
            "preserve-lb-on-delete": pick("true"),
            hostname: pick("shop.example.com"),
        }),
        bySpec ? fc.record({ spec: pick("slb.s1.small", "slb.s2.medium") }) : fc.constant({}),
        bySpec && fixed["address-type"] === undefined
            ? together({ "charge-type": pick("paybybandwidth"), bandwidth: pick(5, 20) })
            : fc.constant({}),
    );
};

const EVERYWHERE = all(
    together({ "acl-status": pick("on", "off"), "acl-id": pick(...ACLS), "acl-type": pick("white", "black") }),
    some({
        "healthy-threshold": pick(2, 4),
        "unhealthy-threshold": pick(3, 5),
        "health-check-interval": pick(2, 7, 50),
        "ignore-weight-update": pick("on", "off"),
    }),
    some({ "remove-unscheduled-backend": pick("on", "off") }),
    some({ "default-weight": pick(0, 50, 100), "graceful-shutdown": pick("true", "false") }),
    seldom({ "backend-label": pick("kubernetes.io/hostname=node-1") }),
    seldom({ "health-check-connect-port": pick(8081, -520) }),
);

const BY_HTTP = together({
    "health-check-type": pick("http"),
    "health-check-uri": pick("/", "/alive"),
    "health-check-httpcode": pick("http_2xx", "http_2xx,http_3xx"),
    "health-check-domain": pick("$_ip", "shop.example.com"),
    "health-check-method": pick("head", "get"),
});

const LAYER_4 = all(
    some({
        "health-check-switch": pick("on", "off"),
        "health-check-connect-timeout": pick(3, 12, 300),
        "proxy-protocol": pick("on", "off"),
    }),
    together({ "connection-drain": pick("on"), "connection-drain-timeout": pick(10, 900) }),
);

const TCP = all(some({ "persistence-timeout": pick(0, 60, 3600), "established-timeout": pick(10, 900) }), BY_HTTP);

const LAYER_7 = all(
    some({
        "idle-timeout": pick(1, 15, 60),
        "request-timeout": pick(1, 180),
        "xforwardedfor-proto": pick("on", "off"),
        "xforwardedfor-slbport": pick("on", "off"),
        "xforwardedfor-clientsrcport": pick("on", "off"),
    }),
    fc.oneof(
        fc.constant<Annotations>({}),
        fc.record({
            "sticky-session": pick("on"),
            "sticky-session-type": pick("insert"),
            "cookie-timeout": pick(1, 86400),
        }),
        fc.record({
            "sticky-session": pick("on"),
            "sticky-session-type": pick("server"),
            cookie: pick("JSESSIONID", "other"),
        }),
    ),
    fc.oneof(
        some({ "health-check-flag": pick("off") }),
        fc.record({
            "health-check-flag": pick("on"),
            "health-check-type": pick("http"),
            "health-check-uri": pick("/", "/alive"),
            "health-check-method": pick("head", "get"),
            "health-check-timeout": pick(3, 30),
        }),
    ),
);

const HTTPS = all(
    fc.record({ "cert-id": pick(...CERTIFICATES) }),
    some({
        "tls-cipher-policy": pick("tls_cipher_policy_1_0", "tls_cipher_policy_1_2_strict"),
        "http2-enabled": pick("on", "off"),
    }),
    some({ "domain-extensions": pick("a.example.com:cert-1", "a.example.com:cert-2,*.b.example.com:cert-1") }),
);

/** Annotations of listeners, and of their groups. Those of a layer are with ports of the other, too. */
function ofListeners(ports: readonly Port<ClbProtocol>[]): fc.Arbitrary<Annotations> {
    const has = (...protocols: ClbProtocol[]) => ports.some(({ protocol }) => protocols.includes(protocol));
    const layer7 = has("http", "https");
    const mapped = ports
        .filter(({ protocol }) => protocol === "http" || protocol === "https")
        .map(({ port, protocol }) => `${protocol}:${port}`);
    const source = ports.find(({ protocol }) => protocol === "http")?.port;
    const target = ports.find(({ protocol }) => protocol === "https")?.port;
    return all(
        EVERYWHERE,
        mapped.length === 0 ? fc.constant({}) : fc.constant({ "protocol-port": mapped.join(",") }),
        has("tcp", "udp") ? LAYER_4 : fc.constant({}),
        has("tcp") ? TCP : fc.constant({}),
        some({ scheduler: layer7 ? pick("rr", "wrr") : pick("rr", "wrr", "sch", "tch") }),
        layer7 ? LAYER_7 : fc.constant({}),
        has("https") ? HTTPS : fc.constant({}),
        source !== undefined && target !== undefined
            ? some({ "forward-port": pick(`${source}:${target}`) })
            : fc.constant({}),
    );
}

const PROTOCOLS: readonly ClbProtocol[] = ["tcp", "udp", "http", "https"];

/** Services with a CLB of their own. */
export const OWN_CLB: Ways<ClbProtocol> = {
    kind: "clb",
    protocols: PROTOCOLS,
    fixed: CREATE_ONLY,
    annotations: (ports, fixed) =>
        all(fc.constant(fixed), INSTANCE(fixed), ofListeners(ports)).map((made) => {
            if (fixed["ip-version"] === undefined) return made;
            // The lists of the user are of IPv4 addresses.
            const { "acl-status": _status, "acl-id": _id, "acl-type": _type, ...others } = made;
            return others;
        }),
};

/**
 * Services on a CLB that somebody else made.
 *
 * @param tags values of the annotation for tags. Services on an instance have different tags
 */
export const clbOf = (fixed: Annotations, tags: readonly string[] = []): Ways<ClbProtocol> => ({
    kind: "clb",
    protocols: PROTOCOLS,
    fixed: fc.constant(fixed),
    annotations: (ports, always) =>
        all(
            fc.constant(always),
            tags.length === 0 ? fc.constant({}) : some({ "additional-resource-tags": pick(...tags) }),
            ofListeners(ports),
        ),
});
