import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { settingNames } from "../../provider/service/annotations/catalogue";
import { REPOSITORY } from "../../test/support/repository";
import { ScratchProject } from "../../test/support/scratch-project";
import { packageSchema } from "./schema";

interface Schema {
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

test("pulumi package get-schema prints it, from the plugin", async () => {
    const project = await ScratchProject.make("schema");
    try {
        const plugin = path.join(REPOSITORY, "components/plugin/pulumi-resource-ack-loadbalancer");
        const { folder: cwd, env } = project;
        const text = execFileSync("pulumi", ["package", "get-schema", plugin], { cwd, env, encoding: "utf8" });
        expect(JSON.parse(text)).toStrictEqual(written);
    } finally {
        project.remove();
    }
});
