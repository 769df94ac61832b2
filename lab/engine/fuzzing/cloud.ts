import {
    InitError,
    ProviderError,
    type CheckResult,
    type CreateResult,
    type DiffResult,
    type Identity,
    type Plugin,
    type ReadResult,
} from "../plugin";
import { unknownDiff } from "../plugin/answers";
import { containsUnknown, mapEquals, UNKNOWN, deepEquals, type ValueMap } from "../value";
import type { Random } from "./random";

export interface CloudObject {
    readonly id: string;
    readonly urn: string;
    inputs: ValueMap;
    revision: number;
}

export type Operation = "check" | "create" | "update" | "read" | "delete";

/**
 * How a call fails: `refused` = nothing has happened; `partial` = the object is there, but not in order;
 * `unanswered` = it has happened, but the engine does not get to know.
 */
export type Fault = "refused" | "partial" | "unanswered";

export interface CloudCall {
    readonly op: "create" | "update" | "delete";
    readonly urn: string;
    readonly id: string;
    /** Objects whose inputs hold this one's address, at a deletion. */
    readonly users: readonly string[];
}

const addressOf = (id: string): string => `arn:${id}`;
const UNKNOWN_ERROR = 2;
const UNAVAILABLE = 14;

/** The objects that the provider manages, and the provider. A call takes a random number of turns. */
export class FakeCloud implements Plugin {
    readonly objects = new Map<string, CloudObject>();
    /** Objects that something else than the engine has deleted, or that the engine has deleted without knowing. */
    readonly vanished = new Set<string>();
    /** How many changes the engine does not know of, because it got no answer. */
    unanswered = 0;
    /** Changes of this run. */
    calls: CloudCall[] = [];
    /** By operation and resource name. */
    faults = new Map<string, Fault>();
    private serial = 0;

    constructor(private readonly random: Random) {}

    outputsOf(o: CloudObject): ValueMap {
        return { ...o.inputs, arn: addressOf(o.id), revision: o.revision };
    }

    private async turns(): Promise<void> {
        for (let n = this.random.int(4); n > 0; n--) await new Promise((resolve) => setImmediate(resolve));
    }

    private faultOf(op: Operation, r: Identity): Fault | undefined {
        const fault = this.faults.get(`${op} ${r.name}`);
        if (fault === "refused") throw new ProviderError(`${op} of ${r.name} is refused`, UNKNOWN_ERROR, false);
        return fault;
    }

    private answer(op: Operation, r: Identity, o: CloudObject, fault: Fault | undefined): CreateResult {
        const outputs = this.outputsOf(o);
        if (fault === "partial") throw new InitError([`${r.name} is not ready`], o.id, outputs, undefined);
        if (fault === "unanswered" && op === "update") this.unanswered++;
        if (fault === "unanswered") throw new ProviderError(`${op} of ${r.name}: no answer`, UNAVAILABLE, true);
        return { id: o.id, outputs, refreshBeforeUpdate: false };
    }

    /** @throws Error if an input is the address of an object that does not exist */
    private requireReferences(inputs: ValueMap): void {
        for (const address of addressesIn(inputs)) {
            const id = address.slice(addressOf("").length);
            if (!this.objects.has(id)) throw new ProviderError(`there is no ${address}`, UNKNOWN_ERROR, false);
        }
    }

    async check(r: Identity, _olds: ValueMap, news: ValueMap): Promise<CheckResult> {
        await this.turns();
        const failures =
            this.faults.get(`check ${r.name}`) === undefined ? [] : [{ property: "size", reason: "is invalid" }];
        return { inputs: news, failures };
    }

    async diff(
        r: Identity,
        _id: string,
        oldInputs: ValueMap,
        _oldOutputs: ValueMap,
        news: ValueMap,
    ): Promise<DiffResult> {
        await this.turns();
        const common = { stableKeys: [], detailedDiff: undefined };
        if (r.type.endsWith(":Bare")) return unknownDiff();
        const keys = [...new Set([...Object.keys(oldInputs), ...Object.keys(news)])];
        const changedKeys = keys.filter((k) => !deepEquals(oldInputs[k] ?? null, news[k] ?? null)).sort();
        const replaceKeys = changedKeys.filter((k) => k === "zone" || k === "anchor");
        const deleteBeforeReplace = replaceKeys.length > 0 && news["mustDeleteFirst"] === true;
        return {
            ...common,
            changes: changedKeys.length > 0 ? "some" : "none",
            replaceKeys,
            changedKeys,
            deleteBeforeReplace,
        };
    }

