import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { connect } from "node:net";
import { serve } from "../local-server";
import { EngineLog } from "./engine-log";
import { methodsOf, type Provider } from "./provider";

const EVERY_MILLISECONDS = 5000;

/** Runs `pulumi-resource-<name> <engine address>`: prints the port, then serves. */
export async function runPlugin(name: string, provider: (log: EngineLog) => Provider): Promise<void> {
    const address = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
    if (address === undefined) {
        process.stderr.write(`usage: pulumi-resource-${name} <engine address>\n`);
        process.exit(1);
    }
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));
    const log = new EngineLog(address);
    const server = await serve([ResourceProviderService, methodsOf(provider(log), log)]);
    process.stdout.write(`${server.port}\n`);
    stopWithEngine(address, () => server.close());
}

/**
 * Stops serving once the engine at `address` no longer listens, as after a crash of the engine. An operation under way
 * is completed, and then nothing keeps the process alive.
 */
function stopWithEngine(address: string, stop: () => void): void {
    const [, host, port] = /^(.*):(\d+)$/.exec(address) ?? [];
    if (host === undefined) return;
    const timer = setInterval(() => {
        const socket = connect(Number(port), host);
        socket.once("connect", () => socket.destroy());
        socket.once("error", () => {
            clearInterval(timer);
            stop();
        });
    }, EVERY_MILLISECONDS);
    timer.unref();
}
