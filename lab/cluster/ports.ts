import { createServer, type Server } from "node:net";

/**
 * Returns free TCP ports on 127.0.0.1, all different. They are only free now: a caller that starts a program on a port
 * must be ready to find it taken.
 */
export async function freePorts(count: number): Promise<number[]> {
    const held: Server[] = [];
    try {
        for (let i = 0; i < count; i++) held.push(await listen());
        return held.map((server) => {
            const address = server.address();
            if (address === null || typeof address === "string") throw new Error("no TCP address");
            return address.port;
        });
    } finally {
        await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
    }
}

function listen(): Promise<Server> {
    return new Promise((resolve, reject) => {
        const server = createServer();
        server.once("error", reject);
        server.listen(0, "127.0.0.1", () => resolve(server));
    });
}
