import { hashElement } from "./hash";
import type { Schema } from "./schema";
import { TfSet, type Value } from "./value";

/** Returns the value that means "not set" for a kind. Sets need {@link emptySet}. */
export function zeroOf(schema: Schema): Value {
    switch (schema.type) {
        case "bool":
            return false;
        case "int":
        case "float":
            return 0;
        case "string":
            return "";
        case "list":
            return [];
        case "map":
        case "object":
            return {};
        case "set":
            return emptySet(schema);
    }
}

export function emptySet(schema: Schema): TfSet {
    return new TfSet(schema.hash ?? ((element) => hashElement(element, schema)));
}
