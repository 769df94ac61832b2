import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";

const SDK = "@pulumi/policy";
const PACK = "./dist/policies/pack.js";

/** Packages that serve the engine's protocol. Of Pulumi's these are the generated messages. */
const PROTOCOL = ["@grpc/grpc-js", "@js-sdsl/ordered-map", "@pulumi/pulumi", "google-protobuf"];

/** Libraries that reading a Service takes. */
const LIBRARIES = ["fastest-levenshtein", "yaml", "zod"];

/**
 * Returns the answer of a fresh process that runs a script. If the pack's own server runs, it ends with the process.
 */
function run<Answer>(script: string): Answer {
    const text = execFileSync(
        process.execPath,
        [
            "-e",
            `${script}; process.stdout.write("\\nanswer: " + JSON.stringify(answer) + "\\n", () => process.exit());`,
        ],
        {
            encoding: "utf8",
        },
    );
    return JSON.parse(/^answer: (.*)$/m.exec(text)?.[1] ?? "") as Answer;
}

/** Packages that a fresh process loads with a module, beside those that come with what was loaded before. */
function loadedBy(module: string, after?: string): string[] {
    return run(`
        const nameOf = (file) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1] ?? [];
        const packages = () => new Set(Object.keys(require.cache).flatMap(nameOf));
        ${after === undefined ? "" : `require(${JSON.stringify(after)});`}
        const before = packages();
        require(${JSON.stringify(module)});
        const answer = [...packages()].filter((name) => !before.has(name)).sort()`);
}

test("the pack loads no SDK, only what serves the engine's protocol and small libraries", () => {
    expect(loadedBy(PACK)).toStrictEqual([...PROTOCOL, ...LIBRARIES].sort());
});

test("it loads nothing beside Pulumi's own runtime but small libraries", () => {
    expect(loadedBy(PACK, "@pulumi/pulumi/runtime")).toStrictEqual(LIBRARIES);
    expect(loadedBy("./dist/policies/index.js")).toStrictEqual(LIBRARIES);
});

test("the check command loads no Pulumi at all", () => {
    expect(loadedBy("./dist/cli/check/main.js")).toStrictEqual(LIBRARIES);
});

test("the command line loads a command when it is asked for, and nothing before", () => {
    expect(loadedBy("./dist/cli/main.js")).toStrictEqual([]);
});

test("the rules load in less time than the policy SDK", () => {
    // CPU time of a process, compared with itself: neither a slow machine nor a busy machine counts. Measured: 0.5 to
    // 0.65 with the SDK of Pulumi 3.276, which no longer loads a package manager.
    const measure = () =>
        run<number>(`
        const cpu = () => { const { user, system } = process.cpuUsage(); return user + system; };
        const [start, sdk] = [cpu(), (require(${JSON.stringify(SDK)}), cpu())];
        require("./dist/policies/index.js");
        const answer = (cpu() - sdk) / (sdk - start)`);
    // Other processes can only add to a measurement, by the caches that they share: the least of three counts.
    const ratio = Math.min(measure(), measure(), measure());
    expect(ratio).toBeLessThan(1);
});
