import { z } from "zod";
import { SYSTEM_TAGS } from "../../../provider/annotations";
import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import type { ResourceSubject } from "../../subjects";
import { INSTANCE_TYPE, NETWORK_GROUP_TYPE, NETWORK_INSTANCE_TYPE, OLD_INSTANCE_TYPE } from "../../types";

/** Tags by which controllers know what is theirs: who writes them by hand gives the instance away. Server groups of an NLB are known by tags too. */
export const ownerTags: ResourceRule = {
    name: "naming-owner-tags",
    title: "Instances and NLB server groups that a program makes itself do not carry the tags by which clusters know theirs.",
    group: "naming",
    severity: "high",
    level: "mandatory",
    remedy: "Remove the tag; a cluster that finds it takes the resource for its own, changes it and deletes it.",
    source: clbDocument("Add additional tags to the CLB instance"),
    resources: {
        [INSTANCE_TYPE]: judge,
        [OLD_INSTANCE_TYPE]: judge,
        [NETWORK_INSTANCE_TYPE]: judge,
        [NETWORK_GROUP_TYPE]: judge,
    },
};

const TAGS = z.record(z.string(), z.unknown());

function judge(resource: ResourceSubject): string[] {
    const tags = resource.get("tags", TAGS) ?? {};
    const what = resource.type === NETWORK_GROUP_TYPE ? "server group" : "instance";
    return SYSTEM_TAGS.filter((key) => Object.hasOwn(tags, key)).map(
        (key) => `the tag "${key}" says that a cluster owns the ${what}`,
    );
}
