/** Difference between desired and observed: adoption requires none, reuse announces those of what it manages. */
import { isDeepStrictEqual } from "node:util";
import { isMapping } from "../diagnostics";
import type { Backends } from "../schema/backend";

/** Attributes of an object, in any words that both sides share. */
export type Attributes = Readonly<Record<string, unknown>>;

/** Attribute in which desired and observed differ, as texts, with `-` for nothing. */
export interface Differing {
    readonly attribute: string;
    readonly observed: string;
    readonly desired: string;
}

/**
 * Returns the desired attributes that are observed with another value. Other attributes are ignored. Numbers and texts
 * that read the same are equal. Lists and maps are reported whole.
 */
export function diffAttributes(desired: Attributes, observed: Attributes): Differing[] {
    return Object.entries(desired).flatMap(([attribute, value]) =>
        value === undefined || isDeepStrictEqual(comparable(value), comparable(observed[attribute]))
            ? []
            : [{ attribute, observed: shown(observed[attribute]), desired: shown(value) }],
    );
}

/**
 * Returns the attributes that differ, also those that only one side has. A part of an attribute has a point in its
 * name. An attribute that is desired as undefined may have any value.
 */
export function diffAllAttributes(desired: Attributes, observed: Attributes, prefix = ""): Differing[] {
    const names = new Set([...Object.keys(desired), ...Object.keys(observed)]);
    return [...names].flatMap((name) => {
        const [want = "", have] = [desired[name], observed[name]];
        if (isMapping(want) && isMapping(have)) return diffAllAttributes(want, have, `${prefix}${name}.`);
        if (desired[name] === undefined && name in desired) return [];
        return diffAttributes({ [prefix + name]: want }, { [prefix + name]: have });
    });
}

type Texts = Readonly<Record<string, string>>;

/** Returns the entries with another text, or that one side does not have, one line each. */
export function diffTexts(noun: string, desired: Texts, observed: Texts): Differing[] {
    const keys = [...new Set([...Object.keys(desired), ...Object.keys(observed)])].sort();
    return keys
        .filter((key) => desired[key] !== observed[key])
        .map((key) => ({ attribute: noun + key, observed: observed[key] ?? "-", desired: desired[key] ?? "-" }));
}

/** Returns the members of a group that differ, one line each. */
export function diffBackendMaps(desired: Backends, observed: Backends, ignoreWeights: boolean): Differing[] {
    const texts = (backends: Backends): Texts =>
        Object.fromEntries(Object.entries(backends).map(([key, { weight }]) => [key, `weight ${weight}`]));
    const differing = diffTexts("backend ", texts(desired), texts(observed));
    return ignoreWeights ? differing.filter((one) => one.observed === "-" || one.desired === "-") : differing;
}

function comparable(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(String).sort();
    if (typeof value === "object" && value !== null)
        return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, comparable(part)]));
    return value === undefined || value === null ? "" : String(value);
}

function shown(value: unknown): string {
    if (value === undefined || value === null || value === "") return "-";
    return typeof value === "object" ? JSON.stringify(value) : String(value);
}
