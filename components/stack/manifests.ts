import * as fs from "node:fs";
import * as path from "node:path";
import { tenantOf } from "../../provider/builder";
import { isError, type Issue } from "../../provider/diagnostics/issue";
import {
    listManifests,
    type OtherDocument,
    readManifests,
    type ServiceDocument,
} from "../../provider/kubernetes/manifests";
import type { ClusterFacts } from "../../provider/schema/facts";
import { type Collision, collisions, describeCollision } from "../../provider/plan";
import type { Tenant } from "../../provider/model/observed";
import { parseService } from "../../provider/kubernetes/service/service";

/** The Services of a folder, and everything that is wrong or worth knowing. */
export interface ManifestFolder {
    /** Services of type LoadBalancer without errors, by `namespace/name`. */
    readonly services: ReadonlyMap<string, ServiceDocument>;
    /** Services of other types without errors, by `namespace/name`. */
    readonly unexposed: ReadonlyMap<string, ServiceDocument>;
    /** Documents that this package has nothing to do with. */
    readonly others: readonly OtherDocument[];
    readonly issues: readonly Issue[];
}

/** Reads every `*.yaml`, `*.yml` and `*.json` of a folder and its subfolders, in the order of their names. All problems of all files are collected; places are told relative to `projectFolder`. */
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
            issues: [folderIssue(message, "set the manifests folder: pulumi config set manifests <folder>")],
        };
    }
    const services = new Map<string, ServiceDocument>();
    const tenants: Tenant[] = [];
    const unexposed = new Map<string, ServiceDocument>();
    const others: OtherDocument[] = [];
    const issues: Issue[] = [];
    for (const file of files) {
        const manifest = readManifests(fs.readFileSync(file, "utf8"), shownPath(file, projectFolder));
        issues.push(...manifest.issues);
        others.push(...manifest.others);
        for (const document of manifest.services) {
            const parsed = parseService(document, facts);
            issues.push(...parsed.issues.filter((issue) => isError(issue) || parsed.service === undefined));
            if (parsed.issues.some(isError)) {
                continue;
            }
            const key = keyOf(document);
            if (services.has(key) || unexposed.has(key)) {
                issues.push({
                    ...folderIssue(`Service ${key} stands in the folder twice`, "remove one of the two"),
                    subject: document.subject,
                    ...located(document),
                });
            }
            if (parsed.service?.settings.id !== undefined) {
                const tenant = tenantOf(parsed.service, parsed.service.settings.id);
                issues.push(
                    ...collisions([...tenants, tenant])
                        .filter(({ services }) => services.includes(key))
                        .map((one) => collisionIssue(one, document)),
                );
                tenants.push(tenant);
            }
            (parsed.service === undefined ? unexposed : services).set(key, document);
        }
    }
    return { services, unexposed, others, issues };
}

/** `namespace/name`. */
function keyOf({ object }: ServiceDocument): string {
    const { namespace = "default", name } = (object as { metadata: { namespace?: string; name: string } }).metadata;
    return `${namespace}/${name}`;
}

/** A path as a person would type it in the project's folder. */
function shownPath(file: string, projectFolder: string): string {
    const relative = path.relative(projectFolder, file);
    return relative.startsWith("..") ? file : relative;
}

function located(document: ServiceDocument): Pick<Issue, "at"> {
    const at = document.locate(["metadata", "name"]);
    return at === undefined ? {} : { at };
}

function collisionIssue(collision: Collision, document: ServiceDocument): Issue {
    const at = document.locate(["spec", "ports"]);
    return {
        code: "listener-collision",
        severity: "error",
        subject: document.subject,
        path: "spec.ports",
        ...(at === undefined ? {} : { at }),
        ...describeCollision(collision),
    };
}

function folderIssue(message: string, remedy: string): Issue {
    return { code: "manifest-document", severity: "error", subject: "manifests", path: "", message, remedy };
}
