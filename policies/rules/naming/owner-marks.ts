import { isOwnershipKey } from "../../../provider/model/names";
import type { ResourceRule } from "../../rule";
import { GROUP_TYPE, LISTENER_TYPE } from "../../types";

/** Listeners and groups named k8s/port/service/namespace/cluster belong to that Service: whoever looks after it changes and deletes them. */
export const ownerMarks: ResourceRule = {
    name: "naming-owner-marks",
    title: "Listeners and vServer groups that a program makes itself are not named like those of Services.",
    group: "naming",
    severity: "high",
    level: "mandatory",
    remedy: "Choose a description or name that does not begin with k8s/.",
    source: "the names that the Cloud Controller Manager gives",
    resources: {
        [LISTENER_TYPE]: (listener) => judge(listener.get("description"), "description"),
        [GROUP_TYPE]: (group) => judge(group.get("name") ?? group.get("vserverGroupName"), "name"),
    },
};

const judge = (mark: string | undefined, what: string): string[] => (isOwnershipKey(mark) ? [`the ${what} "${mark}" says that it belongs to a Service of a cluster`] : []);
