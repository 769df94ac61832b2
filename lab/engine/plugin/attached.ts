import { hasEnded, startPlugin, type LineSink, type RunningPlugin } from "./process";

/** What an engine gives a plugin that it starts. */
export interface PluginUse {
    readonly engineAddress: string;
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    /** Receives what the plugin prints. */
    readonly sink: LineSink;
}

/** Gets a plugin ready for its next engine. */
type Prepare = (use: PluginUse) => void | Promise<void>;

/** A plugin that runs before an engine needs it, and after. */
interface Attached {
    readonly plugin: RunningPlugin;
    readonly prepare: Prepare;
    isInUse: boolean;
}

const attached = new Map<string, Attached>();

/**
 * Lets the engine of this process use a plugin that runs already, for one provider after the other.
 *
 * @param prepare is waited for before each of them
 */
export function attachPlugin(pkg: string, plugin: RunningPlugin, prepare: Prepare): void {
    attached.set(pkg, { plugin, prepare, isInUse: false });
}

/** Engines that come do not use it any more. */
export function detachPlugin(pkg: string, plugin: RunningPlugin): void {
    if (attached.get(pkg)?.plugin === plugin) attached.delete(pkg);
}

/** The attached plugin of a package while no other provider uses it, else one of its own. */
export async function usePlugin(
    pkg: string,
    command: string,
    args: readonly string[],
    use: PluginUse,
): Promise<RunningPlugin> {
    const known = attached.get(pkg);
    if (known === undefined || known.isInUse || hasEnded(known.plugin.child))
        return startPlugin(command, [...args, use.engineAddress], use.cwd, use.env, use.sink);
    known.isInUse = true;
    await known.prepare(use);
    return {
        ...known.plugin,
        stop: async () => {
            known.isInUse = false;
        },
    };
}
