/** A ServerGroupBinding as the API server gives it. */
import { z } from "zod";
import { formatPath } from "../../diagnostics";
import type { ObjectMeta } from "../../kubernetes/types";
import { BINDING_SPEC, type BindingSpec } from "./spec";
import { BINDING_STATUS, type BindingStatus } from "./status";

/** A binding whose spec is not read yet. */
export interface BindingObject {
    readonly metadata: ObjectMeta;
    readonly spec?: unknown;
    readonly status?: unknown;
}

/** The spec of a binding, or what is wrong with it. */
export type ReadSpec =
    | { readonly spec: BindingSpec; readonly problem?: undefined }
    | { readonly spec?: undefined; readonly problem: string };

/** Reads the spec. The API server validates it too, but objects of an earlier version of the definition stay as they are. */
export function readSpec(object: BindingObject): ReadSpec {
    const read = BINDING_SPEC.safeParse(object.spec);
    return read.success ? { spec: read.data } : { problem: problemsOf(read.error) };
}

/** The last status; empty where there is none or it cannot be read. */
export function readStatus(object: BindingObject): BindingStatus {
    const read = BINDING_STATUS.safeParse(object.status ?? {});
    return read.success ? read.data : {};
}

/** `namespace/name` of an object. */
export const bindingKeyOf = ({ metadata }: { readonly metadata: ObjectMeta }): string =>
    `${metadata.namespace ?? "default"}/${metadata.name}`;

const problemsOf = ({ issues }: z.ZodError): string =>
    issues
        .map(
            ({ path, message }) =>
                `${formatPath(["spec", ...path.map((part) => (typeof part === "symbol" ? String(part) : part))])}: ${message}`,
        )
        .join("; ");
