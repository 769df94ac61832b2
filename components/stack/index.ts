/**
 * The GitOps stack: every Service of type LoadBalancer in a folder of manifests, behind a load balancer.
 *
 * All manifests are read and checked before the first resource is registered, so a mistake in one file never leaves another half applied.
 */
import * as pulumi from "@pulumi/pulumi";
import { formatIssues, isError } from "../../provider/issues";
import { Cluster } from "../cluster";
import { ServiceLoadBalancer } from "../serviceloadbalancer";
import type { KubernetesObject } from "../../provider/model/service";
import { UnexposedService } from "../unexposed";
import { readConfig } from "./config";
import { readFolder } from "./manifests";

const config = readConfig();
const folder = readFolder(config.manifests, config.cluster, config.projectFolder);
if (folder.issues.some(isError)) {
    throw new pulumi.RunError(`the manifests have problems; nothing was changed.\n${formatIssues(folder.issues)}`);
}
if (folder.issues.length > 0) {
    void pulumi.log.warn(formatIssues(folder.issues));
}
if (folder.others.length > 0) {
    void pulumi.log.info(`not applied by this stack: ${folder.others.map((other) => other.subject).join(", ")}`);
}

const cluster = new Cluster(config.cluster);
const exposed = [...folder.services].map(([key, document]) => {
    const allowReplacement = config.allowReplacement[key];
    const component = new ServiceLoadBalancer(
        key,
        {
            manifest: document,
            cluster,
            allowEmpty: config.allowEmpty.includes(key),
            ...(allowReplacement === undefined ? {} : { allowReplacement }),
        },
        config.protect.includes(key) ? { protect: true } : {},
    );
    const { namespace, serviceName: name, address, addressType, clusterAddress } = component;
    return [key, { namespace, name, address, addressType, clusterAddress }] as const;
});

/** Services that this stack has applied stay in it when their type changes: leaving it would delete them. */
async function keepUnexposed(): Promise<void> {
    for (const [key, { object }] of folder.unexposed) {
        const [namespace = "", name = ""] = key.split("/");
        const live = await UnexposedService.find(cluster, namespace, name);
        if (live !== undefined) {
            new UnexposedService(key, { cluster, namespace, name, object: object as KubernetesObject, live });
        }
    }
}

/** Namespace, name, address, address type and in-cluster address of each Service, by `namespace/name`. */
export const services = keepUnexposed().then(() => Object.fromEntries(exposed));
