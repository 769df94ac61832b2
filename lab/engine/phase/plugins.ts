import { dirname } from "node:path";
import { childEnvironment, PluginProvider, resourcePlugin, sdkArguments, type LineSink } from "../plugin";
import { Secret, type Value, type ValueMap } from "../value";
import type { RunConfigValue, RunRequestOptions } from "./request";

/**
 * Starts the resource plugin of a package; dynamic providers are served by the SDK next to the program.
 * @param lines takes what the program's own providers write
 * @throws Error if there is no such plugin
 */
export async function startProvider(
    r: RunRequestOptions,
    pkg: string,
    engineAddress: string,
    lines: LineSink,
): Promise<PluginProvider> {
    const env: Record<string, string> = {
        PULUMI_PROJECT: r.project,
        PULUMI_NODEJS_PROJECT: r.project,
        PULUMI_CONFIG: "{}",
    };
    for (const [k, v] of Object.entries(r.runtimeOptions)) env[`PULUMI_RUNTIME_${k.toUpperCase()}`] = String(v);
    const found = resourcePlugin(pkg, r.providerPaths);
    const dynamic = pkg === "pulumi-nodejs";
    if (found === undefined && !dynamic) {
        throw new Error(`no resource plugin 'pulumi-resource-${pkg}' found in the workspace or on your $PATH`);
    }
    const command = found ?? "node";
    const args = found === undefined ? sdkArguments(r.pwd, "dynamic-provider") : [];
    // Plugins other than the dynamic one are not the program's business: their lines are shown at debug level only, so not at all.
    const sink: LineSink = dynamic ? lines : () => undefined;
    return PluginProvider.start(
        { pkg, command, args, cwd: r.pwd, env: childEnvironment(env), engineAddress, folder: dirname(command) },
        sink,
    );
}

/** Configuration of a provider package: the stack's values in its namespace. Dynamic providers get all values with full keys. */
export function providerConfig(pkg: string, config: ReadonlyMap<string, RunConfigValue>): ValueMap {
    const out: ValueMap = {};
    for (const [k, v] of config) {
        const colon = k.indexOf(":");
        const value: Value = v.secret ? new Secret(v.text) : v.text;
        if (pkg === "pulumi-nodejs") out[k] = value;
        else if (k.slice(0, colon) === pkg) out[k.slice(colon + 1)] = value;
    }
    return out;
}
