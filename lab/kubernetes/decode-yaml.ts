import { parseAllDocuments } from "yaml";
import { isMap, type Json, type JsonMap } from "./properties";
import { namespaceOf, withMetadata } from "./objects";

/** Returns the objects of a YAML text with Lists taken apart. Objects without a namespace get the default. */
export function decodeYaml(text: string, defaultNamespace: string): JsonMap[] {
    const objects: JsonMap[] = [];
    const add = (value: Json): void => {
        if (!isMap(value)) return;
        if (String(value["kind"] ?? "").endsWith("List") && Array.isArray(value["items"])) {
            value["items"].forEach(add);
            return;
        }
        objects.push(
            defaultNamespace !== "" && namespaceOf(value) === ""
                ? withMetadata(value, { namespace: defaultNamespace })
                : value,
        );
    };
    for (const document of parseAllDocuments(text)) {
        if (document.errors.length > 0) throw document.errors[0]!;
        add(document.toJS() as Json);
    }
    return objects;
}
