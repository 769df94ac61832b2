import { expect, test } from "@jest/globals";
import type { Version } from "../../service";
import { circles } from "./remedies";

const ZONES = { "zone-maps": "cn-hangzhou-a:vsw-na,cn-hangzhou-b:vsw-nb" };
const NLB: Version = { kind: "nlb", ports: ["tcp:80"], nodes: ["node-1"], annotations: ZONES };

/** Manifests whose remedies once mended nothing, or were undone by the next. */
const MANIFESTS: Readonly<Record<string, Version>> = {
    "an NLB that does not keep the address of clients": {
        ...NLB,
        annotations: { ...ZONES, "preserve-client-ip": "off" },
    },
    "TLS that ends at an NLB": {
        ...NLB,
        ports: ["tcpssl:443"],
        annotations: { ...ZONES, "protocol-port": "tcpssl:443", "cert-id": "cert-1" },
    },
    "protections that are off": {
        ports: ["tcp:80"],
        nodes: ["node-1"],
        annotations: { "delete-protection": "off", "modification-protection": "NonProtection" },
    },
    "a cookie without listeners that have one": {
        ports: ["tcp:80"],
        nodes: ["node-1"],
        annotations: { cookie: "JSESSIONID" },
    },
    "settings of both kinds of cookie": {
        ports: ["http:80"],
        nodes: ["node-1"],
        annotations: {
            "protocol-port": "http:80",
            "sticky-session": "on",
            "sticky-session-type": "insert",
            "cookie-timeout": "60",
            cookie: "JSESSIONID",
        },
    },
    "listeners that are not managed": {
        ports: ["http:80"],
        nodes: ["node-1"],
        annotations: { id: "lb-1", "protocol-port": "http:80", scheduler: "rr", "health-check-flag": "off" },
    },
};

const TLS = { "protocol-port": "tcpssl:443", "cert-id": "cert-1" };
const REUSED: Version = { ...NLB, ports: ["tcpssl:443"], annotations: { ...TLS, id: "nlb-1" } };

test("no header is asked of listeners that are not managed", () => {
    expect(circles(REUSED)).toStrictEqual([]);
    expect(
        circles({ ...REUSED, annotations: { id: "nlb-1", "preserve-client-ip": "off" }, ports: ["tcp:80"] }),
    ).toStrictEqual([]);
});

for (const [what, version] of Object.entries(MANIFESTS))
    test(`each remedy removes its finding, and none leads back: ${what}`, () => {
        expect(circles(version)).toStrictEqual([]);
    });
