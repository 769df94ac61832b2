import * as path from "node:path";
import { EngineClient, EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import type { sendUnaryData, ServerUnaryCall } from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { LocalServer } from "../monitor";
import {
    attachPlugin,
    call,
    childEnvironment,
    connect,
    detachPlugin,
    endProcess,
    keepRunning,
    resourcePlugin,
    ROOT,
    sdkArguments,
    startPlugin,
} from "../plugin";

/** Packages whose plugins a resident engine can keep. */
export const KEPT_PLUGINS = ["alicloud", "kubernetes", "pulumi-nodejs"] as const;
export type KeptPlugin = (typeof KEPT_PLUGINS)[number];

export const isKeptPlugin = (name: string): name is KeptPlugin => (KEPT_PLUGINS as readonly string[]).includes(name);

/**
 * Starts plugins for the engine of this process, which uses them in every run; they end with this process. A second provider of a package at the same time has a plugin of its own.
 *
 * @param changes of the environment
 * @returns what ends them before
 */
export async function keepPlugins(
    names: readonly KeptPlugin[],
    changes: Record<string, string> = {},
): Promise<() => void> {
    let engine = "";
    const relay = await relayLogs(() => engine);
    const ends = await Promise.all(
        names.map(async (name) => {
            const bundled = resourcePlugin(name, [{ name, path: path.join(ROOT, "lab/bin") }]) ?? "";
            const [command, args] =
                name === "pulumi-nodejs" ? ["node", sdkArguments(ROOT, "dynamic-provider")] : [bundled, []];
            const plugin = await startPlugin(
                command,
                [...args, relay.address],
                ROOT,
                childEnvironment(changes),
                () => undefined,
            );
            keepRunning(plugin.child);
            const end = (): void => {
                detachPlugin(name, plugin);
                endProcess(plugin.child);
            };
            process.once("exit", end);
            attachPlugin(name, plugin, (address) => (engine = address));
            return () => {
                process.off("exit", end);
                end();
            };
        }),
    );
    return () => {
        for (const end of ends) end();
        relay.close();
    };
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
