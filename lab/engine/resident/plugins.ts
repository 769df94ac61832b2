import * as fs from "node:fs";
import * as path from "node:path";
import { EngineClient, EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import type { sendUnaryData, ServerUnaryCall } from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { LocalServer } from "../monitor";
import {
    call,
    childEnvironment,
    connect,
    endProcess,
    keepRunning,
    resourcePlugin,
    ROOT,
    sdkArguments,
    startPlugin,
} from "../plugin";

const PLUGINS = ["alicloud", "kubernetes", "pulumi-nodejs"] as const;

/**
 * Starts each plugin once and leaves programs of their names in a folder for the engine to find. Such a program only names the port of the plugin that is running; a second one at
 * the same time, for another provider of the same kind, is a plugin of its own.
 */
export async function keepPlugins(folder: string): Promise<void> {
    fs.mkdirSync(folder, { recursive: true });
    const engine = await relay(folder);
    await Promise.all(
        PLUGINS.map(async (name) => {
            const found = resourcePlugin(name, [{ name, path: path.join(ROOT, "lab/bin") }]) ?? "";
            const [command, args] =
                name === "pulumi-nodejs" ? ["node", sdkArguments(ROOT, "dynamic-provider")] : [found, []];
            const { address, child } = await startPlugin(
                command,
                [...args, engine],
                ROOT,
                childEnvironment({}),
                () => undefined,
            );
            keepRunning(child);
            process.once("exit", () => endProcess(child));
            const script = [
                "#!/bin/sh",
                `exec 9> ${folder}/${name}.lock`,
                "if flock -n 9; then",
                `    echo "$1" > ${folder}/engine`,
                `    echo ${address.split(":")[1]}`,
                "    exec sleep 86400",
                "fi",
                "exec 9>&-",
                `exec ${found} "$@"`,
            ];
            fs.writeFileSync(path.join(folder, `pulumi-resource-${name}`), `${script.join("\n")}\n`, { mode: 0o755 });
        }),
    );
}

/** An engine for plugins that live longer than one: passes what they log on to the engine that runs. */
async function relay(folder: string): Promise<string> {
    const server = await new LocalServer()
        .add(EngineService, {
            log: (request: ServerUnaryCall<LogRequest, Empty>, done: sendUnaryData<Empty>) => {
                const engine = connect(EngineClient, fs.readFileSync(path.join(folder, "engine"), "utf8").trim());
                void call(engine, engine.log, request.request)
                    .catch(() => undefined)
                    .then(() => {
                        engine.close();
                        done(null, new Empty());
                    });
            },
        })
        .listen();
    return server.address;
}
