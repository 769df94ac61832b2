import { expect, test } from "@jest/globals";
import type { Handlers } from "./resource";

const METHODS = ["check", "diff", "create", "read", "update", "delete"] as const;

/** Pulumi compares and reads by itself where a handler has no such method, so that a method too many matters, too. */
const EXPORTED: { readonly [Name in keyof Handlers]: readonly (typeof METHODS)[number][] } = {
    backends: ["check", "create", "read", "update", "delete"],
    claim: ["create", "read", "update", "delete"],
    "clb/acl": ["create", "read", "update", "delete"],
    "clb/acl-check": ["check", "create", "read", "update"],
    "clb/certificate": ["check", "create", "update"],
    "clb/listener": ["create", "read", "update"],
    "clb/vswitch": ["check", "create", "update"],
    contract: ["check", "diff", "create", "update"],
    "hand-back": ["check", "create", "update"],
    "nlb/certificate-check": ["check", "create", "update"],
    "nlb/certificates": ["create", "read", "update", "delete"],
    "nlb/security-group": ["create", "read", "update", "delete"],
    "nlb/server-group": ["create", "read", "update"],
    "nlb/zone-check": ["check", "create", "update"],
    "nlb/zones": ["check", "create", "read", "update", "delete"],
    remnant: ["create", "read", "update", "delete"],
    release: ["create", "read", "update", "delete"],
    reused: ["create", "read", "update", "delete"],
    status: ["create", "read", "update", "delete"],
};

for (const [name, expected] of Object.entries(EXPORTED)) {
    test(`${name}: the subpath of its name exports exactly the methods of the resource`, async () => {
        const handler = (await import(`ack-loadbalancer/dynamic/${name}`)) as Record<string, unknown>;
        const exported = Object.keys(handler).filter((key) => typeof handler[key] === "function");
        expect(METHODS.filter((method) => exported.includes(method))).toStrictEqual(expected);
        expect(exported).not.toContain("configure");
    });
}
