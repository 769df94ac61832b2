/** `ack-loadbalancer show`: what is there now, in the cluster and in the cloud. It changes nothing. */

import { EXIT } from "../command/exit";
import { stopped } from "../command/stopped";
import { renderJson } from "../command/json";
import type { Output } from "../command/line";
import { ClusterError, openCluster } from "../../provider/kubernetes";
import { Client } from "../../provider/kubernetes/client";
import { type Page, renderPage } from "../../provider/report";
import { type LookingOptions, NoServiceError, readLookingArguments } from "../command/looking";
import { inspectService } from "../../provider/inspect/live/read";
import { openCloud } from "../../provider/inspect/doctor/cloud";
import { describeService } from "./service";
import { describeServices, serviceRowOf } from "./table";

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
    try {
        const options = readLookingArguments(argv, { names: 1 });
        if (options === "help") {
            output.out(SHOW_USAGE);
            return EXIT.ok;
        }
        const [name] = options.names;
        const { page, data } = await (name === undefined ? all(options) : one(options, name.namespace, name.name));
        output.out(options.format === "json" ? renderJson(data) : renderPage(page, options.format));
        return EXIT.ok;
    } catch (error) {
        return stopped(error, SHOW_USAGE, output, ClusterError, NoServiceError);
    }
}

interface Shown {
    readonly page: Page;
    readonly data: object;
}

async function all({ cluster }: LookingOptions): Promise<Shown> {
    const services = await openCluster(cluster).listServices();
    const balanced = services.filter(({ spec }) => spec?.type === "LoadBalancer");
    return { page: describeServices(balanced), data: { services: balanced.map(serviceRowOf) } };
}

async function one({ cluster, account }: LookingOptions, namespace: string, name: string): Promise<Shown> {
    const reader = { cluster: openCluster(cluster), client: new Client(cluster), access: openCloud(account) };
    const live = await inspectService(reader, namespace, name);
    if (live === undefined) throw new NoServiceError(namespace, name);
    return describeService(live);
}
