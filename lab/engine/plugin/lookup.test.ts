import { afterAll, beforeAll, expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { findResourcePlugin, isAtLeast } from "./lookup";

let folder: string;
const path = process.env["PATH"];
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "engine-lookup-"));
    for (const pkg of ["some", "pulumi-nodejs"]) {
        const file = join(folder, `pulumi-resource-${pkg}`);
        writeFileSync(file, "#!/bin/sh\n");
        chmodSync(file, 0o755);
    }
    process.env["PATH"] = folder + delimiter + (path ?? "");
});
afterAll(() => {
    process.env["PATH"] = path;
    rmSync(folder, { recursive: true, force: true });
});

test("a plugin on the search path is used, with a warning that says which", () => {
    const command = join(folder, "pulumi-resource-some");
    expect(findResourcePlugin("some", [])).toStrictEqual({
        command,
        warning: `using pulumi-resource-some from $PATH at ${command}`,
    });
    expect(findResourcePlugin("some", [{ name: "some", path: folder }])).toStrictEqual({ command });
    expect(findResourcePlugin("absent", [])).toBeUndefined();
});

test("a plugin that comes with the engine is expected there", () => {
    const found = findResourcePlugin("pulumi-nodejs", []);
    expect(found?.command).toBe(join(folder, "pulumi-resource-pulumi-nodejs"));
    expect(found?.warning ?? "").toMatch(
        /^using .* from \$PATH at .* expected .*lab\/bin\/pulumi-resource-pulumi-nodejs$/,
    );
    process.env["PULUMI_IGNORE_AMBIENT_PLUGINS"] = "true";
    try {
        const bundled = findResourcePlugin("pulumi-nodejs", []);
        expect(bundled?.command ?? "").toMatch(/lab\/bin\/pulumi-resource-pulumi-nodejs$/);
        expect(bundled?.warning).toBeUndefined();
        expect(findResourcePlugin("some", [])).toBeUndefined();
    } finally {
        delete process.env["PULUMI_IGNORE_AMBIENT_PLUGINS"];
    }
});

test("versions are compared by their numbers; a pre-release comes before its release", () => {
    assert.ok(isAtLeast("3.108.0", "3.108.0") && isAtLeast("3.109.0", "3.108.5") && isAtLeast("v10.0.0", "9.9.9"));
    assert.ok(isAtLeast("1.0.0", "1.0.0-beta") && isAtLeast("1.0.1-alpha", "1.0.0"));
    assert.ok(!isAtLeast("3.105.0", "3.108.0") && !isAtLeast("1.0.0-alpha", "1.0.0") && !isAtLeast("", "1.0.0"));
});
