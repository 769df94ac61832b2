/**
 * A stack belongs to one account and one region: the alicloud provider and this package's calls use the same, and any
 * other is refused before a change.
 * Only a run shows with which account and region the plugin and the hooks act.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Session } from "../../lab";
import { pattern } from "../support/pattern";
import { Program } from "../support/program";
import { assertEmpty, callsOf, type CloudState, startWorld, stateOf } from "../support/world";

const REGION = "cn-shanghai";
const OTHER = {
    accountId: "2000000000000002",
    keys: { accessKeyId: "LTAIother000000002", accessKeySecret: "other-secret" },
};
const ROTATED = { keys: { accessKeyId: "LTAIrotated0000001", accessKeySecret: "rotated-secret" } };

let session: Session;
let stack: Program;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    const { ecs } = await session.cloud<{ ecs: { instances: { id: string; privateIp?: string }[] } }>("/_state");
    const machines = {
        vpcs: [{ id: "vpc-far" }],
        vSwitches: [{ id: "vsw-far", vpcId: "vpc-far", zoneId: `${REGION}-a`, cidr: "10.0.0.0/16" }],
        instances: ecs.instances.map(({ id }) => ({ id })),
    };
    await session.cloud("/_places", { region: REGION });
    await session.cloud("/_places", OTHER);
    await session.cloud("/_places", ROTATED);
    await session.cloud(`/_seed?region=${REGION}`, machines);
    await session.cloud(`/_seed?account=${OTHER.accountId}`, machines);
    stack = await Program.create(session, "accounts", "");
});

afterEach(() => {
    stack.env = {};
});

afterAll(() => session.lab.stop());

const stateIn = (query: string): Promise<CloudState> => session.cloud<CloudState>(`/_state?${query}`);

const program = ({ before = "", cluster = "", args = "", opts = "" } = {}): string =>
    `${before}\nconst cluster = new Cluster({ clusterId: "c-one", ${cluster} });\n` +
    'new ServiceLoadBalancer("web", { cluster, service: { name: "web", selector: { app: "shop" }, ' +
    `ports: [{ port: 80, targetPort: 8080 }] }, ${args} }, { ${opts} });`;

const expectWhole = ({ slb }: CloudState): void => {
    expect(slb.loadBalancers).toHaveLength(1);
    expect(slb.listeners).toHaveLength(1);
    expect(slb.vServerGroups.map(({ backends }) => backends.length)).toStrictEqual([3]);
};

const keysOf = ({ accessKeyId, accessKeySecret }: typeof OTHER.keys) => ({
    ALIBABA_CLOUD_ACCESS_KEY_ID: accessKeyId,
    ALIBABA_CLOUD_ACCESS_KEY_SECRET: accessKeySecret,
});

/** Lets the nodes say where they stand. */
const standIn = (region: string) =>
    session.run("kubectl", ["label", "nodes", "--all", "--overwrite", `topology.kubernetes.io/region=${region}`]);

test("a region other than that of the cluster's nodes is refused, and applies where they stand", async () => {
    for (const [index, where] of [
        { args: `region: "${REGION}"` },
        { cluster: `account: { region: "${REGION}" }` },
    ].entries()) {
        await standIn("cn-hangzhou");
        stack.write(program(where));
        expect(stack.fail(await stack.up())).toMatch(
            pattern(
                /Service default\/web: its load balancer is to be in the region cn-shanghai, /,
                /but the nodes that this run reaches stand in cn-hangzhou\. /,
                /Remedy: set account\.region, or alicloud:region, to cn-hangzhou/,
            ),
        );
        for (const query of [`region=${REGION}`, ""]) assertEmpty(await stateIn(query));

        // The load balancer and every call are in the region.
        await standIn(REGION);
        stack.succeed(await stack.up());
        expectWhole(await stateIn(`region=${REGION}`));
        assertEmpty(await stateOf(session));
        // Once each: a run asks for nothing, and a refresh asks in the region.
        if (index === 0) expect(await callsOf(session, async () => stack.succeed(await stack.up()))).toStrictEqual({});
        else stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
        stack.succeed(await stack.destroy());
        assertEmpty(await stateIn(`region=${REGION}`));
    }
    await standIn("cn-hangzhou");
});

