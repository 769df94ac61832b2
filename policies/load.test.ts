import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

/** Packages that a fresh process loads with a module, beside those that come with the policy SDK. */
function loadedBy(module: string): string[] {
    const script = `
        const packages = () => new Set(Object.keys(require.cache).flatMap((file) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1] ?? []));
        const before = ${module === "./dist/policies/index.js" ? '(require("@pulumi/policy"), packages())' : "packages()"};
        require(${JSON.stringify(module)});
        console.log(JSON.stringify([...packages()].filter((name) => !before.has(name))));`;
    return JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })) as string[];
}

test("the pack loads nothing beside the policy SDK but the YAML reader: no cloud SDK, no Kubernetes SDK", () => {
    assert.deepEqual(loadedBy("./dist/policies/index.js"), ["yaml"]);
});

test("the check command loads no Pulumi at all", () => {
    assert.deepEqual(loadedBy("./dist/policies/check/main.js"), ["yaml"]);
});

test("the rules themselves load in a fraction of the second that a pack may take", () => {
    const script = `const from = process.cpuUsage(); require("./dist/policies/rules/index.js"); const { user, system } = process.cpuUsage(from); console.log(user + system);`;
    // CPU time, so that a busy machine does not count. Measured: 0.05 s.
    assert.ok(Number(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })) < 1_000_000);
});
