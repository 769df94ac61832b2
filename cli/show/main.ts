/** `ack-loadbalancer show`: what is there now, in the cluster and in the cloud. It changes nothing. */

import { EXIT } from "../command/exit";
import { renderJson } from "../command/json";
import type { Output } from "../command/line";
import { ClusterError, openCluster } from "../../provider/kubernetes";
import { Client } from "../../provider/kubernetes/client";
import { type Page, renderPage } from "../../provider/report";
import { type InspectOptions, readInspectArguments } from "../command/looking";
import { readLive } from "../../provider/inspect/live/read";
import { openCloud } from "../../provider/inspect/open";
import { describeService } from "./service";
import { describeServices, rowOf } from "./table";

export const SHOW_USAGE = `usage: ack-loadbalancer show [<namespace>/<name>] [options]

Shows a Service's load balancer with listeners, server groups and backends: their weights beside those that the cluster asks for,
their share of new connections, and their health as the cloud sees it. Without a name: every Service of type LoadBalancer.

  --kubeconfig <file>       default: KUBECONFIG, ~/.kube/config, or the pod's service account
  --context <name>          context of the kubeconfig
  --region <id>             region of the cloud (default: the environment's)
  --profile <name>          profile of ~/.aliyun/config.json
  --format <format>         text, markdown, html, json (default text)

Exit code: 0, or 2 where the command line is invalid, or cluster or Service cannot be read.
`;

/** Runs the command line after `show`. Gives the exit code. */
export async function runShow(argv: readonly string[], output: Output): Promise<number> {
    const options = readInspectArguments(argv, SHOW_USAGE, output, { names: 1 });
    if (typeof options === "number") return options;
    try {
        const [name] = options.names;
        const shown = name === undefined ? await all(options) : await one(options, name.namespace, name.name);
        if (shown === undefined) {
            output.error(
                `error: the cluster has no Service ${name?.namespace}/${name?.name}\n    remedy: check namespace, name and context\n`,
            );
            return EXIT.unreadable;
        }
        const { page, data } = shown;
        output.out(options.format === "json" ? renderJson(data) : renderPage(page, options.format));
        return EXIT.ok;
    } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        output.error(`${error.message}\n`);
        return EXIT.unreadable;
    }
}

interface Shown {
    readonly page: Page;
    readonly data: object;
}

async function all({ cluster }: InspectOptions): Promise<Shown> {
    const services = await openCluster(cluster).listServices();
    const balanced = services.filter(({ spec }) => spec?.type === "LoadBalancer");
    return { page: describeServices(balanced), data: { services: balanced.map(rowOf) } };
}

async function one({ cluster, account }: InspectOptions, namespace: string, name: string): Promise<Shown | undefined> {
    const reader = { cluster: openCluster(cluster), client: new Client(cluster), access: openCloud(account) };
    const live = await readLive(reader, namespace, name);
    return live === undefined ? undefined : describeService(live);
}
