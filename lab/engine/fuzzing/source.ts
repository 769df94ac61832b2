import { inheritOptions, newGoal, type Goal, type RegisterResult, type Source, type SourceEvent } from "../deploy";
import { DefaultProviders } from "../monitor/providers";
import { ROOT_STACK_TYPE, type ResourceState } from "../state";
import { UNKNOWN, type Value, type ValueMap } from "../value";
import { PACKAGE, type ProgramSpec, type ResourceSpec } from "./program";
import type { Random } from "./random";

/** Registers the resources of a program, each as soon as those that it refers to are registered. */
export class SpecSource implements Source {
    private isClosed = false;
    private readonly states = new Map<string, Promise<ResourceState | undefined>>();
    private readonly goals = new Map<string, Goal>();

    constructor(
        private readonly program: ProgramSpec,
        private readonly stackName: string,
        private readonly isPreview: boolean,
        private readonly random: Random,
    ) {}

    close(): void {
        this.isClosed = true;
    }

    async run(emit: (e: SourceEvent) => void): Promise<void> {
        const send = (e: SourceEvent): void => {
            if (!this.isClosed) emit(e);
        };
        const providers = new DefaultProviders(() => ({}), send);
        const stack = await register(send, newGoal({ type: ROOT_STACK_TYPE, name: this.stackName, custom: false }));
        const { urn } = stack.state;
        for (const spec of this.program) this.states.set(spec.name, this.resource(spec, urn, providers, send));
        await Promise.all(this.states.values());
        await outputs(send, urn);
    }

    /** The registered state; undefined if it or something that it refers to could not be registered. */
    private async resource(
        spec: ResourceSpec,
        stack: string,
        providers: DefaultProviders,
        send: (e: SourceEvent) => void,
    ): Promise<ResourceState | undefined> {
        const known = new Map<string, ResourceState>();
        for (const name of referencesOf(spec)) {
            const state = await this.states.get(name);
            if (!state) return undefined;
            known.set(name, state);
        }
        for (let n = this.random.int(3); n > 0; n--) await new Promise((resolve) => setImmediate(resolve));
        const isCustom = spec.kind !== "Component";
        const provider = isCustom ? await providers.reference({ pkg: PACKAGE, version: "", url: "" }) : "";
        const goal = this.goal(spec, stack, provider, (name) => known.get(name) as ResourceState);
        const parent = this.goals.get(goal.parent);
        if (parent) inheritOptions(goal, parent);
        const { state, result } = await register(send, goal);
        if (result !== "success") return undefined;
        this.goals.set(state.urn, goal);
        if (!isCustom) await outputs(send, state.urn);
        return state;
    }

    private goal(spec: ResourceSpec, stack: string, provider: string, stateOf: (name: string) => ResourceState): Goal {
        const urnOf = (name: string) => stateOf(name).urn;
        const isCustom = spec.kind !== "Component";
        const address = (name: string): Value => {
            const { arn } = stateOf(name).outputs;
            return typeof arn === "string" ? arn : this.isPreview ? UNKNOWN : null;
        };
        const properties: ValueMap = { size: spec.size };
        if (isCustom) {
            properties["zone"] = spec.zone;
            properties["mustDeleteFirst"] = spec.mustDeleteFirst;
            properties["refs"] = spec.references.map(address);
            if (spec.anchor !== undefined) properties["anchor"] = address(spec.anchor);
        }
        const anchor = spec.anchor === undefined ? [] : [urnOf(spec.anchor)];
        const references = spec.references.map(urnOf);
        return newGoal({
            type: `${PACKAGE}:index:${spec.kind}`,
            name: spec.name,
            custom: isCustom,
            properties,
            parent: spec.parent === undefined ? stack : urnOf(spec.parent),
            provider,
            dependencies: [...new Set([...references, ...anchor, ...spec.dependsOn.map(urnOf)])],
            propertyDependencies: isCustom ? { refs: references, anchor } : {},
            protect: spec.protect,
            retainOnDelete: spec.retainOnDelete,
            deletedWith: spec.deletedWith === undefined ? "" : urnOf(spec.deletedWith),
            ignoreChanges: spec.ignoreSize ? ["size"] : [],
            deleteBeforeReplace: spec.deleteBeforeReplace,
            aliases: spec.aliases.map((urn) => ({ urn })),
            importId: spec.importId ?? "",
        });
    }
}

/** Names of everything that a resource refers to. */
export function referencesOf(spec: ResourceSpec): string[] {
    const single = [spec.parent, spec.anchor, spec.deletedWith].filter((name) => name !== undefined);
    return [...new Set([...spec.references, ...spec.dependsOn, ...single])];
}

function register(send: (e: SourceEvent) => void, goal: Goal): Promise<RegisterResult> {
    return new Promise((done) => send({ kind: "register", goal, done }));
}

function outputs(send: (e: SourceEvent) => void, urn: string): Promise<void> {
    return new Promise((done) => send({ kind: "outputs", urn, outputs: {}, done }));
}
