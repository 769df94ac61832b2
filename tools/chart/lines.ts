/** Joins texts that differ in some lines, by conditions. */

/** A line, and the numbers of the texts that have it. */
interface Line {
    readonly text: string;
    readonly texts: Set<number>;
}

/**
 * Joins texts into a template. Text number `n` is what is there with the switches whose bits `n` has.
 *
 * @param switches conditions of the template language, such as `.Values.networkPolicy`
 * @throws Error if a line depends on more than some switches being on and others being off
 */
export function joinLines(texts: readonly (readonly string[])[], switches: readonly string[]): string[] {
    let union: Line[] = [];
    texts.forEach((lines, number) => {
        union = joined(union, lines, number);
    });
    const joint: string[] = [];
    let open = "";
    for (const { text, texts: having } of [...union, END]) {
        const condition = having.size === 0 ? "" : conditionOf(having, switches);
        if (condition !== open) {
            if (open !== "") joint.push("{{- end }}");
            if (condition !== "") joint.push(`{{- ${condition} }}`);
            open = condition;
        }
        if (having.size > 0) joint.push(text);
    }
    return joint;
}

const END: Line = { text: "", texts: new Set() };

/** Adds the lines of another text, in their order and after those that they follow. */
function joined(union: readonly Line[], lines: readonly string[], number: number): Line[] {
    const length = commonLengths(union, lines);
    const result: Line[] = [];
    let [at, next] = [0, 0];
    while (at < union.length || next < lines.length) {
        const [line, text] = [union[at], lines[next]];
        if (line !== undefined && line.text === text) {
            result.push({ text, texts: line.texts.add(number) });
            at++;
            next++;
        } else if (line !== undefined && (text === undefined || length(at + 1, next) >= length(at, next + 1))) {
            result.push(line);
            at++;
        } else {
            result.push({ text: text ?? "", texts: new Set([number]) });
            next++;
        }
    }
    return result;
}

/** Returns a function that gives the length of the longest common subsequence from two places on. */
function commonLengths(union: readonly Line[], lines: readonly string[]): (at: number, next: number) => number {
    const width = lines.length + 1;
    const lengths = new Uint16Array((union.length + 1) * width);
    for (let at = union.length - 1; at >= 0; at--)
        for (let next = lines.length - 1; next >= 0; next--)
            lengths[at * width + next] =
                union[at]?.text === lines[next]
                    ? (lengths[(at + 1) * width + next + 1] ?? 0) + 1
                    : Math.max(lengths[(at + 1) * width + next] ?? 0, lengths[at * width + next + 1] ?? 0);
    return (at, next) => lengths[at * width + next] ?? 0;
}

function conditionOf(texts: ReadonlySet<number>, switches: readonly string[]): string {
    const terms = switches.flatMap((name, bit) => {
        const states = new Set([...texts].map((number) => (number >> bit) & 1));
        return states.size === 2 ? [] : [states.has(1) ? name : `not ${name}`];
    });
    if (texts.size !== 2 ** (switches.length - terms.length)) throw new Error(`no condition for ${[...texts].join()}`);
    const [only = ""] = terms;
    if (terms.length < 2) return only === "" ? "" : `if ${only}`;
    return `if and ${terms.map((term) => (term.includes(" ") ? `(${term})` : term)).join(" ")}`;
}
