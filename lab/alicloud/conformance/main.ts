/**
 * Replays recorded cases:
 * `main.js [--corpus <folder>] [--case <glob>] [--jobs <n>] [--plugin <program>] [--verbose]`.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runCorpus } from "./run";

const usage = "usage: main.js [--corpus <folder>] [--case <glob>] [--jobs <n>] [--plugin <program>] [--verbose]\n";

async function main(): Promise<void> {
    const root = resolve(__dirname, "../../../..");
    const { values } = parseArgs({
        options: {
            corpus: { type: "string", default: join(root, "testdata/alicloud-plugin") },
            case: { type: "string", default: "*" },
            jobs: { type: "string", default: "2" },
            plugin: { type: "string" },
            verbose: { type: "boolean", default: false },
            help: { type: "boolean", default: false },
        },
    });
    if (values.help) {
        process.stdout.write(usage);
        return;
    }
    const command =
        values.plugin === undefined ? [process.execPath, join(root, "dist/lab/alicloud/main.js")] : [values.plugin];
    const counts = await runCorpus({
        corpus: values.corpus,
        glob: values.case,
        jobs: Math.max(1, Number(values.jobs)),
        command,
        report: (verdict, example, lines) => {
            if (verdict === "equal" && !values.verbose) return;
            process.stdout.write(
                `${verdict} ` +
                    `${example.type === "configure" ? "" : `${example.type.split(":").at(-1)} `}${example.id}: ` +
                    `${example.title}\n`,
            );
            for (const line of values.verbose || verdict === "wrong" ? lines : [])
                process.stdout.write(`    ${line.replaceAll("\n", "\n      ")}\n`);
        },
    });
    process.stdout.write(
        `alicloud-plugin: ${counts.equal} equal, ${counts.different} different, ${counts.wrong} wrong\n`,
    );
    process.exitCode = counts.wrong > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${usage}`);
    process.exitCode = 2;
});
