/** Names of the nodes and pods that are backends. */

import type { ClusterReader } from "../../provider/cluster";
import { TEXTS } from "../../policies/subjects";
import { namesOf } from "../inspect/groups";
import type { Report } from "./model";
import { selectorOf } from "./pending";
import { joinSteps, type Step } from "./step";

/**
 * Returns a report whose backends have the names that the cluster has for them.
 *
 * @throws ClusterError
 */
export async function nameBackends(
    report: Report,
    steps: readonly Step[],
    cluster: Pick<ClusterReader, "listNodes" | "listPods">,
): Promise<Report> {
    const keys = report.subjects.flatMap(({ groups }) => groups.flatMap(({ backends }) => backends));
    const selectors = keys.some(({ key }) => !key.startsWith("i-"))
        ? joinSteps(steps).flatMap((one) => selectorOf([{ ...one, after: one.after ?? one.before }]) ?? [])
        : [];
    const [nodes, ...pods] = await Promise.all([
        cluster.listNodes(),
        ...selectors.map(({ namespace, labels }) => cluster.listPods(namespace, TEXTS.catch({}).parse(labels))),
    ]);
    const nameOf = namesOf({ nodes, pods: pods.flat() });
    const subjects = report.subjects.map((subject) => ({
        ...subject,
        groups: subject.groups.map((group) => ({
            ...group,
            backends: group.backends.map((backend) => ({ ...backend, name: nameOf(backend.key) ?? null })),
        })),
    }));
    return { ...report, subjects };
}
