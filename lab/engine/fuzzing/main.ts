/** Random programs, changes, failures and drift, held to the invariants of the engine. A seed repeats a life. */
import { parseArgs } from "node:util";
import { Life } from "./life";

const { values } = parseArgs({
    options: { lives: { type: "string", default: "1000" }, seed: { type: "string" }, verbose: { type: "boolean" } },
});
const first = Number(values.seed ?? Date.now() % 1_000_000);
const lives = Number(values.lives);

let current: { seed: number; life: Life } | undefined;

// A deployment that waits for something that never comes leaves the process without work.
process.on("beforeExit", () => {
    if (!current) return;
    report(current.seed, current.life, "a run never ends", []);
    process.exit(1);
});

function report(seed: number, life: Life, what: string, details: readonly string[]): void {
    process.stdout.write(`${life.history.join("\n")}\n\nwrong     seed ${seed}, run ${life.runs}: not so: ${what}\n`);
    for (const detail of details) process.stdout.write(`    ${detail}\n`);
}

async function main(): Promise<void> {
    let [runs, wrong] = [0, 0];
    for (let seed = first; seed < first + lives; seed++) {
        const life = new Life(seed);
        current = { seed, life };
        const violation = await life.live();
        runs += life.runs;
        if (violation) {
            wrong++;
            report(seed, life, violation.what, violation.details);
        } else if (values.verbose === true)
            process.stdout.write(`${life.history.join("\n")}\nkept      seed ${seed}\n`);
    }
    current = undefined;
    process.stdout.write(
        `invariants: ${lives - wrong} stacks kept them, ${wrong} did not (${runs} runs of the engine, seeds from ${first})\n`,
    );
    if (wrong > 0) process.exitCode = 1;
}

void main();
