/** Commands that the documentation tells its readers to run. */

export interface DocumentedCommand {
    readonly page: string;
    /** From 1. */
    readonly line: number;
    /** The program first, without `npx`. */
    readonly words: readonly string[];
}

/** Programs whose commands are judged. */
const PROGRAMS: ReadonlySet<string> = new Set(["ack-loadbalancer", "pulumi", "kubectl"]);

/** Text before a command in a block: a prompt, or the key of a pipeline's step. */
const BEFORE = /^\s*(?:\$ |- run: |run: |- )?/;

/** The commands in blocks and in code of sentences, in the order of the page. */
export function commandsOf(page: string, markdown: string): DocumentedCommand[] {
    const found: DocumentedCommand[] = [];
    const lines = markdown.split("\n");
    let inBlock = false;
    for (let index = 0; index < lines.length; index += 1) {
        const line = index + 1;
        let text = lines[index] ?? "";
        if (/^\s*(```|~~~)/.test(text)) {
            inBlock = !inBlock;
            continue;
        }
        while (inBlock && text.endsWith("\\")) text = text.slice(0, -1) + (lines[(index += 1)] ?? "");
        const codes = inBlock
            ? [text.replace(BEFORE, "")]
            : [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
        found.push(
            ...codes
                .flatMap(simpleCommands)
                .map((words) => (words[0] === "npx" ? words.slice(1) : words))
                .filter(([program = ""]) => PROGRAMS.has(program))
                .map((words) => ({ page, line, words })),
        );
    }
    return found;
}

/** Placeholder for the reader's own value: `<your id>`, `[namespace/name]`. It counts as one word. */
const PLACEHOLDER = /<[^<>]*>/g;

/** Token of a shell: a word of quoted and other parts, an operator, or a comment. */
const TOKEN = /\s*(?:(#.*$)|(\|\||&&|[|;&]|\d?>>?)|((?:'[^']*'|"[^"]*"|[^\s'"|;&>#]|(?<=\S)#)+))/gy;

/** The commands of a shell's line, each as its words. */
function simpleCommands(line: string): string[][] {
    const commands: string[][] = [[]];
    let redirected = false;
    for (const [, , operator, word] of line.replaceAll(PLACEHOLDER, "placeholder").matchAll(TOKEN)) {
        if (operator !== undefined) {
            redirected = operator.includes(">");
            if (!redirected) commands.push([]);
        } else if (word !== undefined) {
            if (!redirected) commands.at(-1)?.push(unquoted(word));
            redirected = false;
        }
    }
    return commands.filter(({ length }) => length > 0);
}

const unquoted = (word: string): string =>
    /^\[.*\]$/.test(word)
        ? word.slice(1, -1)
        : word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? "");
