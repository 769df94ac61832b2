import * as path from "node:path";
import { type CloudFacts, environment, labVariables } from "../../lab/environment";
import { installPulumi } from "../../lab/pulumi/install";

/**
 * Environment of a process that runs programs in turn in itself, with a simulated cloud and a cluster in memory. It
 * skips the plugin's pauses and the write quotas, which so many runs in a row would exhaust.
 *
 * @param dir scratch folder. Its file `kubeconfig` is the kubeconfig.
 */
export async function workerEnvironment(dir: string, cloud: CloudFacts): Promise<NodeJS.ProcessEnv> {
    const kubeconfig = path.join(dir, "kubeconfig");
    const cli = await installPulumi(undefined, { ...process.env, ENGINE: "pinned" });
    const variables = labVariables({ dir, cloud, kubeconfig, kubectl: "kubectl", cli }, process.env);
    return {
        ...environment(variables, process.env),
        LAB_ALICLOUD_SLEEP: "0",
        ACK_LOADBALANCER_WRITE_QUOTAS: "slb=1000000,nlb=1000000",
    };
}
