/** The catalogue: one row per annotation and kind of load balancer. */

import { LOAD_BALANCER_TYPES, type LoadBalancerType } from "../schema/load-balancer-type";
import type { Row, Rows } from "./row";
import type { SettingName } from "../schema/settings";
import { clb } from "./clb";
import { nlb } from "./nlb";

/** Every annotation with a typed setting, by kind of load balancer and name of the setting. One name may mean different things: then each kind has a row of its own. */
export const catalogue = { clb, nlb } satisfies Record<LoadBalancerType, Partial<Rows>>;

/** Settings that a kind of load balancer has. */
export type SettingOf<Type extends LoadBalancerType> = keyof (typeof catalogue)[Type];

/** A row for each setting, of the first kind that has it. The type makes sure that none is forgotten. */
const first: Rows = { ...clb, ...nlb, ...clb };

/** The rows of a kind, in the order of the documentation. */
const rowsByType: Readonly<Record<LoadBalancerType, readonly Row[]>> = {
    clb: Object.values(clb),
    nlb: Object.values(nlb),
};

/** The rows of a kind of load balancer, in the order of the documentation. */
export const rowsOf = (type: LoadBalancerType): readonly Row[] => rowsByType[type];

/** The row of a setting for a kind of load balancer; `undefined` if that kind has no such setting. */
export function rowOf(field: SettingName, type: LoadBalancerType): Row | undefined {
    return Object.hasOwn(catalogue[type], field)
        ? (catalogue[type] as unknown as Readonly<Record<string, Row>>)[field]
        : undefined;
}

/** A row of a setting, whatever the kind of load balancer: its key is the same everywhere. */
export const anyRowOf = (field: SettingName): Row => first[field];

/** The kinds of load balancer that have a setting. */
export const typesOf = (field: SettingName): readonly LoadBalancerType[] =>
    LOAD_BALANCER_TYPES.filter((type) => rowOf(field, type) !== undefined);

/** The names of all settings. */
export const settingNames: readonly SettingName[] = Object.keys(first) as SettingName[];

export { external, type ExternalRow } from "./shared/external";
