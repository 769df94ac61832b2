import { isOwnershipKey } from "../../../provider/model/names";
import type { ResourceRule } from "../../rule";
import {
    VSERVER_GROUP_TYPE,
    CLB_LISTENER_TYPE,
    NLB_SERVER_GROUP_SERVER_TYPE,
    NLB_SERVER_GROUP_TYPE,
    NLB_LISTENER_TYPE,
} from "../../types";

/** Listeners, groups and servers marked k8s/port/service/namespace/cluster, or with dots on an NLB, belong to that Service: whoever looks after it changes and deletes them. */
export const ownerMarks: ResourceRule = {
    name: "naming-owner-marks",
    title: "Listeners, server groups and their servers that a program makes itself are not named like those of Services.",
    group: "naming",
    severity: "high",
    level: "mandatory",
    remedy: "Choose a description or name that begins neither with k8s/ nor with k8s. as those of Services do.",
    source: "the names that the Cloud Controller Manager gives",
    resources: {
        [CLB_LISTENER_TYPE]: (listener) => check(listener.get("description"), "description"),
        [VSERVER_GROUP_TYPE]: (group) => check(group.get("name") ?? group.get("vserverGroupName"), "name"),
        [NLB_LISTENER_TYPE]: (listener) => check(listener.get("listenerDescription"), "description"),
        [NLB_SERVER_GROUP_TYPE]: (group) => check(group.get("serverGroupName"), "name"),
        [NLB_SERVER_GROUP_SERVER_TYPE]: (server) => check(server.get("description"), "description"),
    },
};

const check = (mark: string | undefined, what: string): string[] =>
    isOwnershipKey(mark) ? [`the ${what} "${mark}" says that it belongs to a Service of a cluster`] : [];
