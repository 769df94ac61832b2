import { InitError, type ReadResult } from "../plugin";
import { copyState, newState, timeText, touched, type ResourceState } from "../state";
import type { StepContext } from "./context";
import type { RegisterEvent } from "./goal";
import { failure, RegisteredStep, type Applied, type Op } from "./step";

/** Takes an existing object into management, as it is. What the program wants of it beyond that is another step. */
export class ImportStep extends RegisteredStep {
    override readonly continues = true;
    private imported: ResourceState | undefined;
    /**
     * @param original what the object takes the place of
     * @param finished called with the state that was read, or undefined if the import failed
     */
    constructor(
        d: StepContext,
        reg: RegisterEvent,
        private readonly original: ResourceState | undefined,
        now: ResourceState,
        private readonly finished: (s: ResourceState | undefined) => void,
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
        try {
            this.take(await this.read());
        } catch (e) {
            this.finished(undefined);
            return failure(e);
        }
        if (this.original) {
            this.original.delete = true;
            touched(this.original);
        }
        return { status: "ok", complete: () => this.finished(this.now) };
    }

    /** An object that exists, but is not in order, is taken as it is. */
    private async read(): Promise<ReadResult> {
        const now = this.now as ResourceState;
        try {
            return await this.provider().read(this.identity, now.importID, undefined, undefined);
        } catch (e) {
            if (!(e instanceof InitError)) throw e;
            now.initErrors = e.reasons;
            return { id: e.id, outputs: e.outputs, inputs: e.inputs };
        }
    }

    private take(read: ReadResult): void {
        const now = this.now as ResourceState;
        if (!read.outputs || read.id === "") throw new Error(`resource '${now.importID}' does not exist`);
        if (!read.inputs)
            throw new Error(
                `provider does not support importing resources; please try updating the '${now.type.split(":")[0]}' plugin`,
            );
        now.id = read.id;
        now.inputs = read.inputs;
        now.outputs = read.outputs;
        now.created = now.modified = timeText();
        this.imported = newState({ ...copyState(now), aliases: [], created: undefined, modified: undefined });
    }
}
