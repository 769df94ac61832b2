/** Names that an object should not have: a misspelt name has no effect, without a message. */

import { type FieldPath, isMapping } from "../../diagnostics";
import { closest } from "./closest";

/** Any value: a text, a list of texts, a map with free keys. */
export const ANY = true as const;

/** Known value of a name: anything, or an object (or a list of objects) with these names. */
export type Known = typeof ANY | { readonly [name: string]: Known };

/**
 * Returns every unknown name of an object, and of the objects in it, in the order of the object, with the known name
 * closest to it.
 *
 * @param isOpaque true for objects that are skipped. Default: none.
 */
export function unknownNames(
    value: unknown,
    known: Known,
    isOpaque: (value: unknown) => boolean = () => false,
    path: FieldPath = [],
): { readonly path: FieldPath; readonly nearest: string | undefined }[] {
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
