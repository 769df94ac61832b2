/** Gives inputs to a target and says what went wrong. */
import * as fc from "fast-check";
import type { Target } from "./target";

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

/** Gives so many inputs, which follow from the seed, to a target. */
export async function fuzz(target: Target, inputs: number, seed: number): Promise<Outcome> {
    let refused = 0;
    const before = shared();
    const property = fc.asyncProperty(target.inputs, async (input) => {
        const began = process.cpuUsage();
        try {
            await target.take(input);
        } catch (error) {
            if (!target.expects(error)) throw error;
            refused++;
        }
        const { user, system } = process.cpuUsage(began);
        if (user + system > MOST_TIME) throw new Error(`an input took ${Math.round((user + system) / 1000)} ms`);
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
