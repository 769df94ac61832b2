import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { withoutSecrets, type Property, type PropertyMap } from "../bridge/properties";

/** Secrets lose their wrappers: the plugin announces that it does not keep track of them. */
export const fromStruct = (struct: Struct | undefined): PropertyMap =>
    struct === undefined ? {} : (withoutSecrets(struct.toJavaScript()) as PropertyMap);

export const toStruct = (map: PropertyMap): Struct =>
    Struct.fromJavaScript(plain(map) as { [name: string]: JavaScriptValue });

/** Absent values would not survive the wire format. */
function plain(value: Property): JavaScriptValue {
    if (value === undefined || value === null) return null;
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object") return value;
    return Object.fromEntries(
        Object.entries(value)
            .filter(([, inner]) => inner !== undefined)
            .map(([name, inner]) => [name, plain(inner)]),
    );
}
