import { expect, test } from "@jest/globals";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { COMMANDS, run } from "./main";

async function say(...argv: string[]): Promise<{ code: number; out: string; error: string }> {
    const text = { out: "", error: "" };
    const code = await run(argv, {
        out: (part) => void (text.out += part),
        error: (part) => void (text.error += part),
    });
    return { code, ...text };
}

test("help, no command and an unknown one list every command with a line each", async () => {
    const help = await say("help");
    expect([help.code, help.error]).toStrictEqual([0, ""]);
    expect(Object.keys(COMMANDS).length).toBe(7);
    for (const [name, { summary }] of Object.entries(COMMANDS))
        expect(help.out).toMatch(new RegExp(`^  ${name} +${summary}$`, "m"));
    expect(await say("--help")).toStrictEqual(help);
    expect(await say()).toStrictEqual({ code: 2, out: "", error: `error: name a command\n\n${help.out}` });
    expect(await say("chek")).toStrictEqual({
        code: 2,
        out: "",
        error: `error: unknown command chek; did you mean check?\n\n${help.out}`,
    });
    expect((await say("frobnicate")).error).toMatch(/^error: unknown command frobnicate\n/);
});

test("every command has help of its own", async () => {
    for (const name of Object.keys(COMMANDS)) {
        const own = await say(name, "--help");
        expect([own.code, own.error]).toStrictEqual([0, ""]);
        expect(own.out).toMatch(new RegExp(`^usage: ack-loadbalancer ${name} `));
        expect(own.out).toMatch(/^ {2}--\w/m);
        expect(await say("help", name)).toStrictEqual(own);
    }
});

test("an option that no command has is refused by every command that reads options", async () => {
    for (const name of Object.keys(COMMANDS)) {
        const { code, error } = await say(name, ...(name === "explain" ? [] : ["shop/web"]), "--hlep");
        expect([name, code, /^error: unknown option --hlep; did you mean --help\?$/m.test(error)]).toStrictEqual([
            name,
            2,
            true,
        ]);
    }
});

test("a profile is refused while the environment has a key pair, which would be used instead", async () => {
    const former = { ...process.env };
    Object.assign(process.env, { ALIBABA_CLOUD_ACCESS_KEY_ID: "id", ALIBABA_CLOUD_ACCESS_KEY_SECRET: "secret" });
    try {
        for (const name of ["doctor", "show", "explain"]) {
            const { code, error } = await say(
                ...(name === "doctor" ? [name] : [name, "default/web"]),
                "--profile",
                "other",
            );
            expect([name, code, error]).toStrictEqual([
                name,
                2,
                expect.stringMatching(/^error: --profile other: the environment has a key pair/),
            ]);
        }
    } finally {
        process.env = former;
    }
});

test("a reader that closes the pipe early, such as head, changes neither exit code nor log", async () => {
    const child = spawn(process.execPath, ["dist/cli/main.js", "report", "--schema"], { stdio: "pipe" });
    child.stdout.destroy();
    let log = "";
    child.stderr.on("data", (part: Buffer) => void (log += part.toString()));
    const [code] = (await once(child, "close")) as [number];
    expect([code, log]).toStrictEqual([0, ""]);
});

/** Runs the check command as under another version of Node, and counts the modules that it loads. */
async function checkUnder(
    version: string,
): Promise<{ readonly code: unknown; readonly log: string; readonly modules: string }> {
    const other = `
        import { createRequire } from "node:module";
        Object.defineProperty(process.versions, "node", { value: "${version}" });
        process.on("exit", () => console.log(Object.keys(createRequire("/").cache).length));`;
    const argv = ["--import", `data:text/javascript,${encodeURIComponent(other)}`, "dist/cli/main.js", "check"];
    const child = spawn(process.execPath, argv);
    let [log, modules] = ["", ""];
    child.stderr.on("data", (part: Buffer) => void (log += part.toString()));
    child.stdout.on("data", (part: Buffer) => void (modules += part.toString()));
    const [code] = (await once(child, "close")) as unknown[];
    return { code, log, modules };
}

test.each(["20.20.2", "22.18.9", "9.0.0"])(
    "Node %s is refused with one line, before anything loads",
    async (version) => {
        expect(await checkUnder(version)).toStrictEqual({
            code: 2,
            log: `error: this is Node ${version}. Remedy: run ack-loadbalancer with Node 22.19.0 or newer\n`,
            modules: "2\n",
        });
    },
);

test.each(["components/plugin/pulumi-resource-ack-loadbalancer", "dist/policies/pack.js"])(
    "%s refuses an old Node in one sentence",
    (file) => {
        const old = 'Object.defineProperty(process.versions, "node", { value: "20.20.2" }); delete Map.groupBy;';
        const script = `${old} require("node:module").enableCompileCache = undefined; require("./${file}");`;
        const { status, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
        expect([status, stderr]).toStrictEqual([
            2,
            "error: this is Node 20.20.2. Remedy: run ack-loadbalancer with Node 22.19.0 or newer\n",
        ]);
    },
);

test.each(["22.19.0", "24.0.0", "100.0.0"])("Node %s runs a command", async (version) => {
    expect((await checkUnder(version)).log).toMatch(/^error: name at least one file or folder/);
});
