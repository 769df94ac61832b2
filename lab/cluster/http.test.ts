import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createServer } from "node:http";
import { call } from "./http";

const server = createServer((request, response) => {
    if (request.url === "/never") return;
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => response.writeHead(418).end(`${request.method} ${body}`));
});
let url: string;

beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => {
    server.closeAllConnections();
    server.close();
});

test("the body reaches the server with every method, also DELETE", async () => {
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
        expect(await call(url, { method, body: "größer" })).toStrictEqual({ status: 418, body: `${method} größer` });
    }
    expect(await call(url)).toStrictEqual({ status: 418, body: "GET " });
});

test("a server that does not respond is an error after the timeout", async () => {
    await expect(call(`${url}/never`, { timeout: 50 })).rejects.toThrow(/no answer from .*\/never within 50 ms/);
});
