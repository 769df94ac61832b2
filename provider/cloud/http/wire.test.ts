import { expect, test } from "@jest/globals";
import { execFileSync, spawn } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import * as fs from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { onTestFinished } from "../../../test/support/finished";
import { REPOSITORY } from "../../../test/support/repository";

const KEY_ID = "LTAItestkeyid00001";
const SECRET = "the-secret-of-the-test";

/**
 * The signature as the document "V3 request structure and signature" tells a server to compute it, written without
 * the SDK.
 */
function signatureOf(
    method: string,
    query: string,
    headers: http.IncomingHttpHeaders,
    signedHeaders: string,
    body: string,
): string {
    const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
    const canonicalHeaders = signedHeaders
        .split(";")
        .map((name) => `${name}:${String(headers[name]).trim()}\n`)
        .join("");
    const canonical = [method, "/", query, canonicalHeaders, signedHeaders, sha256(body)].join("\n");
    return createHmac("sha256", SECRET)
        .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
        .digest("hex");
}

interface Site {
    readonly port: number;
    readonly certificate: string;
    readonly seen: { readonly headers: http.IncomingHttpHeaders; readonly body: string; readonly verified: boolean }[];
}

/** A TLS server that answers every call, and notes whether its signature is right. */
async function serve(): Promise<Site> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cloud-wire-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    const key = path.join(folder, "key.pem");
    const certificate = path.join(folder, "cert.pem");
    const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
    execFileSync(
        "openssl",
        [
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-keyout",
            key,
            "-out",
            certificate,
            ...subject,
        ],
        { stdio: "pipe" },
    );

    const seen: Site["seen"] = [];
    const server = https.createServer(
        { key: fs.readFileSync(key), cert: fs.readFileSync(certificate) },
        (incoming, outgoing) => {
            let body = "";
            incoming.on("data", (chunk) => (body += chunk));
            incoming.on("end", () => {
                const [, signedHeaders = "", signature] =
                    /SignedHeaders=([^,]+),Signature=([0-9a-f]+)$/.exec(incoming.headers.authorization ?? "") ?? [];
                const verified =
                    signature ===
                    signatureOf(
                        incoming.method ?? "",
                        incoming.url?.split("?")[1] ?? "",
                        incoming.headers,
                        signedHeaders,
                        body,
                    );
                seen.push({ headers: incoming.headers, body, verified });
                outgoing
                    .setHeader("content-type", "application/json")
                    .end('{"RequestId":"R-1","LoadBalancerId":"lb-1"}');
            });
        },
    );
    const port = await listen(server);
    return { port, certificate, seen };
}

async function listen(server: net.Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
        if (server instanceof http.Server || server instanceof https.Server) server.closeAllConnections();
        server.close();
    });
    return (server.address() as net.AddressInfo).port;
}

/** Makes calls in a process of their own: Node reads NODE_EXTRA_CA_CERTS and the proxy variables when it starts. */
function call(site: Site, env: Record<string, string>): Promise<{ code: number | null; out: string; err: string }> {
    const compiled = (file: string): string => JSON.stringify(path.join(REPOSITORY, "dist/provider", file));
    const program = `
    const { createCloud } = require(${compiled("cloud/index.js")});
    const { describeLoadBalancer } = require(${compiled("clb/load-balancer.js")});
    const cloud = createCloud();
    (async () => {
      const first = await describeLoadBalancer(cloud, "lb-1");
      await cloud.call("slb", "CreateLoadBalancer", { LoadBalancerName: "a b+c/ü*~", Tag: [{ Key: "k", Value: "v" }] });
      console.log(first.id);
    })().catch((error) => { console.error(error.message); process.exitCode = 1; });`;
    const child = spawn(process.execPath, ["-e", program], {
        stdio: ["ignore", "pipe", "pipe"],
        env: {
            PATH: process.env["PATH"] ?? "",
            ALIBABA_CLOUD_ACCESS_KEY_ID: KEY_ID,
            ALIBABA_CLOUD_ACCESS_KEY_SECRET: SECRET,
            ALIBABA_CLOUD_REGION: "cn-hangzhou",
            ALIBABA_CLOUD_ENDPOINT_SLB: `127.0.0.1:${site.port}`,
            ...env,
        },
    });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (err += chunk));
    return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

test("a call over TLS uses the environment's region and keys, and its signature verifies", async () => {
    const site = await serve();
    const { code, out, err } = await call(site, { NODE_EXTRA_CA_CERTS: site.certificate });
    expect([code, out, err]).toStrictEqual([0, "lb-1\n", ""]);
    expect(site.seen.map(({ verified }) => verified)).toStrictEqual([true, true]);
    expect(site.seen[0]?.headers["x-acs-action"]).toBe("DescribeLoadBalancerAttribute");
    expect(site.seen[0]?.headers["x-acs-version"]).toBe("2014-05-15");
    expect(String(site.seen[0]?.headers["x-acs-date"])).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Object.fromEntries(new URLSearchParams(site.seen[1]?.body))).toStrictEqual({
        RegionId: "cn-hangzhou",
        LoadBalancerName: "a b+c/ü*~",
        "Tag.1.Key": "k",
        "Tag.1.Value": "v",
    });
});

test("a certificate that is not trusted is refused at once, with the way out", async () => {
    const site = await serve();
    const { code, err } = await call(site, {});
    expect(code).toBe(1);
    expect(err).toMatch(
        /DescribeLoadBalancerAttribute failed: DEPTH_ZERO_SELF_SIGNED_CERT[\s\S]*1 try[\s\S]*NODE_EXTRA_CA_CERTS/,
    );
    expect(site.seen).toHaveLength(0);
});

test("HTTPS_PROXY is used, and NO_PROXY goes round it", async () => {
    const site = await serve();
    const connects: string[] = [];
    const proxy = http.createServer();
    proxy.on("connect", (request: http.IncomingMessage, client: net.Socket, head: Buffer) => {
        connects.push(request.url ?? "");
        const upstream = net.connect(site.port, "127.0.0.1", () => {
            client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
            upstream.write(head);
            upstream.pipe(client).pipe(upstream);
        });
        // An error closes its socket. One that is left open would keep jest's process.
        upstream.on("error", () => undefined).on("close", () => client.destroy());
        client.on("error", () => undefined).on("close", () => upstream.destroy());
    });
    const env = { NODE_EXTRA_CA_CERTS: site.certificate, HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}` };
    expect(await call(site, env)).toStrictEqual({ code: 0, out: "lb-1\n", err: "" });
    expect([...new Set(connects)]).toStrictEqual([`127.0.0.1:${site.port}`]);
    connects.length = 0;
    expect((await call(site, { ...env, NO_PROXY: "127.0.0.1" })).code).toBe(0);
    expect(connects).toStrictEqual([]);
});
