import { expect, test } from "@jest/globals";
import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { settingNames } from "../../provider/service/annotations/catalogue";
import { REPOSITORY } from "../../test/support/repository";
import { ScratchProject } from "../../test/support/scratch-project";
import { parse } from "yaml";
import { COMPONENT_TYPES } from "../../provider/schema/own-types";
import { packageSchema } from "./schema";

interface Schema {
    readonly version: string;
    readonly pluginDownloadURL: string;
    readonly config: { readonly variables: object };
    readonly types: Readonly<Record<string, { readonly properties?: Readonly<Record<string, object>> }>>;
    readonly resources: Readonly<Record<string, { readonly inputProperties: Readonly<Record<string, object>> }>>;
}

const written = JSON.parse(fs.readFileSync("components/plugin/schema.json", "utf8")) as Schema;

test("components/plugin/schema.json matches the types and the catalogue (node dist/tools/schema/main.js)", () => {
    expect(written).toStrictEqual(JSON.parse(JSON.stringify(packageSchema())));
});

test("every argument of a component and every setting has a description", () => {
    const described = Object.values(written.resources).map(({ inputProperties }) => inputProperties);
    const settings = written.types["ack-loadbalancer:index:Settings"]?.properties ?? {};
    expect(Object.keys(settings).sort()).toStrictEqual([...settingNames].sort());
    const missing = [...described, settings].flatMap((properties) =>
        Object.entries(properties).flatMap(([name, property]) => ("description" in property ? [] : [name])),
    );
    expect(missing).toStrictEqual([]);
});

test("pulumi package get-schema prints it, from the plugin, and neither this nor a check warns", async () => {
    const project = await ScratchProject.make("schema");
    try {
        const plugin = path.join(REPOSITORY, "components/plugin/pulumi-resource-ack-loadbalancer");
        const pulumi = (...args: readonly string[]) => {
            const { stdout, stderr } = spawnSync("pulumi", args, {
                cwd: project.folder,
                env: project.env,
                encoding: "utf8",
                maxBuffer: 1 << 26,
            });
            expect(stderr).toBe("");
            return stdout;
        };
        expect(JSON.parse(pulumi("package", "get-schema", plugin))).toStrictEqual(written);
        pulumi("schema", "check", path.join(REPOSITORY, "components/plugin/schema.json"));
    } finally {
        project.remove();
    }
});

/** Resource of an example: type, name and arguments. */
type Declared = readonly [type: string, name: string, properties: Readonly<Record<string, unknown>>];

test("examples in YAML and Python declare the same resources, with arguments of the schema", () => {
    for (const component of COMPONENT_TYPES) {
        const file = path.join(__dirname, "examples", component);
        const yaml = parse(fs.readFileSync(`${file}.yaml`, "utf8")) as {
            readonly resources: Readonly<Record<string, { readonly type: string; readonly properties: object }>>;
        };
        const declared = Object.entries(yaml.resources).map(([name, { type, properties }]) => [type, name, properties]);
        expect(declaredByPython(`${file}.py`)).toStrictEqual(declared);
        expect(declared.map(([type]) => type)).toContain(`ack-loadbalancer:${component}`);
        for (const [type, , properties] of declared as unknown as Declared[]) {
            const { inputProperties } = written.resources[type.replace(":", ":index:")] ?? fail(type);
            expect(unknownIn({ properties: inputProperties }, properties)).toStrictEqual([]);
        }
    }
});

test("the registry's pages have its form, the example in each language, and names that exist", () => {
    const [index, installation] = ["_index", "installation-configuration"].map((name) => {
        const page = fs.readFileSync(`docs/${name}.md`, "utf8");
        expect(page).toMatch(/^---\ntitle: .+\nmeta_desc: .+\nlayout: package\n---\n/);
        return page;
    }) as [string, string];
    // Pages are indented by two columns.
    const plain = (text: string) => text.replaceAll(/\s+/g, " ");
    for (const extension of ["ts", "py", "yaml"]) {
        const example = fs.readFileSync(path.join(__dirname, `examples/ServiceLoadBalancer.${extension}`), "utf8");
        expect(plain(index)).toContain(plain(example));
    }
    const { homepage, repository } = JSON.parse(fs.readFileSync("package.json", "utf8")) as {
        readonly homepage: string;
        readonly repository: { readonly url: string };
    };
    expect(repository.url).toBe(`git+${homepage}.git`);
    for (const [link] of (index + installation).matchAll(/https:\/\/github\.com[^)\s]*/g))
        expect(link.startsWith(homepage)).toBe(true);
    const keys = [...installation.matchAll(/^\| `ack-loadbalancer:(\w+)`/gm)].map(([, key]) => key);
    expect(keys.length).toBeGreaterThan(5);
    expect(Object.keys(written.config.variables)).toEqual(expect.arrayContaining(keys));
    expect(installation).toContain(
        `ack-loadbalancer v${written.version} \\\n    --server ${written.pluginDownloadURL}\n`,
    );
    expect(installation).toContain(`ack-loadbalancer@${written.version} --server ${written.pluginDownloadURL}\n`);
});

const fail = (type: string): never => {
    throw new Error(`the schema has no ${type}`);
};

/** Runs a program against a module that notes what is declared. Arguments are named as in the schema. */
function declaredByPython(file: string): unknown {
    const text = execFileSync("python3", ["-c", NOTES, file], { encoding: "utf8" });
    return JSON.parse(text, (_, value: unknown) =>
        typeof value === "object" && value !== null && !Array.isArray(value)
            ? Object.fromEntries(Object.entries(value).map(([key, one]) => [camelCase(key), one as unknown]))
            : value,
    );
}

const camelCase = (name: string): string => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

const NOTES = `
import json, runpy, sys, types
declared = []
class Resource:
    def __init__(self, name, /, **properties):
        self.id = name
        declared.append(["ack-loadbalancer:" + type(self).__name__, name, properties])
    address = None
ack = types.ModuleType("pulumi_ack_loadbalancer")
ack.__getattr__ = lambda name: type(name, (Resource,), {})
pulumi = types.ModuleType("pulumi")
pulumi.export = lambda name, value: None
sys.modules.update(pulumi=pulumi, pulumi_ack_loadbalancer=ack)
runpy.run_path(sys.argv[1])
print(json.dumps(declared, default=lambda one: "\${" + one.id + "}"))
`;

interface Spec {
    readonly $ref?: string;
    readonly items?: Spec;
    readonly properties?: Readonly<Record<string, Spec>>;
}

/** Paths in a value of properties that its type does not have. */
function unknownIn(spec: Spec, value: unknown, at = ""): string[] {
    const named = /^#\/types\/(.+)$/.exec(spec.$ref ?? "")?.[1];
    const { items, properties } = named === undefined ? spec : (written.types[named] as Spec);
    if (Array.isArray(value)) return value.flatMap((one) => unknownIn(items ?? {}, one, at));
    if (properties === undefined || typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, one]) =>
        properties[key] === undefined ? [`${at}.${key}`] : unknownIn(properties[key], one, `${at}.${key}`),
    );
}
