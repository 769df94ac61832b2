/**
 * `node dist/bench/engine/main.js [--resources 1000]`: what the lab's engine adds to a program's own time, for a preview with nothing to do.
 *
 * The program's own time is that of the same program against a monitor that answers every registration at once. Both are taken in turns in one run; the median of
 * each is compared, because times on shared machines are noisy.
 */
import { spawn } from "node:child_process";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { ScratchProject } from "../../lab/engine/testing";
import { nullMonitor } from "./monitor";

const ROUNDS = 3;
/** The goal: at most so many times the program's own time. */
const GOAL = 1.5;

const { values } = parseArgs({ options: { resources: { type: "string", default: "1000" } } });
const count = Number(values.resources);
const sdk = path.dirname(require.resolve("@pulumi/pulumi/package.json"));

async function timed(run: () => Promise<number | null>): Promise<number> {
    const start = process.hrtime.bigint();
    const code = await run();
    if (code !== 0) {
        throw new Error(`a run ended with exit code ${code}`);
    }
    return Number(process.hrtime.bigint() - start) / 1e9;
}

function median(values: readonly number[]): number {
    return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function main(): Promise<void> {
    const project = new ScratchProject(
        `const { Thing } = require("./fake");\nfor (let i = 0; i < ${count}; i++) new Thing("thing-" + i, { size: i });\n`,
    );
    const { server, address } = await nullMonitor();
    try {
        process.stdout.write(`creating ${count} resources\n`);
        project.run("up", "--yes", "--skip-preview");
        const ended = (child: ReturnType<typeof spawn>) =>
            new Promise<number | null>((resolve) => child.once("close", resolve));
        const own = () => {
            const args = [
                path.join(sdk, "cmd/run/index.js"),
                "--monitor",
                address,
                "--engine",
                address,
                "--project",
                "scratch",
                "--stack",
                "dev",
                "--organization",
                "organization",
                "--pwd",
                project.folder,
                "--dry-run",
                "--parallel",
                "16",
                ".",
            ];
            return ended(
                spawn("node", args, {
                    cwd: project.folder,
                    env: { ...project.env, PULUMI_CONFIG: "{}" },
                    stdio: "ignore",
                }),
            );
        };
        const preview = () => {
            const child = project.start("preview", "--expect-no-changes");
            child.stdout?.resume();
            child.stderr?.resume();
            return ended(child);
        };
        const times = { own: [] as number[], preview: [] as number[] };
        for (let round = 0; round < ROUNDS; round++) {
            times.own.push(await timed(own));
            times.preview.push(await timed(preview));
        }
        const ratio = median(times.preview) / median(times.own);
        process.stdout.write(
            `program alone ${median(times.own).toFixed(2)} s, preview ${median(times.preview).toFixed(2)} s: ${ratio.toFixed(2)} times (goal: at most ${GOAL})\n`,
        );
        process.exitCode = ratio <= GOAL ? 0 : 1;
    } finally {
        server.forceShutdown();
        project.remove();
    }
}

main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
});
