import { isOwnershipKey } from "../../../provider/model/names";
import type { ResourceRule } from "../../rule";
import {
    GROUP_TYPE,
    LISTENER_TYPE,
    NETWORK_GROUP_SERVER_TYPE,
    NETWORK_GROUP_TYPE,
    NETWORK_LISTENER_TYPE,
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
        [LISTENER_TYPE]: (listener) => judge(listener.get("description"), "description"),
        [GROUP_TYPE]: (group) => judge(group.get("name") ?? group.get("vserverGroupName"), "name"),
        [NETWORK_LISTENER_TYPE]: (listener) => judge(listener.get("listenerDescription"), "description"),
        [NETWORK_GROUP_TYPE]: (group) => judge(group.get("serverGroupName"), "name"),
        [NETWORK_GROUP_SERVER_TYPE]: (server) => judge(server.get("description"), "description"),
    },
};

const judge = (mark: string | undefined, what: string): string[] =>
    isOwnershipKey(mark) ? [`the ${what} "${mark}" says that it belongs to a Service of a cluster`] : [];
