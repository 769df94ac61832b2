import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { serverAddress, formatBackendKey, parseBackendKey } from "./backend";

const port = fc.option(fc.integer({ min: 1, max: 65535 }), { nil: undefined });
const address = fc
    .tuple(fc.oneof(fc.stringMatching(/^i-[a-z0-9]{1,20}$/), fc.ipV4(), fc.ipV6()), port)
    .map(([address, number]) => ({ address, ...(number === undefined ? {} : { port: number }) }));

test("a key says what it was made of", () => {
    fc.assert(
        fc.property(address, (backend) => expect(parseBackendKey(formatBackendKey(backend))).toStrictEqual(backend)),
    );
});

test("an IPv6 address stands in brackets, so that its port can be distinguished", () => {
    expect(formatBackendKey({ address: "2001:db8::7", port: 80 })).toBe("[2001:db8::7]:80");
    expect(formatBackendKey({ address: "2001:db8::7" })).toBe("[2001:db8::7]");
});

test("a text that names no backend is an error that says what was expected", () => {
    for (const key of ["", "a b", "i-a:b", "[10.0.0.1", "i-a:80:80"]) {
        expect(() => parseBackendKey(key)).toThrow(/is not a backend: expected an ECS instance id, an address/);
    }
});

const MEMBERS = [
    ["an instance whose address the cloud reports too", { id: "i-1", ip: "10.0.0.1", type: "ecs" }, "i-1:80"],
    ["a pod", { id: "eni-1", ip: "10.0.0.1", type: "eni" }, "10.0.0.1:80"],
    ["a pod of two IP versions", { id: "eni-1", ip: "2001:db8::7", type: "eni" }, "[2001:db8::7]:80"],
    ["an interface without an address", { id: "eni-1", type: "eni" }, "eni-1:80"],
    ["a member of a group of addresses", { id: "10.0.0.1", type: "ip" }, "10.0.0.1:80"],
] as const;

for (const [what, member, key] of MEMBERS) {
    test(`the key of a member: ${what}`, () => {
        expect(formatBackendKey({ ...serverAddress(member), port: 80 })).toBe(key);
    });
}
