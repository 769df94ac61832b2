/** How YAML scalars are understood: as the Kubernetes tools understand them. */

import type { DocumentOptions, ParseOptions, SchemaOptions, Tags } from "yaml";

/**
 * The Kubernetes tools read YAML 1.1 where it matters: a bare `on`, `off`, `yes` or `no` is a boolean and the API server then refuses it
 * as an annotation value. They do not read the rest of YAML 1.1 that would turn `80:43` into a number in base 60 or a date into a timestamp.
 */
const NOT_IN_KUBERNETES = new Set(["timestamp", "binary", "omap", "pairs", "set"]);

function asKubernetesReadsIt(tags: Tags): Tags {
    return tags.filter((tag) => {
        if (typeof tag === "string") return !NOT_IN_KUBERNETES.has(tag) && tag !== "intTime" && tag !== "floatTime";
        const name = tag.tag.replace("tag:yaml.org,2002:", "");
        return !NOT_IN_KUBERNETES.has(name) && !("format" in tag && tag.format === "TIME");
    });
}

/** Options for `parseAllDocuments`. Duplicate keys are errors; `<<` merges. */
export const YAML_OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
    version: "1.1",
    schema: "yaml-1.1",
    merge: true,
    uniqueKeys: true,
    prettyErrors: false,
    logLevel: "silent",
    customTags: asKubernetesReadsIt,
};
