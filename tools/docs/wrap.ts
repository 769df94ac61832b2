/** Widest line of prose, in columns. */
const WIDTH = 120;

/** Lines that stay as they are: headings, rows of tables, quotes, comments, pictures, rules. */
const FIXED = /^\s*(?:#|\||>|<|!\[|---)/;

/** Start of an item of a list. */
const ITEM = /^(\s*)(?:[-*+]|\d+\.) +/;

/** A word that would begin a list, a heading or a table at the start of a line. */
const MARKER = /^(?:[-+*>|=]+|#+|\d+[.)])$|^\|/;

/** Breaks the prose of a page at 120 columns. Code stays as it is, and a span of code is never broken. */
export function wrapMarkdown(page: string): string {
    const wrapped: string[] = [];
    let paragraph: string[] = [];
    let isCode = false;
    const flush = (): void => {
        if (paragraph.length > 0) wrapped.push(...wrapParagraph(paragraph));
        paragraph = [];
    };
    for (const line of page.split("\n")) {
        const isFence = /^\s*```/.test(line);
        if (isFence || isCode || line.trim() === "" || FIXED.test(line)) {
            flush();
            wrapped.push(line);
            if (isFence) isCode = !isCode;
        } else {
            if (ITEM.test(line)) flush();
            paragraph.push(line);
        }
    }
    flush();
    return wrapped.join("\n");
}

function wrapParagraph(lines: readonly string[]): string[] {
    const [first = "", ...others] = lines;
    const bullet = ITEM.exec(first)?.[0] ?? /^\s*/.exec(first)?.[0] ?? "";
    const indent = " ".repeat(bullet.length);
    const text = [first.slice(bullet.length), ...others.map((line) => line.trim())].join(" ");
    const wrapped: string[] = [];
    let line = bullet;
    for (const word of wordsOf(text)) {
        const isStart = line.trim() === bullet.trim() && line.length === bullet.length;
        if (!isStart && line.length + 1 + word.length > WIDTH) {
            wrapped.push(line);
            line = indent + word;
        } else {
            line += isStart ? word : ` ${word}`;
        }
    }
    return [...wrapped, line];
}

/** Words between which a line may end. */
function wordsOf(text: string): string[] {
    const words: string[] = [];
    for (const [word] of text.matchAll(/(?:`[^`]*`|[^\s`])+/g)) {
        const last = words.at(-1);
        if (last !== undefined && MARKER.test(word)) words[words.length - 1] = `${last} ${word}`;
        else words.push(word);
    }
    return words;
}
