import { connect } from "node:net";
import type { Server } from "@grpc/grpc-js";

const everyMilliseconds = 5000;

/**
 * Stops serving once the engine at `address` no longer listens, as after a crash of the engine. An operation under way
 * is completed, and then nothing keeps the process alive.
 */
export function stopWithEngine(address: string, server: Server): void {
    const [, host, port] = /^(.*):(\d+)$/.exec(address) ?? [];
    if (host === undefined) return;
    const timer = setInterval(() => {
        const socket = connect(Number(port), host);
        socket.once("connect", () => socket.destroy());
        socket.once("error", () => {
            clearInterval(timer);
            server.forceShutdown();
        });
    }, everyMilliseconds);
    timer.unref();
}
