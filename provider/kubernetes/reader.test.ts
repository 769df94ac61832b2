import assert from "node:assert/strict";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import type { ClientOptions } from "./client";
import { openCluster, type Cluster } from "./reader";
import { ClusterError } from "./error";

interface Asked {
    readonly method: string;
    readonly path: string;
    readonly query: URLSearchParams;
    readonly headers: http.IncomingHttpHeaders;
    readonly body: string;
}
interface Answer {
    readonly status?: number;
    readonly headers?: Record<string, string>;
    readonly body?: unknown;
    readonly text?: string;
}

const kubeconfig = (server: string, user = "token: secret-token-value"): string => `apiVersion: v1
kind: Config
current-context: test
clusters: [{ name: c, cluster: { server: "${server}", insecure-skip-tls-verify: true } }]
users: [{ name: u, user: { ${user} } }]
contexts: [{ name: test, context: { cluster: c, user: u } }, { name: other, context: { cluster: c, user: u } }]
`;

/** An API server with given answers, and a cluster that reads it without real waits. */
async function serve(
    t: TestContext,
    answer: (asked: Asked, count: number) => Answer,
    options: ClientOptions = {},
): Promise<{ cluster: Cluster; asked: Asked[]; slept: number[] }> {
    const asked: Asked[] = [];
    const slept: number[] = [];
    const server = http.createServer((incoming, outgoing) => {
        let body = "";
        incoming.on("data", (chunk) => (body += chunk));
        incoming.on("end", () => {
            const url = new URL(incoming.url ?? "/", "http://api");
            const one: Asked = {
                method: incoming.method ?? "",
                path: url.pathname,
                query: url.searchParams,
                headers: incoming.headers,
                body,
            };
            asked.push(one);
            const given = answer(one, asked.length);
            outgoing
                .writeHead(given.status ?? 200, { "content-type": "application/json", ...given.headers })
                .end(given.text ?? JSON.stringify(given.body ?? {}));
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => {
        server.closeAllConnections();
        server.close();
    });
    const clock = { now: () => 0, random: () => 1, sleep: (ms: number) => (slept.push(ms), Promise.resolve()) };
    return {
        cluster: openCluster({
            kubeconfig: kubeconfig(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
            clock,
            ...options,
        }),
        asked,
        slept,
    };
}

async function failureOf(work: Promise<unknown>): Promise<ClusterError> {
    const error: unknown = await work.then(
        () => undefined,
        (reason: unknown) => reason,
    );
    assert.ok(error instanceof ClusterError, String(error));
    return error;
}

const status = (code: number, message: string): Answer => ({
    status: code,
    body: { kind: "Status", status: "Failure", message, code },
});

test("lists are read page by page, with the caller's token, and come out as the API gave them", async (t) => {
    const all = Array.from({ length: 25 }, (_, index) => ({
        metadata: { name: `n${index}` },
        spec: { providerID: `cn-hangzhou.i-${index}` },
        futureField: index,
    }));
    const { cluster, asked } = await serve(
        t,
        ({ query }) => {
            const start = Number(query.get("continue") ?? 0);
            const end = start + Number(query.get("limit"));
            return {
                body: {
                    kind: "NodeList",
                    metadata: end < all.length ? { continue: String(end) } : {},
                    items: all.slice(start, end),
                },
            };
        },
        { pageSize: 10 },
    );
    assert.deepEqual(await cluster.listNodes(), all);
    assert.deepEqual(
        asked.map(({ path, query }) => `${path} ${query.get("limit")} ${query.get("continue")}`),
        ["/api/v1/nodes 10 null", "/api/v1/nodes 10 10", "/api/v1/nodes 10 20"],
    );
    assert.ok(asked.every(({ headers }) => headers["authorization"] === "Bearer secret-token-value"));
});

test("a list that expires on the way (410) is read again from the start; for ever is an error", async (t) => {
    let gone = 1;
    const { cluster } = await serve(t, ({ query }) => {
        if (!query.has("continue"))
            return { body: { metadata: { continue: "x" }, items: [{ metadata: { name: "a" } }] } };
        return gone-- > 0
            ? status(410, "The provided continue parameter is too old")
            : { body: { metadata: {}, items: [{ metadata: { name: "b" } }] } };
    });
    assert.deepEqual(
        (await cluster.listServices()).map(({ metadata }) => metadata.name),
        ["a", "b"],
    );
    gone = Infinity;
    assert.equal((await failureOf(cluster.listServices())).httpStatus, 410);
});

test("selectors are sent to the server", async (t) => {
    const { cluster, asked } = await serve(t, () => ({ body: { items: [] } }));
    await cluster.listEndpointSlices("shop", "web");
    await cluster.listPods("shop", { app: "web", tier: "front" });
    await cluster.listServices("shop");
    assert.deepEqual(await cluster.listPods("shop", {}), []);
    assert.deepEqual(
        asked.map(({ path, query }) => [path, query.get("labelSelector")]),
        [
            ["/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices", "kubernetes.io/service-name=web"],
            ["/api/v1/namespaces/shop/pods", "app=web,tier=front"],
            ["/api/v1/namespaces/shop/services", null],
        ],
    );
});

test("one object: there, not there, or an error", async (t) => {
    const { cluster } = await serve(t, ({ path }) =>
        path.endsWith("/web")
            ? { body: { metadata: { name: "web" } } }
            : path.endsWith("/none")
              ? status(404, 'services "none" not found')
              : status(403, 'services "secret" is forbidden: User "u" cannot get resource'),
    );
    assert.equal((await cluster.getService("default", "web"))?.metadata.name, "web");
    assert.equal(await cluster.getService("default", "none"), undefined);
    const failure = await failureOf(cluster.getService("default", "secret"));
    assert.equal(failure.kind, "forbidden");
    assert.match(
        failure.message,
        /get service default\/secret failed at http:\/\/127\.0\.0\.1:\d+: forbidden\n {2}cause: .*cannot get resource\n {2}remedy: bind a ClusterRole/,
    );
});

for (const [code, kind] of [
    [401, "unauthorized"],
    [403, "forbidden"],
    [409, "conflict"],
    [422, "invalid"],
] as const) {
    test(`HTTP ${code} is "${kind}", at once`, async (t) => {
        const { cluster, asked } = await serve(t, () => status(code, "no"));
        assert.equal((await failureOf(cluster.listNodes())).kind, kind);
        assert.equal(asked.length, 1);
    });
}

test("a 404 of something that is no API server does not mean that the Service is not there", async (t) => {
    const { cluster } = await serve(t, () => ({ status: 404, text: "404 page not found" }));
    assert.equal((await failureOf(cluster.getService("default", "web"))).kind, "invalid");
});

test("a list that fails is an error, never an empty list: also inside a snapshot", async (t) => {
    const { cluster } = await serve(t, ({ path }) =>
        path.endsWith("/endpointslices") ? status(403, "no") : { body: { metadata: { name: "web" }, items: [] } },
    );
    assert.equal((await failureOf(cluster.snapshot([{ namespace: "default", name: "web" }]))).kind, "forbidden");
    const odd = await serve(t, () => ({ body: { kind: "NodeList", metadata: {} } }));
    assert.match((await failureOf(odd.cluster.listNodes())).message, /items: /);
});

const ODD: readonly (readonly [what: string, node: unknown, path: string])[] = [
    ["without a name", { metadata: {} }, "items[1].metadata.name"],
    ["with labels that are a list", { metadata: { name: "n", labels: ["a"] } }, "items[1].metadata.labels"],
    ["with a taint that is a text", { metadata: { name: "n" }, spec: { taints: ["a"] } }, "items[1].spec.taints[0]"],
    ["that is a text", "n", "items[1]"],
];

for (const [what, node, path] of ODD) {
    test(`a node ${what} is an error with its path, never a TypeError later`, async (t) => {
        const { cluster } = await serve(t, () => ({ body: { items: [{ metadata: { name: "good" } }, node] } }));
        const failure = await failureOf(cluster.listNodes());
        assert.equal(failure.kind, "invalid");
        assert.ok(failure.cause.includes(`${path}: `), failure.cause);
        assert.match(failure.remedy, /API server/);
    });
}

test("fields that no schema names are passed on untouched", async (t) => {
    const node = {
        metadata: { name: "n", managedFields: [1] },
        status: { images: [{ names: ["a"] }] },
        other: { a: null },
    };
    const { cluster } = await serve(t, () => ({ body: { items: [node] } }));
    assert.deepEqual(await cluster.listNodes(), [node]);
});

test("an overloaded server is asked again after the pause that it asks for", async (t) => {
    const { cluster, asked, slept } = await serve(t, (_, count) =>
        count === 1
            ? { ...status(429, "too many requests"), headers: { "retry-after": "2" } }
            : count === 2
              ? { status: 503, text: "<html>" }
              : { body: { items: [] } },
    );
    assert.deepEqual(await cluster.listNodes(), []);
    assert.equal(asked.length, 3);
    assert.deepEqual(slept, [2000, 500]);
});

test("a server that stays overloaded fails after the last try", async (t) => {
    const { cluster, asked } = await serve(t, () => ({ status: 500, text: "oops" }), { backoff: { attempts: 3 } });
    const failure = await failureOf(cluster.listNodes());
    assert.equal(failure.kind, "failed");
    assert.match(failure.message, /\(3 tries\)[\s\S]*oops/);
    assert.equal(asked.length, 3);
});

test("no server: unreachable, with the server's address and a remedy, and no secret", async () => {
    const cluster = openCluster({
        kubeconfig: kubeconfig("http://127.0.0.1:1"),
        backoff: { attempts: 2, baseMs: 1, capMs: 1 },
    });
    const failure = await failureOf(cluster.snapshot([]));
    assert.equal(failure.kind, "unreachable");
    assert.match(
        failure.message,
        /list nodes failed at http:\/\/127\.0\.0\.1:1: unreachable \(2 tries\)\n {2}cause: connect ECONNREFUSED/,
    );
    assert.doesNotMatch(failure.message, /secret-token/);
});

test("a server that does not answer in time is unreachable", async (t) => {
    const server = http.createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => (server.closeAllConnections(), server.close()));
    const cluster = openCluster({
        kubeconfig: kubeconfig(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
        readTimeoutMs: 50,
        backoff: { attempts: 1 },
    });
    const failure = await failureOf(cluster.listNodes());
    assert.equal(failure.kind, "unreachable");
    assert.match(failure.cause, /no complete answer .* within 50 ms/);
});

test("status: written as a merge patch only where it differs", async (t) => {
    let ingress: unknown = [{ ip: "1.2.3.4", ipMode: "VIP" }];
    const { cluster, asked } = await serve(t, ({ method, body }) => {
        if (method === "PATCH")
            ingress = (JSON.parse(body) as { status: { loadBalancer: { ingress: unknown } } }).status.loadBalancer
                .ingress;
        return { body: { metadata: { name: "web" }, status: { loadBalancer: ingress === null ? {} : { ingress } } } };
    });
    assert.equal(
        await cluster.patchServiceStatus("default", "web", { ingress: [{ ip: "1.2.3.4" }] }),
        false,
        "the server's own ipMode is no difference",
    );
    assert.equal(
        await cluster.patchServiceStatus("default", "web", { ingress: [{ ip: "1.2.3.4", ipMode: "Proxy" }] }),
        true,
    );
    assert.equal(
        await cluster.patchServiceStatus("default", "web", { ingress: [{ hostname: "web.example.com" }] }),
        true,
    );
    assert.equal(
        await cluster.patchServiceStatus("default", "web", { ingress: [{ hostname: "web.example.com" }] }),
        false,
    );
    assert.equal(await cluster.patchServiceStatus("default", "web", { ingress: [] }), true);
    assert.equal(await cluster.patchServiceStatus("default", "web", { ingress: [] }), false);
    const patches = asked.filter(({ method }) => method === "PATCH");
    assert.deepEqual(
        patches.map(({ path, body, headers }) => [path, headers["content-type"], body]),
        [
            [
                "/api/v1/namespaces/default/services/web/status",
                "application/merge-patch+json",
                '{"status":{"loadBalancer":{"ingress":[{"ip":"1.2.3.4","ipMode":"Proxy"}]}}}',
            ],
            [
                "/api/v1/namespaces/default/services/web/status",
                "application/merge-patch+json",
                '{"status":{"loadBalancer":{"ingress":[{"hostname":"web.example.com"}]}}}',
            ],
            [
                "/api/v1/namespaces/default/services/web/status",
                "application/merge-patch+json",
                '{"status":{"loadBalancer":{"ingress":null}}}',
            ],
        ],
    );
});

test("status of a Service that is not there is an error", async (t) => {
    const { cluster } = await serve(t, () => status(404, "not found"));
    assert.equal((await failureOf(cluster.patchServiceStatus("default", "web", { ingress: [] }))).kind, "not-found");
});

test("a snapshot reads the nodes once, slices of the Services that exist, pods of those that do not, in the order asked", async (t) => {
    let running = 0;
    let most = 0;
    const { cluster, asked } = await serve(t, ({ path }) => {
        most = Math.max(most, ++running);
        setImmediate(() => running--);
        if (path === "/api/v1/nodes") return { body: { items: [{ metadata: { name: "n1" } }] } };
        if (path.endsWith("/endpointslices"))
            return {
                body: { items: [{ metadata: { name: "slice" }, addressType: "IPv4", endpoints: null, ports: null }] },
            };
        if (path.endsWith("/pods")) return { body: { items: [{ metadata: { name: "pod" } }] } };
        const name = path.split("/").at(-1) ?? "";
        return name.startsWith("new") ? status(404, "not found") : { body: { metadata: { name } } };
    });
    const refs = Array.from({ length: 30 }, (_, index) => ({
        namespace: "default",
        name: `${index % 3 === 0 ? "new" : "old"}${index}`,
        selector: { app: `a${index}` },
    }));
    const { nodes, services } = await cluster.snapshot(refs);
    assert.deepEqual(
        nodes.map(({ metadata }) => metadata.name),
        ["n1"],
    );
    assert.deepEqual(
        services.map(({ name }) => name),
        refs.map(({ name }) => name),
    );
    for (const { name, service, slices, pods } of services) {
        const isNew = name.startsWith("new");
        assert.deepEqual(
            [service?.metadata.name, slices.length, pods.length],
            isNew ? [undefined, 0, 1] : [name, 1, 0],
        );
    }
    assert.equal(asked.filter(({ path }) => path === "/api/v1/nodes").length, 1);
    assert.ok(most <= 9, `${most} requests at once`);
});

test("the server's version", async (t) => {
    const { cluster } = await serve(t, () => ({ body: { gitVersion: "v1.34.1", major: "1", minor: "34" } }));
    assert.equal((await cluster.serverVersion()).gitVersion, "v1.34.1");
});
