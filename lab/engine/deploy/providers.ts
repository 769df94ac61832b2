import type { Provider } from "../plugin";
import { isProviderType, providerUrn, type ResourceState } from "../state";
import { Bail } from "./bail";
import type { StepBook } from "./book";
import type { Deployment } from "./deployment";
import { needsReplacement } from "./diff";

/** The provider resources of a run: what they are, and what they manage. */
export class RunProviders {
    /** By URN and by the URN they were found under. */
    private readonly states = new Map<string, ResourceState>();

    constructor(
        private readonly d: Deployment,
        private readonly book: StepBook,
    ) {}

    /** Takes a provider resource that the program has registered. */
    add(state: ResourceState, aliases: readonly string[]): void {
        for (const u of [state.urn, ...aliases]) this.states.set(u, state);
    }

    /** The provider that is asked about a resource; components have none. @throws Bail if it is not known */
    of(s: ResourceState): Provider | undefined {
        if (!s.custom) return undefined;
        if (isProviderType(s.type)) return this.d.providers;
        const p = this.d.providers.get(s.provider);
        if (!p) {
            this.d.diag.error(s.urn, `unknown provider '${s.provider}' for resource '${s.urn}'`);
            throw new Bail("unknown provider");
        }
        return p;
    }

    /** The provider resource that a reference means, of this run or of the last one. */
    state(reference: string): ResourceState | undefined {
        return reference === ""
            ? undefined
            : (this.states.get(providerUrn(reference)) ?? this.d.olds.get(providerUrn(reference)));
    }

    /** True if another provider manages the resource from now on, in a way that the object cannot survive. */
    async changed(old: ResourceState, now: ResourceState): Promise<boolean> {
        if (old.provider === now.provider) return false;
        if (old.provider === "" || now.provider === "") return true;
        const [oldUrn, newUrn] = [providerUrn(old.provider), providerUrn(now.provider)];
        if (this.book.aliased.get(oldUrn) === newUrn) return false;
        const [oldState, state] = [this.d.olds.get(oldUrn), this.states.get(newUrn)];
        if (!oldState || !state) return false;
        const diff = await this.d.providers.diffConfig(
            now.provider,
            newUrn,
            oldState.inputs,
            oldState.outputs,
            state.inputs,
        );
        return needsReplacement(diff);
    }
}
