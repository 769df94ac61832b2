import * as path from "node:path";
import { tenantOf } from "../../provider/service/reuse";
import { type Diagnostic, type FieldPath, isError, type DiagnosticPlace } from "../../provider/diagnostics";
import {
    listManifests,
    ManifestFileError,
    type OtherDocument,
    readManifest,
    readManifests,
    type ServiceDocument,
} from "../../provider/service/manifests";
import type { ClusterFacts } from "../../provider/schema/facts";
import { type Collision, collisionsWith, describeCollision } from "../../provider/plan/reuse/tenants";
import type { Tenant } from "../../provider/service/reuse";
import { nodePortClaims } from "../../provider/service/ports";
import { parseService } from "../../provider/service/service";
import { defined } from "../../provider/schema/defined";

/** The Services of a folder, and everything that is wrong or worth knowing. */
export interface ManifestFolder {
    /** Services of type LoadBalancer without errors, by `namespace/name`. */
    readonly services: ReadonlyMap<string, ServiceDocument>;
    /** Services of other types without errors, by `namespace/name`. */
    readonly unexposed: ReadonlyMap<string, ServiceDocument>;
    /** Documents that this package has nothing to do with. */
    readonly others: readonly OtherDocument[];
    readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads every `*.yaml`, `*.yml` and `*.json` file of a folder and its subfolders, in the order of their names.
 * Collects all problems of all files; places are relative to `projectFolder`.
 */
export function readFolder(folder: string, facts: ClusterFacts, projectFolder: string): ManifestFolder {
    const files = listManifests(folder);
    if (files === undefined || files.length === 0) {
        const message =
            files === undefined
                ? `the folder of manifests ${folder} does not exist`
                : `the folder ${folder} holds no manifest (*.yaml, *.yml, *.json)`;
        return {
            services: new Map(),
            unexposed: new Map(),
            others: [],
            diagnostics: [folderDiagnostic(message, "set the manifests folder: pulumi config set manifests <folder>")],
        };
    }
    const services = new Map<string, ServiceDocument>();
    const tenants: Tenant[] = [];
    const nodePorts = new Map<string, string>();
    const unexposed = new Map<string, ServiceDocument>();
    const others: OtherDocument[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const file of files) {
        const shown = shownPath(file, projectFolder);
        const text = readText(file, folder);
        if (typeof text !== "string") {
            diagnostics.push(unreadable(shown, text));
            continue;
        }
        const manifest = readManifests(text, shown);
        for (const one of manifest.diagnostics) diagnostics.push(one);
        for (const one of manifest.others) others.push(one);
        for (const document of manifest.services) {
            const parsed = parseService(document, facts);
            diagnostics.push(
                ...parsed.diagnostics.filter((diagnostic) => isError(diagnostic) || parsed.service === undefined),
            );
            if (parsed.diagnostics.some(isError)) {
                continue;
            }
            const key = keyOf(document);
            if (services.has(key) || unexposed.has(key)) {
                diagnostics.push({
                    ...folderDiagnostic(`Service ${key} stands in the folder twice`, "remove one of the two"),
                    place: placeOf(document, ["metadata", "name"], []),
                });
            }
            for (const claim of nodePortClaims(parsed.service?.ports ?? [])) {
                const other = nodePorts.get(claim) ?? key;
                nodePorts.set(claim, other);
                if (other !== key) diagnostics.push(nodePortDiagnostic(claim, other, document));
            }
            if (parsed.service?.settings.id !== undefined) {
                const tenant = tenantOf(parsed.service, parsed.service.settings.id, facts);
                for (const one of collisionsWith(tenants, tenant)) diagnostics.push(collisionDiagnostic(one, document));
                tenants.push(tenant);
            }
            (parsed.service === undefined ? unexposed : services).set(key, document);
        }
    }
    return { services, unexposed, others, diagnostics };
}

/** `namespace/name`. */
function keyOf({ object }: ServiceDocument): string {
    const { namespace, name } = (object as { metadata: { namespace?: string | null; name: string } }).metadata;
    // Without a value it is the same as none to Kubernetes.
    return `${namespace || "default"}/${name}`;
}

/** The text of a file, or why it is not read. */
function readText(file: string, folder: string): string | Error {
    try {
        return readManifest(file, folder);
    } catch (error) {
        return error as Error;
    }
}

const unreadable = (file: string, error: Error): Diagnostic => ({
    code: "manifest-document",
    severity: "error",
    place: { subject: file },
    cause: `cannot be read: ${error.message}`,
    remedy:
        error instanceof ManifestFileError
            ? error.remedy
            : "make the file readable, or remove it with the Services in it",
});

/** A path as a person would type it in the project's folder. */
function shownPath(file: string, projectFolder: string): string {
    const relative = path.relative(projectFolder, file);
    return relative.startsWith("..") ? file : relative;
}

function placeOf(document: ServiceDocument, field: FieldPath, path = field): DiagnosticPlace {
    const position = document.locate(field);
    return { subject: document.subject, path, ...defined({ position }) };
}

function collisionDiagnostic(collision: Collision, document: ServiceDocument): Diagnostic {
    return { ...describeCollision(collision), place: placeOf(document, ["spec", "ports"]) };
}

/** The API server would refuse one of the two, with the other one changed already. */
function nodePortDiagnostic(claim: string, other: string, document: ServiceDocument): Diagnostic {
    return {
        code: "service-port",
        severity: "error",
        place: placeOf(document, ["spec", "ports"]),
        cause: `node port ${claim} is that of Service ${other} as well`,
        remedy: "name another node port for one of the two, or let Kubernetes choose",
    };
}

function folderDiagnostic(cause: string, remedy: string): Diagnostic {
    return { code: "manifest-document", severity: "error", place: { subject: "manifests" }, cause, remedy };
}
