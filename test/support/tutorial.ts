/** Pages that are run: the files that a reader writes, and the commands with their output. */

export type Step = FileStep | CommandStep;

/** A file that the page names in the sentence before its block: "in `index.js`:". */
export interface FileStep {
    readonly kind: "file";
    /** From 1. */
    readonly line: number;
    readonly name: string;
    readonly text: string;
}

/** A command of a block of the language `console`. */
export interface CommandStep {
    readonly kind: "command";
    /** From 1. */
    readonly line: number;
    readonly command: string;
    /** Lines of the page below the command. `…` matches any text. */
    readonly output: readonly string[];
    /** True in a block `console fails`. */
    readonly fails: boolean;
}

const BLOCK = /(?:`([\w./-]+)`:\n\n)?^```(\w+)?(?: (fails))?\n([\s\S]*?)^```$/gm;

/** Returns the steps of a page, in its order. Blocks of another kind are skipped. */
export function stepsOf(page: string): Step[] {
    const steps: Step[] = [];
    for (const match of page.matchAll(BLOCK)) {
        const [whole, name, language, fails, text = ""] = match;
        const line = page.slice(0, match.index + whole.indexOf("```")).split("\n").length;
        if (language === "console") steps.push(...commandsOf(text, line + 1, fails !== undefined));
        else if (name !== undefined) steps.push({ kind: "file", line, name, text });
    }
    return steps;
}

function commandsOf(text: string, first: number, fails: boolean): CommandStep[] {
    const steps: (CommandStep & { output: string[] })[] = [];
    for (const [index, line] of text.trimEnd().split("\n").entries()) {
        if (line.startsWith("$ ")) {
            steps.push({ kind: "command", line: first + index, command: line.slice(2), output: [], fails });
        } else {
            steps.at(-1)?.output.push(line);
        }
    }
    return steps;
}

/**
 * Returns the first part of the expected output that a text lacks, or undefined if it has all in this order. Blanks may
 * be more or fewer, and other lines may precede and follow. A line `…` stands for any lines, and divides the parts.
 */
export function missingOutput(text: string, output: readonly string[]): string | undefined {
    let rest = text;
    for (const part of output.join("\n").split(/^\s*…\s*$/m)) {
        const lines = part.trim().split("\n");
        const pattern = lines.map((line) => line.trim().split("…").map(escaped).join("[^\\n]*?")).join("\\s*");
        const found = new RegExp(pattern).exec(rest);
        if (found === null) return part.trim();
        rest = rest.slice(found.index + found[0].length);
    }
    return undefined;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/ +/g, " +");
