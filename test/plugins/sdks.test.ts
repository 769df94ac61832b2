/** SDKs that Pulumi generates from the plugin's schema compile. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { buildFlags } from "../../lab/build/build";
import { RELEASE, released } from "../support/released";
import { REPOSITORY } from "../support/repository";

const MODULE = path.join(REPOSITORY, "lab/pulumi/yaml");

let folder: string;

/** Runs `go` as the lab's programs are built, whose packages are compiled already. */
function go(command: string, cwd: string, ...args: readonly string[]): void {
    execFileSync("go", [command, ...buildFlags(), ...args], {
        cwd,
        env: { ...process.env, CGO_ENABLED: "0" },
        stdio: ["ignore", "ignore", "pipe"],
    });
}

beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-sdks-"));
    if (RELEASE === undefined)
        return go("run", MODULE, "./sdks", path.join(REPOSITORY, "components/plugin/schema.json"), folder);
    for (const [language, name] of [
        ["python", /^pulumi_ack_loadbalancer-.*\.tar\.gz$/],
        ["go", /-sdk-go-.*\.tar\.gz$/],
    ] as const) {
        const target = path.join(folder, language);
        fs.mkdirSync(target);
        execFileSync("tar", ["-xzf", released(name), "-C", target, "--strip-components=1"]);
    }
});

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test("the SDK for Python compiles, and has the arguments of the schema", () => {
    const sdk = path.join(folder, "python");
    execFileSync("python3", ["-m", "compileall", "-q", sdk]);
    const text = fs.readFileSync(path.join(sdk, "pulumi_ack_loadbalancer/service_load_balancer.py"), "utf8");
    for (const argument of ["service", "settings", "load_balancer", "allow_replacement", "hand_back"])
        expect(text).toMatch(new RegExp(`^ {17}${argument}: `, "m"));
});

test("the SDK for Go passes go vet", () => {
    const sdk = path.join(folder, "go");
    const pinned = fs.readFileSync(path.join(MODULE, "go.mod"), "utf8");
    const [module = ""] = fs.readFileSync(path.join(sdk, "go.mod"), "utf8").split("\n");
    fs.writeFileSync(path.join(sdk, "go.mod"), pinned.replace(/^module .*/, module));
    fs.copyFileSync(path.join(MODULE, "go.sum"), path.join(sdk, "go.sum"));
    go("vet", sdk, "./...");
});
