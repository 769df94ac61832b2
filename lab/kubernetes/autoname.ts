import { type Autonaming, hexDigits } from "../plugin-server/autonaming";
import { annotations, isAutonamed, nameOf, nameOfUrn, withAnnotation, withMetadata } from "./objects";
import type { JsonMap } from "./properties";

export const suffixLength = 8;

/** Gives an object without a name its old name, or else a new name. @throws Error if that is forbidden */
export function named(
    object: JsonMap,
    old: JsonMap,
    urn: string,
    seed: Uint8Array,
    autonaming: Autonaming | undefined,
): JsonMap {
    if (nameOf(old) !== "") {
        if (!isAutonamed(old)) return object;
        return withAnnotation(withMetadata(object, { name: nameOf(old) }), annotations.autonamed, "true");
    }
    if (autonaming?.mode === 2)
        throw new Error("autonaming is disabled, resource requires the .metadata.name field to be set");
    const name = autonaming?.proposedName || `${nameOfUrn(urn)}-${hexDigits(seed, suffixLength)}`;
    return withAnnotation(withMetadata(object, { name }), annotations.autonamed, "true");
}
