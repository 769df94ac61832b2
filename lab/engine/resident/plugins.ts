import type { ChildProcess } from "node:child_process";
import * as path from "node:path";
import { setTimeout } from "node:timers/promises";
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
    type LineSink,
    type PluginUse,
    resourcePlugin,
    ROOT,
    sdkArguments,
    startPlugin,
} from "../plugin";
import type { Surroundings } from "./request";

/** Packages whose plugins a resident engine can keep. */
export const KEPT_PLUGINS = ["alicloud", "kubernetes", "pulumi-nodejs"] as const;
export type KeptPlugin = (typeof KEPT_PLUGINS)[number];

/** Which plugins are kept, and how. */
export interface Keeping {
    readonly names: readonly KeptPlugin[];
    /** Milliseconds that a provider waits for its plugin, as for one that starts; what a failure cuts short depends on it. Default 0. */
    readonly startMs?: number;
}

/**
 * Starts plugins for the engine of this process, which uses them in every run; they end with this process. A second provider of a package at the same time has a plugin of its own.
 *
 * The one for dynamic providers runs their code in the working folder and with the variables of each run, as one that is started for it would.
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
    const ends = await Promise.all(
        names.map(async (name) => {
            const isDynamic = name === "pulumi-nodejs";
            let sink: LineSink = () => undefined;
            const bundled = resourcePlugin(name, [{ name, path: path.join(ROOT, "lab/bin") }]) ?? "";
            const [command, args] = isDynamic
                ? ["node", ["--require", SURROUNDINGS, ...sdkArguments(ROOT, "dynamic-provider")]]
                : [bundled, []];
            const plugin = await startPlugin(
                command,
                [...args, relay.address],
                ROOT,
                childEnvironment(changes),
                (line, stream) => sink(line, stream),
                isDynamic,
            );
            keepRunning(plugin.child);
            const end = (): void => {
                detachPlugin(name, plugin);
                endProcess(plugin.child);
            };
            process.once("exit", end);
            attachPlugin(name, plugin, async (use) => {
                engine = use.engineAddress;
                if (startMs > 0) await setTimeout(startMs);
                if (!isDynamic) return;
                sink = use.sink;
                await surround(plugin.child, use);
            });
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

const SURROUNDINGS = path.join(ROOT, "dist/lab/engine/resident/surroundings.js");

/** @throws Error if the plugin ends meanwhile */
function surround(child: ChildProcess, { env, cwd }: PluginUse): Promise<void> {
    return new Promise((resolve, reject) => {
        const ended = (): void => reject(new Error("the plugin for dynamic providers has ended"));
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
