import { mkdirSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { Cloud } from "./cloud";
import { answerLab, applySeed, defaultSeed, type Seed } from "./console";
import { makeCertificate } from "../tls";
import { listenOnOnePort, parseRequest, type KeyPair } from "./wire";
import { World } from "./world";

export interface CloudOptions extends KeyPair {
    /** Folder for the certificate, made if absent. */
    readonly dir: string;
    /** Default 0: any free port. */
    readonly port?: number;
    /** Default `cn-hangzhou`. */
    readonly region?: string;
    /** False enforces only the rules that clients depend on. Default true. */
    readonly strict?: boolean;
    /** Objects at the start. Default: a VPC `vpc-lab` with vSwitches `vsw-lab-a` and `vsw-lab-b`. */
    readonly seed?: Seed;
}

/** A running simulated cloud. */
export interface RunningCloud {
    readonly port: number;
    /** Base of the lab's own endpoints, and plain-HTTP endpoint of the API. */
    readonly url: string;
    /** PEM file with the certificate that TLS clients must trust. */
    readonly caFile: string;
    /** Cloud itself, for tests in the same process. `POST /_renew` replaces it. */
    readonly cloud: Cloud;
    stop(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString("utf8");
}

async function makeCloud(options: CloudOptions): Promise<Cloud> {
    const world = new World(options.region ?? "cn-hangzhou");
    world.rules.strict = options.strict ?? true;
    const cloud = new Cloud(world, options);
    await applySeed(cloud, options.seed ?? defaultSeed(world.region));
    return cloud;
}

async function serve(cloud: Cloud, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (request.url?.startsWith("/_") === true) return answerLab(cloud, request, body, response);
    const answer = await cloud.answer(
        parseRequest({ method: request.method ?? "GET", url: request.url ?? "/", headers: request.headers, body }),
    );
    if (answer === "drop") {
        response.socket?.destroy();
        return;
    }
    const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
    // Clients print these headers in error texts, so they are exactly those of the recordings: no Content-Length.
    response.writeHead(answer.status, { "content-type": "application/json;charset=utf-8" });
    response.end(text);
}

/**
 * Starts a simulated Alibaba Cloud on 127.0.0.1. The same port serves HTTP and HTTPS, with a new self-signed
 * certificate. Requests to OpenAPI must be signed with the given key pair, unlike those to the endpoints under `/_`.
 */
export async function startCloud(options: CloudOptions): Promise<RunningCloud> {
    let cloud = await makeCloud(options);
    const renew = async (): Promise<void> => void (cloud = await makeCloud(options));

    const certificate = makeCertificate({ commonName: "lab cloud", names: ["127.0.0.1", "localhost"] });
    mkdirSync(options.dir, { recursive: true });
    const caFile = join(options.dir, "cloud-cert.pem");
    writeFileSync(caFile, certificate.cert);

    const door = await listenOnOnePort(options.port ?? 0, certificate, (request, response) => {
        const served =
            request.method === "POST" && request.url === "/_renew"
                ? renew().then(() => response.end("{}\n"))
                : serve(cloud, request, response);
        served.catch(() => response.destroy());
    });
    return {
        port: door.port,
        url: `http://127.0.0.1:${door.port}`,
        caFile,
        get cloud() {
            return cloud;
        },
        stop: () => door.close(),
    };
}
