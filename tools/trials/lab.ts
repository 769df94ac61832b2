import { fork } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { startCloudProcess } from "../../lab/cloud-process";
import { workerEnvironment } from "../parity/worker-environment";

/** Runs this program once more, with a simulated cloud to which its environment leads, and returns its exit code. */
export async function againInLab(): Promise<number> {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "ack-trials-"));
    fs.mkdirSync(path.join(dir, "state"));
    const cloud = startCloudProcess(path.join(dir, "cloud"), { lenient: false });
    try {
        const env = await workerEnvironment(dir, await cloud.ready);
        // Node reads the authorities that it trusts when it starts.
        const worker = fork(process.argv[1] ?? "", process.argv.slice(2), {
            env,
            stdio: ["ignore", "inherit", "ignore", "ipc"],
        });
        return await new Promise((resolve) => worker.once("exit", (code) => resolve(code ?? 1)));
    } finally {
        await cloud.stop();
        fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
}
