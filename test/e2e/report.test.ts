/**
 * Report in a pipeline: the script of examples/pipeline on live previews, compared with the effect of the update.
 * Only a run shows what a preview of the CLI contains.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { scaleDeployment, type Session, waitForDeployment, waitForEndpoints } from "../../lab";
import { type Report, REPORT } from "../../cli/report/model";
import { Commands } from "../support/commands";
import { forget } from "../support/forget";
import { type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

const WEB: ServiceSpec = {
    name: "web",
    policy: "Local",
    annotations: { "address-type": "internet", scheduler: "wrr" },
    ports: [{ port: 8443 }],
};
const API: ServiceSpec = { name: "api" };

let session: Session;
let stack: Stack;
let results: string;
let commands: Commands;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Stack.create(session, "report", [WEB]);
    stack.succeed(await stack.up());
    results = path.join(session.lab.dir, "results");
    commands = new Commands(session);
});

afterAll(async () => {
    commands.stop();
    await session.lab.stop();
    forget(stack);
});

/** Runs the script as a pipeline does, and returns its exit code and the comment. */
async function pipeline(gates: string): Promise<{ code: number; comment: string; text: string }> {
    fs.rmSync(results, { recursive: true, force: true });
    // In the package's own repository, npx would compile the package first, under the other tests' feet.
    const env = { npm_config_ignore_scripts: "true" };
    const script = ["examples/pipeline/preview.sh", stack.name, results, gates];
    const { code, text } = await session.run("sh", script, { env });
    const file = path.join(results, "comment.md");
    return { code, text, comment: fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "" };
}

/** The report on the preview that the script has left. */
async function saved(): Promise<Report> {
    const { text } = await commands.run("report", path.join(results, "preview.json"), "--format", "json");
    return REPORT.parse(JSON.parse(text));
}

test("a change of backends passes the gates, and up writes the weights that the comment shows", async () => {
    await scaleDeployment(session.lab.cluster, "default", "shop", 6);
    await waitForDeployment(session.lab.cluster, "default", "shop");
    await waitForEndpoints(session.lab.cluster, "default", "web", 6);
    const { code, comment } = await pipeline("interrupts,address-released,violations,in-place");
    expect([code, comment]).toStrictEqual([0, expect.stringMatching(/\| node-\d `i-\w+` \|/)]);
    expect(comment).toMatch(/^## ack-loadbalancer\/.*: 1 of 1 Service: /);
    expect(fs.readFileSync(path.join(results, "report.html"), "utf8")).toMatch(/^<!doctype html>/);
    const report = await saved();
    expect(report.verdict).toBe("backends-only");
    const said = report.subjects.flatMap(({ groups }) => groups).flatMap(({ backends }) => backends);
    stack.succeed(await stack.up());
    const { slb } = await stateOf(session);
    const written = slb.vServerGroups.flatMap(({ backends }) =>
        backends.map(({ serverId, weight }) => [serverId, weight]),
    );
    expect(Object.fromEntries(said.map(({ key, after }) => [key, after?.weight]))).toStrictEqual(
        Object.fromEntries(written),
    );
});

test("a rename stops at the gate, which names the released address and how to keep it", async () => {
    const { slb } = await stateOf(session);
    stack.write([{ ...WEB, name: "storefront" }]);
    const { code, comment } = await pipeline("address-released");
    expect(code).toBe(1);
    expect(comment).toContain(`Public address released: ${slb.loadBalancers[0]?.address}`);
    expect(comment).toMatch(/looks like a rename/);
    expect(comment).toMatch(/^## ack-loadbalancer\/.*: 1 load balancer is new, .*1 listener is new, /);
    stack.write([WEB, API]);
});

test("a refused change fails the pipeline before any gate, with the cause", async () => {
    stack.write([
        { ...WEB, annotations: { ...WEB.annotations, "address-type": "intranet", "vswitch-id": "vsw-lab-a" } },
    ]);
    const { code, comment, text } = await pipeline("deletes");
    expect(code).toBe(2);
    expect(comment).toMatch(/preview failed/);
    expect(comment).toMatch(/addressType cannot change from/);
    expect(text).toMatch(/addressType cannot change from/);
});

test("the same change, if permitted, is a warning in the preview that names the address", async () => {
    const { slb } = await stateOf(session);
    await stack.config("allowReplacement", '{"default/web": ["addressType", "vswitchId"]}');
    const text = stack.succeed(await stack.preview());
    expect(text).toMatch(
        new RegExp(
            `Service default/web: ${slb.loadBalancers[0]?.address} is released: ` +
                ".*another load balancer gets another address",
        ),
    );
});
