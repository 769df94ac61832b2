import { expect, test } from "@jest/globals";
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stopCluster } from ".";
import { repositoryRoot } from "./layout";

const program = join(repositoryRoot(), "lab", "bin", "labcluster");

interface Result {
    code: number;
    output: string;
    errors: string;
}

function run(args: string[], file = program): Promise<Result> {
    return new Promise((resolve) => {
        const env = { ...process.env };
        delete env["KUBECONFIG"];
        execFile(file, args, { env }, (error, output, errors) => {
            resolve({ code: typeof error?.code === "number" ? error.code : 0, output, errors });
        });
    });
}

test("a cluster in the foreground runs from up to Ctrl-C", async () => {
    const dir = mkdtempSync(join(tmpdir(), "ack-lb-main-"));
    const up = spawn(program, ["up", "--dir", dir], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise<number | null>((resolve) => up.once("close", (code) => resolve(code)));
    try {
        let kubeconfig = "";
        const lines: string[] = [];
        const reader = createInterface({ input: up.stdout });
        await new Promise<void>((resolve) => {
            reader.on("line", (line) => {
                lines.push(line);
                if (line.startsWith("export KUBECONFIG=")) kubeconfig = line.slice("export KUBECONFIG=".length);
                if (line.includes("Ctrl-C")) resolve();
            });
            void ended.then(() => resolve());
        });
        expect([kubeconfig, lines]).toStrictEqual([join(dir, "kubeconfig"), lines]);

        for (const args of [
            ["node", "add", "a", "b", "--label", "x=y", "--zone", "cn-beijing-a"],
            ["node", "cordon", "a"],
            ["node", "not-ready", "b"],
        ]) {
            const { code, errors } = await run([...args, "--dir", dir]);
            expect({ code, errors }).toStrictEqual({ code: 0, errors });
        }
        const columns = "custom-columns=N:.metadata.name,L:.metadata.labels.x,P:.spec.providerID,U:.spec.unschedulable";
        const kubectl = ["--kubeconfig", kubeconfig, "get", "nodes", "--no-headers", "-o", columns];
        const nodes = await run(kubectl, join(repositoryRoot(), "lab", "bin", "kubectl"));
        expect(nodes.output).toMatch(/^a +y +cn-beijing\.i-\S+ +true\nb +y +cn-beijing\.i-\S+ +<none>\n$/);

        const status = await run(["status", "--dir", dir]);
        expect([status.code, status.output.match(/ runs$/gm)?.length]).toStrictEqual([0, 6]);
        const waited = await run(["wait-endpoints", "default/nothing", "1", "--timeout", "0", "--dir", dir]);
        expect(waited.code).toBe(1);
        expect(waited.errors).toMatch(
            /^labcluster: 1 ready endpoints of default\/nothing: not within 0 s; there are 0$/m,
        );

        up.kill("SIGINT");
        expect(await ended).toBe(0);
        expect(lines.at(-1)).toBe("the cluster has ended");
        expect((await run(["status", "--dir", dir])).code).toBe(3);
    } finally {
        await stopCluster(dir);
        rmSync(dir, { recursive: true });
    }
});

test("a wrong command line has another exit code than a failure", async () => {
    for (const args of [[], ["fly"], ["up"], ["up", "--nowhere"], ["node", "add", "a"], ["which", "vim"]]) {
        const { code, errors } = await run(args);
        expect([args, code]).toStrictEqual([args, 2]);
        expect(errors).toMatch(/\nusage: labcluster/);
    }
    expect((await run(["--help"])).code).toBe(0);
    expect((await run(["which", "kubectl"])).code).toBe(0);
});
