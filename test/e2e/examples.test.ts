/**
 * The programs of examples/ that connect in ways of their own, as they are in the repository.
 * Only a run shows that the examples work from their first command to their last.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "../../lab";
import { startTwoClusters, type TwoClusters } from "../support/two-clusters";
import { assertEmpty, type CloudState } from "../support/world";

const REGION = "cn-shanghai";
const ACCOUNT = "2000000000000002";

let clusters: TwoClusters;

beforeAll(async () => {
    clusters = await startTwoClusters();
    const { session } = clusters;
    const { ecs } = await session.cloud<{ ecs: { instances: { id: string }[] } }>("/_state");
    const machines = {
        vpcs: [{ id: "vpc-far" }],
        vSwitches: [{ id: "vsw-far", vpcId: "vpc-far", zoneId: `${REGION}-a`, cidr: "10.0.0.0/16" }],
        instances: ecs.instances.map(({ id }) => ({ id })),
    };
    await session.cloud("/_places", { region: REGION });
    await session.cloud("/_places", {
        accountId: ACCOUNT,
        keys: { accessKeyId: "LTAIother000000002", accessKeySecret: "other-secret" },
    });
    await session.cloud(`/_seed?region=${REGION}`, machines);
    await session.cloud(`/_seed?account=${ACCOUNT}`, machines);
});

afterAll(() => clusters.stop());

const stateIn = (query: string): Promise<CloudState> => clusters.session.cloud<CloudState>(`/_state?${query}`);
const membersIn = async (query: string): Promise<number[]> =>
    (await stateIn(query)).slb.vServerGroups.map(({ backends }) => backends.length);

/** Runs an example from its first preview to destroy. `check` is called while it is up. */
async function live(
    name: string,
    config: Record<string, string>,
    check: () => Promise<void>,
    env: Record<string, string> = {},
): Promise<void> {
    const cwd = path.join(REPOSITORY, "examples", name);
    const stack = `${name}-${process.pid}`;
    const pulumi = async (...args: string[]): Promise<void> => {
        const { code, text } = await clusters.session.run("pulumi", [...args, "--non-interactive"], {
            cwd,
            env: { KUBECONFIG: clusters.both, PULUMI_NODEJS_TRANSPILE_ONLY: "true", ...env },
        });
        expect({ code, text }).toStrictEqual({ code: 0, text });
    };
    try {
        await pulumi("stack", "init", stack);
        for (const [key, value] of Object.entries(config)) await pulumi("config", "set", key, value, "--stack", stack);
        await pulumi("preview", "--stack", stack);
        await pulumi("up", "--yes", "--skip-preview", "--stack", stack);
        await check();
        await pulumi("preview", "--expect-no-changes", "--stack", stack);
        await pulumi("destroy", "--yes", "--skip-preview", "--stack", stack);
    } finally {
        fs.rmSync(path.join(cwd, `Pulumi.${stack}.yaml`), { force: true });
    }
}

test("greenfield: the first up ends with members", async () => {
    await live("greenfield", {}, async () => expect(await membersIn("")).toStrictEqual([3]));
    assertEmpty(await stateIn(""));
});

test("yaml: the first up ends with members", async () => {
    await live("yaml", { "ack-loadbalancer:clusterId": "c-test" }, async () =>
        expect(await membersIn("")).toStrictEqual([3]),
    );
    assertEmpty(await stateIn(""));
});

test("two-regions: each cluster's members are behind the instance of its region", async () => {
    const config = { firstContext: "a", firstRegion: "cn-hangzhou", secondContext: "b", secondRegion: REGION };
    await standIn(REGION);
    await live("two-regions", config, async () => {
        expect(await membersIn("")).toStrictEqual([3]);
        expect(await membersIn(`region=${REGION}`)).toStrictEqual([2]);
    });
    for (const query of ["", `region=${REGION}`]) assertEmpty(await stateIn(query));
    await standIn("cn-hangzhou");
});

/** Lets the nodes of the second cluster say where they stand. */
const standIn = (region: string) =>
    clusters.session.run("kubectl", [
        ...["label", "nodes", "--all", "--overwrite", `topology.kubernetes.io/region=${region}`],
        ...["--kubeconfig", clusters.kubeconfig.b],
    ]);

test("other-account: everything is in the account of the role", async () => {
    await live("other-account", { roleArn: `acs:ram::${ACCOUNT}:role/load-balancers` }, async () => {
        expect(await membersIn("")).toStrictEqual([]);
        expect(await membersIn(`account=${ACCOUNT}`)).toStrictEqual([3]);
    });
    assertEmpty(await stateIn(`account=${ACCOUNT}`));
});

test("new-cluster: the first up creates cluster, Deployment and Service, and ends with members", async () => {
    const config = { zoneId: "cn-hangzhou-a", instanceType: "ecs.c7.large", image: "app:1" };
    await live(
        "new-cluster",
        config,
        async () => {
            expect(await membersIn("")).toStrictEqual([2]);
            expect((await stateIn("")).slb.vServerGroups[0]?.name).toMatch(/\/c-made$/);
        },
        {
            MADE_KUBECONFIG: clusters.kubeconfig.b,
            NODE_OPTIONS: `--require ${path.join(REPOSITORY, "test/support/made-cluster.js")}`,
        },
    );
    assertEmpty(await stateIn(""));
});
