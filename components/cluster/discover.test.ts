import { expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { ClusterError } from "../../provider/cluster";
import type { Discovery } from "../../provider/cluster/discovery";
import { type DiscoverArgs, discoverFacts } from "./args";

const FOUND: Discovery = {
    clusterId: "c-found",
    accountId: "1",
    region: "cn-hangzhou",
    vpcId: "vpc-1",
    vswitches: ["vsw-1"],
    networkPlugin: "terway",
};

const facts = (configured: DiscoverArgs, found: Discovery = FOUND) => discoverFacts(configured, async () => found);

test("the cluster says what is not stated, its region too", async () => {
    expect(await facts({ compatibility: "v2.10.0", vswitches: ["vsw-own"] })).toStrictEqual({
        facts: {
            clusterId: "c-found",
            vpcId: "vpc-1",
            vswitches: ["vsw-own"],
            networkPlugin: "terway",
            compatibility: "v2.10.0",
            account: { region: "cn-hangzhou" },
        },
        discovered: { accountId: "1", facts: { vpcId: "vpc-1", networkPlugin: "terway" }, configured: [] },
    });
});

test("stated values take precedence, and a stated id needs no answer from the cluster", async () => {
    const stated = { clusterId: "c-found", vpcId: "vpc-1", account: { region: "cn-hangzhou" } };
    expect((await facts(stated)).discovered?.configured).toStrictEqual(["vpcId"]);
    const unreachable = new ClusterError({ kind: "unreachable", action: "get", detail: "no route" });
    expect(await discoverFacts(stated, () => Promise.reject(unreachable))).toStrictEqual({ facts: stated });
});

const REFUSED: readonly [what: string, run: () => Promise<unknown>, message: RegExp][] = [
    [
        "a configuration that the cluster contradicts",
        () => facts({ networkPlugin: "flannel", vpcId: "vpc-2" }),
        /nothing was changed[^]*vpcId[^]*vpc-1[^]*networkPlugin[^]*terway/,
    ],
    [
        "another region than the cluster's",
        () => facts({ account: { region: "cn-beijing" } }),
        /cn-beijing.*cn-hangzhou/,
    ],
    [
        "a cluster whose id cannot be detected",
        () => facts({}, { vpcId: "vpc-1" }),
        /clusterId is not configured.*Remedy: pulumi config set clusterId/,
    ],
    [
        "a cluster that cannot be asked",
        () =>
            discoverFacts({}, () =>
                Promise.reject(new ClusterError({ kind: "unreachable", action: "get", detail: "no route" })),
            ),
        /clusterId is not configured, and the cluster cannot be asked for it[^]*remedy: /,
    ],
];

for (const [what, run, message] of REFUSED)
    test(`refused, with what to do: ${what}`, async () => {
        const error: unknown = await run().catch((thrown: unknown) => thrown);
        expect(pulumi.RunError.isInstance(error) && error.message).toMatch(message);
    });

test("what else goes wrong is passed on", async () => {
    await expect(discoverFacts({}, () => Promise.reject(new TypeError("a mistake")))).rejects.toThrow(TypeError);
});
