/**
 * `make crash-table`: every mutating call of every kind of run with every fault that can hit it. After the next run the
 * cloud must be as after an undisturbed run, and likewise after a destroy.
 */
import { fork } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { startCloudProcess } from "../../lab/cloud-process";
import { workerEnvironment } from "../parity/worker-environment";
import { FAULTS, KILLS, OUTAGE } from "./faults";
import type { CrashOptions } from "./worker";

const USAGE = `usage: main.js [options]

  --only TEXT   only scenarios whose name has the text in it
  --faults A,B  only these: ${FAULTS.join(", ")}
  --every N     only every N-th of all points; default 1
  --offset N    number of the first of them, from 0; default 0
  --outage S    seconds of a fault that lasts; default ${OUTAGE / 1000}
  --processes   the engine's processes are killed, and nothing else befalls a call
  --write       writes the table into docs/internal/recovery-tables.md
`;

async function main(): Promise<number> {
    const { values } = parseArgs({
        options: {
            only: { type: "string", default: "" },
            faults: { type: "string", default: FAULTS.join(",") },
            every: { type: "string", default: "1" },
            offset: { type: "string", default: "0" },
            outage: { type: "string", default: String(OUTAGE / 1000) },
            processes: { type: "boolean", default: false },
            write: { type: "boolean", default: false },
            help: { type: "boolean", default: false },
        },
    });
    if (values.help) {
        process.stdout.write(USAGE);
        return 0;
    }
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "ack-crash-"));
    fs.mkdirSync(path.join(dir, "state"));
    const cloud = startCloudProcess(path.join(dir, "cloud"), { lenient: false });
    try {
        const kubeconfig = path.join(dir, "kubeconfig");
        const env = await workerEnvironment(dir, await cloud.ready);
        const options: CrashOptions = {
            dir,
            kubeconfig,
            only: values.only,
            faults: (values.processes ? KILLS : FAULTS).filter((kind) => values.faults.split(",").includes(kind)),
            every: Number(values.every),
            offset: Number(values.offset),
            outage: Number(values.outage) * 1000,
            processes: values.processes,
            ...(values.write ? { write: "docs/internal/recovery-tables.md" } : {}),
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

void main().then((code) => process.exit(code));
