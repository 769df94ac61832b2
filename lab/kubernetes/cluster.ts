/** Objects of a cluster: which paths their types have, reading and writing them. */
import { Api, ApiError, type PatchType } from "./api";
import { nameOf, namespaceOf, type ObjectType } from "./objects";
import { isMap, type Json, type JsonMap } from "./properties";

interface KindInfo {
    readonly plural: string;
    readonly namespaced: boolean;
}

export interface WriteOptions {
    readonly dryRun: boolean;
    readonly fieldManager: string;
}

export class Cluster {
    private readonly kinds = new Map<string, Map<string, KindInfo>>();

    constructor(readonly api: Api) {}

    /** Throws when the API server cannot be reached or does not let us in. */
    async ping(): Promise<void> {
        await this.api.request({ method: "GET", path: "/version", timeout: 10_000 });
    }

    /**
     * Returns the data of a type, or `undefined` if the cluster does not have it. Misses are read again, because a CRD
     * may be new.
     */
    async kind(type: ObjectType): Promise<KindInfo | undefined> {
        const known = this.kinds.get(type.apiVersion)?.get(type.kind);
        if (known !== undefined) return known;
        const found = new Map<string, KindInfo>();
        try {
            const list = await this.api.request({ method: "GET", path: groupPath(type.apiVersion) });
            for (const entry of Array.isArray(list["resources"]) ? list["resources"] : []) {
                if (!isMap(entry) || typeof entry["name"] !== "string" || entry["name"].includes("/")) continue;
                found.set(String(entry["kind"]), { plural: entry["name"], namespaced: entry["namespaced"] === true });
            }
        } catch (error) {
            if (!(error instanceof ApiError) || error.code !== 404) throw error;
        }
        this.kinds.set(type.apiVersion, found);
        return found.get(type.kind);
    }

    async path(type: ObjectType, namespace: string, name?: string): Promise<string> {
        const info = await this.kind(type);
        if (info === undefined) throw new NoSuchKind(type);
        const scope = info.namespaced
            ? `/namespaces/${encodeURIComponent(namespace === "" ? "default" : namespace)}`
            : "";
        const object = name === undefined ? "" : `/${encodeURIComponent(name)}`;
        return `${groupPath(type.apiVersion)}${scope}/${info.plural}${object}`;
    }

    async get(type: ObjectType, namespace: string, name: string): Promise<JsonMap> {
        return this.api.request({ method: "GET", path: await this.path(type, namespace, name) });
    }

    async list(type: ObjectType, namespace: string, labelSelector: string): Promise<JsonMap[]> {
        const list = await this.api.request({
            method: "GET",
            path: await this.path(type, namespace),
            query: { labelSelector },
        });
        return (Array.isArray(list["items"]) ? list["items"] : []).filter(isMap);
    }

    async create(type: ObjectType, object: JsonMap, options: WriteOptions): Promise<JsonMap> {
        return this.api.request({
            method: "POST",
            path: await this.path(type, namespaceOf(object)),
            query: query(options),
            body: object,
        });
    }

    async patch(
        type: ObjectType,
        object: JsonMap,
        contentType: PatchType,
        body: Json,
        options: WriteOptions,
    ): Promise<JsonMap> {
        const force: Record<string, string> = contentType === "application/apply-patch+yaml" ? { force: "true" } : {};
        return this.api.request({
            method: "PATCH",
            path: await this.path(type, namespaceOf(object), nameOf(object)),
            query: { ...query(options), ...force },
            body,
            contentType,
        });
    }

    async delete(type: ObjectType, namespace: string, name: string, propagationPolicy: string): Promise<void> {
        const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy };
        await this.api.request({ method: "DELETE", path: await this.path(type, namespace, name), body });
    }
}

/** Error for a type that the cluster does not know. A CRD may be missing. */
export class NoSuchKind extends Error {
    constructor(type: ObjectType) {
        super(`no matches for kind "${type.kind}" in version "${type.apiVersion}"`);
    }
}

const groupPath = (apiVersion: string): string =>
    apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

const query = ({ dryRun, fieldManager }: WriteOptions): Record<string, string> => ({
    fieldManager,
    ...(dryRun ? { dryRun: "All" } : {}),
});
