import { copyState, newState, timeText, touched, type ResourceState } from "../state";
import type { StepContext } from "./context";
import { diffResource } from "./diff";
import type { RegisterEvent } from "./goal";
import { failure, RegisteredStep, type Applied, type Op } from "./step";

/** Takes an existing object into management. */
export class ImportStep extends RegisteredStep {
    private imported: ResourceState | undefined;
    /** @param finished called with the state that was read, or undefined if the import failed */
    constructor(
        d: StepContext,
        reg: RegisterEvent,
        private readonly original: ResourceState | undefined,
        now: ResourceState,
        private readonly ignoreChanges: readonly string[],
        private readonly randomSeed: Uint8Array,
    ) {
        super(d, undefined, now, reg);
    }
    get op(): Op {
        return this.original ? "import-replacement" : "import";
    }
    get logical(): boolean {
        return !this.original;
    }
    /** The state as it was read; stands in for the old one in displays. */
    get readState(): ResourceState | undefined {
        return this.imported;
    }
    async apply(): Promise<Applied> {
        const now = this.now as ResourceState;
        try {
            const provider = this.provider();
            const read = await provider.read(this.identity, now.importID, undefined, undefined);
            if (!read.outputs || read.id === "") throw new Error(`resource '${now.importID}' does not exist`);
            if (!read.inputs)
                throw new Error(
                    `provider does not support importing resources; please try updating the '${now.type.split(":")[0]}' plugin`,
                );
            now.id = read.id || now.importID;
            now.outputs = read.outputs;
            now.created = now.modified = timeText();
            this.imported = newState({
                ...copyState(now),
                inputs: read.inputs,
                outputs: read.outputs,
                aliases: [],
                created: undefined,
                modified: undefined,
            });
            const ignored = this.deployment.ignoreChanges(now.inputs, read.inputs, this.ignoreChanges);
            const checked = await provider.check(this.identity, read.inputs, ignored, this.randomSeed);
            if (this.deployment.reportCheckFailures(now, checked.failures))
                throw new Error("one or more inputs failed to validate");
            now.inputs = checked.inputs;
            const d = await diffResource(
                provider,
                this.identity,
                now.id,
                read.inputs,
                read.outputs,
                now.inputs,
                this.ignoreChanges,
            );
            this.diffs = d.changedKeys;
            this.detailedDiff = d.detailedDiff;
            if (d.changes !== "none") {
                const message = `inputs to import do not match the existing resource: [${d.changedKeys.join(" ")}]`;
                if (!this.preview) throw new Error(message);
                this.deployment.diag.warning(this.urn, `${message}; importing this resource will fail`);
            }
        } catch (e) {
            return failure(e);
        }
        if (this.original) {
            this.original.delete = true;
            touched(this.original);
        }
        return { status: "ok", complete: this.succeed() };
    }
}
