/** `ack-loadbalancer list`: every Service of type LoadBalancer of a cluster, with who manages it. It reads Services, and nothing else. */

import { EXIT } from "../command/exit";
import { LIST_OPTIONS } from "../command/options";
import { stopped } from "../command/stopped";
import { type ClusterReader, ClusterError, type ClusterOptions, openCluster } from "../../provider/kubernetes";
import { exposedServices } from "../../provider/kubernetes/service/controller";
import { type Output, readOptions, UsageError } from "../command/line";
import { renderListJson, renderListTable } from "./render";
import { defined } from "../../provider/schema/defined";

export const LIST_USAGE = `usage: ack-loadbalancer list [options]

Lists every Service of type LoadBalancer of a cluster: its kind of load balancer, whether its address is
in the Internet or in the VPC, its addresses, and who manages it.

  --kubeconfig <file>       default: as kubectl finds it
  --context <name>          context of the kubeconfig
  --namespace <name>        Services of this namespace only
  --stack <project/stack>   your own stack, which the list then tells from others
  --json                    print JSON

Exit code: 0 the cluster was read, 2 the command line is invalid or the cluster cannot be read.
`;

/** Runs the command line after `list`. Gives the exit code. */
export async function runList(
    argv: readonly string[],
    output: Output,
    open: (options: ClusterOptions) => Pick<ClusterReader, "listServices"> = openCluster,
): Promise<number> {
    try {
        const { kubeconfig, context, namespace, stack, json, help } = parse(argv);
        if (help === true) {
            output.out(LIST_USAGE);
            return EXIT.ok;
        }
        const cluster = open({
            ...defined({ kubeconfig, context }),
        });
        const services = exposedServices(await cluster.listServices(namespace));
        output.out(json === true ? renderListJson(services, stack) : renderListTable(services, stack));
        return EXIT.ok;
    } catch (error) {
        return stopped(error, LIST_USAGE, output, ClusterError);
    }
}

function parse(argv: readonly string[]) {
    const { values, positionals } = readOptions(argv, LIST_OPTIONS);
    if (positionals.length > 0) throw new UsageError(`${positionals.join(", ")} is too much`);
    if (values.stack !== undefined && !/^[^/]+\/[^/]+$/.test(values.stack))
        throw new UsageError(`--stack: "${values.stack}" is no stack; write <project>/<stack>`);
    return values;
}
