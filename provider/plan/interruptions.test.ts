/** Requirements: F21. */
import { expect, test } from "@jest/globals";
import { interruptions } from "./interruptions";

const FACTS = { proxyProtocol: "off", backendType: "ecs", "listener TCP:80": "tcp" };

const TABLE: readonly [
    string,
    Record<string, string> | undefined,
    Record<string, string> | undefined,
    readonly RegExp[],
][] = [
    ["nothing changes", FACTS, FACTS, []],
    ["nothing was known before", undefined, FACTS, []],
    ["a port comes", FACTS, { ...FACTS, "listener TCP:81": "tcp" }, []],
    ["a port goes", FACTS, { proxyProtocol: "off", backendType: "ecs" }, []],
    [
        "Proxy Protocol is switched on",
        FACTS,
        { ...FACTS, proxyProtocol: "on" },
        [/^proxyProtocol changes from "off" to "on": Proxy Protocol cannot be switched/],
    ],
    [
        "a listener speaks another protocol",
        FACTS,
        { ...FACTS, "listener TCP:80": "http" },
        [/^listener TCP:80 changes from "tcp" to "http": .*its connections break$/],
    ],
    [
        "backends of another kind, too",
        FACTS,
        { proxyProtocol: "on", backendType: "eni", "listener TCP:80": "tcp" },
        [/^proxyProtocol/, /^backendType changes from "ecs" to "eni"/],
    ],
    [
        "an NLB gives up a zone",
        { ...FACTS, "zone cn-hangzhou-a": "vsw-a" },
        FACTS,
        [/^zone cn-hangzhou-a is given up: the load balancer leaves its address/],
    ],
    ["a setting without consequences", { ...FACTS, other: "a" }, { ...FACTS, other: "b" }, []],
];

for (const [what, before, after, expected] of TABLE) {
    test(`interruptions: ${what}`, () => {
        const found = interruptions(before, after);
        expect(found.length).toBe(expected.length);
        expected.forEach((pattern, index) => expect(found[index] ?? "").toMatch(pattern));
    });
}
