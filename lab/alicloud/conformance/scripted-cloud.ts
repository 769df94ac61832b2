/**
 * Cloud that answers from a recording. It serves HTTP and HTTPS on the same port, and checks calls against the script.
 */
import * as http from "node:http";
import * as https from "node:https";
import { createServer, type AddressInfo, type Server } from "node:net";
import { differences, numberTagsByKey } from "./compare";
import type { Certificate } from "../../tls";
import type { RecordedCall } from "./corpus";

const products: Readonly<Record<string, string>> = {
    "2014-05-15": "Slb",
    "2022-04-30": "Nlb",
    "2016-04-28": "Vpc",
    "2014-05-26": "Ecs",
    "2015-06-12": "Location",
    "2017-12-14": "BssOpenApi",
};
const common = new Set([
    "AccessKeyId",
    "Action",
    "Version",
    "Format",
    "Timestamp",
    "SignatureNonce",
    "Signature",
    "SignatureMethod",
    "SignatureVersion",
    "SignatureType",
]);

export interface Script {
    readonly calls: readonly RecordedCall[];
    /**
     * Set when the recording ends while the plugin is still trying. A further call may then come and is left
     * unanswered.
     */
    readonly openEnd: boolean;
}

export class ScriptedCloud {
    private readonly server: Server;
    private readonly plain: http.Server;
    private readonly secure: https.Server;
    private script: Script = { calls: [], openEnd: false };
    private position = 0;
    private found: string[] = [];
    private onExhausted: () => void = () => undefined;
    port = 0;

