/**
 * States written by earlier versions of this package are taken over by the current code without a change in the cloud.
 * `make record-state` records the state of the version in package.json, and those of released versions stay.
 * Only a run shows that the engine has nothing to do with the state of an earlier version.
 */
import { describe, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { leaveFootprint, RECORDED_CLUSTER } from "../../examples/migrate-from-ccm/ccm";
import { REPOSITORY, type Session } from "../../lab";
import { onTestFinished } from "../support/finished";
import { Program, YamlProgram } from "../support/program";
import { startRecorded } from "../support/recorded";
import { type ExportedState, fill, namesOf, record } from "../support/recorded-state";
import { startPlacedWorld, startWorld, writesOf } from "../support/world";

const FOLDER = path.join(REPOSITORY, "testdata/states");
const { version: CURRENT } = JSON.parse(fs.readFileSync(path.join(REPOSITORY, "package.json"), "utf8")) as {
    version: string;
};
const RECORDS = process.env["RECORD_STATE"] === "1";

/** A program whose state is recorded, and the lab in which it runs. */
interface Recording {
    readonly what: string;
    /** Name of the recorded file. */
    readonly file: string;
    readonly start: () => Promise<Session>;
    /** Returns the program for the folder of a version. */
    readonly program: (folder: string) => string;
}

async function startSeeded(): Promise<Session> {
    const session = await startPlacedWorld({ isResident: true });
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
    return session;
}

const RECORDINGS: readonly Recording[] = [
    {
        what: "CLB, NLB and a reused CLB",
        file: "state.txt",
        start: startSeeded,
        program: (folder) => `
const cluster = new Cluster({ clusterId: "c-test", vpcId: "vpc-lab" });
const file = ${JSON.stringify(path.join(folder, "services.yaml"))};
for (const manifest of require("node:fs").readFileSync(file, "utf8").split("---\\n"))
    new ServiceLoadBalancer("default/" + /name: (\\w+)/.exec(manifest)[1], { cluster, manifest });`,
    },
    {
        what: "two Services on one load balancer of the program",
        file: "shared.txt",
        start: () => startWorld({ isResident: true }),
        program: () => `
const cluster = new Cluster({ clusterId: "c-test", vpcId: "vpc-lab" });
const shared = new SharedLoadBalancer("front", { cluster });
for (const [name, port] of Object.entries({ web: 80, api: 8080 }))
    new ServiceLoadBalancer(name, {
        cluster,
        service: { name, selector: { app: "shop" }, ports: [{ name: "http", port, targetPort: 8080 }] },
        loadBalancer: shared,
    });`,
    },
    {
        what: "a Service that was taken over from the Cloud Controller Manager",
        file: "takeover.txt",
        start: async () => {
            const session = await startRecorded({ isResident: true });
            await leaveFootprint(session.lab, "seed-26-https-domain-extensions", "taken");
            return session;
        },
        program: () => `
const cluster = new Cluster({ clusterId: ${JSON.stringify(RECORDED_CLUSTER)} });
const service = { cluster, namespace: "default", name: "taken" };
module.exports = ServiceLoadBalancer.adopt("default/taken", service).then(({ address }) => ({ address }));`,
    },
];

test("the version in package.json has a recorded state", () => {
    expect(fs.readdirSync(FOLDER)).toContain(CURRENT);
});

describe.each(fs.readdirSync(FOLDER))("a stack of version %s goes on with today's code", (version) => {
    const folder = path.join(FOLDER, version);

    test.each(RECORDINGS)("$what: nothing changes, with and without a refresh", async ({ file, start, program }) => {
        const session = await start();
        onTestFinished(() => session.lab.stop());
        const stack = await Program.create(session, "upgrade", program(folder));
        stack.succeed(await stack.up());
        const today = await stack.state();
        const names = await namesOf(session);
        const recorded = path.join(folder, file);
        if (RECORDS && version === CURRENT) fs.writeFileSync(recorded, record(today, names));

        const then = JSON.parse(fill(fs.readFileSync(recorded, "utf8"), names)) as ExportedState;
        // Another lab has another passphrase, but the state holds no secret.
        then.deployment.secrets_providers = (JSON.parse(today) as ExportedState).deployment.secrets_providers;
        const state = path.join(stack.folder, "state.json");
        fs.writeFileSync(state, JSON.stringify(then));
        stack.succeed(await stack.pulumi("stack", "import", "--stack", "dev", "--file", state));

        const writes = await writesOf(session, async () => {
            stack.succeed(await stack.up("--expect-no-changes"));
            stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
        });
        expect(writes).toStrictEqual({});
    });
});

test("library and plugin refuse a stack whose state is of a newer version before any change", async () => {
    const session = await startPlacedWorld({ isResident: true });
    onTestFinished(() => session.lab.stop());
    const args = { service: { name: "newer", selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] } };
    const library = (settings: object): string =>
        `new ServiceLoadBalancer("newer", { cluster: new Cluster({ clusterId: "c-test" }), settings: ` +
        `${JSON.stringify(settings)}, ...${JSON.stringify(args)} });`;
    const plugin = (settings: object): string =>
        `resources: ${JSON.stringify({
            newer: { type: "ack-loadbalancer:ServiceLoadBalancer", properties: { settings, ...args } },
        })}\n`;
    const stack = await Program.create(session, "newer", library({}));
    const inYaml = new YamlProgram(session, "newer");
    stack.succeed(await stack.up());
    /** Returns the version in the state, which is replaced by another. */
    const versionInState = async (version?: string): Promise<unknown> => {
        const state = JSON.parse(await stack.state()) as {
            deployment: { resources: { type: string; inputs?: Record<string, unknown> }[] };
        };
        const contract = state.deployment.resources.find(({ type }) => type.endsWith(":ServiceContract"));
        const found = contract?.inputs?.["version"];
        if (version === undefined || contract?.inputs === undefined) return found;
        contract.inputs["version"] = version;
        const file = path.join(stack.folder, "state.json");
        fs.writeFileSync(file, JSON.stringify(state));
        stack.succeed(await stack.pulumi("stack", "import", "--stack", "dev", "--file", file));
        return found;
    };

    expect(await versionInState("99.1.0")).toBe(CURRENT);
    const changed = { scheduler: "wrr" };
    for (const [program, text] of [
        [stack, library(changed)],
        [inYaml, plugin(changed)],
    ] as const) {
        program.write(text);
        const refusal = `version 99.1.0 of ack-loadbalancer has run for it, and this run has version ${CURRENT}`;
        const writes = await writesOf(session, async () => {
            expect(program.fail(await program.up())).toContain(refusal);
        });
        expect(writes).toStrictEqual({});
    }

    // A newer version takes the state of an older version over without a change, and is recorded.
    await versionInState("0.0.1");
    stack.write(library({}));
    expect(await writesOf(session, async () => stack.succeed(await stack.up()))).toStrictEqual({});
    expect(await versionInState()).toBe(CURRENT);
});
