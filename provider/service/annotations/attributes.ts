/** Plain attributes of listeners: from settings to the API and to the alicloud plugin, by their catalogue rows. */

import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { ListenerProtocol } from "../../schema/protocols";
import type { Settings } from "../../schema/settings";
import { rowsOf } from "./catalogue";
import { defaultOf } from "./defaults";
import type { HealthCheckType, PlainAttribute, Row } from "./row";

interface ListenerKind {
    readonly protocol: ListenerProtocol;
    /** Type of its health check. Absent: attributes of health checks do not apply. */
    readonly check?: HealthCheckType;
}

type PlainRow = Row & { readonly attribute: PlainAttribute };

const plainRows = (type: LoadBalancerType): readonly PlainRow[] =>
    rowsOf(type).filter((row): row is PlainRow => row.attribute !== undefined);

/** Returns the plain attributes of a listener: settings, else defaults. Without either, the cloud decides. */
export const plainAttributes = (type: LoadBalancerType, settings: Settings, kind: ListenerKind): Settings =>
    Object.fromEntries(
        plainRows(type)
            .filter((row) => applies(row, kind))
            .map(({ field }) => [field, settings[field] ?? defaultOf(field, {}, type, kind.protocol)])
            .filter(([, value]) => value !== undefined),
    );

function applies({ group, protocols, attribute }: PlainRow, { protocol, check }: ListenerKind): boolean {
    if (protocols !== undefined && !protocols.includes(protocol)) return false;
    if (group !== "health-check") return true;
    return check !== undefined && (attribute.check === undefined || attribute.check === check);
}

/** Returns plain attributes as inputs of the plugin's resource, whose type the caller states. */
export const pluginArguments = <Arguments>(type: LoadBalancerType, attributes: Settings): Partial<Arguments> =>
    argumentsOf(type, ({ field }) => attributes[field]);

/** Returns the same inputs of an observed listener, whose attributes have the API's names. Absent: the default. */
export const observedArguments = <Arguments>(
    type: LoadBalancerType,
    observed: Readonly<Record<string, unknown>>,
): Partial<Arguments> =>
    argumentsOf(type, ({ field, attribute }) => observed[attribute.api] ?? defaultOf(field, {}, type));

/** A property `outer.inner` becomes an object in an object. */
function argumentsOf<Arguments>(type: LoadBalancerType, valueOf: (row: PlainRow) => unknown): Partial<Arguments> {
    const result: Record<string, unknown> = {};
    for (const row of plainRows(type)) {
        const { property, boolean } = row.attribute;
        const value = valueOf(row);
        if (value === undefined || property === undefined) continue;
        const text = typeof value === "object" ? row.type.print(value) : value;
        const argument = boolean ? value === true || value === "on" : text;
        const [outer = "", inner] = property.split(".");
        result[outer] =
            inner === undefined ? argument : { ...(result[outer] as object | undefined), [inner]: argument };
    }
    return result as Partial<Arguments>;
}

/** Returns the plain attributes that the plugin has no input for, as API parameters. */
export const listenerOptions = (type: LoadBalancerType, attributes: Settings): Record<string, string> =>
    optionTexts(type, ({ field }) => attributes[field]);

/** Returns the defaults of all such parameters. */
export const optionDefaults = (type: LoadBalancerType): Record<string, string> =>
    optionTexts(type, ({ field }) => defaultOf(field, {}, type));

const optionTexts = (type: LoadBalancerType, valueOf: (row: PlainRow) => unknown): Record<string, string> =>
    Object.fromEntries(
        plainRows(type)
            .filter(({ attribute }) => attribute.property === undefined)
            .map((row) => [row.attribute.api, row.type.print(valueOf(row))] as const)
            .filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
    );
