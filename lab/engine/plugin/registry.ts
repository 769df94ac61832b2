import { randomUUID } from "node:crypto";
import { providerId, providerPackage, providerUrn, type ResourceState } from "../state";
import { mapEquals, UNKNOWN_TEXT, type ValueMap } from "../value";
import { BuiltinProvider } from "./builtin";
import type { CheckResult, CreateResult, DiffResult, Identity, Plugin, Provider, ReadResult } from "./types";

/** Starts the plugin of a package, in the given version or a later one. */
export type LoadPlugin = (pkg: string, version: string | undefined) => Promise<Plugin>;

type Loaded = Plugin | BuiltinProvider;

/**
 * The providers of a run. Provider resources are registered, compared and updated like all others; this is what manages
 * them. A provider is known by its reference `<urn>::<id>` as soon as it is configured.
 */
export class ProviderRegistry implements Provider {
    private readonly configured = new Map<string, Loaded>();
    /** Plugins that have checked their configuration and wait for the decision what becomes of it. */
    private readonly waiting = new Map<string, Loaded>();
    private readonly plugins: Plugin[] = [];
    private readonly loading = new Map<string, Promise<void>>();
    private readonly newNames = new Map<string, string>();

    constructor(
        private readonly load: LoadPlugin,
        private readonly builtin: BuiltinProvider,
        private readonly preview: boolean,
    ) {}

    /** A configured provider. */
    get(reference: string): Loaded | undefined {
        return (
            this.configured.get(reference) ??
            this.configured.get(`${this.newNames.get(providerUrn(reference)) ?? ""}::${providerId(reference)}`)
        );
    }

    /** Notes that a provider resource is known under another URN now. */
    alias(urn: string, old: string): void {
        this.newNames.set(old, urn);
    }

    private async open(type: string, inputs: ValueMap): Promise<Loaded> {
        const pkg = providerPackage(type);
        if (pkg === "pulumi") return this.builtin;
        const { version } = inputs;
        const p = await this.load(pkg, typeof version === "string" ? version : undefined);
        this.plugins.push(p);
        return p;
    }
    private async waitingFor(r: Identity, inputs: ValueMap): Promise<Loaded> {
        let p = this.waiting.get(r.urn);
        if (!p) this.waiting.set(r.urn, (p = await this.open(r.type, inputs)));
        return p;
    }
    private async configure(r: Identity, id: string, inputs: ValueMap): Promise<void> {
        const p = await this.waitingFor(r, inputs);
        this.waiting.delete(r.urn);
        if (!(p instanceof BuiltinProvider)) await p.configure(r, id, inputs);
        this.configured.set(`${r.urn}::${id}`, p);
    }

    /** Loads a provider from its record, once. @throws Error if the record does not exist */
    ensure(reference: string, find: (urn: string, id: string) => ResourceState | undefined): Promise<void> {
        if (reference === "" || this.get(reference)) return Promise.resolve();
        let p = this.loading.get(reference);
        if (!p) {
            p = (async () => {
                const state = find(providerUrn(reference), providerId(reference));
                if (!state) throw new Error(`could not find provider ${reference} in old state`);
                await this.same(state);
            })();
            this.loading.set(reference, p);
        }
        return p;
    }

    /** Configures a provider as its record says, unless it is there already. */
    async same(s: ResourceState): Promise<void> {
        if (this.configured.has(`${s.urn}::${s.id}`)) return;
        await this.configure({ urn: s.urn, type: s.type, name: s.urn.split("::").slice(3).join("::") }, s.id, s.inputs);
    }

    /** Asks a configured provider what a change of configuration means for the resources it manages. */
    async diffConfig(
        reference: string,
        urn: string,
        oldInputs: ValueMap,
        oldOutputs: ValueMap,
        news: ValueMap,
    ): Promise<DiffResult> {
        const p = this.get(reference);
        if (!p || p instanceof BuiltinProvider) return this.builtin.diff();
        return p.diffConfig({ urn, type: "", name: "" }, oldInputs, oldOutputs, news, []);
    }

    async check(r: Identity, olds: ValueMap, news: ValueMap): Promise<CheckResult> {
        const p = await this.waitingFor(r, news);
        return p instanceof BuiltinProvider ? { inputs: news, failures: [] } : p.checkConfig(r, olds, news);
    }

    async diff(
        r: Identity,
        _id: string,
        oldInputs: ValueMap,
        oldOutputs: ValueMap,
        news: ValueMap,
        ignoreChanges: readonly string[],
    ): Promise<DiffResult> {
        const p = await this.waitingFor(r, news);
        const d =
            p instanceof BuiltinProvider
                ? await this.builtin.diff()
                : await p.diffConfig(r, oldInputs, oldOutputs, news, ignoreChanges);
        // A plugin without DiffConfig leaves open what changed; the engine then only knows whether anything did.
        return d.changes === "unknown" ? { ...d, changes: mapEquals(oldInputs, news) ? "none" : "some" } : d;
    }

    async create(r: Identity, inputs: ValueMap): Promise<CreateResult> {
        const id = this.preview ? UNKNOWN_TEXT : randomUUID();
        await this.configure(r, id, inputs);
        return { id, outputs: inputs, refreshBeforeUpdate: false };
    }
    async update(
        r: Identity,
        id: string,
        _oldInputs: ValueMap,
        _oldOutputs: ValueMap,
        news: ValueMap,
    ): Promise<CreateResult> {
        await this.configure(r, id, news);
        return { id, outputs: news, refreshBeforeUpdate: false };
    }
    async read(_r: Identity, id: string, inputs: ValueMap | undefined): Promise<ReadResult> {
        return { id, outputs: inputs ?? {}, inputs };
    }
    /** Nothing to do: the process ends with the run. */
    async delete(): Promise<void> {}

    async invoke(): Promise<never> {
        throw new Error("the provider registry has no functions");
    }

    /** Asks all plugins to stop what they are doing. */
    async cancelAll(): Promise<void> {
        await Promise.all(this.plugins.map((p) => p.cancel()));
    }
    /** Ends all plugins. */
    async close(): Promise<void> {
        await Promise.all(this.plugins.map((p) => p.close()));
    }
}
