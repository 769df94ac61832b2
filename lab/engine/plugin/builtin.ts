import { mapValues, Secret, type ValueMap } from "../value";
import type { CheckResult, CreateResult, DiffResult, Identity, Provider, ReadResult } from "./types";

/** Type of a reference to another stack. */
export const STACK_REFERENCE = "pulumi:pulumi:StackReference";

/** Outputs of other stacks and resources of this run, as the built-in provider needs them. */
export interface StackAccess {
    /** Outputs of a stack by its full name, or undefined if it does not exist. */
    outputsOf(fullName: string): Promise<ValueMap | undefined>;
    /** A resource of this run. */
    resource(urn: string): { id: string; outputs: ValueMap } | undefined;
}

/** Provider of the package `pulumi`: stack references, and look-up of resources by URN. */
export class BuiltinProvider implements Provider {
    constructor(private readonly access: StackAccess) {}

    async check(_r: Identity, _olds: ValueMap, news: ValueMap): Promise<CheckResult> {
        return { inputs: news, failures: [] };
    }
    async diff(): Promise<DiffResult> {
        return {
            changes: "none",
            replaceKeys: [],
            stableKeys: [],
            changedKeys: [],
            detailedDiff: undefined,
            deleteBeforeReplace: false,
        };
    }
    async create(r: Identity): Promise<CreateResult> {
        throw new Error(`the built-in provider cannot create ${r.type}`);
    }
    async update(r: Identity): Promise<CreateResult> {
        throw new Error(`the built-in provider cannot update ${r.type}`);
    }
    async read(r: Identity, id: string, inputs: ValueMap | undefined): Promise<ReadResult> {
        if (r.type !== STACK_REFERENCE) throw new Error(`unrecognized resource type '${r.type}'`);
        const name = inputs?.["name"];
        if (typeof name !== "string") throw new Error('missing required property "name"');
        const outputs = await this.access.outputsOf(name);
        if (!outputs) throw new Error(`unknown stack "${name}"`);
        const secretOutputNames = Object.keys(outputs)
            .filter((k) => outputs[k] instanceof Secret)
            .sort();
        return {
            id,
            outputs: { name, outputs: mapValues(outputs, (v) => v), secretOutputNames },
            inputs: inputs ?? {},
        };
    }
    async delete(): Promise<void> {}

    async invoke(token: string, args: ValueMap): Promise<{ result: ValueMap; failures: [] }> {
        const text = (k: string) => (typeof args[k] === "string" ? args[k] : "");
        if (token === "pulumi:pulumi:getResource") {
            const found = this.access.resource(text("urn"));
            if (!found) throw new Error(`unknown resource ${text("urn")}`);
            return { result: { urn: text("urn"), id: found.id, state: found.outputs }, failures: [] };
        }
        if (token === "pulumi:pulumi:readStackOutputs") {
            const outputs = await this.access.outputsOf(text("name"));
            if (!outputs) throw new Error(`unknown stack "${text("name")}"`);
            const secretOutputNames = Object.keys(outputs)
                .filter((k) => outputs[k] instanceof Secret)
                .sort();
            return { result: { name: text("name"), outputs, secretOutputNames }, failures: [] };
        }
        throw new Error(`unrecognized function name: '${token}'`);
    }
}
