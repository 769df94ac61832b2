import type { Op } from "../deploy";
import {
    deepEquals,
    diffValues,
    isMap,
    OutputValue,
    Secret,
    SIGNATURE_KEY,
    type ObjectDiff,
    type Value,
    type ValueDiff,
    type ValueMap,
} from "../value";
import { decode } from "./decode";
import { indentation, padded, widest } from "./layout";
import { lineDiff } from "./linediff";
import { blobText, isPrimitive, numberText, truncated } from "./literals";
import { isInternalKey, worthPrinting } from "./visible";
import { quote } from "./words";

/** Lines of unchanged text shown around a change. */
const CONTEXT = 2;

/** How a printer writes. */
interface Style {
    indent: number;
    op: Op;
    prefix: boolean;
    planning: boolean;
    summary: boolean;
    truncate: boolean;
    showSecrets: boolean;
}
type Title = (p: PropertyPrinter) => void;

/** Writes property values and their differences as indented text. */
export class PropertyPrinter {
    private constructor(
        private readonly s: Style,
        private readonly out: string[],
    ) {}

    static create(style: Partial<Style> & { indent: number; op: Op }): PropertyPrinter {
        return new PropertyPrinter(
            { prefix: false, planning: false, summary: false, truncate: false, showSecrets: false, ...style },
            [],
        );
    }
    get text(): string {
        return this.out.join("");
    }
    private with(change: Partial<Style>): PropertyPrinter {
        return new PropertyPrinter({ ...this.s, ...change }, this.out);
    }
    private write(t: string): void {
        this.out.push(t);
    }
    private indented(t: string): void {
        this.write(indentation(this.s.indent, this.s.op, this.s.prefix) + t);
    }
    private unprefixed(t: string): void {
        this.write(indentation(this.s.indent, this.s.op, false) + t);
    }

    /** All properties of a map. */
    object(m: ValueMap): void {
        const keys = Object.keys(m).sort();
        const width = widest(keys);
        for (const k of keys) if (!isInternalKey(k)) this.property(k, m[k] as Value, width);
    }
    property(key: string, v: Value, width: number): void {
        this.title(key, width);
        this.value(v);
    }
    private title(key: string, width: number): void {
        this.indented(`${padded(key, width)}: `);
    }

    /** A value and a line end. */
    private value(v: Value): void {
        this.inline(v);
        this.write("\n");
    }
    private inline(v: Value): void {
        if (v instanceof Secret && this.s.showSecrets) this.inline(v.element);
        else if (isPrimitive(v)) this.primitive(v);
        else if (Array.isArray(v)) {
            if (v.length === 0) return this.write("[]");
            this.write("[\n");
            v.forEach((e, i) => {
                this.indented(`    [${i}]: `);
                this.with({ indent: this.s.indent + 1 }).value(e);
            });
            this.unprefixed("]");
        } else if (isMap(v)) {
            const blob = blobText(v);
            if (blob !== undefined) return this.write(blob);
            if (Object.keys(v).length === 0) return this.write("{}");
            this.write("{\n");
            const inner = this.with({ indent: this.s.indent + 1 });
            const { [SIGNATURE_KEY]: _signature, ...rest } = v;
            inner.object(rest);
            this.unprefixed("}");
        }
    }
    private primitive(v: Value): void {
        if (v === null) this.write("<null>");
        else if (typeof v === "boolean") this.write(String(v));
        else if (typeof v === "number") this.write(numberText(v));
        else if (typeof v === "string") {
            const decoded = decode(v);
            if (decoded) {
                this.write(`(${decoded.kind}) `);
                this.value(decoded.value);
            } else this.write(quote(this.s.truncate ? truncated(v) : v));
        } else if (v instanceof Secret) this.write("[secret]");
        else if (v instanceof OutputValue && v.element !== undefined) this.primitive(v.element);
        else this.write("[unknown]");
    }

    /** Names the paths whose differences are not shown. */
    hiddenPaths(paths: readonly string[]): void {
        const p = this.with({ op: "update", prefix: true });
        for (const path of paths) p.indented(`${path} (hidden)\n`);
    }

    /** The differences of a map; with `include` only of the keys named there. */
    objectDiff(d: ObjectDiff, include?: readonly string[]): void {
        const keys = keysOf(d).filter((k) => !include || include.includes(k));
        const width = widest(keys);
        for (const k of keys) this.propertyDiff(k, width, d);
    }
    propertyDiff(key: string, width: number, d: ObjectDiff): void {
        const title: Title = (p) => p.title(key, width);
        const [added, deleted, updated, same] = [
            d.adds.get(key),
            d.deletes.get(key),
            d.updates.get(key),
            d.sames.get(key),
        ];
        if (added !== undefined) this.added(added, title);
        else if (deleted !== undefined) this.deleted(deleted, title);
        else if (updated) this.valueDiff(title, updated);
        else if (!this.s.summary && worthPrinting(same, this.s.planning))
            this.with({ op: "same", prefix: false }).property(key, same as Value, width);
    }
    private added(v: Value, title: Title): void {
        const p = this.with({ op: "create", prefix: true });
        title(p);
        p.value(v);
    }
    private deleted(v: Value, title: Title): void {
        const p = this.with({ op: "delete", prefix: true });
        title(p);
        p.value(v);
    }

