import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import net from "node:net";

/** A server that answers plain HTTP and TLS on the same port. */
export interface OnePort {
    readonly port: number;
    close(): Promise<void>;
}

/** First byte of a TLS handshake record. */
const TLS_HANDSHAKE = 0x16;

/**
 * Listens on 127.0.0.1 and hands each connection to an HTTP or an HTTPS server, as its first byte asks for. CLB
 * listener calls of the alicloud plugin use HTTPS with any configured protocol, so the same endpoint must serve both.
 *
 * @param port 0 for any free port
 */
export async function listenOnOnePort(
    port: number,
    tls: { key: string; cert: string },
    handler: http.RequestListener,
): Promise<OnePort> {
    const options = { keepAliveTimeout: 60_000 };
    const plain = http.createServer(options, handler);
    const secure = https.createServer({ ...options, ...tls }, handler);
    const open = new Set<net.Socket>();
    const door = net.createServer((socket) => {
        open.add(socket);
        socket.on("close", () => open.delete(socket));
        // A client that goes away before or while it is told apart is no error.
        socket.on("error", () => socket.destroy());
        socket.once("data", (first) => {
            socket.pause();
            socket.unshift(first);
            (first[0] === TLS_HANDSHAKE ? secure : plain).emit("connection", socket);
            process.nextTick(() => socket.resume());
        });
    });
    door.listen(port, "127.0.0.1");
    await once(door, "listening");
    return {
        port: (door.address() as net.AddressInfo).port,
        close: async () => {
            const closed = once(door, "close");
            door.close();
            for (const socket of open) socket.destroy();
            await closed;
        },
    };
}
