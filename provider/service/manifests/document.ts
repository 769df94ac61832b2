/** Kubernetes objects, with the positions of their fields in the YAML text that they came from. */

import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type Pair, type YAMLMap } from "yaml";
import { type EntryPart, type FieldPath, type Position, valueAt } from "../../diagnostics";
import { once } from "../../schema/defined";

/** Kubernetes object of any kind, not validated. */
export interface OtherDocument {
    readonly apiVersion: string;
    readonly kind: string;
    readonly object: unknown;
    /** Kind, namespace and name for people, for example `Service default/web`. */
    readonly subject: string;
    /** Returns the position of a field, else of its nearest parent, or undefined for objects that are not from text. */
    locate(path: FieldPath, part?: EntryPart): Position | undefined;
    /** Returns a scalar as it was written (`on`, where `object` has `true`), or undefined for anything else. */
    written(path: FieldPath): string | undefined;
}

/** Object of kind Service, which `parseService` validates. */
export interface ServiceDocument extends OtherDocument {
    readonly kind: "Service";
    /** True if the API server returned it: unknown fields are those of a later Kubernetes. Default false. */
    readonly observed?: boolean;
}

/** Returns the document of an object that did not come from text. */
export const documentOf = (object: unknown, { observed }: Pick<ServiceDocument, "observed"> = {}): ServiceDocument => ({
    observed,
    apiVersion: "v1",
    kind: "Service",
    object,
    subject: subjectOf("Service", object),
    locate: () => undefined,
    written: () => undefined,
});

/** Returns kind, namespace and name of an object. A missing namespace is `default`, as in Kubernetes. */
export function subjectOf(kind: string, object: unknown): string {
    const text = (key: string, otherwise: string): string => {
        const value = valueAt(object, ["metadata", key]);
        return typeof value === "string" && value !== "" ? value : otherwise;
    };
    return `${kind} ${text("namespace", "default")}/${text("name", "(no name)")}`;
}

type Entry = Readonly<Record<"key" | "value", Node | undefined>>;

type Entries = ReadonlyMap<string, Entry>;

/** Locates the fields of an object in the syntax tree of a YAML document. `root` is the path of the object. */
export class Locator {
    constructor(
        private readonly document: Document,
        private readonly positionAt: (offset: number) => Position,
        private readonly root: FieldPath,
    ) {}

    locate(path: FieldPath, part: EntryPart = "value"): Position | undefined {
        const full = [...this.root, ...path];
        for (let length = full.length; length >= 0; length--) {
            const entry = this.walk(full.slice(0, length));
            if (entry === undefined) continue;
            // For a missing field a reader looks at the key of its parent.
            const { key, value } = entry;
            const position = this.positionOf(part === "key" || length < full.length ? (key ?? value) : (value ?? key));
            if (position !== undefined) return position;
        }
        return undefined;
    }

    written(path: FieldPath): string | undefined {
        const node = this.walk([...this.root, ...path])?.value;
        return isScalar(node) ? node.source : undefined;
    }

    private positionOf(node: Node | undefined): Position | undefined {
        const offset = node?.range?.[0];
        return offset === undefined ? undefined : this.positionAt(offset);
    }

    private walk(path: FieldPath): Entry | undefined {
        let entry: Entry | undefined = { key: undefined, value: this.document.contents ?? undefined };
        for (const part of path) {
            const holder = this.resolve(entry.value);
            if (isMap(holder)) entry = this.entriesOf(holder).get(String(part));
            else if (isSeq(holder) && typeof part === "number" && part < holder.items.length)
                entry = { key: undefined, value: holder.items[part] as Node };
            else return undefined;
            if (entry === undefined) return undefined;
        }
        return entry;
    }

    /** Returns the entries of a mapping by key. Its own entries come before merged entries. */
    private entriesOf(mapping: YAMLMap): Entries {
        return once(ENTRIES, mapping, () => {
            const entries = new Map<string, Entry>();
            const add = (key: string, entry: Entry): Entry => once(entries, key, () => entry);
            const merges: Node[] = [];
            for (const { key, value } of mapping.items as Pair<Node, Node | null>[]) {
                if (!isScalar(key)) continue;
                if (key.source === "<<" && value !== null) merges.push(value);
                else add(String(key.value), { key, value: value ?? undefined });
            }
            for (const value of merges) {
                const merged = this.resolve(value);
                for (const node of isSeq(merged) ? (merged.items as Node[]) : [merged]) {
                    const source = this.resolve(node);
                    if (isMap(source)) this.entriesOf(source).forEach((entry, key) => add(key, entry));
                }
            }
            return entries;
        });
    }

    private resolve(node: Node | undefined): Node | undefined {
        return isAlias(node) ? node.resolve(this.document) : node;
    }
}

/** Entries of mappings whose fields were located: each diagnostic asks for one of the same few. */
const ENTRIES = new WeakMap<YAMLMap, Entries>();
