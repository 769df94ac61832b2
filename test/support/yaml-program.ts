import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY, type Result, type Session } from "../../lab";
import { PLAIN, succeed } from "./stack";

/** A program in YAML, in a folder of its own, and a stack of it. */
export class YamlProgram {
    readonly folder: string;

    private constructor(
        private readonly session: Session,
        private readonly name: string,
    ) {
        this.folder = path.join(session.lab.dir, `program-${name}`);
        fs.mkdirSync(this.folder, { recursive: true });
    }

    /** @param body of Pulumi.yaml, without name and runtime */
    static async create(session: Session, name: string, body: string): Promise<YamlProgram> {
        const program = new YamlProgram(session, name);
        program.write(body);
        succeed(await program.pulumi("stack", "init", "dev"));
        return program;
    }

    /** Replaces the program. */
    write(body: string): void {
        const plugin = path.join(REPOSITORY, "components/plugin");
        const plugins = `plugins: { providers: [{ name: ack-loadbalancer, path: ${plugin} }] }`;
        fs.writeFileSync(
            path.join(this.folder, "Pulumi.yaml"),
            `name: ${this.name}\nruntime: yaml\n${plugins}\n${body}`,
        );
    }

    preview(...flags: string[]): Promise<Result> {
        return this.pulumi("preview", ...flags);
    }

    up(...flags: string[]): Promise<Result> {
        return this.pulumi("up", "--yes", "--skip-preview", ...flags);
    }

    destroy(): Promise<Result> {
        return this.pulumi("destroy", "--yes", "--skip-preview");
    }

    /** Any command of the CLI in the program's folder. */
    pulumi(...args: string[]): Promise<Result> {
        const flags = args[0] === "stack" || args[0] === "config" ? ["--non-interactive"] : PLAIN;
        return this.session.start("pulumi", [...args, ...flags], { cwd: this.folder }).done;
    }
}
