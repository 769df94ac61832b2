import { hasEnded, startPlugin, type RunningPlugin } from "./process";

/** A plugin that runs before an engine needs it, and after. */
interface Attached {
    readonly plugin: RunningPlugin;
    readonly onEngine: (address: string) => void;
    isInUse: boolean;
}

const attached = new Map<string, Attached>();

/**
 * Lets the engine of this process use a plugin that runs already, for one provider after the other.
 *
 * @param onEngine receives the address of each engine that begins to use it
 */
export function attachPlugin(pkg: string, plugin: RunningPlugin, onEngine: (address: string) => void): void {
    attached.set(pkg, { plugin, onEngine, isInUse: false });
}

/** Engines that come do not use it any more. */
export function detachPlugin(pkg: string, plugin: RunningPlugin): void {
    if (attached.get(pkg)?.plugin === plugin) attached.delete(pkg);
}

/** The attached plugin of a package while no other provider uses it, else one of its own. */
export async function usePlugin(
    pkg: string,
    engineAddress: string,
    ...start: Parameters<typeof startPlugin>
): Promise<RunningPlugin> {
    const known = attached.get(pkg);
    if (known === undefined || known.isInUse || hasEnded(known.plugin.child)) return startPlugin(...start);
    known.isInUse = true;
    known.onEngine(engineAddress);
    return {
        ...known.plugin,
        stop: async () => {
            known.isInUse = false;
        },
    };
}
