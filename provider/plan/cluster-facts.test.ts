import { expect, test } from "@jest/globals";
import { changedFacts, type DiscoveredFacts, type PinnedFacts, pinnedFacts } from "./identity";

const now = (facts: PinnedFacts, configured: DiscoveredFacts["configured"] = []): DiscoveredFacts => ({
    facts,
    configured,
});

test("what is configured and what the cluster says, with what is configured named", () => {
    expect(
        pinnedFacts({ vpcId: "vpc-1", networkPlugin: "terway" }, { vpcId: "vpc-1" }, { accountId: "1" }),
    ).toStrictEqual({
        accountId: "1",
        facts: { vpcId: "vpc-1", networkPlugin: "terway" },
        configured: ["vpcId"],
    });
    expect(pinnedFacts({}, {}, {})).toStrictEqual({ facts: {}, configured: [] });
});

const QUIET: readonly [what: string, before: PinnedFacts | undefined, now: DiscoveredFacts][] = [
    ["the same answer", { vpcId: "vpc-1", networkPlugin: "terway" }, now({ vpcId: "vpc-1", networkPlugin: "terway" })],
    ["another answer, but stated", { networkPlugin: "flannel" }, now({ networkPlugin: "terway" }, ["networkPlugin"])],
    ["no network plugin before, Flannel now: nodes either way", {}, now({ networkPlugin: "flannel" })],
    ["Flannel before, nothing now: nodes either way", { networkPlugin: "flannel" }, now({})],
    ["a VPC that is known for the first time", {}, now({ vpcId: "vpc-1" })],
    ["runs that did not ask before", undefined, now({ vpcId: "vpc-1" })],
];

for (const [what, before, after] of QUIET)
    test(`goes on: ${what}`, () => {
        expect(changedFacts(before, after)).toStrictEqual([]);
    });

const REFUSED: readonly [what: string, before: PinnedFacts | undefined, now: DiscoveredFacts, message: RegExp][] = [
    [
        "pods would become nodes, because the plugin can no longer be detected",
        { networkPlugin: "terway" },
        now({}),
        /detected networkPlugin "terway".*can no longer be detected.*pulumi config set networkPlugin terway;/,
    ],
    [
        "nodes would become pods",
        { networkPlugin: "flannel" },
        now({ networkPlugin: "terway" }),
        /"flannel".*now it is "terway".*flannel \(as before\) or terway \(as it is now\)/,
    ],
    [
        "a stack of runs that did not ask, on Terway",
        undefined,
        now({ networkPlugin: "terway" }),
        /detected no networkPlugin.*now it is "terway".*pulumi config set networkPlugin terway;/,
    ],
    ["another VPC", { vpcId: "vpc-1" }, now({ vpcId: "vpc-2" }), /vpc-1 \(as before\) or vpc-2/],
    ["a VPC that is not said any more", { vpcId: "vpc-1" }, now({}), /vpcId "vpc-1"/],
];

for (const [what, before, after, message] of REFUSED)
    test(`refused, with the way to configure it: ${what}`, () => {
        const refused = changedFacts(before, after);
        expect(refused).toHaveLength(1);
        expect(refused[0]).toMatch(message);
    });
