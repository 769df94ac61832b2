/** One Service with its load balancer. */

import { ownerKey, sameService } from "../../provider/model/names";
import type { Page, Section } from "../../provider/report";
import { LOCAL_PORT_REMEDY, localNodePorts } from "../../provider/kubernetes/service/ports";
import { type GroupView, backendsOfGroups } from "../../provider/inspect/live/groups";
import { describeManager, type LiveCloud, type InspectedService, managerOf } from "../../provider/inspect/live/model";
import { type ManagedObject, managersOf } from "./managers";
import { serviceRowOf } from "./table";

/** The Service as a page, and as data. */
export function describeService(live: InspectedService): { readonly page: Page; readonly data: object } {
    const { object, cloud } = live;
    const managers = managersOf(live);
    const row = serviceRowOf(object);
    const groups = backendsOfGroups(live);
    const foreign = userManaged(live);
    const ports = localNodePorts(object.spec?.ports ?? []);
    const address = row.addresses.join(", ") || "no address";
    return {
        page: {
            title: `Service ${row.service}`,
            summary: `Service ${row.service}: ${address}, managed by ${describeManager(managerOf(object))}`,
            sections: [
                { title: "Load balancer", lines: [...balancerLines(cloud), ...settingLines(live)] },
                ...(ports.length === 0
                    ? []
                    : [{ title: "Node ports", lines: [...ports, `remedy: ${LOCAL_PORT_REMEDY}`] }]),
                ...groups.map((group) => groupSection(group, live)),
                ...(managers.length === 0 ? [] : [managersSection(managers)]),
                ...(foreign.length === 0 ? [] : [{ title: "User-managed, or of other Services", lines: foreign }]),
                ...bindingSection(live),
            ],
        },
        data: {
            service: row,
            cloud: cloud.kind === "found" ? { ...cloud.instance, health: cloud.health ?? null } : cloud,
            groups,
            userManaged: foreign,
            preserved: isPreserved(live),
            localNodePorts: ports,
            managers,
            bindings: live.bindings,
        },
    };
}

const managersSection = (managers: readonly ManagedObject[]): Section => ({
    title: "Who manages what",
    table: { columns: ["object", "managed by"], rows: managers.map(({ object, managedBy }) => [object, managedBy]) },
});

function balancerLines(cloud: LiveCloud): string[] {
    if (cloud.kind === "missing") return [`none was found in the cloud (looked for ${cloud.lookedFor})`];
    if (cloud.kind === "failed") return [`the cloud could not be asked: ${cloud.code} ${cloud.message}`.trimEnd()];
    const { id, name, address, addressType, status, instanceChargeType, listeners } = cloud.instance;
    return [
        `${id}${name === undefined ? "" : ` (${name})`}: ${address ?? "no address"}, ${addressType ?? "?"}, ${status ?? "?"}${instanceChargeType === undefined ? "" : `, ${instanceChargeType}`}`,
        `listeners: ${listeners.map(({ protocol, port, endPort }) => `${protocol}:${port}${endPort === undefined ? "" : `-${endPort}`}`).join(", ") || "none"}`,
        ...(cloud.health === undefined
            ? ["health is not known: slb:DescribeHealthStatus or nlb:GetListenerHealthStatus is not allowed"]
            : []),
    ];
}

/** Whether the load balancer outlives the Service by its annotation; one of a user does anyway. */
const isPreserved = ({ service }: InspectedService): boolean =>
    service?.settings.preserveLbOnDelete !== undefined && service.settings.id === undefined;

const settingLines = (live: InspectedService): string[] =>
    isPreserved(live) ? ["PreservedOnDelete: it stays when the Service is deleted (preserve-lb-on-delete)"] : [];

function groupSection({ key, id, name, backends }: GroupView, { cloud }: InspectedService): Section {
    const sum = backends.reduce((total, { observed = 0 }) => total + observed, 0);
    const health = cloud.kind === "found" ? (cloud.health ?? []) : [];
    return {
        title: `Server group ${key}: ${id} (${name})`,
        table: {
            columns: ["backend", "weight", "desired", "% of new connections", "health", "managed"],
            rows: backends.map(({ backend, observed, desired, own }) => [
                backend,
                observed === undefined ? "missing" : String(observed),
                desired === undefined ? "none" : String(desired),
                observed === undefined || sum === 0 ? "0" : String(Math.round((observed / sum) * 1000) / 10),
                [...new Set(health.filter((one) => one.backend === backend).map(({ state }) => state))].join(", ") ||
                    "?",
                own ? "yes" : "no, user-managed",
            ]),
        },
    };
}

/** What stands on the same instance and is not the Service's. */
function userManaged({ object, type, cloud }: InspectedService): string[] {
    if (cloud.kind !== "found") return [];
    const { namespace = "default", name } = object.metadata;
    const mark = ownerKey(type, { namespace, name, clusterId: "any" });
    return cloud.instance.listeners
        .filter(({ description }) => !sameService(description, mark))
        .map(
            ({ protocol, port, description }) =>
                `listener ${protocol}:${port}${description === "" ? "" : ` (${description})`}`,
        );
}

function bindingSection({ bindings }: InspectedService): Section[] {
    if (bindings.length === 0) return [];
    return [
        {
            title: "Sync controller",
            lines: bindings.map(
                ({ name, synced, message }) => `${name}: ${synced ? "synced" : `not synced: ${message}`}`,
            ),
        },
    ];
}
