/**
 * Messages about access control lists that a Service names, before anything is done with them.
 *
 * Requirements: C06, I37.
 */
import { expect, test } from "@jest/globals";
import type { Acl } from "../../../clb/acl";
import { type AclCheckInputs, check, read } from "./acl-check";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const LISTS: Readonly<Record<string, Acl>> = {
    "acl-office": { id: "acl-office", name: "office", entries: [{ entry: "10.0.0.0/8" }] },
    "acl-empty": { id: "acl-empty", name: "empty", entries: [] },
    "acl-v6": { id: "acl-v6", name: "v6", addressIpVersion: "ipv6", entries: [{ entry: "2001:db8::/32" }] },
    "acl-void": { id: "acl-void", name: "void", entries: [] },
};

/** The lists of the cloud, and which of them were looked at. */
function cloud(): { look: (id: string) => Promise<Acl | undefined>; seen: string[] } {
    const seen: string[] = [];
    return { seen, look: async (id) => (seen.push(id), LISTS[id]) };
}

const inputs = (lists: readonly string[], more: Partial<AclCheckInputs> = {}): AclCheckInputs => ({
    service: "shop/web",
    lists,
    region: "cn-hangzhou",
    ...more,
});

const CASES: readonly [
    what: string,
    olds: Partial<AclCheckInputs>,
    news: AclCheckInputs,
    empty: readonly string[] | undefined,
    seen: readonly string[],
][] = [
    ["a list with entries", {}, inputs(["acl-office"]), undefined, ["acl-office"]],
    ["an empty one among others", {}, inputs(["acl-office", "acl-empty"]), ["acl-empty"], ["acl-office", "acl-empty"]],
    ["lists that were looked at before", inputs(["acl-office"]), inputs(["acl-office"]), undefined, []],
    [
        "an empty one that was looked at before stays on record",
        inputs(["acl-empty"], { empty: ["acl-empty"] }),
        inputs(["acl-empty", "acl-void"]),
        ["acl-empty", "acl-void"],
        ["acl-void"],
    ],
    [
        "an empty one that is no longer used",
        inputs(["acl-empty"], { empty: ["acl-empty"] }),
        inputs(["acl-office"]),
        undefined,
        ["acl-office"],
    ],
    ["a region that is known later", {}, inputs(["acl-empty"], { region: UNKNOWN }), undefined, []],
];

for (const [what, olds, news, empty, expected] of CASES) {
    test(`ACLs: ${what}`, async () => {
        const { look, seen } = cloud();
        expect(await check(olds, news, look)).toStrictEqual({
            inputs: empty === undefined ? news : { ...news, empty },
            failures: [],
        });
        expect(seen).toStrictEqual(expected);
    });
}

test("ACLs: every one that does not exist is refused, with a remedy", async () => {
    const { failures } = await check({}, inputs(["acl-1", "acl-office", "acl-2"]), cloud().look);
    expect(failures.map(({ reason }) => reason)).toStrictEqual(
        ["acl-1", "acl-2"].map(
            (id) =>
                `Service shop/web: there is no access control list "${id}" in this region. ` +
                "Remedy: create it in the CLB console, or correct acl-id.",
        ),
    );
});

test.each([
    ["of the load balancer's IP version", { ipVersion: "ipv6" }, []],
    [
        "of the other IP version",
        {},
        [
            'Service shop/web: access control list "acl-v6" is of ipv6, and the load balancer of ipv4. ' +
                "Remedy: name a list of ipv4 in acl-id.",
        ],
    ],
] as const)("ACLs: one %s", async (_, more, expected) => {
    const { failures } = await check({}, inputs(["acl-v6"], more), cloud().look);
    expect(failures.map(({ reason }) => reason)).toStrictEqual(expected);
});

test("ACLs: a refresh reads all of them and detects one that was filled or emptied", async () => {
    const { look, seen } = cloud();
    const before = inputs(["acl-office", "acl-empty", "acl-gone"], { empty: ["acl-office"] });
    const after = { ...before, empty: ["acl-empty"] };
    expect(await read("shop/web", before, look)).toStrictEqual({ id: "shop/web", props: after, inputs: after });
    expect(seen).toStrictEqual(["acl-office", "acl-empty", "acl-gone"]);
    const office = inputs(["acl-office"], { empty: ["acl-office"] });
    expect((await read("shop/web", office, look)).props).toStrictEqual(inputs(["acl-office"]));
});
