/** The command line of commands that only look: doctor, show and explain. */

import { readOptions, UsageError } from "./line";
import { LOOKING_OPTIONS } from "./options";
import type { ClusterOptions } from "../../provider/kubernetes";
import { PAGE_FORMATS, type PageFormat } from "../../provider/report";
import type { Account } from "../../provider/schema/account";
import { defined } from "../../provider/schema/defined";

/** Where to look, and how to say it. */
export interface LookingOptions {
    readonly cluster: ClusterOptions;
    readonly account: Account;
    readonly format: PageFormat | "json";
    /** `namespace/name` of Services. */
    readonly names: readonly { readonly namespace: string; readonly name: string }[];
}

const FORMATS = [...PAGE_FORMATS, "json"] as const;

/** A Service that the cluster does not have. */
export class NoServiceError extends Error {
    constructor(namespace: string, name: string) {
        super(`error: the cluster has no Service ${namespace}/${name}\n    remedy: check namespace, name and context`);
    }
}

/**
 * Reads a command line.
 *
 * @param bounds how many Services may be named, and how many must be
 * @throws UsageError
 */
export function readLookingArguments(
    argv: readonly string[],
    bounds: { readonly names: number; readonly least?: number },
): LookingOptions | "help" {
    const { values, positionals } = readOptions(argv, LOOKING_OPTIONS);
    if (values.help === true) return "help";
    const format = FORMATS.find((one) => one === (values.format ?? "text"));
    if (format === undefined)
        throw new UsageError(`--format: "${values.format}" is none; write one of ${FORMATS.join(", ")}`);
    if (positionals.length > bounds.names)
        throw new UsageError(`${positionals.slice(bounds.names).join(", ")} is too much`);
    const names = positionals.map((text) => /^(?:([^/]+)\/)?([^/]+)$/.exec(text));
    if (names.length < (bounds.least ?? 0) || names.includes(null))
        throw new UsageError("name a Service as namespace/name");
    const { kubeconfig, context, region, profile } = values;
    return {
        cluster: defined({ kubeconfig, context }),
        account: defined({ region, profile }),
        format,
        names: names.map((match) => ({ namespace: match?.[1] ?? "default", name: match?.[2] ?? "" })),
    };
}
