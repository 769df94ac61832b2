/** Reading what the command is pointed at. */

import * as fs from "node:fs";
import type { Diagnostic } from "../../provider/diagnostics";
import { listManifests, readManifests } from "../../provider/kubernetes/manifests";
import type { ClusterFacts } from "../../provider/schema/facts";
import { serviceOfManifest, type ServiceSubject } from "../subjects";
import { type CheckOptions } from "./arguments";
import { type PreviewedResource, readPreview } from "./preview";

/** Something that could not be read. */
export interface Unreadable {
    readonly what: string;
    readonly why: string;
    readonly diagnostic?: Diagnostic;
}

/** Everything that is to be judged. */
export interface Inputs {
    readonly services: readonly ServiceSubject[];
    readonly resources: readonly PreviewedResource[];
    /** The configuration as it was read; undefined if none was named, or it cannot be read. */
    readonly config: unknown;
    readonly unreadable: readonly Unreadable[];
}

/** Reads all inputs; what cannot be read is told, all of it. `readText` reads a file, or standard input where it is named `-`. */
export function readInputs(options: CheckOptions, readText: (file: string) => string = readFile): Inputs {
    const unreadable: Unreadable[] = [];
    const attempt = <T>(what: string, read: () => T): T | undefined => {
        try {
            return read();
        } catch (error) {
            unreadable.push({ what, why: (error as Error).message });
            return undefined;
        }
    };
    const services = options.manifests
        .flatMap((name) => filesOf(name, unreadable))
        .flatMap((file) => {
            const text = attempt(file, () => readText(file));
            return text === undefined ? [] : readServices(text, file, options.facts, unreadable);
        });
    const { preview, config } = options;
    return {
        services,
        resources: preview === undefined ? [] : (attempt(preview, () => readPreview(readText(preview))) ?? []),
        config: config === undefined ? undefined : attempt(config, () => JSON.parse(readText(config)) as unknown),
        unreadable,
    };
}

function readServices(text: string, file: string, facts: ClusterFacts, unreadable: Unreadable[]): ServiceSubject[] {
    const shown = file === "-" ? "stdin" : file;
    const manifest = readManifests(text, shown);
    unreadable.push(...manifest.diagnostics.map((diagnostic) => ({ what: shown, why: diagnostic.cause, diagnostic })));
    return manifest.services.map((document) => serviceOfManifest(document, facts));
}

/** A folder without manifests is more likely a slip than a wish. */
function filesOf(name: string, unreadable: Unreadable[]): string[] {
    const files = name === "-" ? undefined : listManifests(name);
    if (files?.length === 0)
        unreadable.push({ what: name, why: "the folder holds no manifest (*.yaml, *.yml, *.json)" });
    return files ?? [name];
}

function readFile(file: string): string {
    return fs.readFileSync(file === "-" ? 0 : file, "utf8");
}
