import { loadCorpus, type Case } from "./corpus";
import { knownDifferences } from "./known-differences";
import { Runner } from "./runner";

export type Verdict = "equal" | "different" | "wrong";

export interface RunOptions {
    readonly corpus: string;
    /** Case ids to run, where `*` stands for any text. */
    readonly glob: string;
    readonly jobs: number;
    /** Program that starts the plugin. The engine's address is appended. */
    readonly command: readonly string[];
    readonly report: (verdict: Verdict, example: Case, lines: readonly string[]) => void;
}

/** Replays the cases of a corpus and counts the verdicts. */
export async function runCorpus(options: RunOptions): Promise<Record<Verdict, number>> {
    const pattern = new RegExp(
        `^${options.glob
            .split("*")
            .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
            .join(".*")}$`,
    );
    const queue = loadCorpus(options.corpus).filter((example) => pattern.test(example.id));
    const counts: Record<Verdict, number> = { equal: 0, different: 0, wrong: 0 };
    const work = async (): Promise<void> => {
        const runner = new Runner(options.command);
        await runner.start();
        try {
            for (let example = queue.shift(); example !== undefined; example = queue.shift()) {
                const lines = await runner.run(example);
                const known = knownDifferences.get(example.id);
                const verdict: Verdict = lines.length === 0 ? "equal" : known === undefined ? "wrong" : "different";
                counts[verdict]++;
                options.report(verdict, example, known === undefined ? lines : [known, ...lines]);
            }
        } finally {
            await runner.stop();
        }
    };
    await Promise.all(Array.from({ length: options.jobs }, work));
    return counts;
}
