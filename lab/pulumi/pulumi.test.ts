/** Which CLI a lab takes, and what it puts where that looks for plugins. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { pulumiVariables } from "./home";
import {
    cliVersion,
    findCli,
    installPulumi,
    installYamlHost,
    isRecent,
    sdkVersion,
    selectPulumi,
    usesRealPlugins,
} from "./install";

let folder: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-pulumi-"));
    env = { ACK_LB_CACHE: path.join(folder, "cache"), PATH: path.join(folder, "path") };
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A program that says something. */
function program(name: string, says = ""): void {
    fs.mkdirSync(path.join(folder, "path"), { recursive: true });
    fs.writeFileSync(path.join(folder, "path", name), `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 });
}

test.each([
    [cliVersion(), true],
    ["v3.300.1", true],
    ["v3.258.9", false],
    ["v4.0.0", false],
    ["v2.999.0", false],
])("%s can stand for the pinned CLI: %s", (version, expected) => {
    expect(isRecent(version, "v3.259.0")).toBe(expected);
});

test("a CLI on PATH is used if it is recent and has its language host", async () => {
    program("pulumi", "v3.277.0");
    expect(findCli(env)).toBeUndefined();
    program("pulumi-language-nodejs");
    const lines: string[] = [];
    expect(await installPulumi((line) => lines.push(line), env)).toStrictEqual({
        kind: "found",
        folder: path.join(folder, "path"),
    });
    expect(lines).toStrictEqual([
        `pulumi v3.277.0: PATH, ${path.join(folder, "path")}; its own language host, the lab's plugins`,
    ]);
    program("pulumi", "v3.275.0");
    expect(findCli(env)).toBeUndefined();
    program("pulumi", "another program");
    expect(findCli(env)).toBeUndefined();
});

test("the errors for a missing CLI name the remedies", async () => {
    program("pulumi", "v3.999.0");
    program("pulumi-language-nodejs");
    await expect(installPulumi(undefined, { ...env, ENGINE: "pinned" })).rejects.toThrow(
        /PATH has no go\. Remedy: put Go on PATH; or install Pulumi .*ENGINE=path/,
    );
    await expect(installPulumi(undefined, { PATH: path.join(folder, "nowhere"), ENGINE: "path" })).rejects.toThrow(
        /ENGINE=path, but PATH has no pulumi\. Remedy: install the Pulumi CLI/,
    );
    program("go", "go1.99.0");
    await expect(
        installPulumi(undefined, { ...env, PATH: `${env["PATH"]}:/usr/bin:/bin`, ENGINE: "pinned" }),
    ).rejects.toThrow(/Remedy: where the Go module proxy cannot be reached, install Pulumi .*ENGINE=path/);
});

test("the pinned CLI has the language host for YAML once that is built", async () => {
    program("go", "go1.99.0");
    fs.appendFileSync(
        path.join(folder, "path/go"),
        '[ "$1" = build ] || exit 0\nwhile [ "$1" != -o ]; do shift; done\n> "$2${3##*/}"; chmod +x "$2${3##*/}"\n',
    );
    const outer = { ...env, PATH: `${env["PATH"]}:/usr/bin:/bin`, ENGINE: "pinned" };
    expect(selectPulumi(undefined, outer).yamlHost).toBeUndefined();
    const yamlHost = await installYamlHost(undefined, outer);
    expect(selectPulumi(undefined, outer).yamlHost).toBe(yamlHost);
});

test("PLUGINS=real asks for the real plugins, and nothing else is understood", async () => {
    expect(usesRealPlugins({})).toBe(false);
    expect(usesRealPlugins({ PLUGINS: "real" })).toBe(true);
    program("pulumi", "v3.999.0");
    program("pulumi-language-nodejs");
    await expect(installPulumi(undefined, { ...env, PLUGINS: "reel" })).rejects.toThrow(
        'PLUGINS is "reel". Remedy: PLUGINS=real, or leave it out.',
    );
    await expect(installPulumi(undefined, { ...env, PLUGINS: "real" })).rejects.toThrow(
        /^the kubernetes plugin v\S+ is built with Go .*PATH has no go\. Remedy: put Go on PATH/,
    );
});

test("the real plugins take the place of the stand-ins", () => {
    const made = path.join(folder, "path");
    for (const name of ["alicloud", "kubernetes"]) program(`pulumi-resource-${name}`);
    const cli = { kind: "found", folder, plugins: { alicloud: made, kubernetes: made } } as const;
    const { PULUMI_HOME = "" } = pulumiVariables(path.join(folder, "lab"), cli, {});
    const plugins = path.join(PULUMI_HOME, "plugins");
    for (const name of ["alicloud", "kubernetes"]) {
        const file = path.join(plugins, `resource-${name}-v${sdkVersion(name)}`, `pulumi-resource-${name}`);
        expect(fs.readlinkSync(file)).toBe(path.join(made, `pulumi-resource-${name}`));
    }
});

test("the CLI finds the lab's plugins, and with ENGINE=path the user's", () => {
    program("pulumi-language-yaml");
    const linked = (kind: "pinned" | "found"): string[] => {
        const dir = path.join(folder, kind);
        const cli = kind === "pinned" ? { kind, folder, yamlHost: path.join(folder, "path") } : { kind, folder };
        const { PULUMI_HOME = "" } = pulumiVariables(dir, cli, {});
        const plugins = path.join(PULUMI_HOME, "plugins");
        for (const name of fs.readdirSync(plugins))
            for (const file of fs.readdirSync(path.join(plugins, name)))
                expect(fs.existsSync(fs.realpathSync(path.join(plugins, name, file)))).toBe(true);
        return fs.readdirSync(plugins).map((name) => name.replace(/-v.*/, ""));
    };
    expect(linked("found")).toStrictEqual(["resource-alicloud", "resource-kubernetes"]);
    expect(linked("pinned")).toStrictEqual([
        "language-nodejs",
        "language-yaml",
        "resource-alicloud",
        "resource-kubernetes",
        "resource-pulumi-nodejs",
    ]);
    fs.mkdirSync(path.join(folder, "users/plugins/resource-alicloud-v9.9.9"), { recursive: true });
    const { PULUMI_HOME = "" } = pulumiVariables(
        path.join(folder, "own"),
        { kind: "path", folder },
        { PULUMI_HOME: path.join(folder, "users") },
    );
    expect(fs.readdirSync(path.join(PULUMI_HOME, "plugins"))).toStrictEqual(["resource-alicloud-v9.9.9"]);
});
