/** `ack-loadbalancer show`: shows Services and their load balancers, and changes nothing. */

import type { ServiceObject } from "../../provider/service/objects";
import { examine, judge } from "../explain/examine";
import { loadBalancerManagerOf } from "../inspect/model";
import { inspectService } from "../inspect/read";
import * as command from "../inspect/command";
import type { Output } from "../command/output";
import { describeService, describeServices, type JudgedRow, serviceRowOf } from "./service";

const SHOW_USAGE = `usage: ack-loadbalancer show [<namespace>/<name>] [options]

Shows a Service's load balancer with listeners, server groups and backends: their weights, those \
that the cluster asks for,
their share of new connections, and their health as the cloud sees it. \
Without a name: every Service of type LoadBalancer.

${command.INSPECTION_USAGE}
Exit code: 0 nothing broken was found, 1 something is broken, 2 cluster or cloud could not be checked, or the command \
line is invalid.
`;

export const runShow = (argv: readonly string[], output: Output): Promise<number> =>
    command.runInspection(SHOW_USAGE, argv, output, answer);

async function answer(options: command.InspectionOptions) {
    if (options.service !== undefined) return describeService(await command.inspectNamed(options));
    const reader = command.openReader(options);
    const services = (await reader.cluster.listServices()).filter(({ spec }) => spec?.type === "LoadBalancer");
    const judged = async (object: ServiceObject): Promise<JudgedRow> => {
        const { namespace = "default", name } = object.metadata;
        const row = serviceRowOf(object);
        if (loadBalancerManagerOf(object).kind === "other") return row;
        const live = await inspectService(reader, namespace, name);
        return live === undefined ? row : { ...row, ...judge(live, examine(live)) };
    };
    const rows: JudgedRow[] = [];
    for (let start = 0; start < services.length; start += AT_ONCE)
        rows.push(...(await Promise.all(services.slice(start, start + AT_ONCE).map(judged))));
    const found = rows.map(({ health }) => health);
    const gravest = (["broken", "unknown"] as const).find((health) => found.includes(health)) ?? "works";
    return { page: describeServices(rows), data: { services: rows }, code: command.EXIT_OF[gravest] };
}

/** Services that are inspected at the same time. */
const AT_ONCE = 8;