    private valueDiff(title: Title, d: ValueDiff): void {
        const p = this.with({ op: "update", prefix: true });
        if (d.array) {
            title(p);
            p.write("[\n");
            const a = d.array;
            const length =
                Math.max(-1, ...a.adds.keys(), ...a.deletes.keys(), ...a.sames.keys(), ...a.updates.keys()) + 1;
            for (let i = 0; i < length; i++) p.elementDiff(i, a);
            p.unprefixed("]\n");
            return;
        }
        if (d.object) {
            title(p);
            p.write("{\n");
            p.with({ indent: p.s.indent + 1 }).objectDiff(d.object);
            p.unprefixed("}\n");
            return;
        }
        if (this.s.showSecrets && d.old instanceof Secret && d.new instanceof Secret) {
            const inner = diffValues(d.old.element, d.new.element);
            if (inner) return this.valueDiff(title, inner);
        }
        p.simpleDiff(title, d);
    }

    private elementDiff(i: number, a: NonNullable<ValueDiff["array"]>): void {
        const e = this.with({ indent: this.s.indent + 2 });
        const title: Title = (p) => p.with({ indent: p.s.indent - 1 }).indented(`[${i}]: `);
        const [added, deleted, updated, same] = [a.adds.get(i), a.deletes.get(i), a.updates.get(i), a.sames.get(i)];
        if (added !== undefined) e.added(added, title);
        else if (deleted !== undefined) e.deleted(deleted, title);
        else if (updated) e.valueDiff(title, updated);
        else if (same !== undefined && !this.s.summary) {
            const q = e.with({ op: "same", prefix: false });
            title(q);
            q.value(same);
        }
    }

    private simpleDiff(title: Title, d: ValueDiff): void {
        const [old, now] = [worthPrinting(d.old, false), worthPrinting(d.new, false)];
        if (old && now && isPrimitive(d.old) && isPrimitive(d.new)) {
            title(this);
            if (typeof d.old === "string" && typeof d.new === "string") this.textDiff(d.old, d.new);
            else {
                this.primitive(d.old);
                this.write(" => ");
                this.primitive(d.new);
                this.write("\n");
            }
            return;
        }
        if (old) this.deleted(d.old, title);
        if (now) this.added(d.new, title);
    }

    private textDiff(old: string, now: string): void {
        const [a, b] = [decode(old), decode(now)];
        if (a && b) {
            if (deepEquals(a.value, b.value)) return this.plainTextDiff(quote(old), quote(now));
            this.write(a.kind === b.kind ? `(${a.kind}) ` : `(${a.kind} => ${b.kind}) `);
            const d = diffValues(a.value, b.value, isInternalKey);
            if (d) this.valueDiff(() => undefined, d);
            else this.with({ op: "same" }).value(a.value);
            return;
        }
        this.plainTextDiff(old, now);
    }
    private plainTextDiff(old: string, now: string): void {
        if (!old.includes("\n") && !now.includes("\n")) {
            this.write(`${quote(old)} => ${quote(now)}\n`);
            return;
        }
        this.write("\n");
        const p = this.with({ indent: this.s.indent + 1 });
        const chunks = lineDiff(old, now);
        const line = (op: Op, text: string) => p.with({ op, prefix: op !== "same" }).indented(`${text}\n`);
        chunks.forEach((c, index) => {
            const lines = c.lines.filter((l) => l.trim() !== "");
            if (c.op !== "same") return lines.forEach((l) => line(c.op, l));
            const [first, last] = [index === 0, index === chunks.length - 1];
            const room = first || last ? CONTEXT + 1 : 2 * CONTEXT + 1;
            if (lines.length <= room) return lines.forEach((l) => line("same", l));
            if (!first) lines.slice(0, CONTEXT).forEach((l) => line("same", l));
            line("same", "...");
            if (!last) lines.slice(-CONTEXT).forEach((l) => line("same", l));
        });
    }
}

function keysOf(d: ObjectDiff): string[] {
    return [...new Set([...d.adds.keys(), ...d.deletes.keys(), ...d.sames.keys(), ...d.updates.keys()])].sort();
}
