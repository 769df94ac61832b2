import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { childEnvironment, endProcess, forwardLines, startProcess, type LineSink } from "./process";

/** Exit code with which the SDK says that it has reported the failure itself. */
const REPORTED = 32;

/** How a program is started. */
export interface ProgramSpec {
    /** Folder of the project file. */
    root: string;
    /** Working directory. */
    pwd: string;
    /** Entry, relative to the working directory. */
    main: string;
    project: string;
    stack: string;
    organization: string;
    preview: boolean;
    parallel: number;
    monitorAddress: string;
    engineAddress: string;
    /** Values by full key `ns:name`, secrets in clear. */
    config: ReadonlyMap<string, string>;
    secretKeys: readonly string[];
    runtimeOptions: Readonly<Record<string, unknown>>;
}

/** How a program has ended. */
export type ProgramResult = { ok: true } | { ok: false; reported: boolean; message: string };

/** Path of a script of the SDK that a folder uses. @throws Error if the SDK is not installed there */
function sdkScript(folder: string, script: string): string {
    try {
        return createRequire(join(folder, "package.json")).resolve(`@pulumi/pulumi/cmd/${script}`);
    } catch {
        throw new Error(
            `It looks like the Pulumi SDK has not been installed. Have you run npm install or yarn install? (looked from ${folder})`,
        );
    }
}

/**
 * What Node is given to run a script of the SDK. The SDK switches V8's natives on while it loads; code that was compiled
 * before and after that would not share a compile cache, so they are on from the start.
 */
export function sdkArguments(folder: string, script: string): string[] {
    return ["--allow-natives-syntax", sdkScript(folder, script)];
}

/** True if sources are to be compiled on the fly: the default, switched off by `runtime.options.typescript: false`. */
export function wantsTypescript(options: Readonly<Record<string, unknown>>): boolean {
    return options["typescript"] !== false;
}

/** Runs a Node program against the engine. */
export class NodeProgram {
    private readonly child;
    readonly result: Promise<ProgramResult>;

    constructor(spec: ProgramSpec, sink: LineSink) {
        const nodeArgs =
            typeof spec.runtimeOptions["nodeargs"] === "string"
                ? spec.runtimeOptions["nodeargs"].split(/\s+/).filter(Boolean)
                : [];
        const args = [
            ...nodeArgs,
            ...sdkArguments(spec.pwd, "run"),
            "--monitor",
            spec.monitorAddress,
            "--engine",
            spec.engineAddress,
            "--organization",
            spec.organization,
            "--project",
            spec.project,
            "--root-directory",
            spec.root,
            "--stack",
            spec.stack,
            "--pwd",
            spec.pwd,
            ...(spec.preview ? ["--dry-run"] : []),
            "--parallel",
            String(spec.parallel),
            spec.main,
        ];
        const config: Record<string, string> = {};
        for (const [k, v] of spec.config) {
            const colon = k.indexOf(":");
            config[`${k.slice(0, colon)}:config:${k.slice(colon + 1)}`] = v;
        }
        const tsconfig = spec.runtimeOptions["tsconfig"];
        const env = childEnvironment({
            PULUMI_CONFIG: JSON.stringify(config),
            PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(spec.secretKeys),
            ...(wantsTypescript(spec.runtimeOptions) ? { PULUMI_NODEJS_TYPESCRIPT: "true" } : {}),
            ...(typeof tsconfig === "string" ? { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig } : {}),
        });
        if (!wantsTypescript(spec.runtimeOptions)) delete env["PULUMI_NODEJS_TYPESCRIPT"];
        const entry = spec.main === "." ? spec.pwd : join(spec.pwd, spec.main);
        if (!existsSync(entry)) throw new Error(`the program's entry ${entry} does not exist`);
        this.child = startProcess("node", args, spec.pwd, env);
        forwardLines(this.child, sink);
        this.result = new Promise((done) => {
            this.child.once("error", (e) =>
                done({ ok: false, reported: false, message: `an unhandled error occurred: ${e.message}` }),
            );
            this.child.once("close", (code, signal) => {
                if (code === 0) done({ ok: true });
                else if (code === REPORTED) done({ ok: false, reported: true, message: "" });
                else if (code === null)
                    done({
                        ok: false,
                        reported: false,
                        message: `an unhandled error occurred: Program exited due to a signal: ${signal}`,
                    });
                else
                    done({
                        ok: false,
                        reported: false,
                        message: `an unhandled error occurred: Program exited with non-zero exit code: ${code}`,
                    });
            });
        });
    }

    end(): void {
        endProcess(this.child);
    }
}
