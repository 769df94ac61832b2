/** The command line of commands that only look: doctor, show and explain. */

import { EXIT } from "./exit";
import { type Output, readOptions, UsageError } from "./line";
import type { ClusterOptions } from "../../provider/kubernetes";
import { PAGE_FORMATS, type PageFormat } from "../../provider/report";
import type { Account } from "../../provider/schema/account";

/** Where to look, and how to say it. */
export interface InspectOptions {
    readonly cluster: ClusterOptions;
    readonly account: Account;
    readonly format: PageFormat | "json";
    /** `namespace/name` of Services. */
    readonly names: readonly { readonly namespace: string; readonly name: string }[];
}

const FORMATS = [...PAGE_FORMATS, "json"] as const;

/**
 * Reads a command line. What is wrong with it is written, and the exit code is given instead.
 *
 * @param bounds how many Services may be named, and how many must be
 */
export function readInspectArguments(
    argv: readonly string[],
    usage: string,
    output: Output,
    bounds: { readonly names: number; readonly least?: number },
): InspectOptions | number {
    const invalid = (problem: string): number => {
        output.error(`error: ${problem}\n\n${usage}`);
        return EXIT.unreadable;
    };
    let parsed: ReturnType<typeof split>;
    try {
        parsed = split(argv);
    } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        return invalid(error.message);
    }
    const { values, positionals } = parsed;
    if (values.help === true) {
        output.out(usage);
        return EXIT.ok;
    }
    const format = FORMATS.find((one) => one === (values.format ?? "text"));
    if (format === undefined)
        return invalid(`--format: "${values.format}" is none; write one of ${FORMATS.join(", ")}`);
    if (positionals.length > bounds.names) return invalid(`${positionals.slice(bounds.names).join(", ")} is too much`);
    if (positionals.length < (bounds.least ?? 0)) return invalid("name a Service as namespace/name");
    const names = positionals.map((text) => /^(?:([^/]+)\/)?([^/]+)$/.exec(text));
    if (names.some((match) => match === null)) return invalid("name a Service as namespace/name");
    const { kubeconfig, context, region, profile } = values;
    return {
        cluster: { ...(kubeconfig === undefined ? {} : { kubeconfig }), ...(context === undefined ? {} : { context }) },
        account: { ...(region === undefined ? {} : { region }), ...(profile === undefined ? {} : { profile }) },
        format,
        names: names.map((match) => ({ namespace: match?.[1] ?? "default", name: match?.[2] ?? "" })),
    };
}

function split(argv: readonly string[]) {
    const text = { type: "string" } as const;
    return readOptions(argv, {
        kubeconfig: text,
        context: text,
        region: text,
        profile: text,
        format: text,
        help: { type: "boolean", short: "h" },
    });
}
