import type { CallbackRef } from "../deploy";

/** Transforms that the program has registered. */
export class TransformRegistry {
    /** For all resources, in the order of their registration. */
    readonly stack: CallbackRef[] = [];
    /** For all function calls. */
    readonly invoke: CallbackRef[] = [];
    /** Parent and own transforms of each resource, by URN. */
    private readonly resources = new Map<string, { parent: string; own: readonly CallbackRef[] }>();

    /** Keeps a resource's transforms, which its children run, too. */
    add(urn: string, parent: string, own: readonly CallbackRef[]): void {
        this.resources.set(urn, { parent, own });
    }

    /** What a resource runs: its own transforms, those of its ancestors, then the stack's. */
    of(own: readonly CallbackRef[], parent: string): CallbackRef[] {
        const out = [...own];
        for (let p = this.resources.get(parent); p; p = this.resources.get(p.parent)) out.push(...p.own);
        return [...out, ...this.stack];
    }
}
