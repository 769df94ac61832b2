import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Plain JSON. */
export type Json = null | boolean | number | string | Json[] | { [k: string]: Json };
export type JsonMap = { [k: string]: Json };

/** A change of an exported state. */
export interface Edit {
    op: "set" | "remove" | "copy" | "move-first";
    urn?: string;
    path?: (string | number)[];
    value?: Json;
    changes?: JsonMap;
}

/** One step of a recorded case. */
export interface Step {
    n: number;
    command: "preview" | "up" | "refresh" | "destroy" | "cancel" | "cli" | "state-import";
    flags?: string[];
    program: number;
    title?: string;
    stack?: string;
    behave?: JsonMap;
    env?: Record<string, string>;
    config?: { plain?: Record<string, string>; secret?: Record<string, string> };
    write?: Record<string, string>;
    cloud?: { set?: Record<string, JsonMap>; remove?: string[] };
    withPreview?: boolean;
    kill?: { when: string; signal: NodeJS.Signals; delay: number };
    edits?: Edit[];
    expect: JsonMap;
}

/** A recorded case. */
export interface Case {
    id: string;
    title: string;
    project: string;
    stacks: string[];
    policyPacks?: string[];
    steps: Step[];
    /** Folder of the case. */
    folder: string;
}

/** All cases of a corpus, by id. */
export function loadCases(corpus: string): Case[] {
    const root = join(corpus, "cases");
    return readdirSync(root)
        .sort()
        .map((id) => ({
            ...(JSON.parse(readFileSync(join(root, id, "case.json"), "utf8")) as Omit<Case, "folder">),
            folder: join(root, id),
        }));
}

function programText(c: Case): string {
    return readFileSync(join(c.folder, "program", "index.js"), "utf8");
}

/** True if the program of a case uses timers, so that what it does depends on how fast the machine is. */
export function waitsByTheClock(c: Case): boolean {
    return programText(c).includes("setTimeout(");
}

/** What the SDK's process for programs says of one that has failed; the Automation API words it differently. */
const FAILED_PROGRAM = /"message":"(?:Running program '|Missing required configuration variable |Configuration ')/;

/** A process configures a dynamic provider once. */
const CONFIGURED = /"op":"configure"/;

/** True if a case shows what processes do in all of its steps: they print, throw, go on for a while, or are configured. */
export function isAboutProcesses(c: Case): boolean {
    return (
        c.steps.some(({ expect }) => CONFIGURED.test(JSON.stringify(expect))) ||
        /\b(?:process\.|console\.|setTimeout\(|throw\b)/.test(programText(c))
    );
}

/** True if a step shows what becomes of processes: they are killed, or the program fails. */
export function endsProcesses({ kill, expect }: Step): boolean {
    return kill !== undefined || FAILED_PROGRAM.test(JSON.stringify(expect));
}
