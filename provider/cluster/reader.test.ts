import { expect, test } from "@jest/globals";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "../../test/support/finished";
import type { ClientOptions } from "./client";
import { openCluster, type ClusterReader } from "./reader";
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
    answer: (asked: Asked, count: number) => Answer,
    options: ClientOptions = {},
): Promise<{ cluster: ClusterReader; asked: Asked[]; slept: number[] }> {
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
    onTestFinished(() => {
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
    expect(error).toBeInstanceOf(ClusterError);
    return error as ClusterError;
}

const status = (code: number, message: string): Answer => ({
    status: code,
    body: { kind: "Status", status: "Failure", message, code },
});

test("lists are read page by page, with the caller's token, and come out as the API gave them", async () => {
    const all = Array.from({ length: 25 }, (_, index) => ({
        metadata: { name: `n${index}` },
        spec: { providerID: `cn-hangzhou.i-${index}` },
        futureField: index,
    }));
    const { cluster, asked } = await serve(
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
    expect(await cluster.listNodes()).toStrictEqual(all);
    expect(asked.map(({ path, query }) => `${path} ${query.get("limit")} ${query.get("continue")}`)).toStrictEqual([
        "/api/v1/nodes 10 null",
        "/api/v1/nodes 10 10",
        "/api/v1/nodes 10 20",
    ]);
    expect(asked.every(({ headers }) => headers["authorization"] === "Bearer secret-token-value")).toBeTruthy();
});

test("a list that expires on the way (410) is read again from the start; for ever is an error", async () => {
    let gone = 1;
    const { cluster } = await serve(({ query }) => {
        if (!query.has("continue"))
            return { body: { metadata: { continue: "x" }, items: [{ metadata: { name: "a" } }] } };
        return gone-- > 0
            ? status(410, "The provided continue parameter is too old")
            : { body: { metadata: {}, items: [{ metadata: { name: "b" } }] } };
    });
    expect((await cluster.listServices()).map(({ metadata }) => metadata.name)).toStrictEqual(["a", "b"]);
    gone = Infinity;
    expect((await failureOf(cluster.listServices())).httpStatus).toBe(410);
});

test("selectors are sent to the server", async () => {
    const { cluster, asked } = await serve(() => ({ body: { items: [] } }));
    await cluster.listEndpointSlices("shop", "web");
    await cluster.listPods("shop", { app: "web", tier: "front" });
    await cluster.listServices("shop");
    expect(await cluster.listPods("shop", {})).toStrictEqual([]);
    expect(asked.map(({ path, query }) => [path, query.get("labelSelector")])).toStrictEqual([
        ["/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices", "kubernetes.io/service-name=web"],
        ["/api/v1/namespaces/shop/pods", "app=web,tier=front"],
        ["/api/v1/namespaces/shop/services", null],
    ]);
});

test("one object: there, not there, or an error", async () => {
    const { cluster } = await serve(({ path }) =>
        path.endsWith("/web")
            ? { body: { metadata: { name: "web" } } }
            : path.endsWith("/none")
              ? status(404, 'services "none" not found')
              : status(403, 'services "secret" is forbidden: User "u" cannot get resource'),
    );
    expect((await cluster.getService("default", "web"))?.metadata.name).toBe("web");
    expect(await cluster.getService("default", "none")).toBeUndefined();
    const failure = await failureOf(cluster.getService("default", "secret"));
    expect(failure.kind).toBe("forbidden");
    expect(failure.message).toMatch(
        /get service default\/secret failed at http:\/\/127\.0\.0\.1:\d+: forbidden\n {2}cause: .*cannot get resource\n {2}remedy: bind a ClusterRole/,
    );
});

for (const [code, kind] of [
    [401, "unauthorized"],
    [403, "forbidden"],
    [409, "conflict"],
    [422, "invalid"],
] as const) {
    test(`HTTP ${code} is "${kind}", at once`, async () => {
        const { cluster, asked } = await serve(() => status(code, "no"));
        expect((await failureOf(cluster.listNodes())).kind).toBe(kind);
        expect(asked).toHaveLength(1);
    });
}

test("a 404 of something that is no API server does not mean that the Service is not there", async () => {
    const { cluster } = await serve(() => ({ status: 404, text: "404 page not found" }));
    expect((await failureOf(cluster.getService("default", "web"))).kind).toBe("invalid");
});

test("a list that fails is an error, never an empty list", async () => {
    const { cluster } = await serve(({ path }) =>
        path.endsWith("/endpointslices") ? status(403, "no") : { body: { metadata: { name: "web" }, items: [] } },
    );
    expect((await failureOf(cluster.listEndpointSlices("default", "web"))).kind).toBe("forbidden");
    const odd = await serve(() => ({ body: { kind: "NodeList", metadata: {} } }));
    expect((await failureOf(odd.cluster.listNodes())).message).toMatch(/items: /);
});

const ODD: readonly (readonly [what: string, node: unknown, path: string])[] = [
    ["without a name", { metadata: {} }, "items[1].metadata.name"],
    ["with labels that are a list", { metadata: { name: "n", labels: ["a"] } }, "items[1].metadata.labels"],
    ["with a taint that is a text", { metadata: { name: "n" }, spec: { taints: ["a"] } }, "items[1].spec.taints[0]"],
    ["that is a text", "n", "items[1]"],
];

for (const [what, node, path] of ODD) {
    test(`a node ${what} is an error with its path, never a TypeError later`, async () => {
        const { cluster } = await serve(() => ({ body: { items: [{ metadata: { name: "good" } }, node] } }));
        const failure = await failureOf(cluster.listNodes());
        expect(failure.kind).toBe("invalid");
        expect([failure.cause, failure.cause.includes(`${path}: `)]).toStrictEqual([failure.cause, true]);
        expect(failure.remedy).toMatch(/API server/);
    });
}

test("fields that no schema names are passed on untouched", async () => {
    const node = {
        metadata: { name: "n", managedFields: [1] },
        status: { images: [{ names: ["a"] }] },
        other: { a: null },
    };
    const { cluster } = await serve(() => ({ body: { items: [node] } }));
    expect(await cluster.listNodes()).toStrictEqual([node]);
});

test("an overloaded server is asked again after the pause that it asks for", async () => {
    const { cluster, asked, slept } = await serve((_, count) =>
        count === 1
            ? { ...status(429, "too many requests"), headers: { "retry-after": "2" } }
            : count === 2
              ? { status: 503, text: "<html>" }
              : { body: { items: [] } },
    );
    expect(await cluster.listNodes()).toStrictEqual([]);
    expect(asked).toHaveLength(3);
    expect(slept).toStrictEqual([2000, 500]);
});

test("a server that stays overloaded fails after the last try", async () => {
    const { cluster, asked } = await serve(() => ({ status: 500, text: "oops" }), { backoff: { attempts: 3 } });
    const failure = await failureOf(cluster.listNodes());
    expect(failure.kind).toBe("failed");
    expect(failure.message).toMatch(/\(3 tries\)[\s\S]*oops/);
    expect(asked).toHaveLength(3);
});

test("no server: unreachable, with the server's address and a remedy, and no secret", async () => {
    const cluster = openCluster({
        kubeconfig: kubeconfig("http://127.0.0.1:1"),
        backoff: { attempts: 2, baseMs: 1, capMs: 1 },
    });
    const failure = await failureOf(cluster.listNodes());
    expect(failure.kind).toBe("unreachable");
    expect(failure.message).toMatch(
        /list nodes failed at http:\/\/127\.0\.0\.1:1: unreachable \(2 tries\)\n {2}cause: connect ECONNREFUSED/,
    );
    expect(failure.message).not.toMatch(/secret-token/);
});

test("a server that does not answer in time is unreachable", async () => {
    const server = http.createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => (server.closeAllConnections(), server.close()));
    const cluster = openCluster({
        kubeconfig: kubeconfig(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
        readTimeoutMs: 50,
        backoff: { attempts: 1 },
    });
    const failure = await failureOf(cluster.listNodes());
    expect(failure.kind).toBe("unreachable");
    expect(failure.cause).toMatch(/no complete answer .* within 50 ms/);
});

test("status: written as a merge patch only where it differs", async () => {
    let ingress: unknown = [{ ip: "1.2.3.4", ipMode: "VIP" }];
    const { cluster, asked } = await serve(({ method, body }) => {
        if (method === "PATCH")
            ingress = (JSON.parse(body) as { status: { loadBalancer: { ingress: unknown } } }).status.loadBalancer
                .ingress;
        return { body: { metadata: { name: "web" }, status: { loadBalancer: ingress === null ? {} : { ingress } } } };
    });
    expect(await cluster.patchServiceStatus("default", "web", { ingress: [{ ip: "1.2.3.4" }] })).toBe(false);
    expect(await cluster.patchServiceStatus("default", "web", { ingress: [{ ip: "1.2.3.4", ipMode: "Proxy" }] })).toBe(
        true,
    );
    expect(await cluster.patchServiceStatus("default", "web", { ingress: [{ hostname: "web.example.com" }] })).toBe(
        true,
    );
    expect(await cluster.patchServiceStatus("default", "web", { ingress: [{ hostname: "web.example.com" }] })).toBe(
        false,
    );
    expect(await cluster.patchServiceStatus("default", "web", { ingress: [] })).toBe(true);
    expect(await cluster.patchServiceStatus("default", "web", { ingress: [] })).toBe(false);
    const patches = asked.filter(({ method }) => method === "PATCH");
    expect(patches.map(({ path, body, headers }) => [path, headers["content-type"], body])).toStrictEqual([
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
    ]);
});

test("status of a Service that is not there is an error", async () => {
    const { cluster } = await serve(() => status(404, "not found"));
    expect((await failureOf(cluster.patchServiceStatus("default", "web", { ingress: [] }))).kind).toBe("not-found");
});

test("whether the server knows a custom resource", async () => {
    const { cluster } = await serve(({ path: asked }) =>
        asked === "/apis/ack-loadbalancer.io/v1alpha1"
            ? { body: { resources: [{ name: "servergroupbindings" }, { name: "servergroupbindings/status" }] } }
            : { status: 404, headers: { "content-type": "text/plain" }, text: "404 page not found\n" },
    );
    expect(await cluster.serves("ack-loadbalancer.io", "v1alpha1", "servergroupbindings")).toBe(true);
    expect(await cluster.serves("ack-loadbalancer.io", "v1alpha1", "others")).toBe(false);
    expect(await cluster.serves("elsewhere.io", "v1", "servergroupbindings")).toBe(false);
});

test("the server's version", async () => {
    const { cluster } = await serve(() => ({ body: { gitVersion: "v1.34.1", major: "1", minor: "34" } }));
    expect((await cluster.serverVersion()).gitVersion).toBe("v1.34.1");
});

test("slices of Services, in one namespace or all, are read page by page", async () => {
    const { cluster, asked } = await serve(({ query }) => ({
        body: {
            metadata: query.get("continue") === null ? { continue: "1" } : {},
            items: [{ metadata: { name: `slice-${query.get("continue") ?? "0"}` }, addressType: "IPv4" }],
        },
    }));
    const slices = await cluster.listSlicesOfServices("shop");
    expect(slices.map(({ metadata }) => metadata.name)).toStrictEqual(["slice-0", "slice-1"]);
    await cluster.listSlicesOfServices();
    expect(asked.map(({ path, query }) => `${path} ${query.get("labelSelector")}`)).toStrictEqual([
        ...Array.from(
            { length: 2 },
            () => "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices kubernetes.io/service-name",
        ),
        ...Array.from({ length: 2 }, () => "/apis/discovery.k8s.io/v1/endpointslices kubernetes.io/service-name"),
    ]);
});

test("an event has source and time; a user who may not create it gets no failure", async () => {
    const { cluster, asked } = await serve((_, count) => ({ status: count === 1 ? 201 : 403 }));
    const event = {
        type: "Normal",
        reason: "EnsuredLoadBalancer",
        message: "Ensured load balancer [1.2.3.4]",
    } as const;
    const service = { namespace: "shop", name: "web", uid: "u-1" };
    await cluster.recordServiceEvent(service, event);
    expect([asked[0]?.method, asked[0]?.path]).toStrictEqual(["POST", "/api/v1/namespaces/shop/events"]);
    expect(JSON.parse(asked[0]?.body ?? "")).toMatchObject({
        ...event,
        involvedObject: { kind: "Service", ...service },
        source: { component: "ack-loadbalancer" },
    });
    await cluster.recordServiceEvent(service, event);
    expect(asked).toHaveLength(2);
});

test("what the API server says is one line of an error, short and without control characters", async () => {
    const evil = `no\n##vso[x]\u001b[31m\u202e${"x".repeat(100_000)}`;
    for (const answer of [status(403, evil), { status: 400, text: evil }]) {
        const { cluster } = await serve(() => answer);
        const failure = await failureOf(cluster.listNodes());
        expect(failure.cause).toMatch(/no \\x23#vso\[x\]\\x1b\[31m\\u202ex{100,}…?$/);
        expect(failure.cause.length).toBeLessThan(1_010);
        expect(failure.message.split("\n")).toHaveLength(3);
    }
});

test("a name or label that no object can have is not asked for", async () => {
    const { cluster, asked } = await serve(() => ({ body: {} }));
    for (const name of ["../secrets/x", "..", "", "a/b", "web?watch=true", "web%2f", "Web"]) {
        expect(await cluster.getService("shop", name)).toBeUndefined();
        expect(await cluster.getService(name, "web")).toBeUndefined();
        expect((await failureOf(cluster.listServices(name))).kind).toBe("not-found");
    }
    for (const value of ["a,b", "a=b", "a b", "!a", "(a)"]) {
        expect((await failureOf(cluster.listPods("shop", { app: value }))).kind).toBe("not-found");
        expect((await failureOf(cluster.listPods("shop", { [value]: "web" }))).kind).toBe("not-found");
    }
    expect(asked).toStrictEqual([]);
});
