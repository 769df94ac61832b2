/** Names that an object has and should not have: what is misspelt has no effect, and says nothing of it. */

import { type FieldPath, isMapping } from "../diagnostics";
import { closest } from "./closest";

/** What stands behind a name is not looked at: a text, a list of texts, a map with keys of its own. */
export const ANY = true as const;

/** What stands behind a name: anything, or an object (or a list of objects) with these names. */
export type Known = typeof ANY | Names;

/** The names of an object. */
export interface Names {
    readonly [name: string]: Known;
}

/** A name that there is not. */
export interface UnknownName {
    readonly path: FieldPath;
    /** The known name that it most probably stands for. */
    readonly nearest: string | undefined;
}

/**
 * Every name of an object, and of the objects in it, that is not known, in the order of the object.
 *
 * @param isOpaque what is not looked into, though it is an object. Default: nothing.
 */
export function unknownNames(
    value: unknown,
    known: Known,
    isOpaque: (value: unknown) => boolean = () => false,
    path: FieldPath = [],
): UnknownName[] {
    if (known === ANY || isOpaque(value)) return [];
    if (Array.isArray(value))
        return value.flatMap((entry, index) => unknownNames(entry, known, isOpaque, [...path, index]));
    if (!isMapping(value)) return [];
    return Object.keys(value).flatMap((name) => {
        const here = [...path, name];
        const inside = Object.hasOwn(known, name) ? known[name] : undefined;
        return inside === undefined
            ? [{ path: here, nearest: closest(name, Object.keys(known)) }]
            : unknownNames(value[name], inside, isOpaque, here);
    });
}