    constructor(certificate: Certificate) {
        this.plain = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) =>
            this.handle(request, response, "http"),
        );
        this.secure = https.createServer({ ...certificate, keepAliveTimeout: 60_000 }, (request, response) =>
            this.handle(request, response, "https"),
        );
        // A TLS connection begins with the byte 22. Everything else is plain HTTP.
        this.server = createServer((socket) => {
            socket.on("error", () => undefined);
            socket.once("data", (first) => {
                socket.pause();
                socket.unshift(first);
                (first[0] === 22 ? this.secure : this.plain).emit("connection", socket);
                process.nextTick(() => socket.resume());
            });
        });
    }

    async start(): Promise<void> {
        await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        this.port = (this.server.address() as AddressInfo).port;
    }

    stop(): void {
        this.plain.closeAllConnections();
        this.secure.closeAllConnections();
        this.server.close();
    }

    /** Begins a new script. `onExhausted` is called when an open end is reached. */
    play(script: Script, onExhausted: () => void): void {
        this.script = script;
        this.position = 0;
        this.found = [];
        this.onExhausted = onExhausted;
    }

    /** Returns the problems since {@link play}, including calls that did not come. */
    problems(): string[] {
        const missing = this.script.calls.slice(this.position).map((call) => `call ${call.action} did not come`);
        return [...this.found, ...missing];
    }

    get isExhausted(): boolean {
        return this.position >= this.script.calls.length;
    }

    private handle(request: http.IncomingMessage, response: http.ServerResponse, scheme: string): void {
        const parts: Buffer[] = [];
        request.on("data", (part: Buffer) => parts.push(part));
        request.on("end", () => this.answer(request, Buffer.concat(parts).toString("utf8"), response, scheme));
    }

    private answer(request: http.IncomingMessage, body: string, response: http.ServerResponse, scheme: string): void {
        const query = new URL(request.url ?? "/", "http://cloud").searchParams;
        const form = new URLSearchParams(body);
        const action = String(request.headers["x-acs-action"] ?? query.get("Action"));
        const expected = this.script.calls[this.position];
        if (expected === undefined) {
            if (this.script.openEnd) {
                this.onExhausted();
                return;
            }
            this.found.push(
                `unexpected call ${action} ` +
                    `${JSON.stringify(Object.fromEntries([...query, ...form].filter(([name]) => !common.has(name))))}`,
            );
            response.writeHead(400, { "Content-Type": "application/json;charset=utf-8" });
            response.end(
                JSON.stringify({
                    Code: "Conformance.UnexpectedCall",
                    Message: `no call of ${action} is recorded here`,
                    RequestId: "req-1",
                }),
            );
            return;
        }
        this.position++;
        this.check(expected, this.position, request, { query, form, action, scheme });
        this.send(expected, response);
        if (this.script.openEnd && this.isExhausted) setTimeout(this.onExhausted, 500).unref();
    }

    private check(
        expected: RecordedCall,
        number: number,
        request: http.IncomingMessage,
        actual: { query: URLSearchParams; form: URLSearchParams; action: string; scheme: string },
    ): void {
        const place = `call ${number} (${expected.action})`;
        const report = (what: string, expected: string | undefined, got: string | undefined): void => {
            if (expected !== got)
                this.found.push(`${place}: ${what}: expected ${String(expected)}, got ${String(got)}`);
        };
        report("action", expected.action, actual.action);
        const invoked = request.headers["x-sdk-invoke-type"];
        // The recording counts a call without a body as form A, whoever made it.
        const isBare = request.method === "POST" && actual.form.size === 0;
        const form = invoked === "common" ? "B" : invoked === "normal" || isBare ? "A" : "C";
        report("form", expected.form, form);
        report(
            "product",
            expected.product,
            products[String(request.headers["x-acs-version"] ?? actual.query.get("Version"))],
        );
        const usual = form === "B" ? "GET" : "POST";
        report("method", expected.method ?? usual, request.method);
        report("scheme", expected.scheme ?? (form === "B" ? "https" : "http"), actual.scheme);
        const params: Record<string, string> = {};
        const inQuery: string[] = [];
        for (const [name, value] of actual.query) {
            if (common.has(name)) continue;
            params[name] = value;
            if (form === "C" && name !== "SecurityToken") inQuery.push(name);
        }
        for (const [name, value] of actual.form) params[name] = value;
        if ("ClientToken" in params) params["ClientToken"] = "<client-token>";
        this.found.push(
            ...differences({ ...expected.params }, numberTagsByKey(params)).map((line) => `${place}: ${line}`),
        );
        if (expected.scheme === undefined && form === "C" && request.method === "POST") {
            this.found.push(
                ...differences([...queryNames(expected)].sort(), inQuery.sort()).map(
                    (line) => `${place}: parameters in the query: ${line}`,
                ),
            );
        }
        this.checkWait(place, expected, Number(request.headers["x-lab-waited"] ?? "0"));
    }

    /**
     * Compares the time waited with the recording, whose pauses are rounded down to half seconds and may omit short
     * pauses.
     */
    private checkWait(place: string, expected: RecordedCall, waited: number): void {
        const recorded = expected.waitedSeconds ?? 0;
        const tolerance = recorded === 0 ? 0.99 : 0.6;
        if (Math.abs(waited - recorded) > tolerance)
            this.found.push(`${place}: waited ${waited} s before it, recorded ${recorded} s`);
    }

    private send(call: RecordedCall, response: http.ServerResponse): void {
        const answer = call.response;
        if (call.status === 0) {
            response.destroy();
            return;
        }
        const isRaw =
            typeof answer === "object" &&
            answer !== null &&
            !Array.isArray(answer) &&
            Object.keys(answer).length === 1 &&
            "raw" in answer;
        response.writeHead(call.status, {
            "Content-Type": "application/json;charset=utf-8",
            "Keep-Alive": "timeout=60",
        });
        response.end(isRaw ? String(answer["raw"]) : JSON.stringify(answer ?? defaultAnswer(call)));
    }
}

/** The names of the business parameters that came in the query of a form C call. */
function queryNames(call: RecordedCall): string[] {
    const names = call.inQuery;
    if (Array.isArray(names)) return names.map(String);
    return typeof names === "object" && names !== null ? Object.keys(names) : [];
}

/** Returns the answers of calls for which the variants of Configure record only a count. */
function defaultAnswer(call: RecordedCall): unknown {
    switch (call.action) {
        case "QueryAvailableInstances":
            return { RequestId: "req-1", Data: { InstanceList: [], TotalCount: 0 } };
        case "DescribeVServerGroups":
            return { RequestId: "req-1", VServerGroups: { VServerGroup: [] } };
        case "ListListeners":
            return { RequestId: "req-1", Listeners: [], TotalCount: 0 };
        case "DescribeEndpoints":
            return { RequestId: "req-1", Endpoints: { Endpoint: [] } };
        default:
            return { RequestId: "req-1" };
    }
}
