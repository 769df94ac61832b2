/** Settings that do nothing on a load balancer that is there already. */

import { rowsOf } from "../../catalogue";
import { collector } from "../../../diagnostics";
import { notesDocument } from "../../../schema/documents";
import type { LoadBalancerType } from "../../../schema/load-balancer-type";
import type { SettingName } from "../../../schema/settings";
import type { Group } from "../../row";
import { keyOf, type Rule } from "../context";

/** What only the creation of an instance regards, and what only its deletion does. */
const OF_CREATION: readonly SettingName[] = ["vswitchId", "networkType"];
const OF_DELETION: readonly SettingName[] = ["preserveLbOnDelete"];

/** Groups of settings that only listeners regard. */
const OF_LISTENERS: Readonly<Record<LoadBalancerType, readonly Group[]>> = {
    clb: ["listener", "health-check"],
    nlb: ["listener"],
};

/** Settings of those groups that act all the same: on server groups, or on which listener of the instance belongs to which port. */
const ACT_ANYWAY: Readonly<Record<LoadBalancerType, readonly SettingName[]>> = {
    clb: ["protocolPort"],
    nlb: [
        "protocolPort",
        "listenerPortRange",
        "scheduler",
        "connectionDrain",
        "connectionDrainTimeout",
        "preserveClientIp",
    ],
};

export const reusedInstance: Rule = ({ type, settings }) => {
    if (settings.id === undefined) return [];
    const report = collector("annotation-scope", { source: notesDocument("Load balancing update policies") });
    const name = (fields: readonly SettingName[], cause: string): void => {
        for (const field of fields.filter((one) => settings[one] !== undefined))
            report.warning(field, `${cause}; it has no effect`, `remove ${keyOf(field)}`, { part: "key" });
    };
    name(OF_CREATION, "counts when an instance is created, but the Service uses an existing one");
    name(OF_DELETION, "an existing instance stays in any case when the Service is deleted");
    if (settings.forceOverrideListeners !== "true") {
        for (const { field, group } of rowsOf(type)) {
            if (settings[field] === undefined || ACT_ANYWAY[type].includes(field)) continue;
            if (!OF_LISTENERS[type].includes(group)) continue;
            report.warning(
                field,
                "belongs to listeners, which are not managed on an existing instance; it has no effect",
                `remove it, or set ${keyOf("forceOverrideListeners")}: "true" to manage the listeners of this Service's ports`,
                { part: "key" },
            );
        }
    }
    return report.diagnostics;
};
