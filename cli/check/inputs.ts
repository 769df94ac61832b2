import * as fs from "node:fs";
import { readJson, readText, unreadable } from "../command/input";
import { type Diagnostic, DiagnosticsError } from "../../provider/diagnostics";
import { listManifests, ManifestFileError, readManifest, readManifests } from "../../provider/service/manifests";
import type { Manifest } from "../../provider/service/manifests";
import type { RemovedService } from "../../policies/rule";
import { serviceOfManifest, type ServiceSubject } from "../../policies/subjects";
import type { ClusterFacts } from "../../provider/schema/facts";
import { type PreviewedResource, readDigest, readResources } from "../report/preview";
import { removedServices } from "../report/build";
import { stepsOf } from "../report/step";

interface CheckOptions {
    /** Files and folders of manifests. `-` is standard input. */
    readonly manifests: readonly string[];
    readonly preview?: string;
    readonly config?: string;
    readonly facts: ClusterFacts;
}

/** Inputs that could be read, and the problems of the others. */
export interface Inputs {
    readonly services: readonly ServiceSubject[];
    /** Number of objects of manifests that no rule is about. */
    readonly notChecked: number;
    readonly resources: readonly PreviewedResource[];
    /** Services that the preview removes. */
    readonly removed: readonly RemovedService[];
    /** Configuration of the rules, or undefined if there is none or it cannot be read. */
    readonly config: unknown;
    readonly unreadable: readonly Diagnostic[];
    /** The file that stands for results without a position. */
    readonly file: string;
}

export function readInputs(options: CheckOptions): Inputs {
    const problems: Diagnostic[] = [];
    const attempt = <T>(file: string, read: () => T): T | undefined => {
        try {
            return read();
        } catch (error) {
            problems.push(...problemsOf(file, error as Error));
            return undefined;
        }
    };
    const seen = new Set<string>();
    const isNew = (file: string): boolean => {
        const real = fs.existsSync(file) ? fs.realpathSync(file) : file;
        const isRepeated = seen.has(real);
        seen.add(real);
        return !isRepeated;
    };
    const manifests = options.manifests.flatMap((name) => {
        const listed = name === "-" ? undefined : listManifests(name);
        if (listed?.length === 0) problems.push(unreadable(name, ...NO_MANIFEST));
        return (listed ?? [name]).filter(isNew).flatMap((file) => {
            const manifest = attempt(file, () => readServices(file, listed && name));
            problems.push(...(manifest?.diagnostics ?? []));
            return manifest ?? [];
        });
    });
    const documents = manifests.flatMap(({ services }) => services);
    const { preview, config } = options;
    const digest = preview === undefined ? undefined : attempt(preview, () => readDigest(readText(preview), preview));
    return {
        services: documents.map((document) => serviceOfManifest(document, options.facts)),
        notChecked: manifests.flatMap(({ others }) => others).length,
        resources: digest === undefined ? [] : readResources(digest),
        removed: digest === undefined ? [] : removedServices(stepsOf(digest)),
        config: config === undefined ? undefined : attempt(config, () => readJson(config)),
        unreadable: problems,
        file: nameOf(preview ?? options.manifests[0] ?? "-"),
    };
}

function problemsOf(file: string, error: Error): readonly Diagnostic[] {
    if (error instanceof DiagnosticsError) return error.diagnostics;
    const remedy = error instanceof ManifestFileError ? error.remedy : "name a file that exists and can be read";
    return [unreadable(file, `cannot be read: ${error.message}`, remedy)];
}

const NO_MANIFEST = [
    "the folder holds no manifest (*.yaml, *.yml, *.json)",
    "name a folder with manifests, or the files themselves",
] as const;

const NO_OBJECT = [
    "standard input holds no Kubernetes object: the command before it may have failed",
    "look at what that command printed, and let the pipeline fail with it (set -o pipefail)",
] as const;

const nameOf = (file: string): string => (file === "-" ? "stdin" : file);

function readServices(file: string, folder: string | undefined): Manifest {
    if (file !== "-") return readManifests(readManifest(file, folder), file);
    const manifest = readManifests(readText(file), nameOf(file));
    const isEmpty = manifest.services.length + manifest.others.length + manifest.diagnostics.length === 0;
    return isEmpty ? { ...manifest, diagnostics: [unreadable("stdin", ...NO_OBJECT)] } : manifest;
}
