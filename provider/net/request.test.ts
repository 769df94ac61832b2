import assert from "node:assert/strict";
import * as http from "node:http";
import * as net from "node:net";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { exchange, HttpFailure, isTlsFault, retryAfterMs, type HttpRequest } from "./request";

async function listen(t: TestContext, server: net.Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => new Promise((resolve) => server.close(resolve)));
    return (server.address() as AddressInfo).port;
}

function request(port: number, more: Partial<HttpRequest> = {}): HttpRequest {
    return {
        url: new URL(`http://127.0.0.1:${port}/a?b=c`),
        method: "POST",
        headers: { "x-test": "1" },
        body: "text",
        agent: new http.Agent(),
        connectTimeoutMs: 5_000,
        readTimeoutMs: 5_000,
        ...more,
    };
}

async function failureOf(work: Promise<unknown>): Promise<HttpFailure> {
    const error: unknown = await work.then(
        () => undefined,
        (reason: unknown) => reason,
    );
    assert.ok(error instanceof HttpFailure, String(error));
    return error;
}

test("an answer of any status is an answer", async (t) => {
    const server = http.createServer((incoming, outgoing) => {
        let body = "";
        incoming
            .on("data", (chunk) => (body += chunk))
            .on("end", () =>
                outgoing
                    .writeHead(503, { "x-answer": "yes" })
                    .end(`${incoming.method} ${incoming.url} ${incoming.headers["x-test"]} ${body} ü`),
            );
    });
    const { status, headers, body } = await exchange(request(await listen(t, server)));
    assert.deepEqual([status, headers["x-answer"], body], [503, "yes", "POST /a?b=c 1 text ü"]);
});

test("no server: the request was not sent", async (t) => {
    const server = net.createServer();
    const port = await listen(t, server);
    await new Promise((resolve) => server.close(resolve));
    const failure = await failureOf(exchange(request(port)));
    assert.deepEqual([failure.code, failure.sent], ["ECONNREFUSED", false]);
});

test("a server that hangs up: the request may have been carried out", async (t) => {
    const port = await listen(
        t,
        net.createServer((socket) => socket.once("data", () => socket.destroy())),
    );
    const failure = await failureOf(exchange(request(port)));
    assert.deepEqual([failure.code, failure.sent], ["ECONNRESET", true]);
});

test("a server that is silent, or stops in the middle of its answer, runs into the read limit", async (t) => {
    for (const text of ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"]) {
        const sockets: net.Socket[] = [];
        const port = await listen(
            t,
            net.createServer(
                (socket) => void (sockets.push(socket), socket.on("error", () => undefined), socket.write(text)),
            ),
        );
        const failure = await failureOf(exchange(request(port, { readTimeoutMs: 100 })));
        assert.deepEqual([failure.code, failure.sent], ["READ_TIMEOUT", true]);
        for (const socket of sockets) socket.destroy();
    }
});

test("an abort closes the connection and gives the caller's reason", async (t) => {
    const abort = new AbortController();
    let closed: (value: unknown) => void = () => undefined;
    const gone = new Promise((resolve) => (closed = resolve));
    const port = await listen(
        t,
        net.createServer(
            (socket) =>
                void socket
                    .on("error", () => undefined)
                    .on("close", closed)
                    .once("data", () => abort.abort(new Error("enough"))),
        ),
    );
    await assert.rejects(exchange(request(port, { signal: abort.signal })), /enough/);
    await gone;
    await assert.rejects(exchange(request(port, { signal: abort.signal })), /enough/);
});

test("a pause that the server wishes: seconds or a date", () => {
    assert.equal(retryAfterMs({ "retry-after": "3" }), 3_000);
    assert.equal(retryAfterMs({ "retry-after": "Thu, 01 Jan 1970 00:00:10 GMT" }, 4_000), 6_000);
    assert.equal(retryAfterMs({ "retry-after": "soon" }), undefined);
    assert.equal(retryAfterMs({}), undefined);
});

test("certificates that are not trusted are told from a broken connection", () => {
    assert.ok(isTlsFault("UNABLE_TO_VERIFY_LEAF_SIGNATURE"));
    assert.ok(!isTlsFault("ECONNRESET"));
});
