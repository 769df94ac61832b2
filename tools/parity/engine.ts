import * as path from "node:path";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { resetOptions } from "@pulumi/pulumi/runtime/settings";
import { omitBookkeepingStacks, omitPromiseStacks, sdkPromiseNotes } from "../../components/stack/stack-traces";
import { REPOSITORY } from "../../lab/environment";
import { UrnTargets } from "../../lab/engine/deploy";
import { engineService, LocalServer } from "../../lab/engine/monitor";
import { startRun } from "../../lab/engine/run";
import {
    emptySnapshot,
    exportDeployment,
    readDeployment,
    type Snapshot,
    type VersionedDeployment,
} from "../../lab/engine/state";
import { keepPlugins } from "../../lab/engine/resident/plugins";
import { serveProgram } from "../../lab/engine/resident/program";

Error.prepareStackTrace = omitBookkeepingStacks();
omitPromiseStacks(sdkPromiseNotes());

/** A Pulumi program. */
export type Program = () => Promise<void>;

/** How a run ended. */
export interface Outcome {
    readonly ok: boolean;
    /** What was reported as wrong, one text each. */
    readonly errors: readonly string[];
    /** Resources that were not left as they were. */
    readonly changes: number;
}

/**
 * The lab's engine inside this process, with one process of each plugin for all runs. Starting engine, program and plugins anew for each of some
 * thousand runs would take most of an hour.
 */
export class Engine {
    #ready: Promise<() => void> | undefined;

    /** A stack without resources; with one operation at once, the order of calls is the same in every run. */
    stack(name: string, parallel?: number): Stack {
        return new Stack(this, name, parallel);
    }

    /** Starts the plugins, once. */
    async ready(): Promise<void> {
        // Hooks run outside the program that they belong to, where the SDK knows no engine and would write what they log to this process's own output.
        this.#ready ??= new LocalServer()
            .add(
                EngineService,
                engineService(() => undefined),
            )
            .listen()
            .then(({ address }) => {
                resetOptions("parity", "", -1, address, "", false, "");
                return keepPlugins(
                    { names: ["alicloud", "pulumi-nodejs"] },
                    {
                        PULUMI_CONFIG: "{}",
                        PULUMI_PROJECT: "parity",
                        PULUMI_NODEJS_PROJECT: "parity",
                    },
                );
            });
        await this.#ready;
    }

    /** Ends the plugins. */
    close(): void {
        void this.#ready?.then(
            (end) => end(),
            () => undefined,
        );
    }
}

/** What the SDK listens to while a program runs. */
const LISTENED = ["uncaughtException", "unhandledRejection"] as const;

/** The SDK leaves its listeners behind when a program throws; they would report errors of this run in the next one. */
function forgetListeners(before: readonly NodeJS.ExitListener[][]): void {
    for (const [index, name] of LISTENED.entries()) {
        for (const listener of process.listeners(name as "exit").filter((one) => !before[index]?.includes(one))) {
            process.off(name, listener);
        }
    }
}

/** A stack whose state is kept in memory. */
export class Stack {
    #snapshot: Snapshot = emptySnapshot(undefined);
    #program: Program = async () => undefined;
    #server: LocalServer | undefined;
    #written: { readonly at: number; readonly state: VersionedDeployment }[] = [];

    constructor(
        private readonly engine: Engine,
        private readonly name: string,
        /** Operations at once. With one, the order of calls is the same in every run. */
        private readonly parallel = 8,
    ) {}

    /** Takes the state back to what was written at a time of the last run, in milliseconds since 1970: that of a run which was killed then. */
    killedAt(time: number): void {
        const { state } = this.#written.findLast(({ at }) => at <= time) ?? {};
        if (state !== undefined) this.#snapshot = readDeployment(state, undefined);
    }

    /** `pulumi up`, with or without `--refresh`. */
    async up(program: Program, refresh: boolean): Promise<Outcome> {
        this.#program = program;
        this.#written = [{ at: 0, state: exportDeployment(this.#snapshot, true) }];
        await this.engine.ready();
        const client = await this.#serve();
        const errors: string[] = [];
        const before = LISTENED.map((name) => process.listeners(name as "exit"));
        const phase = startRun({
            project: "parity",
            stack: this.name,
            root: REPOSITORY,
            pwd: REPOSITORY,
            main: "",
            runtimeOptions: {},
            providerPaths: [{ name: "alicloud", path: path.join(REPOSITORY, "lab/bin") }],
            config: new Map(),
            options: {
                preview: false,
                kind: "update",
                refresh,
                runProgram: false,
                parallel: this.parallel,
                targets: new UrnTargets(),
                excludes: new UrnTargets(),
                replaceTargets: new UrnTargets(),
                targetDependents: false,
                excludeDependents: false,
                continueOnError: false,
            },
            snapshot: this.#snapshot,
            save: (snapshot) => {
                this.#snapshot = snapshot;
                this.#written.push({ at: Date.now(), state: exportDeployment(snapshot, true) });
            },
            packs: [],
            events: (event) => {
                if (event.kind === "diagnostic" && event.severity === "error") {
                    errors.push(event.message.trim());
                }
            },
            access: { outputsOf: async () => undefined },
            client,
        });
        const result = await phase.result;
        forgetListeners(before);
        const all = [...errors, ...(result.error === undefined ? [] : [result.error.message])].map((text) =>
            text.replace(/^2 UNKNOWN: /, "").trim(),
        );
        const changes = Object.entries(result.changes).reduce(
            (sum, [op, count]) => sum + (op === "same" ? 0 : count),
            0,
        );
        return { ok: result.ok && errors.length === 0, errors: [...new Set(all)], changes };
    }

    close(): void {
        this.#server?.close();
    }

    async #serve(): Promise<string> {
        this.#server ??= await serveProgram(() => this.#program());
        return this.#server.address;
    }
}
