/** A run of lines that are equal, new or gone. */
export interface Chunk {
    op: "same" | "create" | "delete";
    lines: string[];
}

/** Shortest edit from one text to another, line by line; removed lines stand before added ones. */
export function lineDiff(old: string, now: string): Chunk[] {
    const [a, b] = [old.split("\n"), now.split("\n")];
    // Length of the longest common subsequence of what is left, for every pair of positions.
    const common: number[][] = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
    const at = (i: number, j: number) => common[i]?.[j] ?? 0;
    for (let i = a.length - 1; i >= 0; i--) {
        for (let j = b.length - 1; j >= 0; j--)
            (common[i] as number[])[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
    const chunks: Chunk[] = [];
    const push = (op: Chunk["op"], line: string) => {
        const last = chunks[chunks.length - 1];
        if (last?.op === op) last.lines.push(line);
        else chunks.push({ op, lines: [line] });
    };
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
        if (i < a.length && j < b.length && a[i] === b[j]) {
            push("same", a[i] as string);
            i++;
            j++;
        } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) push("delete", a[i++] as string);
        else push("create", b[j++] as string);
    }
    return chunks;
}
