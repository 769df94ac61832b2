/**
 * The GitOps stack: every Service of type LoadBalancer in a folder of manifests, behind a load balancer.
 *
 * All manifests are read and checked before the first resource is registered, so a mistake in one file never leaves another half applied.
 */
import * as pulumi from "@pulumi/pulumi";
import { formatIssues, isError } from "../../provider/issues";
import type { ServiceDocument } from "../../provider/manifest";
import type { Adoption } from "../../provider/model/adoption";
import { findAdoption } from "../adoption";
import { Cluster } from "../cluster";
import { ServiceLoadBalancer } from "../serviceloadbalancer";
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
const sourceOf = (key: string, document: ServiceDocument) => ({ manifest: document, cluster, allowEmpty: config.allowEmpty.includes(key) });

/** Looks for all that is to be taken over, before the first Service is registered; all problems are told at once. */
async function findAdoptions(): Promise<ReadonlyMap<string, Adoption>> {
    const found = new Map<string, Adoption>();
    const problems: string[] = [];
    for (const [key, wish] of Object.entries(config.adopt)) {
        const document = folder.services.get(key);
        try {
            if (document === undefined) {
                throw new pulumi.RunError(`the folder of manifests has no Service ${key}, which adopt names. Remedy: add its manifest, or take it off the list.`);
            }
            found.set(key, await findAdoption({ ...sourceOf(key, document), ...wish }));
        } catch (error) {
            if (!pulumi.RunError.isInstance(error)) {
                throw error;
            }
            problems.push(error.message);
        }
    }
    if (problems.length > 0) {
        throw new pulumi.RunError(problems.join("\n"));
    }
    return found;
}

async function exposeAll() {
    const adoptions = await findAdoptions();
    const exposed = [...folder.services].map(([key, document]) => {
        const allowReplacement = config.allowReplacement[key];
        const adopt = adoptions.get(key);
        const component = new ServiceLoadBalancer(key, {
            ...sourceOf(key, document),
            follow: adopt !== undefined || config.follow.includes(key),
            handBack: config.handBack.includes(key),
            ...(adopt === undefined ? {} : { adopt }),
            ...(allowReplacement === undefined ? {} : { allowReplacement }),
        });
        return [key, { address: component.address, clusterAddress: component.clusterAddress }] as const;
    });
    return Object.fromEntries(exposed);
}

/** Address of each Service, by `namespace/name`. */
export const services = pulumi.output(exposeAll());
