/** `ack-loadbalancer list`: lists the LoadBalancer Services of a cluster with their managers. */

import { LIST_OPTIONS } from "../command/options";
import { type ClusterReader, ClusterError, type ClusterOptions, openCluster } from "../../provider/cluster";
import { type ExposedService, exposedServices, type Manager } from "../../provider/service/controller";
import { formatOf, readOptions } from "../command/command-line";
import { UsageError, EXIT, formatAnswer, type Output, reportError } from "../command/output";
import { alignColumns } from "../../provider/diagnostics";
import { LOAD_BALANCER_TYPES } from "../../provider/schema/load-balancer-type";
import { defined } from "../../provider/schema/defined";

const LIST_USAGE = `usage: ack-loadbalancer list [options]

Lists every Service of type LoadBalancer of a cluster: its kind of load balancer, whether its address is
in the Internet or in the VPC, its addresses, and who manages it.

  --kubeconfig <file>       default: as kubectl finds it
  --context <name>          context of the kubeconfig
  --namespace <name>        Services of this namespace only
  --stack <project/stack>   your own stack, which the list then tells from others
  --format <format>         text (the default) or json

Exit code: 0 the cluster was read, 2 the command line is invalid or the cluster cannot be read.
`;

/** Runs the command line after `list`. Returns the exit code. */
export async function runList(
    argv: readonly string[],
    output: Output,
    open: (options: ClusterOptions) => Pick<ClusterReader, "listServices"> = openCluster,
): Promise<number> {
    try {
        const { kubeconfig, context, namespace, stack, format, help } = parse(argv);
        if (help === true) {
            output.out(LIST_USAGE);
            return EXIT.ok;
        }
        const cluster = open(defined({ kubeconfig, context }));
        const services = exposedServices(await cluster.listServices(namespace));
        output.out(format === "json" ? renderJson(services, stack) : renderTable(services, stack));
        return EXIT.ok;
    } catch (error) {
        return reportError(error, LIST_USAGE, output, ClusterError);
    }
}

function parse(argv: readonly string[]) {
    const { values, positionals } = readOptions(argv, LIST_OPTIONS);
    if (positionals.length > 0) throw new UsageError(`unexpected argument ${positionals.join(", ")}`);
    formatOf(values.format, ["text", "json"]);
    if (values.stack !== undefined && !/^[^/]+\/[^/]+$/.test(values.stack))
        throw new UsageError(`--stack: "${values.stack}" is no stack; write <project>/<stack>`);
    return values;
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
        describe(service.manager, stack),
    ]);
    const lines = rows.length === 0 ? [] : alignColumns([HEAD, ...rows]);
    return [...lines, totals(services), ""].join("\n");
}

function totals(services: readonly ExposedService[]): string {
    const kinds = LOAD_BALANCER_TYPES.map(
        (type) => `${services.filter((one) => one.loadBalancerType === type).length} ${type.toUpperCase()}`,
    );
    return `${services.length} Services of type LoadBalancer: ${kinds.join(", ")}`;
}

function describe(manager: Manager, stack: string | undefined): string {
    switch (manager.kind) {
        case "stack":
            return manager.stack === stack ? `this stack (${manager.stack})` : `stack ${manager.stack}`;
        case "follower":
            return "a program that follows it";
        case "ccm":
            return "Cloud Controller Manager";
        case "other":
            return `another controller (${manager.controller})`;
        case "nobody":
            return "nobody";
    }
}

function renderJson(services: readonly ExposedService[], stack: string | undefined): string {
    const withOwn = (manager: Manager) =>
        manager.kind === "stack" && stack !== undefined ? { ...manager, own: manager.stack === stack } : manager;
    return formatAnswer({ services: services.map((one) => ({ ...one, manager: withOwn(one.manager) })) });
}
