import { ConfigReader } from "./config-reader";
import { DiffReader } from "./diff-reader";
import type { Difference } from "./difference";
import { equal, isZero } from "./equal";
import { FlatReader, LayeredReader, nothing, type Flat, type Reader, type Reading } from "./readers";
import { schemaAt, type SchemaMap } from "./schema";
import type { Value, ValueMap } from "./value";
import { emptySet, zeroOf } from "./zero";
import { timeoutsKey, type State } from "./state";
import { FlatWriter } from "./writer";

/** Default limit of an operation whose type sets none, in seconds. */
const defaultTimeout = 20 * 60;

/**
 * Attributes of an object during one operation, in four layers: the state, the program's request, the planned changes,
 * and the values that the operation itself has set so far.
 */
export class ResourceData {
    private readonly state: Reader | undefined;
    private readonly config: Reader | undefined;
    private readonly planned: Reader | undefined;
    private readonly writer: FlatWriter;
    private readonly written: Reader;
    private currentId: string;
    private isNew = false;
    private partialNames: Set<string> | undefined;

    constructor(
        readonly schema: SchemaMap,
        private readonly from: { state?: State | undefined; config?: ValueMap; difference?: Difference },
    ) {
        const { state, config, difference } = from;
        this.writer = new FlatWriter(schema);
        this.written = new FlatReader(this.writer.flat, schema);
        if (state !== undefined) this.state = new FlatReader(state.attributes, schema);
        if (config !== undefined) this.config = new ConfigReader(config, schema);
        if (difference !== undefined) {
            this.planned = new DiffReader(difference, new LayeredReader([this.state, this.config]), schema);
        }
        this.currentId = state === undefined ? "" : state.id || (state.attributes.get("id") ?? "");
    }

    get id(): string {
        return this.currentId;
    }

    /** An empty id says that the object is gone. */
    set id(id: string) {
        this.currentId = id;
        this.writer.flat.set("id", id);
    }

    get isNewResource(): boolean {
        return this.isNew;
    }

    markNew(): void {
        this.isNew = true;
    }

    get(name: string): Value {
        const path = name.split(".");
        return this.orZero(path, this.latest(path));
    }

    text(name: string): string {
        return this.get(name) as string;
    }

    number(name: string): number {
        return this.get(name) as number;
    }

    flag(name: string): boolean {
        return this.get(name) as boolean;
    }

    list(name: string): Value[] {
        return this.get(name) as Value[];
    }

    /** The value, or `undefined` when it is missing, unknown or zero. */
    given(name: string): Value {
        const reading = this.latest(name.split("."));
        return reading.exists && !reading.unknown && !isZero(reading.value) ? reading.value : undefined;
    }

    /** Returns the value, or `undefined` when it is missing or unknown. Zero values count as present. */
    present(name: string): Value {
        const reading = this.latest(name.split("."));
        return reading.exists && !reading.unknown ? reading.value : undefined;
    }

    /** Old and planned value. */
    change(name: string): [Value, Value] {
        const path = name.split(".");
        const before = this.state?.read(path) ?? nothing;
        const after = new LayeredReader([this.state, this.config, this.planned]).read(path);
        return [this.orZero(path, before), this.orZero(path, after)];
    }

    hasChange(name: string): boolean {
        const [before, after] = this.change(name);
        return !equal(before, after);
    }

    hasChanges(...names: string[]): boolean {
        return names.some((name) => this.hasChange(name));
    }

    /** Records a value. A value of the wrong kind is dropped silently, as the real plugin does. */
    set(name: string, value: Value): void {
        try {
            this.writer.write(name.split("."), value);
        } catch {
            // Nothing was recorded, so the attribute keeps its planned or old value.
        }
    }

    /** While partial, only attributes named by {@link done} keep their planned values if the operation fails. */
    partial(on: boolean): void {
        this.partialNames = on ? (this.partialNames ?? new Set()) : undefined;
    }

    done(...names: string[]): void {
        for (const name of names) this.partialNames?.add(name);
    }

    /** For computing a difference: old value and configured value, nothing when absent. */
    compare(path: readonly string[]): { before: Value; after: Value; unknown: boolean } {
        const before = this.state?.read(path) ?? nothing;
        const after = this.config?.read(path) ?? nothing;
        return {
            before: before.exists ? this.orZero(path, before) : undefined,
            after: after.exists ? this.orZero(path, after) : undefined,
            unknown: after.unknown,
        };
    }

    /** Limit of an operation in seconds. */
    timeout(operation: "create" | "read" | "update" | "delete"): number {
        const limits = this.timeouts();
        const limit = limits?.[operation] ?? limits?.["default"];
        return limit === undefined ? defaultTimeout : limit / 1e9;
    }

    /** Returns the resulting state, or `undefined` when the object has no id or lost it. */
    toState(): State | undefined {
        if (this.currentId === "") return undefined;
        const values: ValueMap = {};
        for (const name of Object.keys(this.schema)) {
            const onlyOld = this.partialNames !== undefined && !this.partialNames.has(name);
            const reading = onlyOld ? (this.state?.read([name]) ?? nothing) : this.latest([name]);
            if (reading.exists && !reading.unknown) values[name] = this.orZero([name], reading);
        }
        const writer = new FlatWriter(this.schema);
        for (const [name, value] of Object.entries(values)) writer.write([name], value);
        const attributes: Flat = writer.flat;
        for (const [name, schema] of Object.entries(this.schema)) {
            if (schema.type === "map" && attributes.get(name) === "") attributes.delete(name);
        }
        attributes.set("id", this.currentId);
        const timeouts = this.timeouts();
        const hasTimeouts = timeouts !== undefined && Object.keys(timeouts).length > 0;
        return { id: this.currentId, attributes, meta: hasTimeouts ? { [timeoutsKey]: timeouts } : undefined };
    }

    private timeouts(): Readonly<Record<string, number>> | undefined {
        return (
            this.from.difference?.timeouts ??
            (this.from.state?.meta?.[timeoutsKey] as Record<string, number> | undefined)
        );
    }

    private latest(path: readonly string[]): Reading {
        return new LayeredReader([this.state, this.config, this.planned, this.written]).read(path);
    }

    private orZero(path: readonly string[], reading: Reading): Value {
        if (reading.value !== undefined && reading.value !== null) return reading.value;
        const schema = schemaAt(path, this.schema);
        if (schema === undefined) return undefined;
        return schema.type === "set" ? emptySet(schema) : zeroOf(schema);
    }
}
