import type { CheckFailure, Provider, ProviderRegistry } from "../plugin";
import { goText } from "../plugin";
import type { PolicyPack } from "../policy";
import { DependencyGraph, isProviderType, makeUrn, type ResourceState, type Snapshot } from "../state";
import type { Callbacks, Hook } from "./callbacks";
import type { DeployOptions, Diagnostics, StepContext, Target } from "./context";
import type { DeployEvents } from "./events";
import type { Goal } from "./goal";

/** Everything the parts of one run share. */
export class Deployment implements StepContext {
    olds = new Map<string, ResourceState>();
    graph: DependencyGraph;
    readonly goals = new Map<string, Goal>();
    /** Resources of this run, by URN. */
    readonly news = new Map<string, ResourceState>();
    readonly reads = new Map<string, ResourceState>();
    /** A refused resource ends the run; others that are refused besides are not reported any more. */
    ending = false;
    /** The last error of a hook after an operation. */
    postStepError: Error | undefined;

    constructor(
        readonly target: Target,
        /** The state before the run. Refreshes change it in place. */
        readonly prev: Snapshot,
        readonly options: DeployOptions,
        readonly providers: ProviderRegistry,
        readonly packs: readonly PolicyPack[],
        readonly diag: Diagnostics,
        readonly events: DeployEvents,
        readonly callbacks: Callbacks,
        /** Hooks by name; the monitor adds to it while the program runs. */
        readonly hooks: ReadonlyMap<string, Hook>,
    ) {
        for (const r of prev.resources) if (!r.delete) this.olds.set(r.urn, r);
        this.graph = new DependencyGraph(prev.resources);
    }

    /** Takes over a changed list of old resources. */
    rebase(resources: ResourceState[]): void {
        this.prev.resources = resources;
        this.olds = new Map(resources.filter((r) => !r.delete).map((r) => [r.urn, r]));
        this.graph = new DependencyGraph(resources);
    }

    urn(parent: string, type: string, name: string): string {
        return makeUrn(this.target.stack, this.target.project, parent, type, name);
    }

    /** The provider that manages a resource. @throws Error if it has not been loaded */
    providerFor(s: ResourceState): Provider {
        if (isProviderType(s.type)) return this.providers;
        const p = this.providers.get(s.provider);
        if (!p) throw new Error(`unknown provider '${s.provider}' for resource ${s.urn}`);
        return p;
    }

    /** Loads the provider of an old resource from its record. */
    async ensureProvider(reference: string): Promise<void> {
        await this.providers.ensure(reference, (urn, id) =>
            this.prev.resources.find((r) => r.urn === urn && r.id === id),
        );
    }

    /** Reports what a provider dislikes about inputs. @returns true if there was anything */
    reportCheckFailures(s: ResourceState, failures: readonly CheckFailure[]): boolean {
        const name = s.urn.split("::").slice(3).join("::");
        for (const f of this.ending ? [] : failures) {
            this.diag.error(
                s.urn,
                f.property !== ""
                    ? `${s.type} resource '${name}': property ${f.property} value ${goText(s.inputs[f.property])} has a problem: ${f.reason}`
                    : `${s.type} resource '${name}' has a problem: ${f.reason}`,
            );
        }
        return failures.length > 0;
    }
}
