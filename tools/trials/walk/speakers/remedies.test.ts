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
    "listeners that are not managed": {
        ports: ["http:80"],
        nodes: ["node-1"],
        annotations: { id: "lb-1", "protocol-port": "http:80", scheduler: "rr", "health-check-flag": "off" },
    },
};

for (const [what, version] of Object.entries(MANIFESTS))
    test(`each remedy removes its finding, and none leads back: ${what}`, () => {
        expect(circles(version)).toStrictEqual([]);
    });
