/** The package's schema, which programs in YAML need: made from the SDK of npm, which has no schema file. */
import * as fs from "node:fs";
import * as path from "node:path";

const ANY = { $ref: "pulumi.json#/Any" } as const;
/** A program may refer to what is in an output. */
const MAPPING = { type: "object", additionalProperties: ANY } as const;

/** Any value, or the only one, which a program leaves out. */
type Property = typeof ANY | { readonly type: "string"; readonly const: string };

const TYPE = /static __pulumiType = '(kubernetes:[\w./-]+:\w+)'/;
/** Inputs that a constructor takes from its arguments, or sets to the only value. */
const INPUT = /resourceInputs\["(\w+)"\] = (?:"([^"]+)"|[^;]*args\??\.)/g;

/**
 * Names of types and properties, and constant values. A property may have any value: the API server checks it.
 *
 * @param sdk folder of `@pulumi/kubernetes`
 */
export function schemaOf(sdk: string): object {
    const files = fs.readdirSync(sdk, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
    const resources = files.flatMap((file) => {
        const text = fs.readFileSync(path.join(sdk, file), "utf8");
        const type = TYPE.exec(text)?.[1];
        return type === undefined ? [] : [[type, inputsOf(text)] as const];
    });
    return {
        name: "kubernetes",
        provider: { inputProperties: inputsOf(fs.readFileSync(path.join(sdk, "provider.js"), "utf8")) },
        resources: Object.fromEntries(
            resources.map(([type, inputProperties]) => {
                const outputs = Object.entries(inputProperties).map(([name, property]) => [
                    name,
                    property === ANY ? MAPPING : property,
                ]);
                return [type, { inputProperties, properties: { ...Object.fromEntries(outputs), status: MAPPING } }];
            }),
        ),
    };
}

function inputsOf(text: string): Record<string, Property> {
    return Object.fromEntries(
        [...text.matchAll(INPUT)].map(([, name = "", only]) => [
            name,
            only === undefined ? ANY : { type: "string", const: only },
        ]),
    );
}
