import * as path from "node:path";
import { type Tenant, tenantOf } from "../../provider/service/reuse";
import { type Diagnostic, type DiagnosticPlace, type FieldPath, isError } from "../../provider/diagnostics";
import * as manifest from "../../provider/service/manifests";
import type { ClusterFacts } from "../../provider/schema/facts";
import { defined } from "../../provider/schema/defined";
import { collisionsWith, describeCollision } from "../../provider/plan/reuse/tenants";
import { nodePortClaims } from "../../provider/service/ports";
import { parseService } from "../../provider/service/service";

/** The Services of a folder, and everything that is wrong or worth knowing. */
export interface ManifestFolder {
    /** Services of type LoadBalancer without errors, by `namespace/name`. */
    readonly services: ReadonlyMap<string, manifest.ServiceDocument>;
    /** Services of other types without errors, by `namespace/name`. */
    readonly unexposed: ReadonlyMap<string, manifest.ServiceDocument>;
    /** Documents that this package has nothing to do with. */
    readonly others: readonly manifest.OtherDocument[];
    readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads every `*.yaml`, `*.yml` and `*.json` file of a folder and its subfolders, in the order of their names.
 * Collects all problems of all files; places are relative to `projectFolder`.
 */
export function readFolder(folder: string, facts: ClusterFacts, projectFolder: string): ManifestFolder {
    const files = manifest.listManifests(folder);
    const manifests = (files ?? []).map((file) => readFile(file, folder, shownPath(file, projectFolder)));
    const diagnostics: Diagnostic[] = [];
    const services = new Map<string, manifest.ServiceDocument>();
    const unexposed = new Map<string, manifest.ServiceDocument>();
    const tenants: Tenant[] = [];
    const nodePorts = new Map<string, string>();
    if (manifests.length === 0) {
        const problem =
            files === undefined
                ? `the folder of manifests ${folder} does not exist`
                : `the folder ${folder} holds no manifest (*.yaml, *.yml, *.json)`;
        diagnostics.push(folderDiagnostic(problem, "set the manifests folder: pulumi config set manifests <folder>"));
    }
    const judge = (document: manifest.ServiceDocument): void => {
        const { service, diagnostics: found } = parseService(document, facts);
        diagnostics.push(...found.filter((diagnostic) => isError(diagnostic) || service === undefined));
        if (found.some(isError)) return;
        const key = keyOf(document);
        if (services.has(key) || unexposed.has(key))
            diagnostics.push({
                ...folderDiagnostic(`Service ${key} stands in the folder twice`, "remove one of the two"),
                place: placeOf(document, ["metadata", "name"], []),
            });
        for (const claim of nodePortClaims(service?.ports ?? [])) {
            const other = nodePorts.get(claim) ?? key;
            nodePorts.set(claim, other);
            if (other !== key) diagnostics.push(nodePortDiagnostic(claim, other, document));
        }
        if (service?.settings.id !== undefined) {
            const tenant = tenantOf(service, service.settings.id, facts);
            const collisions = collisionsWith(tenants, tenant).map(describeCollision);
            for (const one of collisions) diagnostics.push({ ...one, place: placeOf(document, ["spec", "ports"]) });
            tenants.push(tenant);
        }
        (service === undefined ? unexposed : services).set(key, document);
    };
    for (const file of manifests) {
        for (const one of file.diagnostics) diagnostics.push(one);
        for (const document of file.services) judge(document);
    }
    return { services, unexposed, others: manifests.flatMap(({ others }) => others), diagnostics };
}

/** `namespace/name`. */
function keyOf({ object }: manifest.ServiceDocument): string {
    const { namespace, name } = (object as { metadata: { namespace?: string | null; name: string } }).metadata;
    // Without a value it is the same as none to Kubernetes.
    return `${namespace || "default"}/${name}`;
}

/** Reads a file; one that cannot be read has a problem in place of documents. */
function readFile(file: string, folder: string, shown: string): manifest.Manifest {
    try {
        return manifest.readManifests(manifest.readManifest(file, folder), shown);
    } catch (error) {
        const { message } = error as Error;
        const remedy =
            error instanceof manifest.ManifestFileError
                ? error.remedy
                : "make the file readable, or remove it with the Services in it";
        const place = { subject: shown };
        return {
            services: [],
            others: [],
            diagnostics: [{ ...folderDiagnostic(`cannot be read: ${message}`, remedy), place }],
        };
    }
}

/** A path as a person would type it in the project's folder. */
function shownPath(file: string, projectFolder: string): string {
    const relative = path.relative(projectFolder, file);
    return relative.startsWith("..") ? file : relative;
}

function placeOf(document: manifest.ServiceDocument, field: FieldPath, path = field): DiagnosticPlace {
    const position = document.locate(field);
    return { subject: document.subject, path, ...defined({ position }) };
}

/** The API server would refuse one of the two, with the other one changed already. */
function nodePortDiagnostic(claim: string, other: string, document: manifest.ServiceDocument): Diagnostic {
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
