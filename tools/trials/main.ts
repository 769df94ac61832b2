/** Trials of the package with what chance, faults and strangers may do to it. */
import { FAULTS, OUTAGE } from "./crash/faults";
import { againInLab } from "./lab";

const USAGE = `usage: main.js KIND [options]

fuzz: malformed inputs at every edge
  --inputs N    for all targets together; default 100000
  --seed N      where chance begins; the same seed makes the same inputs
  --target NAME only this edge

crash: every mutating call of every kind of run with every fault that can hit it
  --only TEXT   only scenarios whose name has the text in it; may be repeated
  --faults A,B  only these: ${FAULTS.join(", ")}
  --remove      the Service is removed after the fault, in place of the same run again
  --every N     only every N-th of all points; default 1
  --offset N    number of the first of them, from 0; default 0
  --outage S    seconds of a fault that lasts; default ${OUTAGE / 1000}
  --processes   the engine's processes are killed, and nothing else befalls a call
  --write       writes the table into docs/internal/recovery-tables.md

walk: random lives of Services. The cloud after each change must be that of a fresh creation, and what preview, report,
check, show and explain say must be so
  --lives N     how many programs, each with Services that change; default 50
  --changes N   how many times each changes; default 12
  --seed N      where chance begins; default 1. The same seed makes the same lives.
  --only N      only the program with this number, to look at it closely
  --silent      only the cloud is compared, which takes half of the time
  --kind K      clb, nlb, shared, reused-clb, attached-clb (reused, without its listeners), followed-clb, reused-nlb,
                attached-nlb or followed-nlb, forced-clb or forced-nlb (reused, with its listeners or without),
                joined-clb or joined-nlb (in server groups of a user), terway-clb or terway-nlb (pods are the backends),
                synced-clb, synced-nlb, synced-joined-clb or synced-joined-nlb (the sync controller keeps the backends
                at times); default clb.
                sync: random events of a cluster against the sync controller, 1,000 for each life
`;

/** Kinds of trials, loaded on demand. Each returns the number of failures. */
const KINDS: Readonly<Record<string, () => Promise<(args: readonly string[]) => Promise<number>>>> = {
    fuzz: async () => (await import("./fuzz/fuzz.js")).fuzz,
    crash: async () => (await import("./crash/crash.js")).crash,
    walk: async () => (await import("./walk/walk.js")).walk,
};

async function main([kind = "", ...args]: readonly string[]): Promise<number | void> {
    const load = KINDS[kind];
    if (load === undefined || args.includes("--help")) {
        process.stdout.write(USAGE);
        return load === undefined ? 2 : 0;
    }
    if (kind !== "fuzz" && !args.includes("sync")) {
        if (process.send === undefined) return againInLab();
        // A refused program may have promises that fail later and do not concern the next program.
        process.on("unhandledRejection", () => undefined);
        process.on("uncaughtException", () => undefined);
    }
    const failures = await (await load())(args);
    // A target of the fuzz may fail after its last input: the process ends by itself, and by then has another code.
    if (kind === "fuzz" && failures === 0) return process.disconnect?.();
    return failures === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then(
    (code) => code !== undefined && process.exit(code),
    (error: unknown) => {
        process.stdout.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
        process.exit(1);
    },
);
