/** An API server with lists and watches only, whose faults a test chooses. */
import * as http from "node:http";
import type { AddressInfo } from "node:net";

interface Stored {
    readonly metadata: { readonly name: string; readonly namespace?: string };
}

interface Entry {
    readonly type: "ADDED" | "MODIFIED" | "DELETED";
    readonly path: string;
    readonly version: number;
    readonly object: object;
}

/** Response to a request that replaces the server's usual work. */
export type Misbehaviour = (
    watches: boolean,
) => { readonly status: number; readonly text: string; readonly location?: string } | undefined;

/** Collections by path, a log of changes, and the watches that are open. */
export class FakeApiServer {
    /** Answers requests in place of the server, while it is set. */
    misbehaves: Misbehaviour = () => undefined;
    /** Requests since the beginning: `list /api/v1/nodes`, `watch /api/v1/nodes`. */
    readonly asked: string[] = [];
    readonly #objects = new Map<string, Map<string, Stored>>();
    readonly #log: Entry[] = [];
    readonly #watches = new Map<http.ServerResponse, string>();
    /** Changes up to this version are forgotten: a watch from there is answered 410 Gone. */
    #compacted = 0;
    #version = 1;
    #port = 0;
    #server: http.Server | undefined;

    /** Listens, after {@link down} on the same port again. */
    async up(): Promise<void> {
        const server = http.createServer((request, response) => this.#answer(request, response));
        await new Promise<void>((resolve, reject) => {
            server.once("error", reject);
            server.listen(this.#port, "127.0.0.1", resolve);
        });
        this.#port = (server.address() as AddressInfo).port;
        this.#server = server;
    }

    /** Closes every connection and listens no more. Objects stay, as in etcd. */
    async down(): Promise<void> {
        const server = this.#server;
        if (server === undefined) return;
        this.#server = undefined;
        this.#watches.clear();
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
    }

    /** Content of a kubeconfig for this server. */
    get kubeconfig(): string {
        return `apiVersion: v1
kind: Config
current-context: fake
clusters: [{ name: c, cluster: { server: "http://127.0.0.1:${this.#port}", insecure-skip-tls-verify: true } }]
users: [{ name: u, user: { token: fake } }]
contexts: [{ name: fake, context: { cluster: c, user: u } }]
`;
    }

    put(path: string, object: Stored): void {
        const objects = this.#objects.get(path) ?? new Map<string, Stored>();
        this.#objects.set(path, objects);
        const key = keyOf(object);
        this.#write(objects.has(key) ? "MODIFIED" : "ADDED", path, object);
    }

    remove(path: string, object: Stored): void {
        if (this.#objects.get(path)?.has(keyOf(object)) !== true) return;
        this.#write("DELETED", path, object);
    }

    /** Number of watches that are open. */
    get open(): number {
        return this.#watches.size;
    }

    /** Paths of the watches that are open. */
    get watched(): string[] {
        return [...this.#watches.values()].sort();
    }

    /** Ends every watch, or those of a path, either politely or in the middle of a line. */
    dropWatches(politely: boolean, path?: string): void {
        for (const [watch, watched] of this.#watches) {
            if (path !== undefined && watched !== path) continue;
            this.#watches.delete(watch);
            if (politely) watch.end();
            else {
                watch.write('{"type":"MODIFIED","obj');
                watch.destroy();
            }
        }
    }

    /** Writes a line of any text into the watches of a path. */
    say(path: string, text: string): void {
        for (const [watch, watched] of this.#watches) if (watched === path) watch.write(`${text}\n`);
    }

    /** Keeps the connections of all watches, and never sends anything there again. */
    freeze(): void {
        this.#watches.clear();
    }

    /** Forgets past changes, and tells the watches that are open. */
    compact(): void {
        this.#compacted = ++this.#version;
        for (const watch of this.#watches.keys()) {
            watch.end(`${JSON.stringify({ type: "ERROR", object: GONE })}\n`);
        }
        this.#watches.clear();
    }

    #write(type: Entry["type"], path: string, object: Stored): void {
        const version = ++this.#version;
        const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
        const objects = this.#objects.get(path);
        if (type === "DELETED") objects?.delete(keyOf(object));
        else objects?.set(keyOf(object), stored);
        this.#log.push({ type, path, version, object: stored });
        for (const [watch, watched] of this.#watches) if (watched === path) watch.write(line({ type, object: stored }));
    }

    #answer(request: http.IncomingMessage, response: http.ServerResponse): void {
        const url = new URL(request.url ?? "/", "http://api");
        const watches = url.searchParams.get("watch") === "true";
        this.asked.push(`${watches ? "watch" : "list"} ${url.pathname}`);
        const bad = this.misbehaves(watches);
        if (bad !== undefined) {
            if (bad.location !== undefined) response.setHeader("location", bad.location);
            return void response.writeHead(bad.status, JSON_TYPE).end(bad.text);
        }
        const [, collection = "", name] = /^(.+)\/([^/]+)$/.exec(url.pathname) ?? [];
        const single = [...(this.#objects.get(collection)?.values() ?? [])].find(
            ({ metadata }) => metadata.name === name,
        );
        if (single !== undefined) return void response.writeHead(200, JSON_TYPE).end(JSON.stringify(single));
        if (!watches) {
            const items = [...(this.#objects.get(url.pathname)?.values() ?? [])];
            const list = { metadata: { resourceVersion: String(this.#version) }, items };
            return void response.writeHead(200, JSON_TYPE).end(JSON.stringify(list));
        }
        const from = Number(url.searchParams.get("resourceVersion"));
        if (from < this.#compacted) return void response.writeHead(410, JSON_TYPE).end(JSON.stringify(GONE));
        response.writeHead(200, JSON_TYPE);
        response.flushHeaders();
        for (const { path, version, type, object } of this.#log)
            if (path === url.pathname && version > from) response.write(line({ type, object }));
        this.#watches.set(response, url.pathname);
        response.once("close", () => this.#watches.delete(response));
    }
}

const JSON_TYPE = { "content-type": "application/json" };
const GONE = { kind: "Status", code: 410, reason: "Expired", message: "too old resource version" };
const keyOf = ({ metadata }: Stored): string => `${metadata.namespace ?? ""}/${metadata.name}`;
const line = (event: object): string => `${JSON.stringify(event)}\n`;
