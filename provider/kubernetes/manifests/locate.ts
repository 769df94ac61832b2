/** Positions of fields in the syntax tree of a YAML document. */

import { isAlias, isMap, isScalar, isSeq, type Document, type LineCounter, type Node, type Pair } from "yaml";
import type { EntryPart, FieldPath, Position } from "../../diagnostics";

interface Found {
    readonly key: Node | undefined;
    readonly value: Node | undefined;
}

/** Answers questions about one object inside a YAML document; `root` is the path of the object in the document. */
export class Locator {
    constructor(
        private readonly document: Document,
        private readonly lines: LineCounter,
        private readonly file: string | undefined,
        private readonly root: FieldPath,
    ) {}

    /** The position of a field, or of the nearest thing above it that exists. */
    locate(path: FieldPath, part: EntryPart = "value"): Position | undefined {
        const full = [...this.root, ...path];
        for (let length = full.length; length >= 0; length--) {
            const found = this.walk(full.slice(0, length));
            if (found === undefined) continue;
            // A missing field is missing from its parent, and the parent's key is where a reader looks.
            const node =
                part === "key" || length < full.length ? (found.key ?? found.value) : (found.value ?? found.key);
            const position = this.positionOf(node);
            if (position !== undefined) return position;
        }
        return undefined;
    }

    /** The scalar at a path as it was written. */
    written(path: FieldPath): string | undefined {
        const node = this.walk([...this.root, ...path])?.value;
        return isScalar(node) ? node.source : undefined;
    }

    private positionOf(node: Node | undefined): Position | undefined {
        const offset = node?.range?.[0];
        if (offset === undefined) return undefined;
        const { line, col } = this.lines.linePos(offset);
        return this.file === undefined ? { line, col } : { file: this.file, line, col };
    }

    private walk(path: FieldPath): Found | undefined {
        let found: Found = { key: undefined, value: this.document.contents ?? undefined };
        for (const part of path) {
            const holder = this.resolve(found.value);
            let next: Found | undefined;
            if (isMap(holder)) next = this.entry(holder.items as Pair<Node, Node | null>[], String(part));
            else if (isSeq(holder) && typeof part === "number" && part < holder.items.length)
                next = { key: undefined, value: holder.items[part] as Node };
            if (next === undefined) return undefined;
            found = next;
        }
        return found;
    }

    /** A key of the mapping itself wins over a merged one. */
    private entry(items: readonly Pair<Node, Node | null>[], key: string): Found | undefined {
        const own = items.find((item) => isScalar(item.key) && String(item.key.value) === key);
        if (own !== undefined) return { key: own.key, value: own.value ?? undefined };
        for (const item of items) {
            if (!isScalar(item.key) || item.key.source !== "<<") continue;
            const merged = this.resolve(item.value ?? undefined);
            const sources = isSeq(merged) ? merged.items.map((node) => this.resolve(node as Node)) : [merged];
            for (const source of sources) {
                if (!isMap(source)) continue;
                const found = this.entry(source.items as Pair<Node, Node | null>[], key);
                if (found !== undefined) return found;
            }
        }
        return undefined;
    }

    private resolve(node: Node | undefined): Node | undefined {
        return isAlias(node) ? node.resolve(this.document) : node;
    }
}
