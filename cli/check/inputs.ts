import { readInput } from "../command/input";
import { type Diagnostic, diagnostic, DiagnosticsError } from "../../provider/diagnostics";
import { listManifests, ManifestFileError, readManifest, readManifests } from "../../provider/service/manifests";
import type { ClusterFacts } from "../../provider/schema/facts";
import { serviceOfManifest, type ServiceSubject } from "../../policies/subjects";
import { type CheckOptions } from "./arguments";
import type { RemovedService } from "../../policies/rule";
import { type PreviewedResource, readDigest, readResources } from "./preview";
import { removedServices } from "./steps";

/** Inputs of a check. */
export interface Inputs {
    readonly services: readonly ServiceSubject[];
    readonly resources: readonly PreviewedResource[];
    /** Services of the preview that leave the stack. */
    readonly removed: readonly RemovedService[];
    /** Configuration of the rules; undefined if there is none or it cannot be read. */
    readonly config: unknown;
    readonly unreadable: readonly Diagnostic[];
}

/** Reads all inputs and reports those that cannot be read. */
export function readInputs(options: CheckOptions): Inputs {
    const unreadable: Diagnostic[] = [];
    const attempt = <T>(file: string, read: () => T): T | undefined => {
        try {
            return read();
        } catch (error) {
            for (const problem of problemsOf(file, error as Error)) unreadable.push(problem);
            return undefined;
        }
    };
    const services = options.manifests
        .flatMap((name) => filesOf(name, unreadable))
        .flatMap(({ file, folder }) => {
            const text = attempt(file, () => (file === "-" ? readInput(file) : readManifest(file, folder)));
            return text === undefined ? [] : readServices(text, file, options.facts, unreadable);
        });
    const { preview, config } = options;
    const digest = preview === undefined ? undefined : attempt(preview, () => readDigest(readInput(preview)));
    return {
        services,
        resources: digest === undefined ? [] : readResources(digest),
        removed: digest === undefined ? [] : removedServices(digest),
        config: config === undefined ? undefined : attempt(config, () => JSON.parse(readInput(config)) as unknown),
        unreadable,
    };
}

function problemsOf(file: string, error: Error): Diagnostic[] {
    if (error instanceof ManifestFileError)
        return [unreadableFile(file, `cannot be read: ${error.message}`, error.remedy)];
    return error instanceof DiagnosticsError
        ? error.diagnostics.map((one) => ({ ...one, place: { subject: file, ...one.place } }))
        : [unreadableFile(file, `cannot be read: ${error.message}`, "name a file that exists and can be read")];
}

const unreadableFile = (file: string, cause: string, remedy: string): Diagnostic =>
    diagnostic({ code: "input-unreadable", severity: "error", about: { subject: file }, cause, remedy });

function readServices(text: string, file: string, facts: ClusterFacts, unreadable: Diagnostic[]): ServiceSubject[] {
    const manifest = readManifests(text, file === "-" ? "stdin" : file);
    for (const one of manifest.diagnostics) unreadable.push(one);
    if (file === "-" && manifest.services.length + manifest.others.length + manifest.diagnostics.length === 0)
        unreadable.push(
            unreadableFile(
                "stdin",
                "standard input holds no Kubernetes object: the command before it may have failed",
                "look at what that command printed, and let the pipeline fail with it (set -o pipefail)",
            ),
        );
    return manifest.services.map((document) => serviceOfManifest(document, facts));
}

/** Returns the files of a manifest argument. A folder without manifests is reported. */
function filesOf(
    name: string,
    unreadable: Diagnostic[],
): readonly { readonly file: string; readonly folder?: string }[] {
    const files = name === "-" ? undefined : listManifests(name);
    if (files?.length === 0)
        unreadable.push(
            unreadableFile(
                name,
                "the folder holds no manifest (*.yaml, *.yml, *.json)",
                "name a folder with manifests, or the files themselves",
            ),
        );
    return files?.map((file) => ({ file, folder: name })) ?? [{ file: name }];
}
