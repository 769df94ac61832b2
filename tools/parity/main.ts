import { type ChildProcess, fork } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { REPOSITORY } from "../../lab/repository";
import { type CloudProcess, startCloudProcess } from "../../lab/cloud-process";
import { FOLDERS, listCases } from "./case";
import type { Verdict } from "./evaluate";
import type { Answer } from "./worker";
import { workerEnvironment } from "./worker-environment";

const USAGE = `usage: main.js [options]

  --corpus FOLDER   folder with recorded cases in ${FOLDERS.join("/, ")}/; default testdata/parity
  --case GLOB       only cases whose id matches; * stands for anything
  --jobs N          how many at a time; default 2
  --report FILE     also write every verdict to a file, as JSON
  --verbose         also show what is different, and why, and how long each case took
`;

/** Time limit of a case in milliseconds. */
const PATIENCE = 120_000;

export interface ReplayOptions {
    readonly corpus: string;
    /** Returns the files to replay, of all. Default: all. */
    readonly choose?: (files: readonly string[]) => readonly string[];
    /** Number of cases that run at the same time. */
    readonly jobs: number;
}

/** Process that runs cases in turn, and its cloud. */
class Worker {
    #child: ChildProcess | undefined;
    #cloud: CloudProcess | undefined;

    constructor(private readonly dir: string) {}

    /** Runs a case. A worker that does not answer is ended, and the next case gets a new worker. */
    async run(file: string): Promise<Answer> {
        const child = this.#child ?? (await this.#start());
        const answer = await new Promise<Answer | string>((resolve) => {
            const timer = setTimeout(() => resolve(`no answer within ${PATIENCE / 1000} s`), PATIENCE);
            child.once("message", (message: Answer) => {
                clearTimeout(timer);
                resolve(message);
            });
            child.once("exit", (code, signal) => {
                clearTimeout(timer);
                resolve(`the worker ended (${code ?? signal})`);
            });
            child.send(file);
        });
        child.removeAllListeners("message");
        child.removeAllListeners("exit");
        if (typeof answer !== "string") return answer;
        await this.stop();
        const difference = { step: 0, where: "runner", expected: "", actual: answer };
        return {
            file,
            milliseconds: PATIENCE,
            verdict: { id: path.basename(file, ".json"), title: "", kind: "wrong", differences: [difference] },
        };
    }

    async stop(): Promise<void> {
        this.#child?.kill("SIGTERM");
        this.#child = undefined;
        await this.#cloud?.stop();
        this.#cloud = undefined;
    }

    async #start(): Promise<ChildProcess> {
        fs.mkdirSync(path.join(this.dir, "state"), { recursive: true });
        this.#cloud = startCloudProcess(path.join(this.dir, "cloud"), { lenient: true });
        const env = await workerEnvironment(this.dir, await this.#cloud.ready);
        const child = fork(path.join(REPOSITORY, "dist/tools/parity/worker.js"), {
            cwd: REPOSITORY,
            env,
            stdio: ["ignore", "ignore", "inherit", "ipc"],
        });
        await new Promise<void>((resolve, reject) => {
            child.once("message", () => resolve());
            child.once("exit", (code) => reject(new Error(`the worker ended with code ${code}`)));
        });
        child.removeAllListeners("exit");
        this.#child = child;
        return child;
    }
}

/** Replays a corpus, and returns every verdict in the order of the files. */
export async function replay(
    options: ReplayOptions,
    report: (answer: Answer) => void = () => undefined,
): Promise<Verdict[]> {
    const { files, missing } = listCases(options.corpus);
    for (const folder of missing) {
        process.stdout.write(`${path.join(options.corpus, folder)} is not there; skipped\n`);
    }
    const chosen = options.choose?.(files) ?? files;
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "ack-parity-"));
    const verdicts = new Map<string, Verdict>();
    const queue = [...chosen];
    const work = async (index: number): Promise<void> => {
        const worker = new Worker(path.join(dir, `worker-${index}`));
        try {
            for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
                const answer = await worker.run(file);
                verdicts.set(file, answer.verdict);
                report(answer);
            }
        } finally {
            await worker.stop();
        }
    };
    try {
        await Promise.all(
            Array.from({ length: Math.max(1, Math.min(options.jobs, chosen.length)) }, (_, index) => work(index)),
        );
    } finally {
        fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
    return chosen.flatMap((file) => verdicts.get(file) ?? []);
}

/** The last line of a replay. */
export function summary(verdicts: readonly Verdict[]): string {
    const count = (kind: Verdict["kind"]) => verdicts.filter((verdict) => verdict.kind === kind).length;
    return `parity: ${count("equal")} equal, ${count("different")} different, ${count("wrong")} wrong`;
}

function show({ verdict, milliseconds }: Answer, verbose: boolean): void {
    if (verdict.kind === "equal" && !verbose) return;
    process.stdout.write(`${verdict.kind.padEnd(9)} ${verdict.id}${verbose ? ` (${milliseconds} ms)` : ""}\n`);
    const reasons = new Set(verdict.differences.flatMap(({ reason }) => reason ?? []));
    for (const reason of verbose ? [] : reasons) {
        process.stdout.write(`            ${reason}\n`);
    }
    for (const { step, where, expected, actual, reason } of verdict.differences.filter(
        (one) => verbose || one.reason === undefined,
    )) {
        process.stdout.write(
            `            step ${step}: ${where}: recorded ${brief(expected)}; ` +
                `here ${brief(actual)}${reason === undefined ? "" : ` [${reason}]`}\n`,
        );
    }
}

function brief(text: string): string {
    return text === "" ? "nothing" : (text.split("\n")[0] ?? "");
}

async function main(): Promise<number> {
    const { values } = parseArgs({
        options: {
            corpus: { type: "string", default: path.join(REPOSITORY, "testdata/parity") },
            case: { type: "string", default: "*" },
            jobs: { type: "string", default: "2" },
            report: { type: "string" },
            verbose: { type: "boolean", default: false },
            help: { type: "boolean", default: false },
        },
    });
    if (values.help) {
        process.stdout.write(USAGE);
        return 0;
    }
    const pattern = new RegExp(`^${values.case.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
    const choose = (files: readonly string[]) => files.filter((file) => pattern.test(path.basename(file, ".json")));
    const started = Date.now();
    const verdicts = await replay({ corpus: values.corpus, choose, jobs: Number(values.jobs) }, (answer) =>
        show(answer, values.verbose),
    );
    if (values.report !== undefined) {
        fs.writeFileSync(values.report, `${JSON.stringify(verdicts, undefined, 1)}\n`);
    }
    process.stdout.write(
        `${verdicts.length} cases in ${Math.round((Date.now() - started) / 1000)} s\n${summary(verdicts)}\n`,
    );
    return verdicts.some(({ kind }) => kind === "wrong") ? 1 : 0;
}

if (require.main === module) {
    void main().then((code) => {
        process.exitCode = code;
    });
}
