import type { ChildProcess } from "node:child_process";
import * as path from "node:path";
import { setTimeout } from "node:timers/promises";
import { EngineClient, EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import type { sendUnaryData, ServerUnaryCall } from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { LocalServer } from "../monitor";
import {
    attachPlugins,
    call,
    childEnvironment,
    connect,
    detachPlugins,
    endProcess,
    keepRunning,
    type KeptPlugin,
    type LineSink,
    PluginPool,
    type PluginUse,
    resourcePlugin,
    ROOT,
    sdkArguments,
    startPlugin,
} from "../plugin";
import type { Surroundings } from "./request";

/** Packages whose plugins a resident engine can keep. */
export const KEPT_PLUGINS = ["alicloud", "kubernetes", "pulumi-nodejs"] as const;
export type KeptPackage = (typeof KEPT_PLUGINS)[number];

/** Which plugins are kept, and how. */
export interface Keeping {
    readonly names: readonly KeptPackage[];
    /** Milliseconds that a provider waits for its plugin, as for one that starts; what a failure cuts short depends on it. Default 0. */
    readonly startMs?: number;
}

/**
 * Starts plugins for the engine of this process, which uses them in every run; they end with this process. Where a run has several providers of a package at the same time, as many plugins are kept.
 *
 * Each has the working folder and the variables of the run that uses it, as one that is started for it would.
 *
 * @param changes of the environment
 * @returns what ends them before
 */
export async function keepPlugins(
    { names, startMs = 0 }: Keeping,
    changes: Record<string, string> = {},
): Promise<() => void> {
    let engine = "";
    const relay = await relayLogs(() => engine);
    const ends: (() => void)[] = [];
    await Promise.all(
        names.map(async (name) => {
            const pool = new PluginPool(async () => {
                const plugin = await startKept(name, relay.address, childEnvironment(changes));
                ends.push(endWithThisProcess(plugin.child));
                return {
                    ...plugin,
                    prepare: async (use) => {
                        engine = use.engineAddress;
                        if (startMs > 0) await setTimeout(startMs);
                        await plugin.prepare(use);
                    },
                };
            });
            await pool.fill();
            attachPlugins(name, pool);
            ends.push(() => detachPlugins(name, pool));
        }),
    );
    return () => {
        for (const end of ends) end();
        relay.close();
    };
}

async function startKept(name: KeptPackage, engineAddress: string, env: NodeJS.ProcessEnv): Promise<KeptPlugin> {
    let sink: LineSink = () => undefined;
    const [command, args] =
        name === "pulumi-nodejs"
            ? ["node", sdkArguments(ROOT, "dynamic-provider")]
            : [resourcePlugin(name, [{ name, path: path.join(ROOT, "lab/bin") }]) ?? "", []];
    const preload = `--require ${JSON.stringify(SURROUNDINGS)}`;
    const plugin = await startPlugin(
        command,
        [...args, engineAddress],
        ROOT,
        { ...env, NODE_OPTIONS: `${env["NODE_OPTIONS"] ?? ""} ${preload}`.trim() },
        (line, stream) => sink(line, stream),
        true,
    );
    return {
        ...plugin,
        prepare: (use) => {
            sink = use.sink;
            return surround(plugin.child, use);
        },
    };
}

/** @returns what ends it before */
function endWithThisProcess(child: ChildProcess): () => void {
    keepRunning(child);
    const end = (): void => endProcess(child);
    process.once("exit", end);
    return () => {
        process.off("exit", end);
        end();
    };
}

const SURROUNDINGS = path.join(ROOT, "dist/lab/engine/resident/surroundings.js");

/** @throws Error if the plugin ends meanwhile */
function surround(child: ChildProcess, { env, cwd }: PluginUse): Promise<void> {
    return new Promise((resolve, reject) => {
        const ended = (): void => reject(new Error("a plugin that was kept has ended"));
        child.once("exit", ended).once("message", () => {
            child.off("exit", ended);
            resolve();
        });
        child.send({ env, cwd } satisfies Surroundings);
    });
}

/** An engine for plugins that live longer than one: passes what they log on to the engine that runs. */
async function relayLogs(engineAddress: () => string): Promise<LocalServer> {
    return new LocalServer()
        .add(EngineService, {
            log: (request: ServerUnaryCall<LogRequest, Empty>, done: sendUnaryData<Empty>) => {
                const engine = connect(EngineClient, engineAddress());
                void call(engine, engine.log, request.request)
                    .catch(() => undefined)
                    .then(() => {
                        engine.close();
                        done(null, new Empty());
                    });
            },
        })
        .listen();
}
