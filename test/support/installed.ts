/** The controller as the page says to install it, in a lab that runs no containers. */
import { writeFileSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { applyYaml, kubectl, type Session } from "../../lab";
import { serveBindings } from "./replica";
import { succeed } from "./world";

const NAMESPACE = "ack-loadbalancer";
const NAME = "ack-loadbalancer-sync";

/** Environment that makes a process a pod of the installed Deployment. */
export interface Installed {
    /** Arguments that name the Lease as the Deployment's do. */
    readonly args: readonly string[];
    /** Kubeconfig of the service account: the process may do in the cluster what the installed roles say. */
    readonly kubeconfig: string;
    readonly token: string;
}

/** Applies what `ack-loadbalancer sync --manifests` prints, and gets a token of the service account. */
export async function installController(session: Session): Promise<Installed> {
    const { cluster } = session.lab;
    const manifests = ["dist/cli/main.js", "sync", "--manifests", "--image", "registry.example/x:1"];
    const options = ["--ram-role", "ack-loadbalancer-sync", "--network-policy"];
    await applyYaml(cluster, succeed(await session.run(process.execPath, [...manifests, ...options])));
    await serveBindings(session);
    const token = (await kubectl(cluster, ["create", "token", NAME, "--namespace", NAMESPACE])).trim();
    const kubeconfig = path.join(session.lab.dir, "service-account.kubeconfig");
    const text = readFileSync(cluster.kubeconfig, "utf8").replace(/token: .*/, `token: ${token}`);
    writeFileSync(kubeconfig, text, { mode: 0o600 });
    return { args: ["--namespace", NAMESPACE, "--lease", NAME], kubeconfig, token };
}
