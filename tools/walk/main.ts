/**
 * Random lifecycles of a Service. Each Service is created, updated and destroyed in a simulated cloud with the real
 * cloud's rules. After every change a run with --refresh must have nothing to do, and in the end the cloud must be
 * empty.
 */
import { fork } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { startCloudProcess } from "../../lab/cloud-process";
import { workerEnvironment } from "../parity/worker-environment";
import { walkSync } from "./sync/walk";
import type { WalkOptions } from "./walk";

/** Events in the life of a Service under the sync controller. */
const EVENTS = 1_000;

const USAGE = `usage: main.js [options]

  --lives N   how many; default 50
  --seed N    where chance begins; default 1. The same seed makes the same lives.
  --only N    only the life with this number, to look at it closely
  --kind K    clb or nlb; default clb. sync: random events of a cluster against the sync controller, 1,000 for each life
  --verbose   also print each life
`;

async function main(): Promise<number> {
    const { values } = parseArgs({
        options: {
            lives: { type: "string" },
            seed: { type: "string" },
            only: { type: "string" },
            kind: { type: "string" },
            verbose: { type: "boolean" },
            help: { type: "boolean" },
        },
    });
    if (values.help) {
        process.stdout.write(USAGE);
        return 0;
    }
    if (values.kind === "sync") return walkController(Number(values.lives ?? 50), Number(values.seed ?? 1));
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "ack-walk-"));
    fs.mkdirSync(path.join(dir, "state"));
    const cloud = startCloudProcess(path.join(dir, "cloud"), { lenient: false });
    try {
        const env = await workerEnvironment(dir, await cloud.ready);
        const only = values.only === undefined ? {} : { only: Number(values.only) };
        const options: WalkOptions = {
            dir,
            lives: Number(values.lives ?? 50),
            seed: Number(values.seed ?? 1),
            verbose: values.verbose === true,
            kind: values.kind === "nlb" ? "nlb" : "clb",
            ...only,
        };
        // Node reads the authorities that it trusts when it starts.
        const worker = fork(path.join(__dirname, "worker.js"), [JSON.stringify(options)], {
            env,
            stdio: ["ignore", "inherit", "ignore", "ipc"],
        });
        return await new Promise((resolve) => worker.once("exit", (code) => resolve(code ?? 1)));
    } finally {
        await cloud.stop();
        fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
}

/** Each life has a seed of its own. No cloud and no cluster: both are simulated in the process. */
async function walkController(lives: number, seed: number): Promise<number> {
    let wrong = 0;
    for (let life = 0; life < lives; life++) {
        const problem = await walkSync(seed + life, EVENTS);
        if (problem === undefined) continue;
        wrong++;
        process.stdout.write(`${problem}\n`);
    }
    process.stdout.write(`walk: ${lives - wrong} good, ${wrong} wrong (seed ${seed}, ${EVENTS} events each)\n`);
    return wrong === 0 ? 0 : 1;
}

void main().then((code) => process.exit(code));
