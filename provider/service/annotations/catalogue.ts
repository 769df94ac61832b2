/** The catalogue: a row per annotation and type of load balancer, in the order of the documentation. */

import { CCM_SOURCE } from "../../schema/documents";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { SettingName } from "../../schema/settings";
import { clbBackendRows, clbHealthCheckRows } from "./clb/backend";
import { clbListenerRows } from "./clb/listener";
import { clbInstanceRows } from "./clb/instance";
import { nlbBackendRows, nlbHealthCheckRows, nlbServerGroupRows } from "./nlb/backend";
import { nlbInstanceRows } from "./nlb/instance";
import { nlbListenerRows } from "./nlb/listener";
import type { Row, Rows } from "./row";

/** Annotations with a typed setting. A setting that differs between the types of load balancer has two rows. */
export const catalogue = {
    clb: { ...clbInstanceRows, ...clbListenerRows, ...clbHealthCheckRows, ...clbBackendRows },
    nlb: { ...nlbInstanceRows, ...nlbListenerRows, ...nlbServerGroupRows, ...nlbHealthCheckRows, ...nlbBackendRows },
} satisfies Record<LoadBalancerType, Partial<Rows>>;

export type SettingOf<Type extends LoadBalancerType> = keyof (typeof catalogue)[Type];

/** A row for each setting, of the first type that has it. The compiler checks that none is missing. */
const first: Rows = { ...catalogue.clb, ...catalogue.nlb, ...catalogue.clb };
const rowsByType = { clb: Object.values<Row>(catalogue.clb), nlb: Object.values<Row>(catalogue.nlb) };

/** The rows of a type of load balancer, in the order of the documentation. */
export const rowsOf = (type: LoadBalancerType): readonly Row[] => rowsByType[type];

/** Returns the row of a setting, or `undefined` if the type of load balancer does not have it. */
export const rowOf = (field: SettingName, type: LoadBalancerType): Row | undefined =>
    Object.hasOwn(catalogue[type], field)
        ? (catalogue[type] as unknown as Readonly<Record<string, Row>>)[field]
        : undefined;

/** A row of a setting, of either type of load balancer: the key is the same. */
export const anyRowOf = (field: SettingName): Row => first[field];

export const settingNames: readonly SettingName[] = Object.keys(first) as SettingName[];

/** An annotation without a typed setting, by which a Service is left to another controller. */
export interface ExternalRow {
    /** Key after `service.beta.kubernetes.io/`. */
    readonly suffix: string;
    readonly types: readonly LoadBalancerType[];
    /** True if the empty value counts too. */
    readonly evenEmpty: boolean;
    readonly doc: string;
    readonly source: string;
}

/** The Cloud Controller Manager ignores a Service with one of these, and so does this package. */
export const external: readonly ExternalRow[] = [
    {
        suffix: "class",
        types: ["clb"],
        evenEmpty: false,
        doc:
            "Any value but the empty one leaves the Service to another controller. " +
            "This package's classes are the exception.",
        source: `${CCM_SOURCE}, "class"`,
    },
    {
        suffix: "alibaba-cloud-loadbalancer-tunnel-type",
        types: ["clb"],
        evenEmpty: true,
        doc: "Any value, even the empty one, leaves the Service to another controller: nothing is made for it.",
        source: `${CCM_SOURCE}, "tunnel-type"`,
    },
];
