import { z } from "zod";
import { SYSTEM_TAGS } from "../../../provider/annotations";
import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import type { ResourceSubject } from "../../subjects";
import {
    CLB_INSTANCE_TYPE,
    NLB_SERVER_GROUP_TYPE,
    NLB_INSTANCE_TYPE,
    CLB_INSTANCE_FORMER_TYPE,
} from "../../subjects/types";

/** Controllers recognise their instances, and the server groups of an NLB, by these tags. */
export const ownerTags: ResourceRule = {
    name: "naming-owner-tags",
    title: "User-managed instances and NLB server groups do not carry the ownership tags of clusters.",
    group: "naming",
    severity: "high",
    level: "mandatory",
    remedy: "Remove the tag; a cluster that finds it manages the resource: it changes and deletes it.",
    source: clbDocument("Add additional tags to the CLB instance"),
    resources: {
        [CLB_INSTANCE_TYPE]: check,
        [CLB_INSTANCE_FORMER_TYPE]: check,
        [NLB_INSTANCE_TYPE]: check,
        [NLB_SERVER_GROUP_TYPE]: check,
    },
};

const TAGS = z.record(z.string(), z.unknown());

function check(resource: ResourceSubject): string[] {
    const tags = resource.get("tags", TAGS) ?? {};
    const what = resource.type === NLB_SERVER_GROUP_TYPE ? "server group" : "instance";
    return SYSTEM_TAGS.filter((key) => Object.hasOwn(tags, key)).map(
        (key) => `the tag "${key}" says that a cluster owns the ${what}`,
    );
}
