import { readInput } from "../command/input";
import { type Diagnostic, diagnostic, DiagnosticsError, isMapping } from "../../provider/diagnostics";
import {
    listManifests,
    type Manifest,
    ManifestFileError,
    readManifest,
    readManifests,
    type ServiceDocument,
} from "../../provider/service/manifests";
import { serviceOfManifest, type ServiceSubject } from "../../policies/subjects";
import type { ClusterFacts } from "../../provider/schema/facts";
import type { RemovedService } from "../../policies/rule";
import { type PreviewedResource, readDigest, readResources } from "../report/preview";
import { removedServices } from "../report/build";
import { stepsOf } from "../report/step";

export interface CheckOptions {
    /** Files and folders of manifests; `-` is standard input. */
    readonly manifests: readonly string[];
    /** Saved preview. */
    readonly preview?: string;
    /** Levels and settings of rules. */
    readonly config?: string;
    /** Facts about the cluster that the manifests are for. */
    readonly facts: ClusterFacts;
}

/** Inputs of a check. */
export interface Inputs {
    readonly services: readonly ServiceSubject[];
    readonly resources: readonly PreviewedResource[];
    /** Services of the preview that leave the stack. */
    readonly removed: readonly RemovedService[];
    /** Configuration of the rules; undefined if there is none or it cannot be read. */
    readonly config: unknown;
    readonly unreadable: readonly Diagnostic[];
    /** Objects of manifests that no rule is about. */
    readonly notChecked: NotChecked;
}

/** Numbers of objects that no rule is about. */
interface NotChecked {
    /** Services that are not reachable from outside the cluster. */
    readonly inner: number;
    /** Objects of other kinds. */
    readonly others: number;
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
    const manifests = options.manifests
        .flatMap((name) => filesOf(name, unreadable))
        .flatMap(({ file, folder }) => {
            const text = attempt(file, () => (file === "-" ? readInput(file) : readManifest(file, folder)));
            return text === undefined ? [] : readServices(text, file, unreadable);
        });
    const documents = manifests.flatMap(({ services }) => services);
    const exposed = documents.filter(isExposed);
    const { preview, config } = options;
    const digest = preview === undefined ? undefined : attempt(preview, () => readDigest(readInput(preview)));
    return {
        services: exposed.map((document) => serviceOfManifest(document, options.facts)),
        notChecked: {
            inner: documents.length - exposed.length,
            others: manifests.reduce((sum, { others }) => sum + others.length, 0),
        },
        resources: digest === undefined ? [] : readResources(digest),
        removed: digest === undefined ? [] : removedServices(stepsOf(digest)),
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

/** True unless a Service is reachable inside the cluster only. */
function isExposed({ object }: ServiceDocument): boolean {
    const spec = isMapping(object) ? object["spec"] : undefined;
    const type = isMapping(spec) ? (spec["type"] ?? "ClusterIP") : undefined;
    return type !== "ClusterIP" && type !== "ExternalName";
}

function readServices(text: string, file: string, unreadable: Diagnostic[]): Manifest[] {
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
    return [manifest];
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
