import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { findResourcePlugin, isAtLeast } from "./lookup";

let folder: string;
const path = process.env["PATH"];
before(() => {
    folder = mkdtempSync(join(tmpdir(), "engine-lookup-"));
    for (const pkg of ["some", "pulumi-nodejs"]) {
        const file = join(folder, `pulumi-resource-${pkg}`);
        writeFileSync(file, "#!/bin/sh\n");
        chmodSync(file, 0o755);
    }
    process.env["PATH"] = folder + delimiter + (path ?? "");
});
after(() => {
    process.env["PATH"] = path;
    rmSync(folder, { recursive: true, force: true });
});

test("a plugin on the search path is used, with a warning that says which", () => {
    const command = join(folder, "pulumi-resource-some");
    assert.deepEqual(findResourcePlugin("some", []), {
        command,
        warning: `using pulumi-resource-some from $PATH at ${command}`,
    });
    assert.deepEqual(findResourcePlugin("some", [{ name: "some", path: folder }]), { command });
    assert.equal(findResourcePlugin("absent", []), undefined);
});

test("a plugin that comes with the engine is expected there", () => {
    const found = findResourcePlugin("pulumi-nodejs", []);
    assert.equal(found?.command, join(folder, "pulumi-resource-pulumi-nodejs"));
    assert.match(
        found?.warning ?? "",
        /^using .* from \$PATH at .* expected .*lab\/bin\/pulumi-resource-pulumi-nodejs$/,
    );
    process.env["PULUMI_IGNORE_AMBIENT_PLUGINS"] = "true";
    try {
        const bundled = findResourcePlugin("pulumi-nodejs", []);
        assert.match(bundled?.command ?? "", /lab\/bin\/pulumi-resource-pulumi-nodejs$/);
        assert.equal(bundled?.warning, undefined);
        assert.equal(findResourcePlugin("some", []), undefined);
    } finally {
        delete process.env["PULUMI_IGNORE_AMBIENT_PLUGINS"];
    }
});

test("versions are compared by their numbers; a pre-release comes before its release", () => {
    assert.ok(isAtLeast("3.108.0", "3.108.0") && isAtLeast("3.109.0", "3.108.5") && isAtLeast("v10.0.0", "9.9.9"));
    assert.ok(isAtLeast("1.0.0", "1.0.0-beta") && isAtLeast("1.0.1-alpha", "1.0.0"));
    assert.ok(!isAtLeast("3.105.0", "3.108.0") && !isAtLeast("1.0.0-alpha", "1.0.0") && !isAtLeast("", "1.0.0"));
});
