/**
 * A user's project: the package from its tarball in an empty folder, a strict TypeScript program, the policy pack, the
 * check command.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { REPOSITORY, type Session } from "../../lab";
import { WHOLE } from "../support/sample";
import { violation } from "../support/violation";
import { assertEmpty, startWorld, stateOf } from "../support/world";
import { installPackage } from "../../tools/plugin/install";
import { packTarball } from "./tarball";

const STACK = "consumer";
const PACK = ["--policy-pack", "node_modules/ack-loadbalancer/policies"];

let session: Session;
let folder: string;

/** Runs a command in the project. One test type-checks the program, so runs do not do it again. */
const run = (command: string, ...args: string[]) =>
    session.run(command, args, { cwd: folder, env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" } });

/** Runs an operation of Pulumi that has to succeed. */
async function pulumi(...args: string[]): Promise<string> {
    const { code, text } = await run("pulumi", ...args, "--non-interactive", "--stack", STACK);
    expect({ code, text }).toStrictEqual({ code: 0, text });
    return text;
}

beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-consumer-"));
    fs.cpSync(path.join(REPOSITORY, "test/consumer/program"), folder, { recursive: true });
    installPackage(folder, await packTarball(), ["@types/node", "ts-node", "typescript"]);
    session = await startWorld();
    const { code, text } = await run("pulumi", "stack", "init", STACK, "--non-interactive");
    expect({ code, text }).toStrictEqual({ code: 0, text });
    await pulumi("config", "set", "clusterId", "c-consumer");
});

afterAll(async () => {
    await session.lab.stop();
    fs.rmSync(folder, { recursive: true, force: true });
});

test("nothing in the project refers to the repository", () => {
    const modules = path.join(folder, "node_modules");
    const links = fs
        .readdirSync(modules, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isSymbolicLink())
        .map((entry) => fs.realpathSync(path.join(entry.parentPath, entry.name)));
    expect(links.filter((target) => !target.startsWith(fs.realpathSync(folder)))).toStrictEqual([]);
    expect(fs.existsSync(path.join(modules, "ack-loadbalancer/dist/components/index.js"))).toBeTruthy();
    // Tools of the repository are not installed.
    expect(fs.existsSync(path.join(modules, "eslint"))).toBe(false);
});

test("the program type-checks in strict mode, also as CommonJS with the older module resolution", async () => {
    const strict = await run(path.join(folder, "node_modules/.bin/tsc"), "--noEmit");
    expect([strict.code, strict.text]).toStrictEqual([0, strict.text]);
    const older = ["--module", "commonjs", "--moduleResolution", "node10", "--ignoreDeprecations", "6.0"];
    const commonjs = await run(path.join(folder, "node_modules/.bin/tsc"), "--noEmit", ...older);
    expect([commonjs.code, commonjs.text]).toStrictEqual([0, commonjs.text]);
});

test("the package's types have no error with skipLibCheck: false", async () => {
    for (const [module, moduleResolution] of [
        ...(WHOLE ? [["node16", "node16"] as const] : []),
        ["esnext", "bundler"] as const,
    ]) {
        const { text } = await run(
            path.join(folder, "node_modules/.bin/tsc"),
            ...["--noEmit", "--skipLibCheck", "false", "--module", module, "--moduleResolution", moduleResolution],
        );
        // Packages of others answer for their own types.
        expect(text.split("\n").filter((line) => /ack-loadbalancer|client-node|\bws\b/.test(line))).toStrictEqual([]);
        expect(text).not.toMatch(/^(?!node_modules)\S+\.ts\(/m);
    }
});

test("preview with the policy pack of the package, up, nothing more to do, destroy", async () => {
    const previewed = await pulumi("preview", ...PACK);
    expect(previewed).toMatch(violation("advisory", "exposure-open"));
    expect(previewed).not.toMatch(/can't run policy/);

    await pulumi("up", "--yes", "--skip-preview", ...PACK);
    const outputs = JSON.parse(await pulumi("stack", "output", "--json")) as {
        readonly addresses: Readonly<Record<string, string>>;
        readonly declaredPorts: readonly number[];
    };
    const { slb } = await stateOf(session);
    expect(Object.values(outputs.addresses).sort()).toStrictEqual(
        slb.loadBalancers.map(({ address }) => address).sort(),
    );
    expect(outputs.declaredPorts).toStrictEqual([80]);
    expect(slb.listeners.map(({ port }) => port).sort((a, b) => a - b)).toStrictEqual([80, 8080]);
    await pulumi("up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes");

    await pulumi("destroy", "--yes", "--skip-preview");
    assertEmpty(await stateOf(session));
});

test("the package's GitOps stack applies a folder of manifests", async () => {
    const cwd = path.join(folder, "stack");
    const stack = async (...args: string[]) => {
        const { code, text } = await session.run("pulumi", [...args, "--non-interactive", "--stack", STACK], { cwd });
        expect({ code, text }).toStrictEqual({ code: 0, text });
        return text;
    };
    const { code, text } = await session.run("pulumi", ["stack", "init", STACK, "--non-interactive"], { cwd });
    expect({ code, text }).toStrictEqual({ code: 0, text });
    await stack("config", "set", "manifests", "manifests");
    const previewed = await stack("preview", "--policy-pack", "../node_modules/ack-loadbalancer/policies");
    expect(previewed).toMatch(/alicloud:slb:ApplicationLoadBalancer default\/web create/);
    expect(previewed).toMatch(violation("advisory", "exposure-open"));
});

test("a program in YAML adds the plugin from its folder in the package, and exposes a Service", async () => {
    const cwd = path.join(folder, "yaml");
    const succeeding = async (...args: string[]) => {
        const { code, text } = await session.run("pulumi", [...args, "--non-interactive"], { cwd });
        expect({ code, text }).toStrictEqual({ code: 0, text });
        return text;
    };
    fs.mkdirSync(cwd);
    fs.writeFileSync(path.join(cwd, "Pulumi.yaml"), "name: consumer-yaml\nruntime: yaml\n");
    await succeeding("package", "add", "../node_modules/ack-loadbalancer/components/plugin");
    fs.appendFileSync(
        path.join(cwd, "Pulumi.yaml"),
        `
resources:
  shop:
    type: ack-loadbalancer:ServiceLoadBalancer
    properties:
      service: { name: shop, selector: { app: shop }, ports: [{ port: 80 }] }
`,
    );
    await succeeding("stack", "init", STACK);
    expect(await succeeding("preview", "--stack", STACK)).toMatch(/ack-loadbalancer:index:Backends .* create/);
});

test("a mandatory rule of the package's pack stops the preview", async () => {
    const config = path.join(folder, "rules.json");
    fs.writeFileSync(config, JSON.stringify({ "exposure-open": "mandatory" }));
    const flags = ["--non-interactive", "--stack", STACK, ...PACK, "--policy-pack-config", config];
    const { code, text } = await run("pulumi", "preview", ...flags);
    expect(code).not.toBe(0);
    expect(text).toMatch(violation("mandatory", "exposure-open", ": web"));
});

test("the check command runs from the project", async () => {
    const { code, text } = await run(
        path.join(folder, "node_modules/.bin/ack-loadbalancer"),
        "check",
        "stack/manifests",
    );
    expect({ code, text }).toStrictEqual({ code: 0, text });
    expect(text).toMatch(/advisory +default\/web: open to the Internet on TCP:80/);
});
