/**
 * `make fuzz`: malformed inputs at every place where data of unknown shape is read. Only errors for users may result.
 *
 * `--inputs 100000` for all targets together, `--seed 1`, `--target name` for one of them. Each target has a separate
 * process, whose memory is limited, and which hangs if it prints nothing for a minute.
 */
import { fork } from "node:child_process";
import { parseArgs } from "node:util";
import { fuzz, type Outcome } from "./run";
import { TARGETS } from "./targets";

/** Inputs between two signs of life. */
const BATCH = 1000;

/** Milliseconds without a sign of life after which a target is taken to hang. */
const HANGS_AFTER = 60_000;

/** Megabytes of a process's heap. A process that needs more keeps data that it should forget. */
const HEAP = 512;

const { values } = parseArgs({
    options: {
        inputs: { type: "string", default: "100000" },
        seed: { type: "string" },
        target: { type: "string" },
        child: { type: "boolean", default: false },
    },
});

const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));

/** Outcome of a batch, and the greatest memory of the process so far in megabytes. */
interface Progress extends Outcome {
    readonly memory: number;
}

/** Runs a target batch by batch in its own process. */
async function child(name: string, inputs: number): Promise<void> {
    const target = TARGETS.find((one) => one.name === name);
    if (target === undefined) throw new Error(`there is no target ${name}`);
    for (let done = 0; done < inputs; done += BATCH) {
        const outcome = await fuzz(target, Math.min(BATCH, inputs - done), seed + done);
        process.send?.({ ...outcome, memory: Math.round(process.resourceUsage().maxRSS / 1024) });
        if (outcome.failure !== undefined) break;
    }
    process.disconnect();
}

function watch(name: string, inputs: number): Promise<Progress> {
    const total = { name, inputs: 0, refused: 0, memory: 0 };
    let failure: string | undefined;
    return new Promise((resolve) => {
        const worker = fork(
            __filename,
            ["--child", "--target", name, "--inputs", String(inputs), "--seed", String(seed)],
            {
                execArgv: [`--max-old-space-size=${HEAP}`],
            },
        );
        const hang = setTimeout(() => {
            failure = `seed ${seed}: no sign of life for a minute after ${total.inputs} inputs`;
            worker.kill("SIGKILL");
        }, HANGS_AFTER);
        worker.on("message", (message: Progress) => {
            hang.refresh();
            total.memory = message.memory;
            total.inputs += message.inputs;
            total.refused += message.refused;
            failure ??= message.failure;
        });
        worker.on("exit", (code) => {
            clearTimeout(hang);
            if (code !== 0) failure ??= `seed ${seed}: the process ended with ${code} after ${total.inputs} inputs`;
            resolve(failure === undefined ? total : { ...total, failure });
        });
    });
}

async function main(): Promise<number> {
    const targets = TARGETS.filter(({ name }) => values.target === undefined || name === values.target);
    if (targets.length === 0) {
        process.stderr.write(
            `there is no target ${values.target}; there are: ${TARGETS.map(({ name }) => name).join(", ")}\n`,
        );
        return 2;
    }
    const each = Math.ceil(Number(values.inputs) / targets.length);
    let failed = false;
    for (const { name } of targets) {
        const { inputs, refused, memory, failure } = await watch(name, each);
        process.stdout.write(
            `${name}: ${inputs} inputs, ${refused} refused, ` +
                `at most ${memory} MB${failure === undefined ? "" : `\nFAILED ${failure}`}\n`,
        );
        failed ||= failure !== undefined;
    }
    process.stdout.write(`seed ${seed}\n`);
    return failed ? 1 : 0;
}

if (values.child) void child(values.target ?? "", Number(values.inputs));
else void main().then((code) => (process.exitCode = code));
