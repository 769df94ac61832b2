import {
    Callbacks,
    Deployment,
    DeploymentExecutor,
    nullSource,
    UrnTargets,
    type DeployOptions,
    type Op,
} from "../deploy";
import { RunRecord } from "../phase/record";
import { BuiltinProvider, ProviderRegistry } from "../plugin";
import { checkpointText, exportDeployment, readDeployment, type Snapshot, type VersionedDeployment } from "../state";
import type { CloudObject, FakeCloud } from "./cloud";
import type { ProgramSpec } from "./program";
import type { Random } from "./random";
import { SpecSource } from "./source";

export const STACK = "dev";
export const PROJECT = "fuzz";

/** What one run of the engine is asked to do. */
export interface RunSpec {
    readonly kind: "update" | "refresh" | "destroy";
    readonly preview: boolean;
    readonly refresh: boolean;
    /** The program runs in refreshes and destroys, too. */
    readonly runProgram?: boolean;
    readonly targets: readonly string[];
    readonly excludes: readonly string[];
    readonly withDependents: boolean;
    readonly continueOnError: boolean;
    readonly parallel: number;
    /** The run is cancelled when it has begun so many steps. */
    readonly cancelAfter: number | undefined;
}

/** An update of everything. */
export const FULL_UPDATE: RunSpec = {
    kind: "update",
    preview: false,
    refresh: false,
    targets: [],
    excludes: [],
    withDependents: false,
    continueOnError: false,
    parallel: 4,
    cancelAfter: undefined,
};

/** A state that was stored, and the objects that there were at that moment. */
export interface Saved {
    readonly state: Snapshot;
    readonly objects: readonly CloudObject[];
}

export interface RanStep {
    readonly op: Op;
    readonly urn: string;
    /** Positions among the events of the run. */
    readonly begin: number;
    end: number | undefined;
    failed: boolean;
}

/** What a run has done. */
export interface Outcome {
    readonly ok: boolean;
    readonly steps: readonly RanStep[];
    /** Everything that was stored while it ran, in order; the last one is the state afterwards. */
    readonly saved: readonly Saved[];
    readonly state: Snapshot;
    readonly changes: Readonly<Record<string, number>>;
    readonly errors: readonly string[];
}

/** The state as the next run reads it from its file. */
export function stored(snapshot: Snapshot): Snapshot {
    const deployment = JSON.parse(JSON.stringify(exportDeployment(snapshot, false))) as VersionedDeployment;
    return readDeployment(deployment, undefined);
}

/** Runs the engine's deployment in this process, with a program and a provider that are not processes of their own. */
export async function deploy(
    cloud: FakeCloud,
    program: ProgramSpec,
    before: Snapshot,
    spec: RunSpec,
    random: Random,
): Promise<Outcome> {
    const snapshot = stored(before);
    const saved: Saved[] = [];
    const errors: string[] = [];
    const options: DeployOptions = {
        preview: spec.preview,
        kind: spec.kind,
        refresh: spec.refresh || spec.kind === "refresh",
        runProgram: spec.runProgram ?? false,
        parallel: spec.parallel,
        targets: new UrnTargets(spec.targets),
        excludes: new UrnTargets(spec.excludes),
        replaceTargets: new UrnTargets(),
        targetDependents: spec.withDependents,
        excludeDependents: spec.withDependents,
        continueOnError: spec.continueOnError,
    };
    const record = new RunRecord(
        {
            project: PROJECT,
            stack: STACK,
            root: "",
            pwd: "",
            main: "",
            runtimeOptions: {},
            providerPaths: [],
            config: new Map(),
            options,
            snapshot,
            save: spec.preview
                ? undefined
                : (s) => {
                      checkpointText(s, STACK);
                      saved.push({ state: stored(s), objects: [...cloud.objects.values()] });
                  },
            packs: [],
            events: () => undefined,
            access: { outputsOf: async () => undefined },
            client: undefined,
        },
        diagnostics(errors),
    );
    record.open();
    const steps: RanStep[] = [];
    const begun = (): void => {
        if (spec.cancelAfter !== undefined && steps.length > spec.cancelAfter) executor.cancel();
    };
    const callbacks = new Callbacks();
    const builtin = new BuiltinProvider({ outputsOf: async () => undefined, resource: () => undefined });
    const deployment = new Deployment(
        { project: PROJECT, stack: STACK },
        snapshot,
        options,
        new ProviderRegistry(async () => cloud, builtin, spec.preview),
        [],
        diagnostics(errors),
        observed(record, steps, begun),
        callbacks,
        new Map(),
    );
    const source =
        spec.kind === "update" || spec.runProgram
            ? new SpecSource(program, `${PROJECT}-${STACK}`, spec.preview, random)
            : nullSource;
    const executor = new DeploymentExecutor(deployment, source);
    let ok = false;
    try {
        ok = await executor.execute();
    } catch (error) {
        errors.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    await record.close();
    callbacks.close();
    return { ok, steps, saved, state: saved.at(-1)?.state ?? stored(before), changes: record.changes, errors };
}

const diagnostics = (errors: string[]) => ({
    info: () => undefined,
    warning: () => undefined,
    error: (urn: string, message: string) => void errors.push(`${urn}: ${message}`),
});

/** The events of a run, which are noted besides. */
function observed(record: RunRecord, steps: RanStep[], begun: () => void): ReturnType<RunRecord["deployEvents"]> {
    const events = record.deployEvents();
    const running = new Map<object, RanStep>();
    let position = 0;
    return {
        ...events,
        before: async (step) => {
            const ran: RanStep = { op: step.op, urn: step.urn, begin: position++, end: undefined, failed: false };
            steps.push(ran);
            running.set(step, ran);
            begun();
            await events.before(step);
        },
        after: (step, status, error) => {
            const ran = running.get(step);
            if (ran) {
                ran.end = position++;
                ran.failed = error !== undefined;
            }
            events.after(step, status, error);
        },
    };
}
