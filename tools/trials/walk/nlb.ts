import * as fc from "fast-check";
import type { NlbProtocol } from "../../../provider/schema/protocols";
import { BANDWIDTH_PACKAGES, SECURITY_GROUPS, ZONES } from "../world";
import { all, type Annotations, CERTIFICATES, pick, type Port, seldom, some, together, type Ways } from "./versions";

const CREATE_ONLY = fc.constantFrom<Annotations>({}, { "ip-version": "DualStack" }, { "resource-group-id": "rg-1" });

/** Addresses of a zone that the Service names: none, one of the vSwitch, an elastic address, or both. */
const ADDRESSES = ["", "", ":10.1.15.100", ":10.1.15.100:eip-100", "::eip-100"] as const;

/** Two or three zones, one of them with either of two vSwitches, and one at times with addresses of the Service's own. */
const ZONE_MAPS = fc
    .tuple(fc.constantFrom(...ZONES["cn-hangzhou-a"]), fc.constantFrom(...ADDRESSES), fc.boolean())
    .map(([first, addresses, third]) =>
        [
            `cn-hangzhou-a:${first}`,
            `cn-hangzhou-b:${ZONES["cn-hangzhou-b"][0]}${addresses}`,
            ...(third ? [`cn-hangzhou-c:${ZONES["cn-hangzhou-c"][0]}`] : []),
        ].join(","),
    );

const INSTANCE = (fixed: Annotations): fc.Arbitrary<Annotations> =>
    all(
        fc.record({ "zone-maps": ZONE_MAPS }),
        some({
            "address-type": pick("intranet", "internet"),
            "cross-zone-enabled": pick("on", "off"),
            "security-group-ids": pick(SECURITY_GROUPS[0], SECURITY_GROUPS.join(",")),
            name: pick("shop", "shop-2"),
            "additional-resource-tags": pick("a=1", "a=2,b=3"),
            "preserve-lb-on-delete": pick("true"),
            "delete-protection": pick("on", "off"),
            "modification-protection": pick("ConsoleProtection", "NonProtection"),
        }),
        fixed["ip-version"] === undefined
            ? fc.constant({})
            : some({ "ipv6-address-type": pick("intranet", "internet") }),
    ).chain((made) =>
        made["address-type"] === "intranet"
            ? fc.constant(made)
            : some({ "bandwidth-package-id": pick(...BANDWIDTH_PACKAGES) }).map((more) => ({ ...made, ...more })),
    );

/** A UDP listener is idle for 90 seconds at most. */
const LISTENERS = (udp: boolean): fc.Arbitrary<Annotations> =>
    all(
        some({ "idle-timeout": pick(10, 60, udp ? 90 : 900), cps: pick(0, 1, 1_000_000) }),
        fc.oneof(
            some({ "proxy-protocol": pick("off") }),
            all(
                fc.constant<Annotations>({ "proxy-protocol": "on" }),
                some({ "ppv2-pvl-vpc-id-enabled": pick("on", "off"), "ppv2-pvl-ep-id-enabled": pick("on", "off") }),
                some({ "ppv2-pvl-eps-id-enabled": pick("on", "off") }),
            ),
        ),
    );

const GROUPS = all(
    some({
        scheduler: pick("wrr", "rr", "sch", "tch", "wlc"),
        "remove-unscheduled-backend": pick("on", "off"),
        "ignore-weight-update": pick("on", "off"),
        "default-weight": pick(0, 50, 100),
        "graceful-shutdown": pick("true", "false"),
    }),
    seldom({ "backend-label": pick("kubernetes.io/hostname=node-1") }),
    together({ "connection-drain": pick("on"), "connection-drain-timeout": pick(0, 5, 10, 900) }),
    fc.oneof(
        some({ "health-check-flag": pick("off") }),
        all(
            some({
                "health-check-flag": pick("on"),
                "health-check-connect-timeout": pick(1, 5, 300),
                "health-check-interval": pick(1, 10, 50),
                "healthy-threshold": pick(2, 10),
                "unhealthy-threshold": pick(2, 10),
                "health-check-connect-port": pick(0, 8081),
            }),
            together({
                "health-check-type": pick("http"),
                "health-check-uri": pick("/", "/alive"),
                "health-check-domain": pick("$SERVER_IP", "shop.example.com"),
                "health-check-method": pick("get", "head"),
                "health-check-httpcode": pick("http_2xx", "http_2xx,http_3xx"),
                "health-check-http-version": pick("HTTP1.0", "HTTP1.1"),
            }),
        ),
    ),
    some({ "server-group-type": pick("Instance", "Ip") }),
);

const TLS = all(
    fc.record({ "cert-id": pick(...CERTIFICATES) }),
    some({
        "tls-cipher-policy": pick("tls_cipher_policy_1_0", "tls_cipher_policy_1_2_strict_with_1_3"),
        "additional-cert-ids": pick("cert-3", "cert-3,cert-4"),
    }),
    fc.oneof(some({ cacert: pick("off") }), together({ cacert: pick("on"), "cacert-id": pick("cert-3", "cert-4") })),
    together({ alpn: pick("on"), "alpn-policy": pick("HTTP1Only", "HTTP2Preferred") }),
);

function ofListeners(ports: readonly Port<NlbProtocol>[]): fc.Arbitrary<Annotations> {
    const secure = ports.filter(({ protocol }) => protocol === "tcpssl").map(({ port }) => `tcpssl:${port}`);
    const tls =
        secure.length === 0
            ? fc.constant<Annotations>({})
            : all(TLS, fc.constant({ "protocol-port": secure.join(",") }));
    const clientIp =
        secure.length === 0 ? some({ "preserve-client-ip": pick("on", "off") }) : fc.constant<Annotations>({});
    const listeners = LISTENERS(ports.some(({ protocol }) => protocol === "udp"));
    return all(listeners, GROUPS, clientIp, tls);
}

const PROTOCOLS: readonly NlbProtocol[] = ["tcp", "udp", "tcpssl"];

/** Services with an NLB of their own. */
export const OWN_NLB: Ways<NlbProtocol> = {
    kind: "nlb",
    protocols: PROTOCOLS,
    fixed: CREATE_ONLY,
    annotations: (ports, fixed) => all(fc.constant(fixed), INSTANCE(fixed), ofListeners(ports)),
};

/**
 * Services on an NLB that somebody else made.
 *
 * @param tags values of the annotation for tags. Services on an instance have different tags
 */
export const nlbOf = (fixed: Annotations, tags: readonly string[]): Ways<NlbProtocol> => ({
    kind: "nlb",
    protocols: PROTOCOLS,
    fixed: fc.constant(fixed),
    annotations: (ports, always) =>
        all(fc.constant(always), some({ "additional-resource-tags": pick(...tags) }), ofListeners(ports)),
});
