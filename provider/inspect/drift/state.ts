/** What a stack's state records: the document that `pulumi stack export` prints. */

import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { isMapping } from "../../diagnostics";
import { firstLine, parseJsonObject } from "../../net";
import { type ResourceState, type Step, UNKNOWN } from "../../report";

/** Where the state comes from. */
export interface StateSource {
    /** A file that holds what `pulumi stack export` printed. */
    readonly file?: string;
    /** A stack of the project in the present folder. Default: the one that is selected there, if there is a project. */
    readonly stack?: string;
}

/** A stack as its state records it. */
export interface RecordedStack {
    /** `project/stack`. */
    readonly name: string;
    readonly steps: readonly Step[];
}

/** A stack that was named and cannot be read. */
export class StateError extends Error {}

const RESOURCE = z.looseObject({
    urn: z.string(),
    type: z.string(),
    id: z.string().optional(),
    parent: z.string().optional(),
    protect: z.boolean().optional(),
    retainOnDelete: z.boolean().optional(),
    /** The object is replaced, and only its deletion is missing. */
    delete: z.boolean().optional(),
    inputs: z.record(z.string(), z.unknown()).default({}),
    outputs: z.record(z.string(), z.unknown()).default({}),
});

/** Version 4 has a list of features beside the resources, as soon as one of them has hooks. Source: Pulumi CLI 3.260, state of a stack. */
const EXPORT = z.looseObject({
    version: z.union([z.literal(3), z.literal(4)]),
    deployment: z.looseObject({ resources: z.array(RESOURCE).default([]) }),
});

/** Key of a value with a signature, such as a secret. Source: Pulumi's property values. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** How long the Pulumi CLI may take, in milliseconds. */
const PATIENCE = 120_000;

/**
 * The state of the stack in question; undefined where no stack is named and none is selected.
 *
 * @throws StateError if a stack or a file is named that cannot be read.
 */
export async function readState({ file, stack }: StateSource, folder: string): Promise<RecordedStack | undefined> {
    if (file !== undefined) return parseState(readText(file), file);
    const here = ["Pulumi.yaml", "Pulumi.yml"].some((name) => fs.existsSync(path.join(folder, name)));
    if (stack === undefined && !here) return undefined;
    try {
        const which = stack === undefined ? [] : ["--stack", stack];
        const run = { cwd: folder, maxBuffer: 1 << 30, timeout: PATIENCE };
        const { stdout } = await promisify(execFile)("pulumi", ["stack", "export", "--non-interactive", ...which], run);
        return parseState(stdout, `stack ${stack ?? "in the present folder"}`);
    } catch (error) {
        // Nobody has asked for a state where none is selected.
        if (stack === undefined) return undefined;
        if (error instanceof StateError) throw error;
        throw new StateError(
            `error: stack ${stack} cannot be exported: ${firstLine(error)}\n    remedy: run it in the folder of the project, with pulumi on PATH and logged in, or save pulumi stack export to a file and name it with --state`,
        );
    }
}

/**
 * The stack in an export.
 *
 * @throws StateError if the text is something else.
 */
export function parseState(text: string, from: string): RecordedStack {
    const parsed = EXPORT.safeParse(parseJsonObject(text));
    if (!parsed.success)
        throw new StateError(
            `error: ${from}: this is no exported stack\n    remedy: save what pulumi stack export prints`,
        );
    const { resources } = parsed.data.deployment;
    const standing = resources.filter((resource) => resource.delete !== true);
    const [head = "", project = ""] = standing[0]?.urn.split("::") ?? [];
    return { name: `${project}/${head.replace(/^urn:pulumi:/, "")}`, steps: standing.map(stepOf) };
}

/** A resource that stands is a step that changes nothing. */
function stepOf({ urn, type, id, parent, protect, retainOnDelete, inputs, outputs }: z.output<typeof RESOURCE>): Step {
    const state: ResourceState = {
        ...(id === undefined || id === "" ? {} : { id }),
        ...(parent === undefined ? {} : { parent }),
        inputs: plain(inputs) as Record<string, unknown>,
        outputs: plain(outputs) as Record<string, unknown>,
        protect: protect === true,
        retained: retainOnDelete === true,
        origins: {},
    };
    return {
        op: "same",
        urn,
        type,
        name: urn.split("::").slice(3).join("::"),
        reasons: [],
        before: state,
        after: state,
    };
}

/** Secrets are not looked into. */
function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (!isMapping(value)) return value;
    if (SIGNATURE in value) return UNKNOWN;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
}

function readText(file: string): string {
    try {
        return fs.readFileSync(file === "-" ? 0 : file, "utf8");
    } catch (error) {
        throw new StateError(
            `error: ${file}: cannot be read: ${firstLine(error)}\n    remedy: name a file that holds what pulumi stack export printed`,
        );
    }
}
