/** Requirements: H22. */
import { expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import * as path from "node:path";
import { readConfig } from "./config";
import { thrown } from "../../test/support/thrown";

/** The configuration as `pulumi config set` leaves it: texts, lists and maps as JSON. */
function read(config: Record<string, string>) {
    pulumi.runtime.setAllConfig(
        Object.fromEntries(
            Object.entries({ manifests: "m", clusterId: "c1", ...config }).map(([key, value]) => [
                `project:${key}`,
                value,
            ]),
        ),
    );
    return readConfig();
}

test("what pulumi config set --path leaves as a text is read as the map that it is", () => {
    const { adopt } = read({ adopt: '{"shop/web": "{}", "shop/api": "{\\"allowChanges\\": true}"}' });
    expect(adopt).toStrictEqual({ "shop/web": {}, "shop/api": { allowChanges: true } });
});

test("without a project (Automation API), a relative folder is one of the working folder", () => {
    const { manifests, projectFolder } = read({});
    expect([manifests, projectFolder]).toStrictEqual([path.resolve("m"), process.cwd()]);
});

test("the node port range of the API server is a fact of the cluster", () => {
    expect(read({ nodePortRange: '{"from": 20000, "to": 22767}' }).cluster.nodePortRange).toStrictEqual({
        from: 20000,
        to: 22767,
    });
    expect(read({}).cluster.nodePortRange).toBeUndefined();
});

test("lists and maps are read; what is not said is empty", () => {
    const { protect, follow, adopt, allowReplacement, handBack, allowEmpty } = read({
        protect: '["shop/web"]',
        adopt: '{"shop/api": {}, "shop/old": {"loadBalancerId": "lb-1", "allowChanges": true}}',
        allowReplacement: '{"shop/web": ["addressType"]}',
    });
    expect({ protect, follow, adopt, allowReplacement, handBack, allowEmpty }).toStrictEqual({
        protect: ["shop/web"],
        follow: [],
        adopt: { "shop/api": {}, "shop/old": { loadBalancerId: "lb-1", allowChanges: true } },
        allowReplacement: { "shop/web": ["addressType"] },
        handBack: [],
        allowEmpty: [],
    });
});

const WRONG: [string, string, string, RegExp][] = [
    [
        "a text in place of a list, which would be searched for parts of names",
        "allowEmpty",
        '"shop/web-2"',
        /config allowEmpty must be a list of Services, each as namespace\/name, .*\["shop\/web"\]/,
    ],
    ["a text in place of a list", "handBack", '"shop/web"', /config handBack must be a list of Services/],
    ["a map in place of a list", "follow", '{"shop/web": true}', /config follow must be a list of Services/],
    [
        "a text in place of a range",
        "nodePortRange",
        '"30000-32767"',
        /config nodePortRange must be a map of from and to/,
    ],
    ["numbers in a list", "vpcCidrs", "[10]", /config vpcCidrs must be a list of texts/],
    ["a list in place of a map", "adopt", '["shop/web"]', /config adopt must be a map of settings by Service/],
    [
        "a text in place of settings",
        "adopt",
        '{"shop/web": "yes"}',
        /config adopt must be a map of settings by Service/,
    ],
    [
        "a text in place of a switch",
        "adopt",
        '{"shop/web": {"allowChanges": "false"}}',
        /config adopt must be a map of settings by Service/,
    ],
    [
        "a list in place of a map of lists",
        "allowReplacement",
        '["shop/web"]',
        /config allowReplacement must be a map of lists of settings by Service/,
    ],
    [
        "a text in place of the list in a map",
        "allowReplacement",
        '{"shop/web": "addressType"}',
        /config allowReplacement must be a map of lists/,
    ],
];

WRONG.push(
    ["a Service without its namespace", "protect", '["web"]', /config protect must be a list of Services, .*\(at 0\)/],
    ["a Service with too many parts", "follow", '["shop/web/1"]', /config follow must be a list of Services/],
    ["a Service without its namespace", "adopt", '{"web": {}}', /config adopt must be a map .*\(at web\)/],
    ["a misspelt setting", "adopt", '{"shop/web": {"loadbalancerID": "lb-1"}}', /\(at shop\/web\), for example/],
    ["a Service without its namespace", "allowReplacement", '{"web": []}', /config allowReplacement must be a map/],
    [
        "a setting that is not immutable, or misspelt",
        "allowReplacement",
        '{"shop/web": ["adressType"]}',
        /config allowReplacement must be .*\(at shop\/web, 0\), for example/,
    ],
    [
        "a fraction in place of an id",
        "account",
        '{"assumeRole": {"roleArn": "acs", "externalId": 1.5}}',
        /config account must be a map .*\(at assumeRole, externalId\)/,
    ],
    [
        "a plug-in that there is not",
        "networkPlugin",
        "calico",
        /config networkPlugin must be one of flannel, terway, terway-edge/,
    ],
    ["a kind of cluster that there is not", "clusterType", "gke", /config clusterType must be one of ack, edge/],
    [
        "an entry that is wrong is named",
        "adopt",
        '{"shop/web": {"loadBalancerId": 7}}',
        /\(at shop\/web, loadBalancerId\)/,
    ],
);

for (const [what, key, value, message] of WRONG) {
    test(`${key}: ${what} is refused, with what to write`, () => {
        const error = thrown(() => read({ [key]: value }));
        expect(pulumi.RunError.isInstance(error)).toBe(true);
        expect(error.message).toMatch(message);
        expect(error.message).toMatch(/Remedy: pulumi config set --path/);
    });
}

test("an id of digits may be the number that pulumi config set --path makes of it", () => {
    const account = '{"assumeRole": {"roleArn": "acs", "externalId": 1234567890123456}}';
    expect(read({ account }).cluster.account?.assumeRole?.externalId).toBe("1234567890123456");
});

test("an empty text is not set, as the variable of a pipeline may leave it", () => {
    const { cluster } = read({ clusterId: "", vpcId: "", networkPlugin: "" });
    expect(cluster).toStrictEqual({});
    expect(() => read({ manifests: "" })).toThrow(/config manifests is empty/);
});

test("a misspelt key is refused, with the key that was probably meant; others do not matter", () => {
    expect(() => read({ protects: '["shop/web"]' })).toThrow(
        /config protects is not a key of this stack and has no effect; did you mean protect\? Remedy: pulumi config rm protects/,
    );
    expect(() => read({ clusterid: "c2" })).toThrow(/did you mean clusterId\?/);
    expect(read({ "team-mailbox": "shop@example.com" }).cluster.clusterId).toBe("c1");
});

test("everything that is wrong is reported at once", () => {
    expect(() => read({ protect: "{}", follow: '"x"' })).toThrow(/config follow must be[^]*config protect must be/);
});
