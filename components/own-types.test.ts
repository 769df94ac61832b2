/** The list of types is whole. */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import * as components from ".";
import * as resources from "../provider/resources";
import { COMPONENT_TYPES, HANDLERS } from "../provider/schema/own-types";

test("the list has every component, every custom resource and every handler", () => {
    const exported = Object.entries(components).filter(
        ([, one]) => typeof one === "function" && one.prototype instanceof pulumi.ComponentResource,
    );
    expect(exported.map(([name]) => name).sort()).toStrictEqual([...COMPONENT_TYPES]);
    expect(Object.keys(resources).sort()).toStrictEqual(Object.keys(HANDLERS).sort());
    const folder = "provider/resources/handlers";
    const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
    const handlers = files.filter((file) => /exports?\b.*\bcreate\b/.test(readIfFile(`${folder}/${file}`)));
    const listed = Object.values(HANDLERS).map((path) => `${path}.ts`);
    expect(handlers.filter((file) => !file.endsWith(".test.ts")).sort()).toStrictEqual(listed.sort());
});

const readIfFile = (file: string): string => (fs.statSync(file).isFile() ? fs.readFileSync(file, "utf8") : "");
