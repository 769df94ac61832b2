/** All Services of type LoadBalancer in a table. */

import type { ServiceObject } from "../../provider/kubernetes";
import { addressTypeOf } from "../../provider/kubernetes/service/controller";
import type { Page } from "../../provider/report";

import {
    addressesOf,
    chosenTypeOf,
    describeManager,
    managerOf,
    serviceNameOf,
} from "../../provider/inspect/live/model";
import { defined } from "../../provider/schema/defined";

/** What the table says of one Service. */
export interface ServiceRow {
    readonly service: string;
    readonly managedBy: string;
    readonly kind: string;
    /** `internet` or `intranet`, as the Service asks for it; absent under another controller. */
    readonly addressType?: string;
    /** Empty while there is none. */
    readonly addresses: readonly string[];
    /** `TCP:80`. */
    readonly ports: readonly string[];
    readonly policy: string;
}

/** The row of a Service. */
export function serviceRowOf(object: ServiceObject): ServiceRow {
    const { ports = [], externalTrafficPolicy = "Cluster" } = object.spec ?? {};
    const addressType = addressTypeOf(object);
    return {
        service: serviceNameOf(object),
        managedBy: describeManager(managerOf(object)),
        kind: chosenTypeOf(object).toUpperCase(),
        ...defined({ addressType }),
        addresses: addressesOf(object),
        ports: ports.map(({ protocol = "TCP", port }) => `${protocol}:${port}`),
        policy: externalTrafficPolicy,
    };
}

/** The table, in the order of namespaces and names. */
export function describeServices(services: readonly ServiceObject[]): Page {
    const rows = services.map(serviceRowOf).sort((a, b) => (a.service < b.service ? -1 : 1));
    const pending = rows.filter(({ addresses }) => addresses.length === 0).length;
    return {
        title: "Services of type LoadBalancer",
        summary: `${rows.length} Services of type LoadBalancer, ${pending} without an address`,
        sections: [
            {
                title: "Services",
                table: {
                    columns: ["service", "managed by", "kind", "type", "address", "ports", "policy"],
                    rows: rows.map(({ service, managedBy, kind, addressType = "-", addresses, ports, policy }) => [
                        service,
                        managedBy,
                        kind,
                        addressType,
                        addresses.join(", ") || "pending",
                        ports.join(", "),
                        policy,
                    ]),
                },
            },
        ],
    };
}
