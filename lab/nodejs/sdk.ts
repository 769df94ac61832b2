import { createRequire } from "node:module";
import * as path from "node:path";

/** Options under `runtime.options` of Pulumi.yaml or PulumiPolicy.yaml. */
export interface RuntimeOptions {
    /** Whether TypeScript is compiled when the program starts. Default true. */
    readonly typescript: boolean;
    /** Path of a tsconfig.json; by default the nearest one. */
    readonly tsconfig?: string;
    /** Arguments of `node`. Default none. */
    readonly nodeargs: readonly string[];
}

/** Reads options as the project file gives them. */
export function readOptions(options: Readonly<Record<string, unknown>>): RuntimeOptions {
    const { typescript, tsconfig, nodeargs } = options;
    return {
        typescript: typescript !== false,
        ...(typeof tsconfig === "string" ? { tsconfig } : {}),
        nodeargs: typeof nodeargs === "string" ? nodeargs.split(/\s+/).filter(Boolean) : [],
    };
}

/**
 * What `node` is given to run a script of the SDK that a folder uses.
 *
 * @throws Error if the SDK is not installed there
 */
export function sdkCommand(folder: string, script: string, { nodeargs }: RuntimeOptions): string[] {
    // The SDK allows V8's natives while it loads; from the start on, so that code compiled before shares the compile cache.
    return [...nodeargs, "--allow-natives-syntax", sdkScript(folder, script)];
}

function sdkScript(folder: string, script: string): string {
    try {
        return createRequire(path.join(folder, "package.json")).resolve(`@pulumi/pulumi/cmd/${script}`);
    } catch {
        throw new Error(
            `It looks like the Pulumi SDK has not been installed. Have you run npm install or yarn install? (looked from ${folder})`,
        );
    }
}

/** Variables of a process that runs the SDK. */
export function sdkEnvironment(
    outer: NodeJS.ProcessEnv,
    { typescript, tsconfig }: RuntimeOptions,
    more: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
    const { PULUMI_NODEJS_TYPESCRIPT: _, ...rest } = outer;
    return {
        ...rest,
        ...more,
        ...(typescript ? { PULUMI_NODEJS_TYPESCRIPT: "true" } : {}),
        ...(tsconfig === undefined ? {} : { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
    };
}
