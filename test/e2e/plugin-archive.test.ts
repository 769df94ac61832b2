/**
 * The plugin's archive, installed as the archives of other packages: a program in YAML names no folder.
 * Only a run shows that the CLI finds and starts an installed plugin.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Session } from "../../lab";
import { writeArchives } from "../../tools/plugin/archive";
import { packTarball } from "../consumer/tarball";
import { RELEASE, released } from "../support/released";
import { YamlProgram } from "../support/program";
import { startWorld, stateOf, succeed } from "../support/world";

const { version } = JSON.parse(fs.readFileSync("package.json", "utf8")) as { readonly version: string };

let session: Session;
let archive: string;
let stack: YamlProgram;

beforeAll(async () => {
    session = await startWorld();
    const out = RELEASE ?? path.join(session.lab.dir, "archives");
    if (RELEASE === undefined) writeArchives(await packTarball(), out);
    archive = released(/-linux-amd64\.tar\.gz$/, out);
    stack = await YamlProgram.create(session, "archive", "");
    // Of this repository's commands a user has none on PATH.
    const folder = path.join(session.lab.dir, "node");
    fs.mkdirSync(folder);
    fs.symlinkSync(process.execPath, path.join(folder, "node"));
    const others = (session.lab.env["PATH"] ?? "").split(":").filter((one) => !one.endsWith("node_modules/.bin"));
    // The lab's other users have no plugin of this package.
    const home = path.join(session.lab.dir, "own-home");
    fs.cpSync(session.lab.variables["PULUMI_HOME"] ?? "", home, { recursive: true });
    stack.env = { PATH: [folder, ...others].join(":"), PULUMI_HOME: home };
});

afterAll(() => session.lab.stop());

const SHOP = `
resources:
  shop:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties: { service: { name: shop, selector: { app: shop }, ports: [{ port: 80, targetPort: 8080 }] } }
`;

test("the archive has no links, and a name for each system", () => {
    const entries = execList(archive);
    expect(entries.filter((entry) => !/^[-d]/.test(entry))).toStrictEqual([]);
    const archives = fs.readdirSync(path.dirname(archive)).filter((name) => name.endsWith(".tar.gz"));
    const names = archives.flatMap((name) => (/^pulumi-resource-/.test(name) ? [name.replace(/^.*?-v.*?-/, "")] : []));
    expect(names.sort()).toStrictEqual(
        ["darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64"].map((system) => `${system}.tar.gz`),
    );
});

const execList = (file: string): string[] =>
    execFileSync("tar", ["-tvzf", file], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
        .trim()
        .split("\n");

test("pulumi plugin install takes it, and a program in YAML needs no more", async () => {
    const install = ["plugin", "install", "resource", "ack-loadbalancer", `v${version}`, "--file", archive];
    const { folder: cwd, env } = stack;
    succeed(await session.start("pulumi", install, { cwd, env }).done);
    fs.writeFileSync(path.join(stack.folder, "Pulumi.yaml"), `name: archive\nruntime: yaml\n${SHOP}`);
    expect(succeed(await stack.up())).not.toMatch(/warning: using pulumi-resource|PATH/);
    expect((await stateOf(session)).slb.loadBalancers).toHaveLength(1);
});
