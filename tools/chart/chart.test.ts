import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import { parse } from "yaml";
import { installObjects } from "../../provider/sync/install";
import { chartFiles } from "./chart";
import { joinLines } from "./lines";

const files = chartFiles();

test("the chart has a template for each object but the namespace, and a value for each option", () => {
    const { namespace: _, ...objects } = installObjects({ image: "x", networkPolicy: true, watchNamespaces: ["shop"] });
    const templates = Object.keys(files).filter((name) => /^templates\/.*\.yaml$/.test(name));
    expect(templates.sort()).toStrictEqual(
        Object.keys(objects)
            .map((name) => `templates/${name}.yaml`)
            .sort(),
    );
    const { resources } = JSON.parse(fs.readFileSync("components/plugin/schema.json", "utf8")) as {
        readonly resources: Readonly<Record<string, { readonly inputProperties: object }>>;
    };
    const { namespace: __, ...options } = resources["ack-loadbalancer:index:SyncController"]?.inputProperties as {
        readonly namespace: object;
    };
    const values = parse(files["values.yaml"] ?? "") as object;
    expect(Object.keys(values)).toStrictEqual(Object.keys(options));
    for (const [name, value] of Object.entries(values))
        expect([name, value]).toStrictEqual([name, value ?? "no default"]);
    const used = Object.values(files).join("\n");
    for (const name of Object.keys(options)) expect(used).toContain(`$.Values.${name}`);
    expect(used).not.toContain("VALUE-");
});

test("texts are joined to one with conditions; a line that no condition describes is refused", () => {
    const texts = [
        ["a", "z"],
        ["a", "b", "z"],
        ["a", "c", "z"],
        ["a", "b", "c", "z"],
    ];
    expect(joinLines(texts, ["X", "Y"])).toStrictEqual([
        "a",
        "{{- if X }}",
        "b",
        "{{- end }}",
        "{{- if Y }}",
        "c",
        "{{- end }}",
        "z",
    ]);
    expect(joinLines([["b"], ["a"], [], []], ["X", "Y"])).toStrictEqual([
        "{{- if and (not X) (not Y) }}",
        "b",
        "{{- end }}",
        "{{- if and X (not Y) }}",
        "a",
        "{{- end }}",
    ]);
    expect(() => joinLines([[], ["a"], ["a"], []], ["X", "Y"])).toThrow("no condition for 1,2");
});
