/** A Pulumi project in a folder of its own, with the pinned CLI and without cluster or cloud. */
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { pulumiVariables } from "../../lab/pulumi/home";
import { installPulumi } from "../../lab/pulumi/install";
import { REPOSITORY } from "./repository";

export class ScratchProject {
    private constructor(
        readonly folder: string,
        readonly env: NodeJS.ProcessEnv,
    ) {}

    /** Makes a project with a stack `dev`. */
    static async make(name: string): Promise<ScratchProject> {
        const outer: NodeJS.ProcessEnv = { ...process.env, ENGINE: "pinned" };
        const cli = await installPulumi(undefined, outer);
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), `${name}-`));
        const write = (file: string, text: string): void => fs.writeFileSync(path.join(folder, file), text);
        write("Pulumi.yaml", `name: ${name}\nruntime: { name: nodejs, options: { typescript: false } }\n`);
        write("package.json", '{ "main": "index.js" }\n');
        write("index.js", "");
        fs.symlinkSync(path.join(REPOSITORY, "node_modules"), path.join(folder, "node_modules"));
        const project = new ScratchProject(folder, {
            ...outer,
            ...pulumiVariables(folder, cli, outer),
            PATH: [path.join(REPOSITORY, "node_modules/.bin"), cli.folder, outer["PATH"]].join(path.delimiter),
        });
        const { code, text } = await project.pulumi("stack", "init", "dev");
        if (code !== 0) throw new Error(text);
        return project;
    }

    /** Runs a command of the CLI as a process. */
    pulumi(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
        return new Promise((resolve) => {
            const child = execFile(
                "pulumi",
                [...args, "--non-interactive", "--color", "never"],
                { cwd: this.folder, env: this.env, maxBuffer: 1 << 26 },
                (_, stdout, stderr) => resolve({ code: child.exitCode ?? 1, text: stdout + stderr }),
            );
        });
    }

    remove(): void {
        fs.rmSync(this.folder, { recursive: true, force: true });
    }
}
