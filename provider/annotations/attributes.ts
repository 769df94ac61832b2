/** Plain attributes of listeners: from settings to the API and to the alicloud plugin, by their catalogue rows. */

import type { LoadBalancerType } from "../schema/load-balancer-type";
import type { ListenerProtocol } from "../schema/protocols";
import type { Settings } from "../schema/settings";
import { rowsOf } from "./catalogue";
import { defaultOf } from "./defaults";
import type { HealthCheckType, PlainAttribute, Row } from "./row";

/** What decides which plain attributes a listener has. */
export interface ListenerKind {
    readonly protocol: ListenerProtocol;
    /** How its backends are checked. Absent: attributes of health checks do not apply. */
    readonly check?: HealthCheckType;
}

type PlainRow = Row & { readonly attribute: PlainAttribute };

const plainRows = (type: LoadBalancerType): readonly PlainRow[] =>
    rowsOf(type).filter((row): row is PlainRow => row.attribute !== undefined);

/** The plain attributes of a listener, by setting: what is set, or else the default. Those without either are left out: the cloud decides. */
export function plainAttributes(type: LoadBalancerType, settings: Settings, kind: ListenerKind): Settings {
    return Object.fromEntries(
        plainRows(type)
            .filter((row) => applies(row, kind))
            .map(({ field }) => [field, settings[field] ?? defaultOf(field, {}, type, kind.protocol)])
            .filter(([, value]) => value !== undefined),
    );
}

function applies({ group, protocols, attribute }: PlainRow, { protocol, check }: ListenerKind): boolean {
    if (protocols !== undefined && !protocols.includes(protocol)) return false;
    if (group !== "health-check") return true;
    return check !== undefined && (attribute.check === undefined || attribute.check === check);
}

/** Plain attributes as inputs of the plugin's resource, whose type the caller knows. */
export function pluginArguments<Arguments>(type: LoadBalancerType, attributes: Settings): Partial<Arguments> {
    const values = plainRows(type).map((row) => [row, attributes[row.field]] as const);
    return nested(
        values.flatMap(([row, value]) => (value === undefined ? [] : argument(row, value))),
    ) as Partial<Arguments>;
}

/** The same inputs, from a listener in the API's names. What the cloud leaves out has its default. */
export function observedArguments<Arguments>(
    type: LoadBalancerType,
    observed: Readonly<Record<string, unknown>>,
): Partial<Arguments> {
    return nested(
        plainRows(type).flatMap((row) => {
            const value = observed[row.attribute.api] ?? defaultOf(row.field, {}, type);
            return value === undefined ? [] : argument(row, value);
        }),
    ) as Partial<Arguments>;
}

function argument({ type, attribute: { property, boolean } }: PlainRow, value: unknown): [string, unknown][] {
    if (property === undefined) return [];
    if (boolean) return [[property, value === true || value === "on"]];
    return [[property, typeof value === "object" ? type.print(value) : value]];
}

/** Plain attributes that the plugin has no input for, as API parameters. */
export function listenerOptions(type: LoadBalancerType, attributes: Settings): Record<string, string> {
    return optionTexts(type, ({ field }) => attributes[field]);
}

/** The defaults of all such parameters. */
export const optionDefaults = (type: LoadBalancerType): Record<string, string> =>
    optionTexts(type, ({ field }) => defaultOf(field, {}, type));

function optionTexts(type: LoadBalancerType, valueOf: (row: PlainRow) => unknown): Record<string, string> {
    return Object.fromEntries(
        plainRows(type)
            .filter(({ attribute }) => attribute.property === undefined)
            .flatMap((row) => {
                const text = row.type.print(valueOf(row));
                return text === undefined ? [] : [[row.attribute.api, text]];
            }),
    );
}

/** `outer.inner` as an object in an object. */
function nested(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const [property, value] of entries) {
        const [outer = "", inner] = property.split(".");
        result[outer] = inner === undefined ? value : { ...(result[outer] as object | undefined), [inner]: value };
    }
    return result;
}
