/** Resources that a command and the processes under it use, read from proc(5) while they run. */
import * as fs from "node:fs";

/** Parts of a run, by words in their command lines. All other processes are the engine's. */
const PARTS: readonly (readonly [part: string, words: RegExp])[] = [
    ["program", /cmd\/run\//],
    ["dynamic provider", /dynamic-provider/],
    ["policy pack", /run-policy-pack/],
    ["kubernetes plugin", /resource-kubernetes|lab\/kubernetes/],
    ["alicloud plugin", /resource-alicloud|lab\/alicloud/],
];

/** Milliseconds between two looks. The time of a process that ends between them is lost. */
const EVERY_MS = 100;

/** Clock ticks of a second, as Linux reports times to user space. Source: proc(5). */
const TICKS = 100;

/** Processor seconds and the greatest resident memory in megabytes of a part of a run. */
export interface PartUsage {
    readonly cpu: number;
    readonly memory: number;
}

/** Usage by part. */
export type Usage = Readonly<Record<string, PartUsage>>;

/** Watches a process and its descendants until it is stopped. */
export class UsageSampler {
    readonly #observed = new Map<number, PartUsage & { readonly part: string }>();
    readonly #timer: NodeJS.Timeout;

    constructor(private readonly root: number) {
        this.#timer = setInterval(() => this.#look(), EVERY_MS);
    }

    /** Ends the watch and returns the usage of all processes seen, by part. */
    stop(): Usage {
        clearInterval(this.#timer);
        const usage: Record<string, PartUsage> = {};
        for (const { part, cpu, memory } of this.#observed.values()) {
            const known = usage[part] ?? { cpu: 0, memory: 0 };
            usage[part] = { cpu: known.cpu + cpu, memory: Math.max(known.memory, memory) };
        }
        return usage;
    }

    #look(): void {
        const parents = new Map<number, number>();
        for (const entry of fs.readdirSync("/proc")) {
            const pid = Number(entry);
            const parent = Number(statOf(pid)?.[1]);
            if (parent > 0) parents.set(pid, parent);
        }
        for (const pid of parents.keys()) if (this.#isBelow(pid, parents)) this.#note(pid);
    }

    #isBelow(pid: number, parents: ReadonlyMap<number, number>): boolean {
        for (let current: number | undefined = pid; current !== undefined; current = parents.get(current))
            if (current === this.root) return true;
        return false;
    }

    #note(pid: number): void {
        const { cpu, memory } = usageOf(pid);
        if (Number.isNaN(cpu + memory)) return;
        const command = read(`/proc/${pid}/cmdline`) ?? "";
        // A process that was seen between its fork and its exec had the command line of its parent.
        const most = Math.max(this.#observed.get(pid)?.memory ?? 0, memory);
        this.#observed.set(pid, { part: partOf(command), cpu, memory: most });
    }
}

/** Processor seconds and resident megabytes of a process. They are NaN if there is no such process. */
export function usageOf(pid: number): PartUsage {
    const stat = statOf(pid);
    const resident = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`) ?? "")?.[1];
    return { cpu: (Number(stat?.[11]) + Number(stat?.[12])) / TICKS, memory: Number(resident) / 1024 };
}

const partOf = (command: string): string => PARTS.find(([, words]) => words.test(command))?.[0] ?? "engine";

/** Fields of `/proc/pid/stat` after the name, which may hold spaces: state, parent, … */
const statOf = (pid: number): string[] | undefined => read(`/proc/${pid}/stat`)?.split(") ").at(-1)?.split(" ");

function read(file: string): string | undefined {
    try {
        return fs.readFileSync(file, "utf8");
    } catch {
        return undefined;
    }
}
