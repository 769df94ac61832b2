import * as fs from "node:fs";
import * as path from "node:path";
import { THROTTLED } from "../../components/run/failures";
import { readCase } from "./case";
import { CloudConsole } from "./cloud";
import { evaluateCase, type Verdict } from "./evaluate";
import { Engine } from "./engine";
import { ClusterServer, kubeconfigFor } from "./kubernetes";
import { runCase } from "./run-case";

/** The answer of a worker for a case. */
export interface Answer {
    readonly file: string;
    readonly verdict: Verdict;
    readonly milliseconds: number;
}

/** A refused program may have promises that fail later and do not concern the next case. */
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);

/** Recorded faults last until the case takes them away: tries need no pauses. */
Object.assign(THROTTLED, { tries: 3, leastMs: 0, mostMs: 0 });

async function main(): Promise<void> {
    const cluster = new ClusterServer();
    fs.writeFileSync(process.env["KUBECONFIG"] ?? "", kubeconfigFor(await cluster.start()));
    const engine = new Engine(path.join(process.env["LAB_DIR"] ?? "", "project"));
    const cloud = new CloudConsole(process.env["LAB_CLOUD"] ?? "");
    // Without a listener the signal ends the process at once, and its plugins stay behind.
    process.on("SIGTERM", () => process.exit(0));
    process.on("disconnect", () => process.exit(0));
    process.on("message", (file: string) => {
        void (async () => {
            const started = Date.now();
            const recorded = readCase(file);
            const verdict = await runCase(recorded, { engine, cluster, cloud }).then(
                (results) => evaluateCase(recorded, results),
                (error: unknown): Verdict => ({
                    id: recorded.id,
                    title: recorded.title,
                    kind: "wrong",
                    differences: [
                        {
                            step: 0,
                            where: "runner",
                            expected: "",
                            actual: error instanceof Error ? (error.stack ?? error.message) : String(error),
                        },
                    ],
                }),
            );
            process.send?.({ file, verdict, milliseconds: Date.now() - started } satisfies Answer);
        })();
    });
    process.send?.("ready");
}

void main();
