/** `ack-loadbalancer list`: lists the LoadBalancer Services of a cluster with their managers. */

import { type ClusterReader, ClusterError, type ClusterOptions, openCluster } from "../../provider/cluster";
import { alignColumns } from "../../provider/diagnostics";
import { defined } from "../../provider/schema/defined";
import { LOAD_BALANCER_TYPES } from "../../provider/schema/load-balancer-type";
import { type ExposedService, exposedServices, type Manager } from "../../provider/service/controller";
import * as line from "../command/command-line";
import { count, EXIT, formatAnswer, type Output, UsageError } from "../command/output";
import { describeManager } from "../inspect/model";

const OPTIONS = {
    ...line.CLUSTER_OPTIONS,
    namespace: { value: "<name>", text: "Services of this namespace only" },
    stack: { value: "<project/stack>", text: "your own stack, whose Services the list marks" },
    format: { value: "<format>", text: "text (the default) or json" },
} as const satisfies line.Options;

const USAGE = `usage: ack-loadbalancer list [options]

Lists every Service of type LoadBalancer of a cluster: its kind of load balancer, whether its address is
in the Internet or in the VPC, its addresses, and who manages it.

${line.describeOptions(OPTIONS)}

Exit code: 0 the cluster was read, 2 the command line is invalid or the cluster cannot be read.
`;

export const runList = (
    argv: readonly string[],
    output: Output,
    open: (options: ClusterOptions) => Pick<ClusterReader, "listServices"> = openCluster,
): Promise<number> => line.runCommand(USAGE, argv, output, () => list(argv, output, open), ClusterError);

async function list(argv: readonly string[], output: Output, open: NonNullable<Parameters<typeof runList>[2]>) {
    const { values, positionals } = line.readOptions(argv, OPTIONS);
    line.refuseArguments(positionals);
    const { kubeconfig, context, namespace, stack } = values;
    const render = { text: renderTable, json: renderJson }[line.formatOf(values.format, ["text", "json"])];
    if (stack !== undefined && !/^[^/]+\/[^/]+$/.test(stack))
        throw new UsageError(`--stack: "${stack}" is no stack; write <project>/<stack>`);
    const cluster = open(defined({ kubeconfig, context }));
    output.out(render(exposedServices(await cluster.listServices(namespace)), stack));
    return EXIT.ok;
}

const HEAD = ["NAMESPACE", "NAME", "KIND", "TYPE", "ADDRESS", "MANAGED BY"] as const;

/** Renders the Services with a line of totals. `stack` is that of the caller, as `project/stack`. */
function renderTable(services: readonly ExposedService[], stack: string | undefined): string {
    const rows = services.map((service) => [
        service.namespace,
        service.name,
        service.loadBalancerType?.toUpperCase() ?? "-",
        service.addressType ?? "-",
        service.addresses.join(",") || "-",
        describeManager(service.manager, stack),
    ]);
    const lines = rows.length === 0 ? [] : alignColumns([HEAD, ...rows]);
    const kinds = LOAD_BALANCER_TYPES.map(
        (type) => `${services.filter((one) => one.loadBalancerType === type).length} ${type.toUpperCase()}`,
    );
    return [...lines, `${count(services.length, "Service")} of type LoadBalancer: ${kinds.join(", ")}`, ""].join("\n");
}

function renderJson(services: readonly ExposedService[], stack: string | undefined): string {
    const withOwn = (manager: Manager) =>
        manager.kind === "stack" && stack !== undefined ? { ...manager, own: manager.stack === stack } : manager;
    return formatAnswer({ services: services.map((one) => ({ ...one, manager: withOwn(one.manager) })) });
}
