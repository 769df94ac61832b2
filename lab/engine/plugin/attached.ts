import { hasEnded, startPlugin, type LineSink, type RunningPlugin } from "./process";

/** What an engine gives a plugin that it starts. */
export interface PluginUse {
    readonly engineAddress: string;
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    /** Receives what the plugin prints. */
    readonly sink: LineSink;
}

/** A plugin that outlives its engine: `prepare` is waited for before each use. */
export interface KeptPlugin extends RunningPlugin {
    readonly prepare: (use: PluginUse) => void | Promise<void>;
}

/** Plugins of one package that run before an engine needs them, and after: as many as have been in use at the same time. */
export class PluginPool {
    readonly #idle: KeptPlugin[] = [];

    constructor(private readonly start: () => Promise<KeptPlugin>) {}

    /** Starts a plugin that the first provider will find. */
    async fill(): Promise<void> {
        this.#idle.push(await this.start());
    }

    /** A plugin for one provider; `stop` gives it back. */
    async use(use: PluginUse): Promise<RunningPlugin> {
        const plugin = this.#takeIdle() ?? (await this.start());
        await plugin.prepare(use);
        let isInUse = true;
        return {
            ...plugin,
            stop: async () => {
                if (isInUse) this.#idle.push(plugin);
                isInUse = false;
            },
        };
    }

    #takeIdle(): KeptPlugin | undefined {
        for (let plugin = this.#idle.pop(); plugin !== undefined; plugin = this.#idle.pop())
            if (!hasEnded(plugin.child)) return plugin;
        return undefined;
    }
}

const attached = new Map<string, PluginPool>();

/** Lets the engines of this process use a pool for the providers of a package. */
export function attachPlugins(pkg: string, pool: PluginPool): void {
    attached.set(pkg, pool);
}

/** Engines that come do not use the pool any more. */
export function detachPlugins(pkg: string, pool: PluginPool): void {
    if (attached.get(pkg) === pool) attached.delete(pkg);
}

/** A plugin of the package's pool; without one, a process of its own. */
export function usePlugin(
    pkg: string,
    command: string,
    args: readonly string[],
    use: PluginUse,
): Promise<RunningPlugin> {
    return (
        attached.get(pkg)?.use(use) ?? startPlugin(command, [...args, use.engineAddress], use.cwd, use.env, use.sink)
    );
}
