import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY, type Result, SECRETS_PROVIDER, type Session } from "../../lab";
import { fail, PLAIN, succeed } from "./world";

/** Pulumi project in its own folder, as a platform team writes it, and a stack of it. */
abstract class Project {
    readonly folder: string;
    /** Variables on top of the lab's, for all runs from now on. */
    env: Record<string, string> = {};

    constructor(
        readonly session: Session,
        readonly name: string,
    ) {
        this.folder = path.join(session.lab.dir, `program-${name}`);
        fs.mkdirSync(this.folder, { recursive: true });
    }

    /** Replaces the program, also by a program in another language. */
    abstract write(body: string): void;

    protected async begin(body: string): Promise<this> {
        this.write(body);
        this.succeed(await this.init());
        return this;
    }

    init(): Promise<Result> {
        return this.pulumi("stack", "init", "dev", "--secrets-provider", SECRETS_PROVIDER);
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
        const flags =
            args[0] === "stack" || args[0] === "config" ? ["--non-interactive"] : ["--stack", "dev", ...PLAIN];
        return this.session.run("pulumi", [...args, ...flags], { cwd: this.folder, env: this.env });
    }

    /** The state as text. */
    async state(): Promise<string> {
        return this.succeed(await this.pulumi("stack", "export", "--stack", "dev"));
    }

    readonly succeed = succeed;
    readonly fail = fail;
}

/** Program for Node. */
export class Program extends Project {
    /**
     * @param body statements of a CommonJS program, with `pulumi`, `kubernetes`, `alicloud` and the package's exports
     * in scope.
     */
    static create(session: Session, name: string, body: string): Promise<Program> {
        return new Program(session, name).begin(body);
    }

    override write(body: string): void {
        const packages = path.join(this.folder, "node_modules");
        if (!fs.existsSync(packages)) fs.symlinkSync(path.join(REPOSITORY, "node_modules"), packages);
        fs.writeFileSync(
            path.join(this.folder, "Pulumi.yaml"),
            `name: ${this.name}\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n`,
        );
        fs.writeFileSync(
            path.join(this.folder, "index.js"),
            'const pulumi = require("@pulumi/pulumi");\nconst kubernetes = require("@pulumi/kubernetes");\n' +
                'const alicloud = require("@pulumi/alicloud");\n' +
                `const { Cluster, ServiceLoadBalancer, SharedLoadBalancer } = require("ack-loadbalancer");\n${body}\n`,
        );
        fs.writeFileSync(path.join(this.folder, "package.json"), '{ "name": "program", "main": "index.js" }\n');
    }
}

/** Program in YAML, which finds the plugin of this repository. */
export class YamlProgram extends Project {
    /** @param body of Pulumi.yaml, without name and runtime */
    static create(session: Session, name: string, body: string): Promise<YamlProgram> {
        return new YamlProgram(session, name).begin(body);
    }

    override write(body: string): void {
        fs.rmSync(path.join(this.folder, "node_modules"), { force: true });
        const plugin = path.join(REPOSITORY, "components/plugin");
        const plugins = `plugins: { providers: [{ name: ack-loadbalancer, path: ${plugin} }] }`;
        fs.writeFileSync(
            path.join(this.folder, "Pulumi.yaml"),
            `name: ${this.name}\nruntime: yaml\n${plugins}\n${body}`,
        );
    }
}
