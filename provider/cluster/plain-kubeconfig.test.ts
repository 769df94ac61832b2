import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type * as https from "node:https";
import { stringify } from "yaml";
import { loadKubeConfig } from "./connection";
import { readPlainKubeconfig } from "./kubeconfig";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Returns a kubeconfig with one context `ack`. */
const config = (user: unknown, cluster: object = {}, more: object = {}): string =>
    stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "ack",
        contexts: [{ name: "ack", context: { cluster: "c", user: "u", namespace: "shop" } }],
        clusters: [{ name: "c", cluster: { server: "https://10.0.0.1:6443", ...cluster } }],
        users: [{ name: "u", user }],
        ...more,
    });

const certificate = { "client-certificate-data": base64("cert"), "client-key-data": base64("key") };

/** Returns the Kubernetes client's reading of a kubeconfig. */
async function byClient(kubeconfig: string, context: string) {
    const client = await loadKubeConfig({ kubeconfig, context });
    const options: https.RequestOptions & { headers: Record<string, string> } = { headers: {} };
    await client.applyToHTTPSOptions(options);
    const { ca, cert, key, headers, servername, rejectUnauthorized, auth } = options;
    const server = client.getCurrentCluster()?.server;
    return { server, ca, cert, key, headers, rest: [servername, rejectUnauthorized, auth] };
}

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
const user = fc.oneof(
    word.map((token) => ({ token })),
    fc.tuple(word, word).map(([cert, key]) => ({
        "client-certificate-data": base64(cert),
        "client-key-data": base64(key),
    })),
);

test("what is read here is what the Kubernetes client would read", async () => {
    const entries = fc.uniqueArray(fc.record({ name: word, user, ca: fc.option(word) }), {
        minLength: 1,
        maxLength: 3,
        selector: ({ name }) => name,
    });
    await fc.assert(
        fc.asyncProperty(entries, fc.nat(2), async (given, number) => {
            const chosen = given[number % given.length]?.name ?? "";
            const text = stringify({
                apiVersion: "v1",
                "current-context": given[0]?.name,
                contexts: given.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
                clusters: given.map(({ name, ca }) => ({
                    name,
                    cluster: {
                        server: `https://${name}.example.com`,
                        ...(ca === null ? {} : { "certificate-authority-data": base64(ca) }),
                    },
                })),
                users: given.map(({ name, user }) => ({ name, user })),
            });
            const { server, token, ...tls } = readPlainKubeconfig(text, chosen)!;
            expect({
                server,
                ...tls,
                headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
                rest: [undefined, undefined, undefined],
            }).toEqual(await byClient(text, chosen));
        }),
        { numRuns: 100 },
    );
});

test("no text and no value makes it fail", () => {
    fc.assert(
        fc.property(
            fc.oneof(
                fc.string(),
                fc.jsonValue().map((value) => stringify(value)),
            ),
            (text) => {
                expect(readPlainKubeconfig(text, "ack")).toBe(undefined);
            },
        ),
    );
    fc.assert(
        fc.property(fc.jsonValue(), (value) => {
            for (const key of ["contexts", "clusters", "users", "current-context"])
                expect(readPlainKubeconfig(config(certificate, {}, { [key]: value }), undefined)).toBe(undefined);
        }),
    );
});

test.each<[what: string, content: string, context?: string]>([
    ["a credential plugin", config({ exec: { command: "aliyun" } })],
    ["a plugin beside a certificate", config({ ...certificate, exec: { command: "aliyun" } })],
    ["a password", config({ username: "me", password: "secret" })],
    ["a token in a file", config({ tokenFile: "/token" })],
    ["a certificate in a file", config({ "client-certificate": "/cert", "client-key": "/key" })],
    ["another user to act as", config({ token: "t", as: "admin" })],
    ["a user with nothing", config({})],
    ["a user that is null", config(null)],
    ["a token that is a number", config({ token: 12 })],
    ["an authority in a file", config(certificate, { "certificate-authority": "/ca" })],
    ["a certificate that nobody verifies", config(certificate, { "insecure-skip-tls-verify": true })],
    ["a proxy", config(certificate, { "proxy-url": "http://proxy:3128" })],
    ["another server name", config(certificate, { "tls-server-name": "api" })],
    ["data that is no base64", config({ ...certificate, "client-key-data": "?" })],
    ["data that is empty", config({ ...certificate, "client-key-data": "" })],
    ["an authority that is empty", config(certificate, { "certificate-authority-data": "" })],
    ["a context that does not exist", config(certificate), "other"],
    ["no current context", config(certificate, {}, { "current-context": "" })],
    ["two users of one name", config(certificate, {}, { users: [1, 2].map(() => ({ name: "u", user: certificate })) })],
    ["a list that is none", config(certificate, {}, { clusters: {} })],
    ["text that is no YAML", "{ apiVersion: v1"],
    ["nothing", ""],
])("%s is left to the Kubernetes client", (...[, content, context]) => {
    expect(readPlainKubeconfig(content, context)).toBe(undefined);
});
