/** Rules about names and tags by which controllers recognise what they own. */

import { SYSTEM_TAGS } from "../../provider/service/annotations";
import { isOwnershipKey } from "../../provider/schema/names";
import { clbDocument } from "../../provider/schema/documents";
import { type Rule, resourceRule } from "../rule";
import { MAP, type ResourceSubject } from "../subjects";
import * as types from "../../provider/schema/resource-types";

const marked = (mark: string | undefined, what: string): string[] =>
    isOwnershipKey(mark) ? [`the ${what} "${mark}" says that it belongs to a Service of a cluster`] : [];

const tagged = (what: string) => (resource: ResourceSubject) => {
    const found = SYSTEM_TAGS.filter((key) => Object.hasOwn(resource.get("tags", MAP) ?? {}, key));
    return found.map((key) => `the tag "${key}" says that a cluster owns the ${what}`);
};

export const NAMING: readonly Rule[] = [
    // What has the mark k8s/port/service/namespace/cluster, with dots on an NLB, is managed for that Service: its
    // controller changes and deletes it.
    resourceRule("naming-owner-marks", "high", "mandatory", {
        title: "User-managed listeners, server groups and servers do not carry the ownership mark of a Service.",
        remedy: "Choose a description or name that does not begin with k8s/ or k8s. as ownership marks do.",
        source: "the names that the Cloud Controller Manager gives",
        resources: {
            [types.CLB_LISTENER_TYPE]: (listener) => marked(listener.get("description"), "description"),
            [types.VSERVER_GROUP_TYPE]: (group) => marked(group.get("name") ?? group.get("vserverGroupName"), "name"),
            [types.NLB_LISTENER_TYPE]: (listener) => marked(listener.get("listenerDescription"), "description"),
            [types.NLB_SERVER_GROUP_TYPE]: (group) => marked(group.get("serverGroupName"), "name"),
            [types.NLB_SERVER_GROUP_SERVER_TYPE]: (server) => marked(server.get("description"), "description"),
        },
    }),
    // Controllers recognise their instances, and the server groups of an NLB, by these tags.
    resourceRule("naming-owner-tags", "high", "mandatory", {
        title: "User-managed instances and NLB server groups do not carry the ownership tags of clusters.",
        remedy: "Remove the tag; a cluster that finds it manages the resource: it changes and deletes it.",
        source: clbDocument("Add additional tags to the CLB instance"),
        resources: {
            [types.CLB_INSTANCE_TYPE]: tagged("instance"),
            [types.CLB_INSTANCE_FORMER_TYPE]: tagged("instance"),
            [types.NLB_INSTANCE_TYPE]: tagged("instance"),
            [types.NLB_SERVER_GROUP_TYPE]: tagged("server group"),
        },
    }),
];
