/**
 * docs/tutorial.md: its files are written and its commands run in a lab, in the order of the page.
 * Only a run shows that the page is right from its first command to its last.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { leaveFootprint, RECORDED_CLUSTER, RECORDED_NODES } from "../../examples/migrate-from-ccm/ccm";
import { applyYaml, kubectl, REPOSITORY, type Result, type Session, waitFor } from "../../lab";
import { commandsOf } from "../support/documented";
import { takeLab } from "../support/labs";
import { missingOutput, type Step, stepsOf } from "../support/tutorial";

const STEPS = stepsOf(fs.readFileSync(path.join(REPOSITORY, "docs/tutorial.md"), "utf8"));

/** Pod of the page's Service. */
const POD = `apiVersion: v1
kind: Pod
metadata: { name: nginx, namespace: default, labels: { run: nginx } }
spec:
    automountServiceAccountToken: false
    containers: [{ name: nginx, image: nginx, ports: [{ containerPort: 443 }] }]
`;

let session: Session;
let folder: string;

beforeAll(async () => {
    session = await takeLab(RECORDED_CLUSTER, { isResident: true });
    for (const node of RECORDED_NODES) await session.lab.addNode(node);
    await leaveFootprint(session.lab, "seed-18-scheduler-wrr", "shop");
    await applyYaml(session.lab.cluster, POD);
    const ready = "-o=jsonpath={.items[*].endpoints[*].conditions.ready}";
    await waitFor("endpoint of the pod", async () => {
        const found = await kubectl(session.lab.cluster, ["get", "endpointslices", "--namespace=default", ready]);
        return found.includes("true") || undefined;
    });
    folder = path.join(session.lab.dir, "tutorial");
    fs.mkdirSync(folder);
    fs.symlinkSync(path.join(REPOSITORY, "node_modules"), path.join(folder, "node_modules"));
});

afterAll(() => session.lab.stop());

/** Runs a command as a shell does. One of Pulumi alone needs none; those of the pipeline's script are processes. */
function run(command: string): Promise<Result> {
    const options = { cwd: folder, env: { NO_COLOR: "1", NPM_CONFIG_LOGLEVEL: "error" } };
    const [{ words } = { words: [] }, ...more] = commandsOf("docs/tutorial.md", `\`${command}\``);
    const [program = "", ...args] = words;
    return program === "pulumi" && more.length === 0 && !/[<>|&;]/.test(command)
        ? session.run(program, args, options)
        : session.start("sh", ["-c", command], options).done;
}

async function take(step: Step): Promise<void> {
    if (step.kind === "file") {
        fs.mkdirSync(path.dirname(path.join(folder, step.name)), { recursive: true });
        fs.writeFileSync(path.join(folder, step.name), step.text);
        return;
    }
    const { code, text } = await run(step.command);
    expect([text, missingOutput(text, step.output)]).toStrictEqual([text, undefined]);
    expect(code === 0).toBe(!step.fails);
}

for (const step of STEPS) {
    test(`line ${step.line}: ${step.kind === "file" ? step.name : step.command}`, () => take(step));
}

test("only the change of step 6 writes to the cloud", async () => {
    const writes = (await session.calls()).filter(({ mutating }) => mutating).map(({ action }) => action);
    expect([...new Set(writes)].sort()).toStrictEqual([
        "AddAccessControlListEntry",
        "CreateAccessControlList",
        "SetLoadBalancerTCPListenerAttribute",
        "TagResources",
    ]);
});
