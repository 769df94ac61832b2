/** Requirements: F21. */
import { expect, test } from "@jest/globals";
import { documentOf } from "../service/manifests";
import { parseService } from "../service/service";
import { disruptiveFields, interruptions } from "./interruptions";

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
    [
        "an address of a zone that is no longer named, and stays",
        { ...FACTS, "zone cn-hangzhou-a": "vsw-a 10.0.0.9 eip-1" },
        { ...FACTS, "zone cn-hangzhou-a": "vsw-a eip-1" },
        [],
    ],
    [
        "another elastic address of a zone, whose other address stays",
        { ...FACTS, "zone cn-hangzhou-a": "vsw-a 10.0.0.9 eip-1" },
        { ...FACTS, "zone cn-hangzhou-a": "vsw-a eip-2" },
        [/^zone cn-hangzhou-a changes from "vsw-a 10.0.0.9 eip-1" to "vsw-a 10.0.0.9 eip-2"/],
    ],
    [
        "another vSwitch of a zone, without the addresses that were named",
        { ...FACTS, "zone cn-hangzhou-a": "vsw-a 10.0.0.9 eip-1" },
        { ...FACTS, "zone cn-hangzhou-a": "vsw-b" },
        [/^zone cn-hangzhou-a changes from "vsw-a 10.0.0.9 eip-1" to "vsw-b"/],
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

test("Proxy Protocol of listeners that are not managed interrupts nothing", () => {
    const fieldsOf = (more: Readonly<Record<string, string>>) => {
        const prefix = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";
        const annotations = Object.entries({ id: "lb-1", ...more }).map(([name, value]) => [prefix + name, value]);
        const { service } = parseService(
            documentOf({
                apiVersion: "v1",
                kind: "Service",
                metadata: { name: "web", annotations: Object.fromEntries(annotations) },
                spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
            }),
            { clusterId: "c1" },
        );
        return service && disruptiveFields(service, { clusterId: "c1" });
    };
    const [off, on] = [fieldsOf({}), fieldsOf({ "proxy-protocol": "on" })];
    expect(interruptions(off, on)).toStrictEqual([]);
    const forced = { "force-override-listeners": "true" };
    expect(interruptions(fieldsOf(forced), fieldsOf({ ...forced, "proxy-protocol": "on" }))).toHaveLength(1);
});
