import { afterEach, beforeEach, expect, test } from "@jest/globals";
import {
    chmodSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installTools } from "./install";
import { PROGRAMS, STAGE_FILES, toolCache } from "./layout";
import { find, search, STAGES_VARIABLE, variableOf } from "./sources";

let folder: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "ack-lb-sources-"));
    env = { ACK_LB_CACHE: join(folder, "cache"), PATH: join(folder, "path") };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(path: string, says = ""): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\necho '${says}'\n`);
    chmodSync(path, 0o755);
    return path;
}

function stages(path: string): string {
    for (const file of STAGE_FILES) {
        mkdirSync(dirname(join(path, file)), { recursive: true });
        writeFileSync(join(path, file), "");
    }
    return path;
}

test("sources are tried in order: variable, assets folder, cache, PATH", async () => {
    const onPath = program(join(folder, "path", "etcd"), "etcd Version: 3.6.1");
    expect(await find("etcd", env)).toStrictEqual({ path: onPath, source: "PATH (3.6.1)" });
    const cached = program(join(toolCache(env), "etcd"));
    expect(await find("etcd", env)).toStrictEqual({ path: cached, source: "tool cache" });
    const asset = program(join(folder, "assets", "etcd"));
    env["KUBEBUILDER_ASSETS"] = join(folder, "assets");
    expect(await find("etcd", env)).toStrictEqual({ path: asset, source: "KUBEBUILDER_ASSETS" });
    const named = program(join(folder, "mine"));
    env["TEST_ASSET_ETCD"] = named;
    expect(await find("etcd", env)).toStrictEqual({ path: named, source: "TEST_ASSET_ETCD" });
});

test("a program on PATH is skipped if its minor version differs or is unknown", async () => {
    program(join(folder, "path", "kubectl"), "Client Version: v1.35.9");
    expect(await find("kubectl", env)).toBeUndefined();
    program(join(folder, "path", "kubectl"), "I am something else");
    expect(await find("kubectl", env)).toBeUndefined();
    const right = program(join(folder, "more", "kubectl"), "Client Version: v1.36.0");
    env["PATH"] += `:${join(folder, "more")}`;
    expect((await find("kubectl", env))?.path).toBe(right);
});

test("a variable that does not name an executable is an error", async () => {
    program(join(toolCache(env), "kwok"));
    env[variableOf("kwok")] = join(folder, "nowhere");
    await expect(search(env)).rejects.toThrow(/TEST_ASSET_KWOK is .*nowhere, which cannot be executed/);
});

test("nothing is built if every program exists", async () => {
    for (const name of PROGRAMS) program(join(folder, "assets", name));
    env["KUBEBUILDER_ASSETS"] = join(folder, "assets");
    env[STAGES_VARIABLE] = stages(join(folder, "stages"));
    const lines: string[] = [];
    const tools = await installTools((line) => lines.push(line), env);
    expect(tools.binaries["kube-apiserver"]).toBe(join(folder, "assets", "kube-apiserver"));
    expect(tools.stages).toBe(join(folder, "stages"));
    expect(lines).toStrictEqual([`${PROGRAMS.join(", ")}: KUBEBUILDER_ASSETS, ${join(folder, "assets")}`]);
    expect(existsSync(toolCache(env))).toBeFalsy();
});

test("without Go the error names the missing programs and the remedies", async () => {
    program(join(folder, "path", "etcd"), "etcd Version: 3.6.1");
    const { message } = (await installTools(undefined, env).catch((error: unknown) => error)) as Error;
    expect(message).toMatch(/^missing: kube-apiserver v1\.\d+\.\d+, .*kwok v\S+, kwok's stage files/);
    expect(message).toMatch(/Go 1\.\d+ or newer on PATH \(there is none\)/);
    expect(message).toMatch(/TEST_ASSET_KUBE_APISERVER, .*TEST_ASSET_KWOK_STAGES/);
    expect(message).not.toMatch(/TEST_ASSET_ETCD/);
});

/** A `go` that makes the files a build would make, so that the steps around the compiler are seen. */
function fakeGo(build: string): void {
    const module = join(folder, "module");
    stages(join(module, "kustomize", "stage"));
    program(join(folder, "path", "go"));
    writeFileSync(
        join(folder, "path", "go"),
        `#!/bin/sh
PATH=/usr/bin:/bin
case $1 in
env) echo go1.99.0 ;;
mod) echo '{"Dir": "${module}"}' ;;
build)
  echo build >> '${join(folder, "builds")}'
  while [ "$1" != -o ]; do shift; done
  out=$2; shift 2
  ${build}
  for package; do name=\${package%/v3}; echo x > "$out\${name##*/}"; chmod +x "$out\${name##*/}"; done ;;
esac
`,
    );
}

test("only missing programs are built, and etcd gets its name", async () => {
    fakeGo("echo some/package >&2");
    program(join(folder, "path", "kubectl"), "Client Version: v1.36.0");
    const lines: string[] = [];
    const tools = await installTools((line) => lines.push(line), env);
    expect(tools.binaries.etcd).toBe(join(toolCache(env), "etcd"));
    expect(tools.binaries.kubectl).toBe(join(folder, "path", "kubectl"));
    const built = [...PROGRAMS.filter((name) => name !== "kubectl"), "stages"];
    expect(readdirSync(toolCache(env)).sort()).toStrictEqual(built.sort());
    expect(lines.join("\n")).toContain("1 packages compiled");
    expect(existsSync(`${toolCache(env)}.lock`)).toBeFalsy();
});

test("concurrent installs build once", async () => {
    fakeGo("sleep 1");
    const [a, b] = await Promise.all([installTools(undefined, env), installTools(undefined, env)]);
    expect(a).toStrictEqual(b);
    expect(readFileSync(join(folder, "builds"), "utf8")).toBe("build\n");
});

test("a failed build shows the compiler's output and leaves nothing, also of a dead install", async () => {
    fakeGo("echo 'cannot find module' >&2; exit 1");
    const dead = JSON.stringify({ pid: process.pid, started: "another time" });
    mkdirSync(join(toolCache(env), ".draft-1"), { recursive: true });
    writeFileSync(join(toolCache(env), ".draft-1", "owner.json"), dead);
    writeFileSync(`${toolCache(env)}.lock`, dead);
    await expect(installTools(undefined, env)).rejects.toThrow(/go build failed \(exit code 1\):\ncannot find module/);
    expect(readdirSync(toolCache(env))).toStrictEqual([]);
    expect(existsSync(`${toolCache(env)}.lock`)).toBeFalsy();
});
