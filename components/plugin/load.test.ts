/** The plugin's start, for which the engine waits in each run. */
import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";

test("the plugin loads neither Pulumi's compiler and package manager nor an SDK of the cloud", () => {
    const script =
        'require("./dist/components/plugin/main.js"); ' +
        "process.stdout.write(`\\nloaded: ${Object.keys(require.cache)}\\n`, () => process.exit())";
    const text = execFileSync(process.execPath, ["-e", script], { encoding: "utf8" });
    const files = /^loaded: (.*)$/m.exec(text)?.[1]?.split(",") ?? [];
    const packages = files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
    expect([...new Set(packages)].sort()).toStrictEqual([
        ...["@grpc/grpc-js", "@js-sdsl/ordered-map", "@opentelemetry/api", "@pulumi/pulumi", "buffer-from"],
        ...["google-protobuf", "semver", "source-map", "source-map-support"],
    ]);
});
