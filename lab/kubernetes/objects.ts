/** Kubernetes objects as plain data: type, name and annotations. */
import { isMap, unknown, type Json, type JsonMap } from "./properties";

export interface ObjectType {
    /** Such as `v1` or `apps/v1`. */
    readonly apiVersion: string;
    readonly kind: string;
}

export const annotations = {
    autonamed: "pulumi.com/autonamed",
    skipAwait: "pulumi.com/skipAwait",
    timeout: "pulumi.com/timeoutSeconds",
    fieldManager: "pulumi.com/patchFieldManager",
    deletionPropagation: "pulumi.com/deletionPropagationPolicy",
} as const;

/** The type of object behind a URN such as `…::kubernetes:apps/v1:Deployment::name`. */
export function typeOfUrn(urn: string): ObjectType {
    const token = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const [, module = "", kind = ""] = token.split(":");
    const slash = module.lastIndexOf("/");
    if (slash < 0 || kind === "") throw new Error(`apiVersion does not have both a group and a version: "${module}"`);
    const [group, version] = [module.slice(0, slash), module.slice(slash + 1)];
    return { apiVersion: group === "core" ? version : `${group}/${version}`, kind };
}

/** The type that inputs name themselves, else that of the URN. */
export function typeOf(object: JsonMap, urn: string): ObjectType {
    const { apiVersion, kind } = object;
    if (typeof apiVersion !== "string" || typeof kind !== "string" || kind === "") return typeOfUrn(urn);
    return { apiVersion: apiVersion.replace(/^core\//, ""), kind };
}

export const groupOf = (type: ObjectType): string =>
    type.apiVersion.includes("/") ? type.apiVersion.split("/")[0]! : "";
export const nameOfUrn = (urn: string): string => urn.split("::").slice(3).join("::");

export const metadataOf = (object: JsonMap): JsonMap => (isMap(object["metadata"]) ? object["metadata"] : {});
const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
export const nameOf = (object: JsonMap): string => textOf(metadataOf(object)["name"]);
export const namespaceOf = (object: JsonMap): string => textOf(metadataOf(object)["namespace"]);

export const withMetadata = (object: JsonMap, values: JsonMap): JsonMap => {
    const metadata = { ...metadataOf(object), ...values };
    for (const [name, value] of Object.entries(metadata)) if (value === null) delete metadata[name];
    return { ...object, metadata };
};

export function annotationOf(object: JsonMap, name: string): string {
    const values = metadataOf(object)["annotations"];
    return isMap(values) ? textOf(values[name]) : "";
}

export function withAnnotation(object: JsonMap, name: string, value: string): JsonMap {
    const values = metadataOf(object)["annotations"];
    return withMetadata(object, { annotations: { ...(isMap(values) ? values : {}), [name]: value } });
}

export const skipsAwait = (object: JsonMap): boolean => annotationOf(object, annotations.skipAwait) === "true";
export const isAutonamed = (object: JsonMap): boolean => annotationOf(object, annotations.autonamed) === "true";
export const hasKnownName = (object: JsonMap): boolean => nameOf(object) !== "" && nameOf(object) !== unknown;

/** `namespace/name`, or the name alone for objects of the whole cluster. */
export const idOf = (object: JsonMap): string =>
    namespaceOf(object) === "" ? nameOf(object) : `${namespaceOf(object)}/${nameOf(object)}`;

export function parseId(id: string): { namespace: string; name: string } {
    const parts = id.split("/");
    return parts.length === 2 ? { namespace: parts[0]!, name: parts[1]! } : { namespace: "", name: id };
}

/** Metadata that the server writes and no program does. */
const readOnly = [
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "uid",
];

export function withoutReadOnly(object: JsonMap): JsonMap {
    if (!isMap(object["metadata"])) return object;
    return {
        ...object,
        metadata: Object.fromEntries(Object.entries(object["metadata"]).filter(([name]) => !readOnly.includes(name))),
    };
}
