/**
 * States that versions of this package have written are taken over by today's code without a change in the cloud. `make record-state` records that of the version in
 * package.json; those of released versions stay.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY, type Session } from "../../lab";
import { Program } from "../support/program";
import { type ExportedState, fill, namesOf, record } from "../support/recorded-state";
import { assertEmpty, startWorld, stateOf, writesOf } from "../support/world";

const FOLDER = path.join(REPOSITORY, "testdata/states");
const { version: CURRENT } = JSON.parse(fs.readFileSync(path.join(REPOSITORY, "package.json"), "utf8")) as {
    version: string;
};
const RECORDS = process.env["RECORD_STATE"] === "1";

let session: Session;

beforeAll(async () => {
    session = await startWorld();
    await session.cloud("/_seed", {
        certificates: [{ id: "cert-one" }, { id: "cert-two" }],
        calls: [
            {
                action: "CreateLoadBalancer",
                id: "lb-users",
                params: { LoadBalancerName: "users", AddressType: "internet", InstanceChargeType: "PayByCLCU" },
            },
        ],
    });
});

afterAll(() => session.lab.stop());

const programOf = (manifests: string): string => `
const cluster = new Cluster({ clusterId: "c-test", vpcId: "vpc-lab" });
for (const manifest of require("node:fs").readFileSync(${JSON.stringify(manifests)}, "utf8").split("---\\n"))
    new ServiceLoadBalancer("default/" + /name: (\\w+)/.exec(manifest)[1], { cluster, manifest });`;

test("the version in package.json has a recorded state", () => {
    expect(fs.readdirSync(FOLDER)).toContain(CURRENT);
});

for (const version of fs.readdirSync(FOLDER)) {
    const manifests = path.join(FOLDER, version, "services.yaml");
    const recorded = path.join(FOLDER, version, "state.txt");

    test(`a stack of version ${version} goes on with today's code: nothing changes, with and without a refresh, in the cloud or in a preview`, async () => {
        const stack = await Program.create(session, "upgrade", programOf(manifests));
        stack.succeed(await stack.up());
        const today = await stack.state();
        const names = await namesOf(session);
        if (RECORDS && version === CURRENT) fs.writeFileSync(recorded, record(today, names));

        const then = JSON.parse(fill(fs.readFileSync(recorded, "utf8"), names)) as ExportedState;
        // Another lab has another passphrase; there is no secret in the state.
        then.deployment.secrets_providers = (JSON.parse(today) as ExportedState).deployment.secrets_providers;
        const file = path.join(stack.folder, "state.json");
        fs.writeFileSync(file, JSON.stringify(then));
        stack.succeed(await stack.pulumi("stack", "import", "--stack", "dev", "--file", file));

        stack.succeed(await stack.preview("--expect-no-changes"));
        const writes = await writesOf(session, async () => {
            stack.succeed(await stack.up("--expect-no-changes"));
            stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
        });
        expect(writes).toStrictEqual({});
        stack.succeed(await stack.destroy());
        const { slb, ...rest } = await stateOf(session);
        assertEmpty({
            ...rest,
            slb: { ...slb, loadBalancers: slb.loadBalancers.filter(({ id }) => id !== "lb-users") },
        });
    });
}
