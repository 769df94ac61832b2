/** Commands that read cluster and cloud: doctor, show and explain. */

import { ClusterError, type ClusterReader, openCluster } from "../../provider/cluster";
import { Client } from "../../provider/cluster/client";
import { discoverCluster, type Discovery } from "../../provider/cluster/discovery";
import { keysOfEnvironment, namedRegion } from "../../provider/cloud";
import type { Account } from "../../provider/schema/account";
import { defined, once } from "../../provider/schema/defined";
import * as line from "../command/command-line";
import { UsageError, EXIT, formatAnswer, type Output } from "../command/output";
import { type Page, PAGE_FORMATS, renderPage } from "../command/page";
import { openCloud } from "./cloud";
import { readConfiguration, type StackConfiguration } from "./configuration";
import { readLeader } from "./lease";
import type { InspectedService } from "./model";
import { inspectService, type LiveReader } from "./read";

export const INSPECTION_OPTIONS = {
    ...line.CLUSTER_OPTIONS,
    region: { value: "<id>", text: "region of the cloud (default: the environment's, else the cluster's)" },
    profile: { value: "<name>", text: "profile of ~/.aliyun/config.json" },
    format: { value: "<format>", text: "text, markdown, html, json (default text)" },
} as const satisfies line.Options;

export const INSPECTION_USAGE = `${line.describeOptions(INSPECTION_OPTIONS)}\n`;

export const INSPECTION_FORMATS = [...PAGE_FORMATS, "json"] as const;

export interface InspectionOptions extends ReturnType<typeof readInspectionOptions> {
    /** Facts that the cluster reports, none if it does not answer. They are read once. */
    readonly discovery: () => Promise<Discovery>;
}

export interface InspectionAnswer {
    readonly page: Page;
    readonly data: object;
    readonly code: number;
}

type Inspection = (options: InspectionOptions) => Promise<InspectionAnswer>;

class NoServiceError extends Error {}

export const runInspection = (usage: string, argv: readonly string[], output: Output, answer: Inspection) =>
    line.runCommand(usage, argv, output, () => inspect(argv, output, answer), ClusterError, NoServiceError);

async function inspect(argv: readonly string[], output: Output, answer: Inspection): Promise<number> {
    const options = readInspectionOptions(argv);
    try {
        // Without a second attempt. A cluster that does not answer has no facts.
        const discovered = discoverCluster({ ...options.cluster, backoff: { attempts: 1 } }).catch(() => ({}));
        const discovery = () => discovered;
        const account = await placed(options.account, discovery);
        const { page, data, code } = await answer({ ...options, account, discovery });
        output.out(options.format === "json" ? formatAnswer(data) : renderPage(page, options.format, output.terminal));
        return code;
    } catch (error) {
        if (error instanceof ClusterError) output.error(`could not be checked: ${absenceOf(error)}\n`);
        throw error;
    }
}

/** Describes why a cluster cannot be looked at. */
function absenceOf({ kind }: ClusterError): string {
    if (kind === "forbidden" || kind === "unauthorized") return "the cluster refuses to answer";
    return kind === "invalid-kubeconfig" ? "the kubeconfig names no cluster" : "the cluster gives no usable answer";
}

/**
 * Returns the account. As in a run, the cluster's region counts if neither the command line nor the environment names a
 * region.
 */
async function placed(account: Account, discovery: InspectionOptions["discovery"]): Promise<Account> {
    if (account.region ?? namedRegion(process.env)) return account;
    const { region } = await discovery();
    return { ...account, ...defined({ region }) };
}

export const EXIT_OF = { works: EXIT.ok, broken: EXIT.found, unknown: EXIT.unreadable } as const;

/** Opens cluster and cloud. Nodes are read once, for all Services. */
export function openReader({ cluster, account, discovery }: InspectionOptions): LiveReader {
    const reader = openCluster(cluster);
    let nodes: ReturnType<ClusterReader["listNodes"]> | undefined;
    const listNodes = () => (nodes ??= reader.listNodes());
    const client = new Client(cluster);
    let leader: ReturnType<typeof readLeader> | undefined;
    const configurations = new Map<string, StackConfiguration | undefined>();
    return {
        cluster: { ...reader, listNodes },
        client,
        access: openCloud(account),
        discovery,
        leader: () => (leader ??= readLeader(client)),
        configurationOf: (stack) => once(configurations, stack, () => readConfiguration(process.cwd(), stack)),
    };
}

/**
 * Reads the Service that the command line names.
 *
 * @throws UsageError if it names none, NoServiceError if there is none of that name
 */
export async function inspectNamed(options: InspectionOptions): Promise<InspectedService> {
    const [, namespace = "default", name] = /^(?:([^/]+)\/)?([^/]+)$/.exec(options.service ?? "") ?? [];
    if (name === undefined) throw new UsageError("name a Service as namespace/name");
    const live = await inspectService(openReader(options), namespace, name);
    if (live !== undefined) return live;
    throw new NoServiceError(
        `error: the cluster has no Service ${namespace}/${name}\n` +
            "    remedy: check namespace, name and context. If it was deleted by hand, a stack may still hold its " +
            "load balancer: pulumi up --refresh there creates the Service again, with its address. A stack that only " +
            "follows it cannot: apply the Service first, then run pulumi up --refresh",
    );
}

/** Reads the command line. `service` is `namespace/name` or `name`, if there is one. @throws UsageError */
function readInspectionOptions(argv: readonly string[]) {
    const { values, positionals } = line.readOptions(argv, INSPECTION_OPTIONS);
    const [service, ...others] = positionals;
    line.refuseArguments(others);
    const { kubeconfig, context, region, profile } = values;
    if (profile !== undefined && keysOfEnvironment(process.env) !== undefined)
        throw new UsageError(
            `--profile ${profile}: the environment has a key pair, which comes before profiles; ` +
                "unset it (ALIBABA_CLOUD_ACCESS_KEY_ID, ALICLOUD_ACCESS_KEY), or leave the profile out",
        );
    return {
        cluster: defined({ kubeconfig, context }),
        account: defined({ region, profile }),
        format: line.formatOf(values.format, INSPECTION_FORMATS),
        service,
    };
}
