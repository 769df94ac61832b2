/**
 * The programs of examples/ that connect in ways of their own, as they are in the repository. Those of several clusters
 * are in clusters.test.ts.
 * Only a run shows that the examples work from their first command to their last.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { addPlace, runExample } from "../support/example";
import { assertEmpty, type CloudState, startWorld } from "../support/world";

const ACCOUNT = "2000000000000002";

let session: Session;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
});

afterAll(() => session.lab.stop());

const stateIn = (query: string): Promise<CloudState> => session.cloud<CloudState>(`/_state?${query}`);
const membersIn = async (query: string): Promise<number[]> =>
    (await stateIn(query)).slb.vServerGroups.map(({ backends }) => backends.length);

test("greenfield: the first up ends with members", async () => {
    await runExample(session, "greenfield", {}, async () => expect(await membersIn("")).toStrictEqual([3]));
    assertEmpty(await stateIn(""));
});

test("yaml: the first up ends with members", async () => {
    const config = { "ack-loadbalancer:clusterId": "c-test" };
    await runExample(session, "yaml", { config }, async () => expect(await membersIn("")).toStrictEqual([3]));
    assertEmpty(await stateIn(""));
});

test("other-account: everything is in the account of the role", async () => {
    const keys = { accessKeyId: "LTAIother000000002", accessKeySecret: "other-secret" };
    await addPlace(session, `account=${ACCOUNT}`, { accountId: ACCOUNT, keys });
    const config = { roleArn: `acs:ram::${ACCOUNT}:role/load-balancers` };
    await runExample(session, "other-account", { config }, async () => {
        expect(await membersIn("")).toStrictEqual([]);
        expect(await membersIn(`account=${ACCOUNT}`)).toStrictEqual([3]);
    });
    assertEmpty(await stateIn(`account=${ACCOUNT}`));
});
