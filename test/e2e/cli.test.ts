/**
 * Commands of the Pulumi CLI beside preview, up and destroy, on a stack with a Service.
 * Only a run shows what these commands make of the package's resources.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Session } from "../../lab";
import { Program } from "../support/program";
import { callsOf, startWorld, stateOf } from "../support/world";

const program = (scheduler: string): string => `
const cluster = new Cluster({ clusterId: "c-cli" });
new ServiceLoadBalancer("web", {
    cluster,
    service: { name: "web", selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] },
    settings: { scheduler: "${scheduler}" },
});`;

let session: Session;
let stack: Program;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Program.create(session, "cli", program("rr"));
    stack.succeed(await stack.up());
});

afterAll(() => session.lab.stop());

test("an imported backup restores a listener of the state, and up has nothing to do", async () => {
    const before = (await stateOf(session)).slb.listeners;
    const file = path.join(stack.folder, "before.json");
    stack.succeed(await stack.pulumi("stack", "export", "--stack", "dev", "--file", file));
    const listener = /urn:pulumi:dev::cli::[^"]*Listener::web\/tcp-80/.exec(fs.readFileSync(file, "utf8"))?.[0];
    stack.succeed(await stack.pulumi("state", "delete", listener ?? "", "--yes", "--target-dependents"));
    expect(await stack.state()).not.toContain(`"urn": "${listener}"`);
    stack.succeed(await stack.pulumi("stack", "import", "--stack", "dev", "--file", file));
    const again = async () => void stack.succeed(await stack.up("--expect-no-changes"));
    expect(await callsOf(session, again)).toStrictEqual({});
    expect((await stateOf(session)).slb.listeners).toStrictEqual(before);
});

test("the JSON of a preview is what the report reads from a pipe", async () => {
    stack.write(program("wrr"));
    const env = { ...session.lab.env };
    const line = "pulumi preview --stack dev --json --show-sames --non-interactive | ack-loadbalancer report -";
    const { status, stdout } = spawnSync("sh", ["-c", line], { cwd: stack.folder, env, encoding: "utf8" });
    expect({ status, stdout }).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/cli\/dev: 1 of 1 Service: 1 listener changes in place, no connection breaks/),
    });
    stack.write(program("rr"));
});

test("after a killed run and pulumi cancel, the next run completes the change", async () => {
    stack.write(program("sch"));
    await session.cloud("/_faults", [{ action: "SetLoadBalancerTCPListenerAttribute", delayMs: 3_000 }]);
    const up = session.start("pulumi", ["up", "--yes", "--skip-preview", "--stack", "dev", "--non-interactive"], {
        cwd: stack.folder,
    });
    const locks = path.join(session.lab.dir, "state/.pulumi/locks/organization/cli/dev");
    while (!fs.existsSync(locks) || fs.readdirSync(locks).length === 0) await pause(20);
    up.kill();
    await up.done;
    await session.cloud("/_faults", undefined, "DELETE");
    expect(stack.fail(await stack.up())).toMatch(/locked by 1 lock/);
    stack.succeed(await stack.pulumi("cancel", "--yes"));
    stack.succeed(await stack.up());
    expect((await stateOf(session)).slb.listeners.map(({ attributes }) => attributes["Scheduler"])).toStrictEqual([
        "sch",
    ]);
});

test("destroy removes everything, and the stack can be removed", async () => {
    stack.succeed(await stack.destroy());
    stack.succeed(await stack.pulumi("stack", "rm", "--yes", "dev"));
    expect((await stateOf(session)).slb.loadBalancers).toStrictEqual([]);
});
