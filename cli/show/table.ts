/** Table of all Services of type LoadBalancer. */

import type { ServiceObject } from "../../provider/cluster";
import { addressTypeOf } from "../../provider/service/controller";
import type { Page } from "../report";

import {
    addressesOf,
    chosenTypeOf,
    describeManager,
    managerOf,
    serviceNameOf,
} from "../inspect/model";
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
        managedBy: describeManager(managerOf(object)),
        kind: chosenTypeOf(object).toUpperCase(),
        ...defined({ addressType }),
        addresses: addressesOf(object),
        ports: ports.map(({ protocol = "TCP", port }) => `${protocol}:${port}`),
        policy: externalTrafficPolicy,
    };
}

/** Returns the table, sorted by namespace and name. */
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
