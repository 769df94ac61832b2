import { dirname } from "node:path";
import { childEnvironment, findResourcePlugin, isAtLeast, PluginProvider, type LineSink } from "../plugin";
import { isProviderType, providerPackage } from "../state";
import { Secret, type Value, type ValueMap } from "../value";
import type { Messages } from "./messages";
import type { RunConfigValue, RunRequestOptions } from "./request";

/** The package whose resources are implemented in the program itself. */
const DYNAMIC = "pulumi-nodejs";

/**
 * Starts the resource plugin of a package; dynamic providers are served by the SDK next to the program.
 * @param version least version that is asked for, if any
 * @throws Error if there is no such plugin
 */
export async function startProvider(
    r: RunRequestOptions,
    pkg: string,
    version: string | undefined,
    engineAddress: string,
    messages: Messages,
): Promise<PluginProvider> {
    const env: Record<string, string> = {
        PULUMI_PROJECT: r.project,
        PULUMI_NODEJS_PROJECT: r.project,
        PULUMI_CONFIG: "{}",
    };
    for (const [k, v] of Object.entries(r.runtimeOptions)) env[`PULUMI_RUNTIME_${k.toUpperCase()}`] = String(v);
    const found = findResourcePlugin(pkg, r.providerPaths);
    if (!found) throw new Error(`no resource plugin 'pulumi-resource-${pkg}' found in the workspace or on your $PATH`);
    if (found.warning !== undefined) messages.diag.warning("", found.warning);
    const { command } = found;
    // Output of other plugins than the dynamic one is shown at debug level only, so not at all.
    const sink: LineSink = pkg === DYNAMIC ? messages.processLines() : () => undefined;
    const provider = await PluginProvider.start(
        { pkg, command, args: [], cwd: r.pwd, env: childEnvironment(env), engineAddress, folder: dirname(command) },
        sink,
    );
    if (version !== undefined && !process.env["PULUMI_DEV"] && !isAtLeast(provider.version, version))
        messages.diag.warning(
            "",
            `resource plugin ${pkg} is expected to have version >=${version}, but has ${provider.version}; ` +
                "the wrong version may be on your path, or this may be a bug in the plugin",
        );
    return provider;
}

/** Warns of the plugins that the recorded resources need and that are not where the CLI installs them. */
export function locatePlugins(r: RunRequestOptions, messages: Messages): void {
    const packages = r.snapshot.resources.filter((s) => isProviderType(s.type)).map((s) => providerPackage(s.type));
    for (const pkg of new Set(packages)) {
        const warning = findResourcePlugin(pkg, r.providerPaths)?.warning;
        if (warning !== undefined) messages.diag.warning("", warning);
    }
}

/** Configuration of a provider package: the stack's values in its namespace. Dynamic providers get all values with full keys. */
export function providerConfig(pkg: string, config: ReadonlyMap<string, RunConfigValue>): ValueMap {
    const out: ValueMap = {};
    for (const [k, v] of config) {
        const colon = k.indexOf(":");
        const value: Value = v.secret ? new Secret(v.text) : v.text;
        if (pkg === DYNAMIC) out[k] = value;
        else if (k.slice(0, colon) === pkg) out[k.slice(colon + 1)] = value;
    }
    return out;
}
