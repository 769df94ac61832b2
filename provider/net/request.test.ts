import { expect, test } from "@jest/globals";
import * as http from "node:http";
import * as net from "node:net";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "../../test/support/finished";
import { exchange, HttpFailure, isTlsFault, retryAfterMs, type HttpRequest } from "./request";

async function listen(server: net.Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => new Promise((resolve) => server.close(resolve)));
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
    expect(error).toBeInstanceOf(HttpFailure);
    return error as HttpFailure;
}

test("an answer of any status is an answer", async () => {
    const server = http.createServer((incoming, outgoing) => {
        let body = "";
        incoming
            .on("data", (chunk) => (body += chunk))
            .on("end", () =>
                outgoing
                    .writeHead(503, { "x-answer": "yes" })
                    .end(`${incoming.method} ${incoming.url} ${String(incoming.headers["x-test"])} ${body} ü`),
            );
    });
    const { status, headers, body } = await exchange(request(await listen(server)));
    expect([status, headers["x-answer"], body]).toStrictEqual([503, "yes", "POST /a?b=c 1 text ü"]);
});

test("no server: the request was not sent", async () => {
    const server = net.createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const failure = await failureOf(exchange(request(port)));
    expect([failure.code, failure.sent]).toStrictEqual(["ECONNREFUSED", false]);
});

test("a server that hangs up: the request may have been carried out", async () => {
    const port = await listen(net.createServer((socket) => socket.once("data", () => socket.destroy())));
    const failure = await failureOf(exchange(request(port)));
    expect([failure.code, failure.sent]).toStrictEqual(["ECONNRESET", true]);
});

test("a server that is silent, or stops in the middle of its answer, runs into the read limit", async () => {
    for (const text of ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"]) {
        const sockets: net.Socket[] = [];
        const port = await listen(
            net.createServer(
                (socket) => void (sockets.push(socket), socket.on("error", () => undefined), socket.write(text)),
            ),
        );
        const failure = await failureOf(exchange(request(port, { readTimeoutMs: 100 })));
        expect([failure.code, failure.sent]).toStrictEqual(["READ_TIMEOUT", true]);
        for (const socket of sockets) socket.destroy();
    }
});

test("an answer of more than 64 MB is given up, and the error says so", async () => {
    const part = Buffer.alloc(1024 * 1024);
    const server = http.createServer((_, outgoing) => {
        const more = (): void => {
            while (!outgoing.destroyed && outgoing.write(part));
        };
        outgoing.on("drain", more);
        more();
    });
    const port = await listen(server);
    for (const onLine of [undefined, () => undefined]) {
        const failure = await failureOf(exchange(request(port, onLine && { onLine })));
        expect([failure.code, failure.message]).toStrictEqual([
            "ANSWER_TOO_LONG",
            `127.0.0.1:${port} answers with more than 64 MB`,
        ]);
    }
});

test("lines are passed on as they come, however they are cut, until the end or a silence", async () => {
    const server = http.createServer((incoming, outgoing) => {
        const parts = ["a\n\u00fc", "b\nc", "\nd\ne\n", "rest"].map((text) => Buffer.from(text));
        const bytes = Buffer.concat(parts);
        const cuts = [bytes.subarray(0, 3), bytes.subarray(3, 6), bytes.subarray(6)];
        const next = (): void => {
            const cut = cuts.shift();
            if (cut !== undefined) outgoing.write(cut, () => setTimeout(next, 20));
            else if (incoming.url === "/end") outgoing.end();
        };
        next();
    });
    const port = await listen(server);
    const lines: string[] = [];
    const more = { readTimeoutMs: 60_000, onLine: (line: string) => void lines.push(line) };
    await exchange(request(port, { ...more, url: new URL(`http://127.0.0.1:${port}/end`) }));
    expect(lines).toStrictEqual(["a", "\u00fcb", "c", "d", "e"]);
    const failure = await failureOf(exchange(request(port, { ...more, readTimeoutMs: 1_000 })));
    expect(failure.code).toBe("SILENT");
    expect(lines.slice(5)).toStrictEqual(["a", "\u00fcb", "c", "d", "e"]);
    server.closeAllConnections();
});

test("an abort closes the connection and gives the caller's reason", async () => {
    const abort = new AbortController();
    let closed: (value: unknown) => void = () => undefined;
    const gone = new Promise((resolve) => (closed = resolve));
    const port = await listen(
        net.createServer(
            (socket) =>
                void socket
                    .on("error", () => undefined)
                    .on("close", closed)
                    .once("data", () => abort.abort(new Error("enough"))),
        ),
    );
    await expect(exchange(request(port, { signal: abort.signal }))).rejects.toThrow(/enough/);
    await gone;
    await expect(exchange(request(port, { signal: abort.signal }))).rejects.toThrow(/enough/);
});

test("a pause that the server asks for: seconds or a date", () => {
    expect(retryAfterMs({ "retry-after": "3" })).toBe(3_000);
    expect(retryAfterMs({ "retry-after": "Thu, 01 Jan 1970 00:00:10 GMT" }, 4_000)).toBe(6_000);
    expect(retryAfterMs({ "retry-after": "soon" })).toBeUndefined();
    expect(retryAfterMs({})).toBeUndefined();
});

test("certificates that are not trusted are distinguished from a broken connection", () => {
    expect(isTlsFault("UNABLE_TO_VERIFY_LEAF_SIGNATURE")).toBe(true);
    expect(isTlsFault("ECONNRESET")).toBe(false);
});
