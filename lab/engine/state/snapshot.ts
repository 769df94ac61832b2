import { createHash } from "node:crypto";
import type { Crypter, SecretsManager } from "../secrets";
import type { PendingOperation, ResourceState } from "./resource";
import { deserializeOperation, deserializeResource, serializeResource, type JsonMap } from "./serialize";

/**
 * Version text in the manifest of every checkpoint. It is the one the recorded states carry, so that the real CLI and
 * tools that read it accept the file; `pulumi version` names the program.
 */
export const MANIFEST_VERSION = "v3.260.0";

/** All that is known of a stack. Resources are ordered: what a resource refers to stands before it. */
export interface Snapshot {
    resources: ResourceState[];
    pendingOperations: PendingOperation[];
    metadata: JsonMap;
    /** Plugins named in the manifest; kept as they are. */
    plugins: JsonMap[] | undefined;
    secrets: SecretsManager | undefined;
}

/** A stack without resources. */
export function emptySnapshot(secrets: SecretsManager | undefined): Snapshot {
    return { resources: [], pendingOperations: [], metadata: {}, plugins: undefined, secrets };
}

/** The deployment part of a checkpoint or export. */
export interface Deployment {
    manifest: JsonMap;
    secrets_providers?: JsonMap;
    resources?: JsonMap[];
    pending_operations?: JsonMap[];
    metadata?: JsonMap;
}
/** A deployment with the version of its format: 4 as soon as a resource needs one of `features`, else 3. */
export interface VersionedDeployment {
    version: number;
    features?: string[];
    deployment: Deployment;
}

/** Features this engine understands in a version 4 file. */
const KNOWN_FEATURES = new Set([
    "refreshBeforeUpdate",
    "views",
    "hooks",
    "taint",
    "replaceWith",
    "byteString",
    "extensionParameterization",
    "snippets-prototype",
]);

/** Sorted names of the features that the resources need beyond version 3. */
export function featuresOf(resources: readonly ResourceState[]): string[] {
    const f = new Set<string>();
    for (const r of resources) {
        if (Object.keys(r.resourceHooks).length > 0) f.add("hooks");
        if (r.taint) f.add("taint");
        if (r.replaceWith.length > 0) f.add("replaceWith");
        if (r.refreshBeforeUpdate) f.add("refreshBeforeUpdate");
    }
    return [...f].sort();
}

/** JSON text per state object. States that change in place must be taken out with {@link touched}. */
const rendered = new WeakMap<ResourceState, { crypter: Crypter | undefined; text: string }>();

/** Marks a state object as changed in place. */
export function touched(s: ResourceState): void {
    rendered.delete(s);
}

function resourceText(s: ResourceState, crypter: Crypter | undefined): string {
    let known = rendered.get(s);
    if (!known || known.crypter !== crypter) {
        known = { crypter, text: JSON.stringify(serializeResource(s, crypter)) };
        rendered.set(s, known);
    }
    return known.text;
}

/** RFC 3339 text of a moment, with as many digits as the clock has. */
export function timeText(t: Date = new Date()): string {
    return t.toISOString();
}

function manifest(snap: Snapshot): JsonMap {
    const m: JsonMap = {
        time: timeText(),
        magic: createHash("sha256").update(MANIFEST_VERSION).digest("hex"),
        version: MANIFEST_VERSION,
    };
    if (snap.plugins) m["plugins"] = snap.plugins;
    return m;
}

/** The text of a stack's checkpoint file: compact JSON on one line. Unchanged resources are not serialised again. */
export function checkpointText(snap: Snapshot, stackName: string): string {
    const crypter = snap.secrets?.crypter;
    const features = featuresOf(snap.resources);
    const parts = [`"manifest":${JSON.stringify(manifest(snap))}`];
    if (snap.secrets) parts.push(`"secrets_providers":${JSON.stringify(snap.secrets.describe())}`);
    if (snap.resources.length > 0)
        parts.push(`"resources":[${snap.resources.map((r) => resourceText(r, crypter)).join(",")}]`);
    if (snap.pendingOperations.length > 0) {
        const ops = snap.pendingOperations.map(
            (o) => `{"resource":${resourceText(o.resource, crypter)},"type":${JSON.stringify(o.type)}}`,
        );
        parts.push(`"pending_operations":[${ops.join(",")}]`);
    }
    parts.push(`"metadata":${JSON.stringify(snap.metadata)}`);
    const version = features.length > 0 ? `"version":4,"features":${JSON.stringify(features)}` : `"version":3`;
    return `{${version},"checkpoint":{"stack":${JSON.stringify(stackName)},"latest":{${parts.join(",")}}}}`;
}

/** A stack as `stack export` prints it. */
export function exportDeployment(snap: Snapshot, showSecrets: boolean): VersionedDeployment {
    const crypter = showSecrets ? undefined : snap.secrets?.crypter;
    const features = featuresOf(snap.resources);
    const d: Deployment = { manifest: manifest(snap) };
    if (snap.secrets) d.secrets_providers = snap.secrets.describe();
    if (snap.resources.length > 0) d.resources = snap.resources.map((r) => serializeResource(r, crypter));
    if (snap.pendingOperations.length > 0)
        d.pending_operations = snap.pendingOperations.map((o) => ({
            resource: serializeResource(o.resource, crypter),
            type: o.type,
        }));
    d.metadata = snap.metadata;
    return features.length > 0 ? { version: 4, features, deployment: d } : { version: 3, deployment: d };
}

/**
 * Reads a deployment.
 * @throws Error if the format is newer than understood, names an unknown feature, or the manifest's check sum is wrong.
 */
export function readDeployment(v: VersionedDeployment, secrets: SecretsManager | undefined): Snapshot {
    if (v.version > 4) throw new Error("the stack's state is newer than this engine understands");
    if (v.version < 3) throw new Error("the stack's state is older than this engine understands");
    const unknown = (v.features ?? []).filter((f) => !KNOWN_FEATURES.has(f));
    if (unknown.length > 0)
        throw new Error(`the stack's state needs features this engine does not have: ${unknown.join(", ")}`);
    const d = v.deployment;
    const text = String(d.manifest?.["version"] ?? "");
    const magic = String(d.manifest?.["magic"] ?? "");
    const desired = text === "" ? "" : createHash("sha256").update(text).digest("hex");
    if (magic !== desired) throw new Error("magic cookie mismatch; possible tampering/corruption detected");
    const crypter = secrets?.crypter;
    return {
        resources: (d.resources ?? []).map((r) => deserializeResource(r, crypter)),
        pendingOperations: (d.pending_operations ?? []).map((o) => deserializeOperation(o, crypter)),
        metadata: d.metadata ?? {},
        plugins: Array.isArray(d.manifest?.["plugins"]) ? (d.manifest["plugins"] as JsonMap[]) : undefined,
        secrets,
    };
}
