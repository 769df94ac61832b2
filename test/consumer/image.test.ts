/**
 * Image of the sync controller without building it: its instructions, and the controller installed and run as they
 * define.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { REPOSITORY } from "../../lab/repository";
import { installManifests, installObjects } from "../../provider/sync/install";
import { type Instruction, readDockerfile, type Stage } from "../support/dockerfile";
import { FakeApiServer } from "../support/fake-api-server";
import { linkPackages } from "../../tools/plugin/install";
import { packTarball, TARBALL_INPUTS } from "./tarball";

const read = (file: string): string => fs.readFileSync(path.join(REPOSITORY, file), "utf8");
const { dependencies, devDependencies, bin, name } = JSON.parse(read("package.json")) as {
    readonly name: string;
    readonly bin: Readonly<Record<string, string>>;
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
};
const [build, image] = readDockerfile(read("Dockerfile")) as [Stage, Stage];

/** Text of the only instruction of a name. */
function only(stage: Stage, instruction: string): Instruction {
    const found = stage.instructions.filter((one) => one.name === instruction);
    expect([instruction, found.length]).toStrictEqual([instruction, 1]);
    return found[0] as Instruction;
}

/** Words of an instruction that is written as JSON. */
const words = (instruction: string): string[] => JSON.parse(only(image, instruction).text) as string[];

/** Step of the build that makes the folder which the image is. */
const install = (): string => {
    const steps = build.instructions.filter((one) => one.name === "RUN" && one.text.includes("npm install"));
    expect(steps.length).toBe(1);
    return steps[0]?.text ?? "";
};

/** The folder `/app` of the image. */
let app: string;

beforeAll(async () => {
    app = fs.mkdtempSync(path.join(os.tmpdir(), "ack-image-"));
    const steps = install()
        .replace("/src/package-lock.json", path.join(REPOSITORY, "package-lock.json"))
        .replace("npm install", "npm install --offline --loglevel=error")
        .replace(`/tmp/${name}-*.tgz`, await packTarball())
        .split("&&");
    const last = steps.pop() ?? "";
    execFileSync("sh", ["-ec", steps.join("&&")], { cwd: app });
    // The packages are there before, so the network is not needed.
    linkPackages(app, Object.keys(dependencies));
    execFileSync("sh", ["-ec", last], { cwd: app, stdio: ["ignore", "ignore", "inherit"] });
    execFileSync("chmod", ["-R", "a-w,a+rX", app]);
});

afterAll(() => {
    execFileSync("chmod", ["-R", "u+w", app]);
    fs.rmSync(app, { recursive: true, force: true });
});

/** Variables of the image. */
const imageEnv = (): Record<string, string> =>
    Object.fromEntries(
        only(image, "ENV")
            .text.split(" ")
            .map((pair) => pair.split("=") as [string, string]),
    );

/** Runs the image's entry point with a command, as its user. The folder is read-only. */
async function run(args: readonly string[], env = imageEnv()): Promise<{ code: number; text: string }> {
    const [program, script = "", ...more] = words("ENTRYPOINT");
    expect(program).toBe("node");
    const [uid, gid] = only(image, "USER").text.split(":").map(Number);
    // Only root may become another user, and anyone else is such a user already.
    const user = process.getuid?.() === 0 ? { uid, gid } : {};
    const child = spawn(process.execPath, [script.replace(/^\/app/, app), ...more, ...args], {
        cwd: app,
        env,
        stdio: ["ignore", "pipe", "pipe"],
        ...user,
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
    const code = await new Promise<number | null>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", resolve);
    });
    return { code: code ?? -1, text };
}

test("both stages have one exact version of Node, and the image gets only the finished folder", () => {
    const base = `node:${devDependencies["node"]}-alpine`;
    expect(base).toMatch(/^node:\d+\.\d+\.\d+-alpine$/);
    expect([build.image, image.image]).toStrictEqual([base, base]);
    expect(only(image, "COPY")).toMatchObject({ flags: [`--from=${build.name}`, "--chown=0:0"], text: "/app /app" });
    expect(image.instructions.map((one) => one.name)).toStrictEqual([
        "WORKDIR",
        "COPY",
        "ENV",
        "USER",
        "EXPOSE",
        "ENTRYPOINT",
        "CMD",
    ]);
    expect(build.instructions.map((one) => one.name)).not.toContain("ADD");
});

