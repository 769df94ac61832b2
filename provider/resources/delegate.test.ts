import { afterAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as ts from "typescript";
import { delegate, type Handlers, type Methods } from "./delegate";

afterAll(() => pulumi.runtime.disconnect());

const ROOT = path.dirname(require.resolve("ack-loadbalancer/package.json"));
const METHODS = ["check", "diff", "create", "read", "update", "delete"] as const;

const HANDLERS: { readonly [Name in keyof Handlers]: Methods<Handlers[Name]> } = {
    backends: { check: true, create: true, read: true, update: true, delete: true },
    claim: { create: true, read: true, update: true, delete: true },
    "clb/acl": { create: true, read: true, update: true, delete: true },
    "clb/acl-check": { check: true, create: true, read: true, update: true },
    "clb/certificate": { check: true, create: true, update: true },
    "clb/listener": { create: true, read: true, update: true, delete: true },
    "clb/vswitch": { check: true, create: true, update: true },
    contract: { check: true, diff: true, create: true, update: true },
    "nlb/certificate-check": { check: true, create: true, update: true },
    "nlb/certificates": { create: true, read: true, update: true, delete: true },
    "nlb/security-group": { create: true, read: true, update: true, delete: true },
    "nlb/server-group": { create: true, read: true, update: true },
    "nlb/zone-check": { check: true, create: true, update: true },
    "nlb/zones": { check: true, create: true, read: true, update: true },
    release: { create: true, read: true, update: true, delete: true },
    reused: { create: true, read: true, update: true, delete: true },
    status: { create: true, read: true, update: true, delete: true },
};

const load = (name: string): Record<string, unknown> => require(`ack-loadbalancer/dynamic/${name}`);

for (const [name, methods] of Object.entries(HANDLERS)) {
    test(`${name}: the subpath of its name has exactly the methods that the delegate offers`, () => {
        const exported = METHODS.filter((method) => typeof load(name)[method] === "function");
        expect([...exported].sort()).toStrictEqual(Object.keys(methods).sort());
    });
}

test("a delegate has no method that it was not given: the engine must not find one", () => {
    const provider = delegate("nlb/server-group", { create: true, read: true, update: true });
    expect(Object.keys(provider).sort()).toStrictEqual(["create", "read", "update"]);
});

test("a name that no handler has, a method too many and a method too few do not compile", () => {
    // @ts-expect-error: there is no such handler.
    delegate("clb/backends", { create: true });
    // @ts-expect-error: the handler cannot compare.
    delegate("nlb/server-group", { create: true, read: true, update: true, diff: true });
    // @ts-expect-error: the handler can read.
    delegate("nlb/server-group", { create: true, update: true });
});

/** As it ships: the runner of these tests compiles sources with another compiler. */
const shipped = (): typeof import("./delegate") => require(path.join(ROOT, "dist/provider/resources/delegate.js"));

const textOf = async (provider: object) => (await pulumi.runtime.serializeFunction(() => provider)).text;

test("the text of a delegate captures the handler's name and nothing else", async () => {
    const text = await textOf(shipped().delegate("status", HANDLERS.status));
    const captured = [...text.matchAll(/with\((\{.*?\})\)/gs)].map(([, names]) => names?.replaceAll(/\s+/g, " "));
    expect(new Set(captured)).toStrictEqual(
        new Set([
            '{ handler: "status", this: undefined, arguments: undefined }',
            "{ provider: __provider, this: undefined, arguments: undefined }",
        ]),
    );
    expect(text.length).toBeLessThan(2500);
});

test("the text of a delegate does not depend on the compiler or its target", async () => {
    const source = fs.readFileSync(path.join(ROOT, "provider/resources/delegate.ts"), "utf8");
    const targets = [ts.ScriptTarget.ES2020, ts.ScriptTarget.ES2022, ts.ScriptTarget.ESNext];
    const expected = await textOf(shipped().delegate("backends", HANDLERS.backends));
    for (const target of targets) {
        const compiled = ts.transpileModule(source, {
            compilerOptions: { target, module: ts.ModuleKind.CommonJS, removeComments: true },
        }).outputText;
        const module = { exports: {} as { delegate: typeof delegate } };
        new Function("module", "exports", "require", compiled)(module, module.exports, require);
        const text = await textOf(module.exports.delegate("backends", HANDLERS.backends));
        expect(text).toBe(expected);
    }
    // Written out, so that a compiler that none of the above is would be found out too.
    expect(expected).toMatch(
        /\nreturn async \(id, olds, news\) => require\(`ack-loadbalancer\/dynamic\/\$\{handler\}`\)\.update\(id, olds, news\);\n/,
    );
});
