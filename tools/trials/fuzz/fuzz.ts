/**
 * Malformed inputs at every place where data of unknown shape is read. Only errors for users may result.
 *
 * Each target has a separate process, whose memory is limited, and which hangs if it prints nothing for a minute.
 */
import { fork } from "node:child_process";
import { parseArgs } from "node:util";
import * as fc from "fast-check";
import type { Target } from "./target";
import { TARGETS } from "./targets";

export interface Outcome {
    readonly name: string;
    readonly inputs: number;
    /** Number of inputs that were refused by an error meant for users. */
    readonly refused: number;
    /** First failure, made as small as possible, with the way to see it again. It is undefined if there was none. */
    readonly failure?: string;
}

/** Microseconds of a processor that an input may take. */
const MOST_TIME = 2_000_000;

/** Members of the objects that all others share, and how many there are. */
const shared = (): string =>
    [Object.prototype, Array.prototype, Function.prototype].map((one) => Reflect.ownKeys(one).length).join(" ");

/** Returns the number of inputs that a target gets out of so many. */
export const inputsOf = ({ costly }: Target, inputs: number): number =>
    Math.ceil(costly === true ? inputs / 100 : inputs);

/** Gives so many inputs, which follow from the seed, to a target. */
export async function fuzzTarget(target: Target, inputs: number, seed: number): Promise<Outcome> {
    let refused = 0;
    const before = shared();
    const property = fc.asyncProperty(target.inputs, async (input) => {
        const began = process.cpuUsage();
        try {
            await target.take(input);
        } catch (error) {
            if (target.expects?.(error) !== true) throw error;
            refused++;
        }
        const { user, system } = process.cpuUsage(began);
        if (target.costly !== true && user + system > MOST_TIME)
            throw new Error(`an input took ${Math.round((user + system) / 1000)} ms`);
        if (shared() !== before) throw new Error("an input changed what all objects share");
    });
    const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns: inputs, seed });
    if (!failed) return { name: target.name, inputs, refused };
    const stack =
        errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : String(errorInstance);
    return {
        name: target.name,
        inputs,
        refused,
        failure: `seed ${seed}: ${JSON.stringify(counterexample?.[0])}\n${stack}`,
    };
}

/** Inputs between two signs of life. */
const BATCH = 1000;

/** Milliseconds without a sign of life after which a target is taken to hang. */
const HANGS_AFTER = 60_000;

/** Megabytes of a process's heap. A process that needs more keeps data that it should forget. */
const HEAP = 512;

/** Outcome of a batch, and the greatest memory of the process so far in megabytes. */
interface Progress extends Outcome {
    readonly memory: number;
}

/** Gives inputs to all targets, or to one of them, and returns the number of targets that failed. */
export async function fuzz(args: readonly string[]): Promise<number> {
    const { values } = parseArgs({
        args: [...args],
        options: {
            inputs: { type: "string", default: "100000" },
            seed: { type: "string", default: String(Math.floor(Math.random() * 1e6)) },
            target: { type: "string" },
        },
    });
    const [all, seed] = [Number(values.inputs), Number(values.seed)];
    const targets = TARGETS.filter(({ name }) => values.target === undefined || name === values.target);
    if (targets.length === 0)
        throw new Error(
            `there is no target ${values.target}; there are: ${TARGETS.map(({ name }) => name).join(", ")}`,
        );
    if (process.send !== undefined) return batches(targets, all, seed);
    let failed = 0;
    for (const one of targets) {
        const { name } = one;
        const { inputs, refused, memory, failure } = await watch(name, inputsOf(one, all / targets.length), seed);
        process.stdout.write(
            `${name}: ${inputs} inputs, ${refused} refused, ` +
                `at most ${memory} MB${failure === undefined ? "" : `\nFAILED ${failure}`}\n`,
        );
        if (failure !== undefined) failed++;
    }
    process.stdout.write(`seed ${seed}\n`);
    return failed;
}

/** Runs a target batch by batch in its own process. */
async function batches(targets: readonly Target[], inputs: number, seed: number): Promise<number> {
    for (const target of targets)
        for (let done = 0, batch = inputsOf(target, BATCH); done < inputs; done += batch) {
            const outcome = await fuzzTarget(target, Math.min(batch, inputs - done), seed + done);
            const progress = { ...outcome, memory: Math.round(process.resourceUsage().maxRSS / 1024) };
            await new Promise((resolve) => process.send?.(progress, undefined, undefined, resolve));
            if (outcome.failure !== undefined) break;
        }
    return 0;
}

function watch(name: string, inputs: number, seed: number): Promise<Progress> {
    const total = { name, inputs: 0, refused: 0, memory: 0 };
    let failure: string | undefined;
    return new Promise((resolve) => {
        const args = ["fuzz", "--target", name, "--inputs", String(inputs), "--seed", String(seed)];
        const worker = fork(process.argv[1] ?? "", args, { execArgv: [`--max-old-space-size=${HEAP}`] });
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
