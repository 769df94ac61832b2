/**
 * A user's project: the package from its tarball in an empty folder, a strict TypeScript program, the policy pack, the
 * check command.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { REPOSITORY, SECRETS_PROVIDER, type Session } from "../../lab";
import { WHOLE } from "../support/sample";
import { violation } from "../support/violation";
import { assertEmpty, startWorld, stateOf } from "../support/world";
import { installPackage } from "../../tools/plugin/install";
import { packTarball } from "./tarball";

const STACK = "consumer";
/** The program's configuration, as `pulumi config set` leaves it. */
const CONFIG = "config:\n  consumer:clusterId: c-consumer\n";
const INIT = ["stack", "init", STACK, "--secrets-provider", SECRETS_PROVIDER];
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
    fs.writeFileSync(path.join(folder, `Pulumi.${STACK}.yaml`), CONFIG);
    session = await startWorld();
    const { code, text } = await run("pulumi", ...INIT, "--non-interactive");
    expect({ code, text }).toStrictEqual({ code: 0, text });
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

/**
 * Options on top of the program's own. Without `skipLibCheck` the types of the package are checked, too. That they are
 * found in each module resolution is tested in package.test.ts.
 */
const MODULES = [
    { skipLibCheck: false },
    ...(WHOLE
        ? [
              { module: "commonjs", moduleResolution: "node10", ignoreDeprecations: "6.0" },
              { module: "node16", moduleResolution: "node16", skipLibCheck: false },
              { module: "esnext", moduleResolution: "bundler", skipLibCheck: false },
          ]
        : []),
];

test("the program in strict mode and the package's types have no error", async () => {
    const script = path.join(REPOSITORY, "test/support/check-types.js");
    // Packages of others answer for their own types.
    const packages = "ack-loadbalancer|@kubernetes/client-node|@types/ws";
    const options = MODULES.map((one) => JSON.stringify(one));
    const { code, text } = await run("node", script, folder, packages, ...options);
    expect({ code, text }).toStrictEqual({ code: 0, text });
});

test("up with the policy pack of the package, and destroy after a refresh", async () => {
    const judged = await pulumi("up", "--yes", "--skip-preview", ...PACK);
    expect(judged).toMatch(violation("advisory", "exposure-open"));
    expect(judged).not.toMatch(/can't run policy/);
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
    await pulumi("destroy", "--yes", "--skip-preview", "--refresh");
    assertEmpty(await stateOf(session));
});

test("the package's GitOps stack applies a folder of manifests", async () => {
    const cwd = path.join(folder, "stack");
    const stack = async (...args: string[]) => {
        const { code, text } = await session.run("pulumi", [...args, "--non-interactive", "--stack", STACK], { cwd });
        expect({ code, text }).toStrictEqual({ code: 0, text });
        return text;
    };
    fs.writeFileSync(path.join(cwd, `Pulumi.${STACK}.yaml`), "config:\n  consumer-stack:manifests: manifests\n");
    const { code, text } = await session.run("pulumi", [...INIT, "--non-interactive"], { cwd });
    expect({ code, text }).toStrictEqual({ code: 0, text });
    expect(await stack("preview")).toMatch(/alicloud:slb:ApplicationLoadBalancer default\/web create/);
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
    await succeeding(...INIT);
    expect(await succeeding("preview", "--stack", STACK)).toMatch(/ack-loadbalancer:index:Backends .* create/);
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
