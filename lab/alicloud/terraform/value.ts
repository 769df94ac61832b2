/** Values of attributes as resource code sees them. */

/** `undefined` and `null` both mean "nothing there". */
export type Value = string | number | boolean | null | undefined | TfSet | Value[] | { [name: string]: Value };
export type ValueMap = { [name: string]: Value };

/** Set whose elements are identified by a hash code in text form. Its order is that of the codes as texts. */
export class TfSet {
    private readonly elements = new Map<string, Value>();

    constructor(private readonly hash: (element: Value) => number) {}

    /** Adds an element unless its code is present. `unknown` marks a code that may still change. */
    add(element: Value, unknown = false): string {
        const code = `${unknown ? "~" : ""}${this.codeOf(element)}`;
        if (!this.elements.has(code)) this.elements.set(code, element);
        return code;
    }

    codeOf(element: Value): string {
        return String(Math.abs(this.hash(element)));
    }

    has(element: Value): boolean {
        return this.elements.has(this.codeOf(element));
    }

    get size(): number {
        return this.elements.size;
    }

    codes(): string[] {
        return [...this.elements.keys()].sort();
    }

    list(): Value[] {
        return this.codes().map((code) => this.elements.get(code));
    }

    entries(): [string, Value][] {
        return this.codes().map((code) => [code, this.elements.get(code)]);
    }

    difference(other: TfSet): TfSet {
        return this.filter((code) => !other.elements.has(code));
    }

    intersection(other: TfSet): TfSet {
        return this.filter((code) => other.elements.has(code));
    }

    private filter(keep: (code: string) => boolean): TfSet {
        const result = new TfSet(this.hash);
        for (const [code, element] of this.elements) if (keep(code)) result.elements.set(code, element);
        return result;
    }
}
