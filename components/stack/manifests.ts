import * as path from "node:path";
import { type Tenant, tenantOf } from "../../provider/service/reuse";
import { collector, type DiagnosticPlace, type FieldPath, isError } from "../../provider/diagnostics";
import * as manifest from "../../provider/service/manifests";
import type { ClusterFacts } from "../../provider/schema/facts";
import { defined, once } from "../../provider/schema/defined";
import { collisionsWith, describeCollision } from "../../provider/plan/reuse/tenants";
import { nodePortClaims } from "../../provider/service/ports";
import { parseService } from "../../provider/service/service";
import type { FolderService } from "./view";

/**
 * Reads every `*.yaml`, `*.yml` and `*.json` file of a folder and its subfolders, in the order of their names. Collects
 * all problems of all files. Places are relative to `projectFolder`.
 */
export function readFolder(folder: string, facts: ClusterFacts, projectFolder: string) {
    const files = manifest.listManifests(folder);
    const manifests = (files ?? []).map((file) => readFile(file, folder, shownPath(file, projectFolder)));
    const report = collector("manifest-document");
    /** Services of type LoadBalancer without errors, by `namespace/name`. */
    const services = new Map<string, FolderService>();
    /** Services without errors that get no load balancer of this package, by `namespace/name`. */
    const unexposed = new Map<string, manifest.ServiceDocument>();
    const tenants: Tenant[] = [];
    const nodePorts = new Map<string, string>();
    if (manifests.length === 0) {
        const problem =
            files === undefined
                ? `the folder of manifests ${folder} does not exist`
                : `the folder ${folder} holds no manifest (*.yaml, *.yml, *.json)`;
        report.error(
            { subject: "manifests" },
            problem,
            "set the manifests folder: pulumi config set manifests <folder>; the last Service leaves by pulumi destroy",
        );
    }
    const judge = (document: manifest.ServiceDocument): void => {
        const { service, diagnostics } = parseService(document, facts);
        report.add(...diagnostics.filter((one) => isError(one) || service === undefined));
        if (diagnostics.some(isError)) return;
        const key = keyOf(document);
        if (services.has(key) || unexposed.has(key)) {
            const place = { ...placeOf(document, ["metadata", "name"]), path: [] };
            report.error(place, `Service ${key} is defined twice`, "remove one of the two");
        }
        const ports = placeOf(document, ["spec", "ports"]);
        for (const claim of nodePortClaims(service?.ports ?? [])) {
            const other = once(nodePorts, claim, () => key);
            if (other === key) continue;
            // The API server would refuse one of the two, after the other has changed already.
            const remedy = "name another node port for one of the two, or let Kubernetes choose";
            const cause = `node port ${claim} is that of Service ${other} as well`;
            report.error(ports, cause, remedy, { code: "service-port" });
        }
        if (service?.settings.id !== undefined) {
            const tenant = tenantOf(service, service.settings.id, facts);
            for (const one of collisionsWith(tenants, tenant)) report.add({ ...describeCollision(one), place: ports });
            tenants.push(tenant);
        }
        if (service === undefined) unexposed.set(key, document);
        else services.set(key, { ...document, parsed: { service, diagnostics } });
    };
    for (const file of manifests) {
        for (const one of file.diagnostics) report.add(one);
        for (const document of file.services) judge(document);
    }
    return { services, unexposed, others: manifests.flatMap(({ others }) => others), diagnostics: report.diagnostics };
}

/** `namespace/name`. */
function keyOf({ object }: manifest.ServiceDocument): string {
    const { namespace, name } = (object as { metadata: { namespace?: string | null; name: string } }).metadata;
    // Without a value it is the same as none to Kubernetes.
    return `${namespace || "default"}/${name}`;
}

/** Reads a file. A file that cannot be read has a problem in place of documents. */
function readFile(file: string, folder: string, shown: string): manifest.Manifest {
    try {
        return manifest.readManifests(manifest.readManifest(file, folder), shown);
    } catch (error) {
        const { message } = error as Error;
        const remedy =
            error instanceof manifest.ManifestFileError
                ? error.remedy
                : "make the file readable, or remove it with the Services in it";
        const report = collector("manifest-document");
        report.error({ subject: shown }, `cannot be read: ${message}`, remedy);
        return { services: [], others: [], diagnostics: report.diagnostics };
    }
}

/** A path as a person would type it in the project's folder. */
function shownPath(file: string, projectFolder: string): string {
    const relative = path.relative(projectFolder, file);
    return relative.startsWith("..") ? file : relative;
}

export function placeOf(document: manifest.ServiceDocument, path: FieldPath): DiagnosticPlace {
    return { subject: document.subject, path, ...defined({ position: document.locate(path) }) };
}
