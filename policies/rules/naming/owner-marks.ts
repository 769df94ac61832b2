import { isOwnershipKey } from "../../../provider/model/names";
import type { ResourceRule } from "../../rule";
import {
    VSERVER_GROUP_TYPE,
    CLB_LISTENER_TYPE,
    NLB_SERVER_GROUP_SERVER_TYPE,
    NLB_SERVER_GROUP_TYPE,
    NLB_LISTENER_TYPE,
} from "../../subjects/types";

/** Listeners, server groups and servers with the ownership mark k8s/port/service/namespace/cluster, with dots on an NLB, are managed for that Service: its controller changes and deletes them. */
export const ownerMarks: ResourceRule = {
    name: "naming-owner-marks",
    title: "User-managed listeners, server groups and servers do not carry the ownership mark of a Service.",
    group: "naming",
    severity: "high",
    level: "mandatory",
    remedy: "Choose a description or name that does not begin with k8s/ or k8s. as ownership marks do.",
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
