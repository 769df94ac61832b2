/** Table of all Services of type LoadBalancer. */

import type { ServiceObject } from "../../provider/service/objects";
import { addressTypeOf } from "../../provider/service/controller";
import type { Judgement } from "../explain/examine";
import type { Page } from "../command/page";

import { addressesOf, chosenTypeOf, describeManagers, serviceNameOf } from "../inspect/model";
import { defined } from "../../provider/schema/defined";

interface ServiceRow {
    readonly service: string;
    readonly managedBy: string;
    readonly kind: string;
    /** `internet` or `intranet`, as requested; absent under another controller. */
    readonly addressType?: string;
    readonly addresses: readonly string[];
    /** `TCP:80`. */
    readonly ports: readonly string[];
    readonly policy: string;
}

/** Returns the row of a Service. */
export function serviceRowOf(object: ServiceObject): ServiceRow {
    const { ports = [], externalTrafficPolicy = "Cluster" } = object.spec ?? {};
    const addressType = addressTypeOf(object);
    return {
        service: serviceNameOf(object),
        managedBy: describeManagers(object),
        kind: chosenTypeOf(object).toUpperCase(),
        ...defined({ addressType }),
        addresses: addressesOf(object),
        ports: ports.map(({ protocol = "TCP", port }) => `${protocol}:${port}`),
        policy: externalTrafficPolicy,
    };
}

/** Row with the judgement; without one for a Service of another controller. */
export type JudgedRow = ServiceRow & Partial<Judgement>;

/** Formats the number of differences: `none`, `2`, or `?` if the cloud could not be read. */
const describeDrift = ({ health, drift }: JudgedRow): string =>
    health === undefined ? "-" : drift === undefined ? "?" : drift === 0 ? "none" : String(drift);

const HEALTH = { works: "works", broken: "BROKEN", unknown: "?" } as const;

/** Returns the table, sorted by namespace and name. */
export function describeServices(services: readonly JudgedRow[]): Page {
    const rows = services.toSorted((a, b) => (a.service < b.service ? -1 : 1));
    const broken = rows.filter(({ health }) => health === "broken").length;
    const unknown = rows.filter(({ health }) => health === "unknown").length;
    const unseen = unknown === 0 ? "" : `, ${unknown} could not be checked`;
    const pending = rows.filter(({ addresses }) => addresses.length === 0).length;
    return {
        title: "Services of type LoadBalancer",
        summary:
            `${rows.length} Services of type LoadBalancer, ` +
            `${pending} without an address, ${broken} broken${unseen}`,
        sections: [
            {
                title: "Services",
                table: {
                    columns: ["service", "managed by", "kind", "type", "address", "ports", "policy", "health", "drift"],
                    rows: rows.map((row) => [
                        row.service,
                        row.managedBy,
                        row.kind,
                        row.addressType ?? "-",
                        row.addresses.join(", ") || "pending",
                        row.ports.join(", "),
                        row.policy,
                        row.health === undefined ? "-" : HEALTH[row.health],
                        describeDrift(row),
                    ]),
                },
            },
            ...rows
                .filter(({ health }) => health === "broken" || health === "unknown")
                .map(({ service, summary = "" }) => ({ title: `Service ${service}`, lines: [summary] })),
        ],
    };
}
