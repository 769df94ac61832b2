/** Measured runs as a table, and what got worse since they were stored. */
import type { Usage } from "./usage";

/** Run of `pulumi`. */
export interface Run {
    readonly seconds: number;
    readonly usage: Usage;
    /** Calls of the cloud's API. */
    readonly calls: number;
    /** Requests to the API server. */
    readonly requests: number;
}

/** Runs with the same number of Services. */
export interface Measurement {
    readonly services: number;
    readonly resources: number;
    /** Bytes of the exported state. */
    readonly state: number;
    readonly create: Run;
    readonly nothingToDo: Run;
    readonly oneChange: Run;
    /** The same preview, shown to a policy pack without rules. */
    readonly shown: Run;
    /** The same preview, judged by the policy pack. */
    readonly judged: Run;
    /** The program on the raw resources. */
    readonly raw: {
        readonly resources: number;
        readonly state: number;
        readonly create: Run;
        readonly nothingToDo: Run;
    };
}

/** At most so many times what the program on the raw resources needs, with nothing to do. */
export const GOAL = 1.3;

/** Factor by which a ratio may grow. Machines are shared and noisy, and both runs are measured side by side. */
const TOLERANCE = 1.2;

const total = ({ usage }: Run): number => Object.values(usage).reduce((sum, { cpu }) => sum + cpu, 0);

const memory = ({ usage }: Run): number => usage["program"]?.memory ?? 0;

type Ratio = "time" | "cpu" | "memory" | "state";

/** With nothing to do, as multiples of the program on the raw resources. */
export const ratios = ({ state, nothingToDo, raw }: Measurement): Readonly<Record<Ratio, number>> => ({
    time: nothingToDo.seconds / raw.nothingToDo.seconds,
    cpu: total(nothingToDo) / total(raw.nothingToDo),
    memory: memory(nothingToDo) / memory(raw.nothingToDo),
    state: state / raw.state,
});

/** Numbers that have grown: ratios beyond noise, and counts at all. */
export function regressions(measured: readonly Measurement[], baseline: readonly Measurement[]): string[] {
    return measured.flatMap((now) => {
        const before = baseline.find(({ services }) => services === now.services);
        if (before === undefined) return [`${now.services} Services: not in the stored numbers`];
        const [one, other] = [ratios(now), ratios(before)];
        const grown = (["time", "cpu", "memory", "state"] as const)
            .filter((what) => one[what] > other[what] * TOLERANCE)
            .map((what) => `${what} ${one[what].toFixed(2)} times the raw program's, ${other[what].toFixed(2)} before`);
        const counts = (["calls", "requests"] as const)
            .filter((what) => now.nothingToDo[what] > before.nothingToDo[what])
            .map((what) => `${now.nothingToDo[what]} ${what} with nothing to do, ${before.nothingToDo[what]} before`);
        const resources =
            now.resources > before.resources ? [`${now.resources} resources, ${before.resources} before`] : [];
        return [...grown, ...counts, ...resources].map((text) => `${now.services} Services: ${text}`);
    });
}

const HEADER = [
    "Services",
    "Operation",
    "Resources",
    "State, KB",
    "Time, s",
    "CPU, s: program",
    "engine",
    "plugins",
    "Program's memory, MB",
    "API server requests",
    "Cloud calls",
];

function row(
    { services }: Measurement,
    operation: string,
    { resources, state }: Pick<Measurement, "resources" | "state">,
    run: Run,
): string {
    const { program, engine, ...plugins } = run.usage;
    const others = Object.values(plugins).reduce((sum, { cpu }) => sum + cpu, 0);
    const cells = [
        services,
        operation,
        resources,
        (state / 1000).toFixed(0),
        run.seconds.toFixed(1),
        (program?.cpu ?? 0).toFixed(1),
        (engine?.cpu ?? 0).toFixed(1),
        others.toFixed(1),
        memory(run).toFixed(0),
        run.requests,
        run.calls,
    ];
    return `| ${cells.join(" | ")} |`;
}

/** The runs as a table in Markdown, and the ratios to the program on the raw resources. */
export function renderTable(measured: readonly Measurement[]): string {
    const rows = measured.flatMap((one) => [
        row(one, "creation", one, one.create),
        row(one, "nothing to do", one, one.nothingToDo),
        row(one, "preview, one change", one, one.oneChange),
        row(one, "preview, one change, empty policy pack", one, one.shown),
        row(one, "preview, one change, policy pack", one, one.judged),
        row(one, "raw resources, creation", one.raw, one.raw.create),
        row(one, "raw resources, nothing to do", one.raw, one.raw.nothingToDo),
    ]);
    const compared = measured.map((one) => {
        const { time, cpu, memory: most, state } = ratios(one);
        return (
            `- ${one.services} Services, nothing to do: ${time.toFixed(2)} times the time, ${cpu.toFixed(2)} times ` +
            `the CPU and ${most.toFixed(2)} times the memory of the program on the raw resources (goal ${GOAL}); ` +
            `${state.toFixed(2)} times the state. Creation: ` +
            `${(one.create.seconds / one.raw.create.seconds).toFixed(2)} times the time, ` +
            `${(total(one.create) / total(one.raw.create)).toFixed(2)} times the CPU.`
        );
    });
    return [`| ${HEADER.join(" | ")} |`, `|${" --- |".repeat(HEADER.length)}`, ...rows, "", ...compared, ""].join("\n");
}