    async create(r: Identity, inputs: ValueMap, _timeout: number, preview: boolean): Promise<CreateResult> {
        await this.turns();
        if (preview) return { id: "", outputs: { ...inputs }, refreshBeforeUpdate: false };
        if (containsUnknown(inputs)) throw new Error(`${r.urn} is created with unknown inputs`);
        const fault = this.faultOf("create", r);
        this.requireReferences(inputs);
        const o = { id: `${r.name}-${++this.serial}`, urn: r.urn, inputs: { ...inputs }, revision: 1 };
        // A lost answer would leave an object that nothing knows of, which is not the engine's to prevent.
        if (fault !== "unanswered") {
            this.objects.set(o.id, o);
            this.calls.push({ op: "create", urn: r.urn, id: o.id, users: [] });
        }
        return this.answer("create", r, o, fault);
    }

    async update(
        r: Identity,
        id: string,
        _oldInputs: ValueMap,
        oldOutputs: ValueMap,
        news: ValueMap,
        _timeout: number,
        _ignoreChanges: readonly string[],
        preview: boolean,
    ): Promise<CreateResult> {
        await this.turns();
        const arn = oldOutputs["arn"] ?? UNKNOWN;
        if (preview) return { id, outputs: { ...news, arn, revision: UNKNOWN }, refreshBeforeUpdate: false };
        if (containsUnknown(news)) throw new Error(`${r.urn} is updated with unknown inputs`);
        const fault = this.faultOf("update", r);
        const o = this.objects.get(id);
        if (!o) throw new ProviderError(`there is no ${id}`, UNKNOWN_ERROR, false);
        this.requireReferences(news);
        if (!mapEquals(o.inputs, news)) o.revision++;
        o.inputs = { ...news };
        this.calls.push({ op: "update", urn: r.urn, id, users: [] });
        return this.answer("update", r, o, fault);
    }

    async read(r: Identity, id: string): Promise<ReadResult> {
        await this.turns();
        const fault = this.faultOf("read", r);
        const o = this.objects.get(id);
        if (!o) return { id: "", outputs: undefined, inputs: undefined };
        const { outputs } = this.answer("read", r, o, fault);
        return { id, outputs, inputs: { ...o.inputs } };
    }

    async delete(r: Identity, id: string): Promise<void> {
        await this.turns();
        const fault = this.faultOf("delete", r);
        const users = [...this.objects.values()].filter((o) => addressesIn(o.inputs).includes(addressOf(id)));
        if (this.objects.delete(id))
            this.calls.push({ op: "delete", urn: r.urn, id, users: users.map((o) => o.id).filter((u) => u !== id) });
        if (fault === undefined) return;
        this.vanished.add(id);
        this.unanswered++;
        throw new ProviderError(`delete of ${r.name}: no answer`, UNAVAILABLE, true);
    }

    async invoke(): Promise<never> {
        throw new Error("there are no functions");
    }
    async checkConfig(_r: Identity, _olds: ValueMap, news: ValueMap): Promise<CheckResult> {
        return { inputs: news, failures: [] };
    }
    async diffConfig(): Promise<DiffResult> {
        return unknownDiff();
    }
    async configure(): Promise<void> {}
    async cancel(): Promise<void> {}
    async close(): Promise<void> {}

    /** Deletes or changes an object without the engine. */
    drift(): void {
        const ids = [...this.objects.keys()];
        if (ids.length === 0) return;
        const o = this.objects.get(this.random.pick(ids)) as CloudObject;
        if (this.random.chance(0.5)) {
            o.inputs = { ...o.inputs, size: 100 + this.random.int(3) };
            o.revision++;
        } else {
            this.objects.delete(o.id);
            this.vanished.add(o.id);
        }
    }
}

function addressesIn(inputs: ValueMap): string[] {
    const { refs, anchor } = inputs;
    return [...(Array.isArray(refs) ? refs : []), anchor].filter((v): v is string => typeof v === "string");
}
