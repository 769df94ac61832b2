import { createRequire } from "node:module";
import * as path from "node:path";

/** Options under `runtime.options` of Pulumi.yaml or PulumiPolicy.yaml. */
export interface RuntimeOptions {
    /** Compiles TypeScript when the program starts. Default true. */
    readonly typescript: boolean;
    /** Path of a tsconfig.json. Default: the nearest. */
    readonly tsconfig?: string | undefined;
    /** Arguments of `node`. Default none. */
    readonly nodeargs: readonly string[];
}

/** Reads options as the project file gives them. */
export function readOptions({ typescript, tsconfig, nodeargs }: Record<string, unknown> = {}): RuntimeOptions {
    return {
        typescript: typescript !== false,
        tsconfig: typeof tsconfig === "string" ? tsconfig : undefined,
        nodeargs: typeof nodeargs === "string" ? nodeargs.split(/\s+/).filter(Boolean) : [],
    };
}

/**
 * Arguments with which `node` runs a script of the SDK that a folder uses.
 *
 * @throws Error if the SDK is not installed there
 */
export function sdkCommand(folder: string, script: string, { nodeargs }: RuntimeOptions): string[] {
    // The SDK allows V8's natives while it loads. They are set from the start, because they are part of the compile
    // cache's key.
    return [...nodeargs, "--allow-natives-syntax", sdkScript(folder, script)];
}

function sdkScript(folder: string, script: string): string {
    try {
        return createRequire(path.join(folder, "package.json")).resolve(`@pulumi/pulumi/cmd/${script}`);
    } catch {
        throw new Error(
            "It looks like the Pulumi SDK has not been installed. " +
                `Have you run npm install or yarn install? (looked from ${folder})`,
        );
    }
}

/** Variables of a process that runs the SDK. */
export function sdkEnvironment(
    { typescript, tsconfig }: RuntimeOptions,
    more: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
    const env: NodeJS.ProcessEnv = { ...process.env, ...more };
    delete env["PULUMI_NODEJS_TYPESCRIPT"];
    if (typescript) env["PULUMI_NODEJS_TYPESCRIPT"] = "true";
    if (tsconfig !== undefined) env["PULUMI_NODEJS_TSCONFIG_PATH"] = tsconfig;
    return env;
}
