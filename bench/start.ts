/** `make bench-start`: time until the processes that Pulumi waits for in each run print their port. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as path from "node:path";
import { REPOSITORY } from "../lab";

/** Starts of each. The first fills the compile cache of the others. */
const RUNS = 11;

const NOWHERE = "127.0.0.1:9";

const sdk = (script: string) => ["--allow-natives-syntax", path.join("node_modules/@pulumi/pulumi/cmd", script)];

/** Command lines, those with the SDK's scripts as a language host runs them. */
const STARTS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
    "plugin, as an executable": ["components/plugin/pulumi-resource-ack-loadbalancer", NOWHERE],
    "plugin, as a folder": ["node", ...sdk("run-plugin"), path.join(REPOSITORY, "components/plugin"), NOWHERE],
    "policy pack": ["node", ...sdk("run-policy-pack"), NOWHERE, path.join(REPOSITORY, "policies")],
};

async function secondsOfStart([command, ...args]: readonly [string, ...string[]]): Promise<number> {
    const start = process.hrtime.bigint();
    const child = spawn(command, args, { cwd: REPOSITORY, stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    child.kill();
    await once(child, "close");
    return seconds;
}

async function main(): Promise<void> {
    for (const [name, command] of Object.entries(STARTS)) {
        const runs: number[] = [];
        while (runs.length < RUNS) runs.push(await secondsOfStart(command));
        runs.sort((a, b) => a - b);
        const [least = 0, median = 0] = [runs[0], runs[RUNS >> 1]];
        process.stdout.write(`${name.padEnd(24)}  ${least.toFixed(2)} s at least, ${median.toFixed(2)} s median\n`);
    }
}

void main();
