/** One Kubernetes object together with the knowledge of where each of its fields was written. */

import { type EntryPart, type FieldPath, isMapping, type Position, valueAt } from "../../diagnostics";

/** A Kubernetes object of any kind. Its content is not checked. */
export interface OtherDocument {
    readonly apiVersion: string;
    readonly kind: string;
    /** The object as plain JSON. */
    readonly object: unknown;
    /** Kind, namespace and name for people, for example `Service default/web`. */
    readonly subject: string;
    /**
     * Where a field was written. A field that is not there is looked for upwards, so that a missing field points to what should hold it.
     * `undefined` for objects that did not come from text.
     */
    locate(path: FieldPath, part?: EntryPart): Position | undefined;
    /** The scalar at `path` as its author wrote it (`on`, where `object` says `true`); `undefined` for everything else. */
    written(path: FieldPath): string | undefined;
}

/** An object of kind Service. Its content is not checked yet: `parseService` does that. */
export interface ServiceDocument extends OtherDocument {
    readonly kind: "Service";
    /** The API server has given it: fields that this package does not know are those of a later Kubernetes, and no mistakes. Default false. */
    readonly observed?: boolean;
}

/** A document for an object that did not come from text; it has no positions. */
export function documentOf(object: unknown, { observed }: Pick<ServiceDocument, "observed"> = {}): ServiceDocument {
    return {
        observed,
        apiVersion: "v1",
        kind: "Service",
        object,
        subject: subjectOf("Service", object),
        locate: () => undefined,
        written: () => undefined,
    };
}

/** Kind, namespace and name of an object. A missing namespace is `default`, as in Kubernetes. */
export function subjectOf(kind: string, object: unknown): string {
    const metadata = valueAt(object, ["metadata"]);
    const text = (key: string, otherwise: string): string => {
        const value = isMapping(metadata) ? valueAt(metadata, [key]) : undefined;
        return typeof value === "string" && value !== "" ? value : otherwise;
    };
    return `${kind} ${text("namespace", "default")}/${text("name", "(no name)")}`;
}
