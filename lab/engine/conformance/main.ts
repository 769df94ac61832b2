import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { replay, type Verdict } from "./replay";
import type { Json } from "./case";

/** Most differences of one case that are printed without `--verbose`. */
const SHORT = 5;
/** Longest value that is printed without `--verbose`. */
const SHORT_VALUE = 300;

function usage(): never {
    process.stderr.write(
        "use: node dist/lab/engine/conformance/main.js [--corpus folder] [--case id]… [--jobs n] [--pulumi file] [--verbose] [--keep]\n",
    );
    process.exit(2);
}

function show(v: Json | undefined, verbose: boolean): string {
    const text = v === undefined ? "(nothing)" : JSON.stringify(v);
    return verbose || text.length <= SHORT_VALUE ? text : `${text.slice(0, SHORT_VALUE)}… (${text.length} characters)`;
}

async function run(argv: readonly string[]): Promise<number> {
    const root = resolve(__dirname, "..", "..", "..", "..");
    let corpus = join(root, "testdata", "engine");
    let pulumi = join(root, "lab", "bin", "pulumi");
    let [jobs, verbose, keep] = [2, false, false];
    const ids: string[] = [];
    for (let i = 0; i < argv.length; i++) {
        const value = () => argv[++i] ?? usage();
        switch (argv[i]) {
            case "--corpus":
                corpus = resolve(value());
                break;
            case "--case":
                ids.push(value());
                break;
            case "--jobs":
                jobs = Number(value());
                break;
            case "--pulumi":
                pulumi = resolve(value());
                break;
            case "--verbose":
                verbose = true;
                break;
            case "--keep":
                keep = true;
                break;
            default:
                usage();
        }
    }
    if (!existsSync(join(corpus, "cases"))) {
        process.stderr.write(`${corpus} has no cases/\n`);
        return 2;
    }
    // The recorder's pretend provider is the same for all cases; a corpus may come without it.
    const lib = [join(corpus, "lib"), join(root, "testdata", "engine", "lib")].find(existsSync) ?? join(corpus, "lib");
    const report = (id: string, v: Verdict) => {
        process.stdout.write(`${v.kind.padEnd(9)} ${id} (${(v.milliseconds / 1000).toFixed(1)}s)\n`);
        for (const d of v.differences.slice(0, verbose ? undefined : SHORT)) {
            process.stdout.write(
                `    ${d.where}${d.reason ? ` [known: ${d.reason}]` : ""}\n      expected ${show(d.expected, verbose)}\n      got      ${show(d.got, verbose)}\n`,
            );
        }
        if (!verbose && v.differences.length > SHORT)
            process.stdout.write(`    … and ${v.differences.length - SHORT} more\n`);
    };
    const verdicts = await replay(
        { corpus, lib, pulumi, nodeModules: join(root, "node_modules"), keep },
        ids,
        jobs,
        report,
    );
    const count = (k: Verdict["kind"]) => [...verdicts.values()].filter((v) => v.kind === k).length;
    process.stdout.write(`engine: ${count("equal")} equal, ${count("different")} different, ${count("wrong")} wrong\n`);
    return count("wrong") === 0 && verdicts.size > 0 ? 0 : 1;
}

if (require.main === module) void run(process.argv.slice(2)).then((code) => process.exit(code));