test("the image has the user, port and command of the Deployment", () => {
    const { spec } = installObjects({ image: "x" }).deployment.spec.template;
    const { runAsUser, runAsGroup } = spec.securityContext;
    expect(only(image, "USER").text).toBe(`${runAsUser}:${runAsGroup}`);
    expect(runAsUser).toBeGreaterThan(0);
    expect(spec.containers.flatMap(({ ports }) => ports.map((port) => String(port.containerPort)))).toStrictEqual([
        only(image, "EXPOSE").text,
    ]);
    expect(words("CMD")).toStrictEqual(["sync"]);
    expect(words("ENTRYPOINT")).toStrictEqual(["node", `/app/node_modules/${name}/${bin[name]}`]);
});

test("the build context has the build's inputs without secrets and large files", () => {
    const ignored = read(".dockerignore").trim().split("\n");
    const asGit = read(".gitignore")
        .trim()
        .split("\n")
        .filter((pattern) => !pattern.startsWith("!"));
    for (const pattern of [...asGit, ".git", "testdata"]) {
        const plain = pattern.replace(/\/$/, "");
        expect(ignored.some((one) => one === plain || one === `**/${plain}`)).toBe(true);
    }
    const needed = [...TARBALL_INPUTS, "lab/package.json", "tsconfig.json", ".npmrc"];
    const matches = (pattern: string, file: string): boolean =>
        path.matchesGlob(file, pattern) || path.matchesGlob(file, `${pattern}/**`);
    // Pulumi.yaml has no second point, which the pattern of stacks' configuration asks for.
    expect(needed.filter((file) => ignored.some((pattern) => matches(pattern, file)))).toStrictEqual([]);
    expect(matches("**/node_modules", "examples/sync/node_modules/x")).toBe(true);
});

test("the controller's folder has the package and its dependencies in the locked versions", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
        readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
    };
    const installed = JSON.parse(fs.readFileSync(path.join(app, "node_modules/.package-lock.json"), "utf8")) as {
        readonly packages: Readonly<Record<string, { readonly version: string }>>;
    };
    const others = Object.entries(installed.packages).filter(([folder]) => folder !== `node_modules/${name}`);
    expect(others.length).toBeGreaterThan(50);
    for (const [folder, { version }] of others)
        expect([folder, version]).toStrictEqual([folder, packages[folder]?.version]);
    expect(others.filter(([folder]) => /node_modules\/(?:@pulumi|typescript|jest|eslint)/.test(folder))).toStrictEqual(
        [],
    );
});

test("the controller runs as nobody without a home and without writing a file", async () => {
    const before = listing();
    expect(await run(["sync", "--help"])).toMatchObject({
        code: 0,
        text: expect.stringContaining("--once") as unknown,
    });
    const options = { image: "registry.example/x:1", networkPolicy: true };
    expect(await run(["sync", "--manifests", "--image", options.image, "--network-policy"])).toStrictEqual({
        code: 0,
        text: installManifests(options),
    });
    expect(imageEnv()).toHaveProperty("HOME");
    for (const env of [imageEnv(), {}]) {
        const nowhere = await run(["sync", "--once"], env);
        expect(nowhere.code).toBe(2);
        expect(nowhere.text).toMatch(/no kubeconfig is given.*\n\s+remedy: /);
    }

    const api = new FakeApiServer();
    await api.up();
    try {
        const pass = await run(["sync", "--once", "--cluster-id", "c1", "--kubeconfig", api.kubeconfig]);
        expect(pass).toMatchObject({ code: 0, text: expect.stringContaining('"watching"') as unknown });
        expect(pass.text).toMatch(/"leading"/);
        expect(api.asked).toContain("list /api/v1/nodes");
    } finally {
        await api.down();
    }
    expect(listing()).toStrictEqual(before);
});

/** Every file of the folder with the time of its last change. */
function listing(): string[] {
    return fs
        .readdirSync(app, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
        .map((file) => `${file} ${fs.statSync(file).mtimeMs}`)
        .sort();
}
