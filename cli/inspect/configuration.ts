/** Configuration of a stack in the project of the working directory. */

import * as fs from "node:fs";
import * as path from "node:path";
import { parse } from "yaml";
import { isMapping } from "../../provider/diagnostics";
import { unlessThrown } from "../../provider/schema/defined";
import type { ClusterFacts } from "../../provider/schema/facts";
import { CLUSTER_FACTS } from "../../policies/subjects/parse";

export interface StackConfiguration {
    /** File of the stack, as the reader names it. */
    readonly file: string;
    readonly facts: Partial<ClusterFacts>;
    /** True for a stack of manifests, whose runs compare the facts with the cluster. A program may state its own. */
    readonly ofManifests: boolean;
}

const readYaml = (file: string): unknown => unlessThrown(() => parse(fs.readFileSync(file, "utf8")) as unknown);

/** Returns the folders from a folder up to the root of the file system. */
const upwards = (folder: string): string[] =>
    path.dirname(folder) === folder ? [folder] : [folder, ...upwards(path.dirname(folder))];

/**
 * Returns the cluster facts that a stack configures, or undefined if a folder belongs to another project or has no file
 * of the stack.
 *
 * @param stack as `project/stack`
 */
export function readConfiguration(folder: string, stack: string): StackConfiguration | undefined {
    const [project = "", name = ""] = stack.split("/");
    for (const place of upwards(folder)) {
        const found = [".yaml", ".yml"]
            .map((extension) => ({ extension, data: readYaml(path.join(place, `Pulumi${extension}`)) }))
            .find(({ data }) => isMapping(data));
        if (found === undefined || !isMapping(found.data)) continue;
        if (found.data["name"] !== project) return undefined;
        const { stackConfigDir = "." } = found.data;
        const file = path.join(place, String(stackConfigDir), `Pulumi.${name}${found.extension}`);
        const data = readYaml(file);
        if (!isMapping(data)) return undefined;
        const sections = [found.data["config"], data["config"]].filter(isMapping);
        return {
            file: path.relative(folder, file),
            facts: factsIn(project, sections),
            ofManifests: sections.some((section) => `${project}:manifests` in section || "manifests" in section),
        };
    }
    return undefined;
}

/** Returns the facts under the keys of the GitOps stack, and of the plugin, from the project and from the stack. */
function factsIn(project: string, sections: readonly object[]): Partial<ClusterFacts> {
    const values = sections.flatMap((section): [string, unknown][] => Object.entries(section));
    const facts = values.flatMap(([key, given]) => {
        const [namespace = "", fact = key] = key.split(":");
        const value: unknown = isMapping(given) && "value" in given ? given["value"] : given;
        const isKnown = namespace === key || [project, "ack-loadbalancer"].includes(namespace);
        return isKnown && Object.hasOwn(SHAPE, fact) && SHAPE[fact as keyof typeof SHAPE].safeParse(value).success
            ? [[fact, value] as const]
            : [];
    });
    return Object.fromEntries(facts);
}

const SHAPE = CLUSTER_FACTS.shape;