const GIVEN: [string, string, RegExp][] = [
    ["region", `region: "${REGION}"`, /has region cn-shanghai, but the component itself acts with cn-hangzhou/],
    [
        "key pair",
        `region: "cn-hangzhou", accessKey: "${OTHER.keys.accessKeyId}", secretKey: "${OTHER.keys.accessKeySecret}"`,
        /has accessKey another, but the component itself acts with the environment's key pair/,
    ],
    [
        "role",
        // The engine configures a provider before the component is there, and the plugin then asks for the role's keys.
        `region: "cn-hangzhou", assumeRole: { roleArn: "acs:ram::${OTHER.accountId}:role/lb" }, ` +
            "endpoints: [{ sts: process.env.STS_ENDPOINT }]",
        /has assumeRole acs:ram::2000000000000002:role\/lb, but the component itself acts with none/,
    ],
];

for (const [what, args, message] of GIVEN) {
    test(`an alicloud provider with another ${what} is refused before anything is made`, async () => {
        stack.write(
            program({
                before: `const p = new alicloud.Provider("p", { ${args} });`,
                opts: "providers: { alicloud: p }",
            }),
        );
        const text = stack.fail(await stack.up());
        expect(text).toMatch(message);
        expect(text).toMatch(/Remedy: say region, profile or role in account of the Cluster/);
        expect(text).not.toContain(OTHER.keys.accessKeySecret);
        for (const query of [`region=${REGION}`, `account=${OTHER.accountId}`, ""]) assertEmpty(await stateIn(query));
    });
}

test("an alicloud provider with the same account and region is accepted", async () => {
    stack.write(
        program({ before: `const p = new alicloud.Provider("p", { region: "cn-hangzhou" });`, opts: "providers: [p]" }),
    );
    stack.succeed(await stack.up());
    expectWhole(await stateOf(session));
    stack.succeed(await stack.destroy());
});

test("credentials of another account or region are refused, new keys of the same account are not", async () => {
    stack.write(program());
    stack.succeed(await stack.up());
    stack.env = keysOf(OTHER.keys);
    expect(stack.fail(await stack.up())).toMatch(
        pattern(
            /belongs to the Alibaba Cloud account 1000000000000001, /,
            /but the credentials of this run are those of 2000000000000002/,
        ),
    );
    stack.env = { ALIBABA_CLOUD_REGION: REGION };
    expect(stack.fail(await stack.preview())).toMatch(
        /belongs to the region cn-hangzhou, but this run is for cn-shanghai/,
    );
    expectWhole(await stateOf(session));

    stack.env = keysOf(ROTATED.keys);
    expect(await callsOf(session, async () => stack.succeed(await stack.up("--expect-no-changes")))).toStrictEqual({
        GetCallerIdentity: 1,
    });
    stack.succeed(await stack.destroy());
});

test("an Alibaba Cloud CLI profile selects the account, and is refused if key variables are set", async () => {
    stack.write(program({ cluster: `account: { profile: "shop" }` }));
    const home = path.join(session.lab.dir, "home");
    fs.mkdirSync(path.join(home, ".aliyun"), { recursive: true });
    const { accessKeyId: access_key_id, accessKeySecret: access_key_secret } = OTHER.keys;
    fs.writeFileSync(
        path.join(home, ".aliyun/config.json"),
        JSON.stringify({
            current: "default",
            profiles: [{ name: "shop", mode: "AK", access_key_id, access_key_secret, region_id: "cn-hangzhou" }],
        }),
        { mode: 0o600 },
    );
    expect(stack.fail(await stack.preview())).toMatch(
        /the profile shop is named, but the environment has a key pair, .*Remedy: unset the key pair/,
    );
    stack.env = { HOME: home, ALIBABA_CLOUD_ACCESS_KEY_ID: "", ALIBABA_CLOUD_ACCESS_KEY_SECRET: "" };
    stack.succeed(await stack.up());
    expectWhole(await stateIn(`account=${OTHER.accountId}`));
    assertEmpty(await stateOf(session));
    const state = stack.succeed(await stack.pulumi("stack", "export", "--show-secrets", "--stack", "dev"));
    expect(state).not.toContain(access_key_secret);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    stack.succeed(await stack.destroy());
    assertEmpty(await stateIn(`account=${OTHER.accountId}`));
});

test("with a role of another account everything is in that account, and no key is in the state", async () => {
    const role = `acs:ram::${OTHER.accountId}:role/load-balancers`;
    stack.write(program({ cluster: `account: { assumeRole: { roleArn: "${role}" } }` }));
    stack.succeed(await stack.up());
    expectWhole(await stateIn(`account=${OTHER.accountId}`));
    assertEmpty(await stateOf(session));
    const state = stack.succeed(await stack.pulumi("stack", "export", "--show-secrets", "--stack", "dev"));
    expect(state).not.toMatch(/STS\./);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    stack.succeed(await stack.destroy());
    assertEmpty(await stateIn(`account=${OTHER.accountId}`));
});
