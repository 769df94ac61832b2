/** `ack-loadbalancer show`: shows Services and their load balancers, and changes nothing. */

import { openCluster } from "../../provider/cluster";
import { inspectNamed, type InspectionOptions, runInspection } from "../command/inspection";
import { INSPECTION_USAGE } from "../command/options";
import type { Output } from "../command/output";
import { describeService } from "./service";
import { describeServices, serviceRowOf } from "./table";

const SHOW_USAGE = `usage: ack-loadbalancer show [<namespace>/<name>] [options]

Shows a Service's load balancer with listeners, server groups and backends: their weights beside those \
that the cluster asks for,
their share of new connections, and their health as the cloud sees it. \
Without a name: every Service of type LoadBalancer.

${INSPECTION_USAGE}
Exit code: 0, or 2 where the command line is invalid, or cluster or Service cannot be read.
`;

/** Runs the command line after `show`. Returns the exit code. */
export const runShow = (argv: readonly string[], output: Output): Promise<number> =>
    runInspection({ usage: SHOW_USAGE, service: "optional", answer }, argv, output);

async function answer(options: InspectionOptions) {
    if (options.service !== undefined) return describeService(await inspectNamed(options));
    const services = await openCluster(options.cluster).listServices();
    const balanced = services.filter(({ spec }) => spec?.type === "LoadBalancer");
    return { page: describeServices(balanced), data: { services: balanced.map(serviceRowOf) } };
}
