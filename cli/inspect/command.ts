/** Commands that read cluster and cloud: doctor, show and explain. */

import { type ClusterOptions, ClusterError, type ClusterReader, openCluster } from "../../provider/cluster";
import { Client } from "../../provider/cluster/client";
import { openCloud } from "./access";
import type { InspectedService } from "./model";
import { inspectService, type LiveReader } from "./read";
import { type Page, PAGE_FORMATS, type PageFormat, renderPage } from "../command/page";
import type { Account } from "../../provider/schema/account";
import { defined } from "../../provider/schema/defined";
import { formatOf, readOptions } from "../command/command-line";
import { UsageError, EXIT, formatAnswer, type Output, reportError } from "../command/output";
import { INSPECTION_OPTIONS } from "../command/options";

export interface InspectionOptions {
    readonly cluster: ClusterOptions;
    readonly account: Account;
    readonly format: PageFormat | "json";
    readonly service: { readonly namespace: string; readonly name: string } | undefined;
}

/** InspectionAnswer of a command, as a page and as data. */
export interface InspectionAnswer {
    readonly page: Page;
    readonly data: object;
    /** Exit code. Default 0. */
    readonly code?: number;
}

export interface InspectionCommand {
    readonly usage: string;
    /** `none` if no Service may be named. */
    readonly service: "none" | "optional" | "required";
    answer(options: InspectionOptions): Promise<InspectionAnswer>;
}

/** A Service that does not exist. */
class NoServiceError extends Error {}

/** Runs a command line. Returns the exit code. */
export async function runInspection(
    { usage, service, answer }: InspectionCommand,
    argv: readonly string[],
    output: Output,
): Promise<number> {
    try {
        const options = readInspectionOptions(argv, service);
        if (options === "help") {
            output.out(usage);
            return EXIT.ok;
        }
        const { page, data, code = EXIT.ok } = await answer(options);
        output.out(options.format === "json" ? formatAnswer(data) : renderPage(page, options.format));
        return code;
    } catch (error) {
        if (error instanceof ClusterError) output.error("could not be checked: the cluster refuses to answer\n");
        return reportError(error, usage, output, ClusterError, NoServiceError);
    }
}

/** Exit codes of judgements. */
export const EXIT_OF = { works: EXIT.ok, broken: EXIT.found, unknown: EXIT.unreadable } as const;

/** Opens cluster and cloud. Nodes are read once, for all Services. */
export function openReader({ cluster, account }: InspectionOptions): LiveReader {
    const reader = openCluster(cluster);
    let nodes: ReturnType<ClusterReader["listNodes"]> | undefined;
    const listNodes = () => (nodes ??= reader.listNodes());
    return { cluster: { ...reader, listNodes }, client: new Client(cluster), access: openCloud(account) };
}

/**
 * Reads the Service that the command line names.
 *
 * @throws NoServiceError
 */
export async function inspectNamed(options: InspectionOptions): Promise<InspectedService> {
    const { namespace = "", name = "" } = options.service ?? {};
    const live = await inspectService(openReader(options), namespace, name);
    if (live !== undefined) return live;
    throw new NoServiceError(
        `error: the cluster has no Service ${namespace}/${name}\n    remedy: check namespace, name and context`,
    );
}

const FORMATS = [...PAGE_FORMATS, "json"] as const;

function readInspectionOptions(
    argv: readonly string[],
    service: InspectionCommand["service"],
): InspectionOptions | "help" {
    const { values, positionals } = readOptions(argv, INSPECTION_OPTIONS);
    if (values.help === true) return "help";
    const format = formatOf(values.format, FORMATS);
    const extra = positionals.slice(service === "none" ? 0 : 1);
    if (extra.length > 0) throw new UsageError(`unexpected argument ${extra.join(", ")}`);
    const [text] = positionals;
    const [, namespace = "default", name] = /^(?:([^/]+)\/)?([^/]+)$/.exec(text ?? "") ?? [];
    if (name === undefined && (text !== undefined || service === "required"))
        throw new UsageError("name a Service as namespace/name");
    const { kubeconfig, context, region, profile } = values;
    return {
        cluster: defined({ kubeconfig, context }),
        account: defined({ region, profile }),
        format,
        service: name === undefined ? undefined : { namespace, name },
    };
}
