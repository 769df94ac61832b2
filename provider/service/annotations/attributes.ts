/** Plain attributes of listeners: from settings to the API and to the alicloud plugin, by their catalogue rows. */

import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { ListenerProtocol } from "../../schema/protocols";
import type { Traits } from "../../schema/difference";
import type { Settings } from "../../schema/settings";
import { rowsOf } from "./catalogue";
import { refused } from "./codecs";
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

/** Returns the traits of the plain attributes. An attribute without an input of the plugin is an option. */
export const attributeTraits = (type: LoadBalancerType): Traits =>
    Object.fromEntries(
        plainRows(type).map(({ field, attribute: { property } }) => [
            field,
            { inputs: property?.split(".").slice(0, 1) ?? [] },
        ]),
    );

/** Returns plain attributes as inputs of the plugin's resource, whose type the caller states. */
export function pluginArguments<Arguments>(type: LoadBalancerType, attributes: Settings): Partial<Arguments> {
    const result: Record<string, unknown> = {};
    for (const row of plainRows(type)) {
        const { property, boolean } = row.attribute;
        const value = attributes[row.field];
        if (value === undefined || property === undefined) continue;
        const text = typeof value === "object" ? row.type.print(value) : value;
        const argument = boolean ? value === "on" : text;
        const [outer = "", inner] = property.split(".");
        // A property `outer.inner` becomes an object in an object.
        result[outer] =
            inner === undefined ? argument : { ...(result[outer] as object | undefined), [inner]: argument };
    }
    return result as Partial<Arguments>;
}

/**
 * Returns the plain attributes of an observed listener, whose attributes have the API's names. Absent: the default. A
 * value that no annotation can have is returned as the API reports it.
 */
export function observedAttributes(type: LoadBalancerType, observed: Readonly<Record<string, unknown>>): Settings {
    return Object.fromEntries(
        plainRows(type)
            .map((row) => [row.field, readValue(row, observed[row.attribute.api]) ?? defaultOf(row.field, {}, type)])
            .filter(([, value]) => value !== undefined),
    );
}

function readValue(row: PlainRow, value: unknown): unknown {
    if (value === undefined || value === null) return undefined;
    const reading = row.type.parse(typeof value === "boolean" ? (value ? "on" : "off") : String(value));
    return refused(reading) ? value : reading.value;
}

/** Returns the plain attributes that the plugin has no input for, as API parameters. */
export const listenerOptions = (type: LoadBalancerType, attributes: Settings): Record<string, string> =>
    optionTexts(type, ({ field }) => attributes[field]);

export const optionDefaults = (type: LoadBalancerType): Record<string, string> =>
    optionTexts(type, ({ field }) => defaultOf(field, {}, type));

const optionTexts = (type: LoadBalancerType, valueOf: (row: PlainRow) => unknown): Record<string, string> =>
    Object.fromEntries(
        plainRows(type)
            .filter(({ attribute }) => attribute.property === undefined)
            .map((row) => [row.attribute.api, row.type.print(valueOf(row))] as const)
            .filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
    );
