/**
 * The same scenarios with the processes of the engine: CLI, program and plugins are killed during a call, then `pulumi
 * cancel` and `pulumi up` run as documented.
 */
import { execFile, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { killTree } from "../../lab/processes";
import { REPOSITORY } from "../../lab/repository";
import { differences } from "./canonical";
import type { FaultKind, Point } from "./faults";
import type { Recovery } from "./rig";
import { type Scenario, serviceOf, type Version } from "./scenarios";
import type { Clean, World } from "./world";

/** Reads what to make from a file beside it. */
const PROGRAM = `
const { Cluster, ServiceLoadBalancer } = require("ack-loadbalancer");
const version = JSON.parse(require("node:fs").readFileSync(__dirname + "/version.json", "utf8"));
const cluster = new Cluster({ clusterId: "c-crash", networkPlugin: "flannel", vpcId: "vpc-lab" });
module.exports = (async () => {
    if (version === null) return;
    const { adopt, manifest, options } = version;
    if (adopt) await ServiceLoadBalancer.adopt("default/web", { namespace: "default", name: "web", manifest, cluster });
    else new ServiceLoadBalancer("default/web", { manifest, cluster, follow: true, ...options });
})();
`;

/** Flags of every run. Without parallel operations, the order of calls is the same in every run. */
const PLAIN = ["--stack", "dev", "--non-interactive", "--color", "never"];
const UP = ["up", "--yes", "--skip-preview", "--parallel", "1", ...PLAIN];

const execute = promisify(execFile);

/** Runs the CLI that is on PATH. */
export class Processes implements Recovery {
    #stacks = 0;

    constructor(
        private readonly dir: string,
        private readonly world: World,
    ) {}

    close(): void {
        // Every process has ended with its run.
    }

    async clean(scenario: Scenario): Promise<Clean> {
        const folder = await this.#prepare(scenario);
        const since = await this.world.lastCall();
        await this.#up(folder, scenario.run);
        const calls = await this.world.mutating(since);
        const after = await this.world.state();
        await this.#up(folder, "none");
        return { calls, after, destroyed: await this.world.state() };
    }

    async point(scenario: Scenario, clean: Clean, at: number, fault: FaultKind): Promise<Point> {
        const call = clean.calls[at] ?? { product: "", action: "" };
        const about = { scenario: scenario.name, at, call, fault, refreshed: false };
        const folder = await this.#prepare(scenario);
        await this.#kill(folder, scenario.run, at, fault === "killed before");
        try {
            await pulumi(folder, "cancel", "--yes", ...PLAIN);
            await this.#up(folder, scenario.run);
            const wrong = differences(await this.world.state(), clean.after);
            await this.#up(folder, "none");
            const left = differences(await this.world.state(), clean.destroyed).map((text) => `destroyed: ${text}`);
            return { ...about, wrong: [...wrong, ...left] };
        } catch (error) {
            return { ...about, wrong: [`the recovery fails: ${(error as Error).message}`] };
        }
    }

    /** Kills a run while a call is under way. The call then has its effect, or it has none. */
    async #kill(folder: string, version: Version | "none", at: number, drop: boolean): Promise<void> {
        this.#write(folder, version);
        await this.world.hold(at, drop);
        const up = spawn("pulumi", UP, { cwd: folder, stdio: "ignore" });
        const ended = new Promise<void>((resolve) => up.once("close", () => resolve()));
        await this.world.untilHit(() => false);
        if (up.pid !== undefined) killTree(up.pid);
        await ended;
        await this.world.release();
    }

    async #prepare(scenario: Scenario): Promise<string> {
        await this.world.prepare(scenario);
        const name = `killed-${(this.#stacks += 1)}`;
        const folder = path.join(this.dir, name);
        fs.mkdirSync(folder);
        fs.writeFileSync(
            path.join(folder, "Pulumi.yaml"),
            `name: ${name}\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n`,
        );
        fs.writeFileSync(path.join(folder, "package.json"), '{ "name": "killed", "main": "index.js" }\n');
        fs.writeFileSync(path.join(folder, "index.js"), PROGRAM);
        fs.symlinkSync(path.join(REPOSITORY, "node_modules"), path.join(folder, "node_modules"));
        await pulumi(folder, "stack", "init", "dev", "--non-interactive");
        for (const version of scenario.before ?? []) await this.#up(folder, version);
        return folder;
    }

    async #up(folder: string, version: Version | "none"): Promise<void> {
        this.#write(folder, version);
        await pulumi(folder, ...UP);
    }

    #write(folder: string, version: Version | "none"): void {
        this.world.publish(version);
        fs.writeFileSync(path.join(folder, "version.json"), JSON.stringify(version === "none" ? null : given(version)));
    }
}

function given(version: Version): object {
    const { adopt = false, handBack = false, allowReplacement } = version;
    const options = { handBack, ...(allowReplacement === undefined ? {} : { allowReplacement }) };
    return { adopt, manifest: serviceOf(version), options };
}

/** @throws Error with what the command printed, if it fails */
async function pulumi(folder: string, ...args: string[]): Promise<void> {
    try {
        await execute("pulumi", args, { cwd: folder, maxBuffer: 1 << 26 });
    } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`pulumi ${args[0]}: ${stdout}${stderr}`, { cause: error });
    }
}
