import { spawn } from "node:child_process";
import { Agent } from "node:https";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "./http";
import { readKubeconfig, type Access } from "./kubeconfig";
import { kubectlCache } from "./programs";
import { find } from "./sources";

/** The API server answered with something else than success. */
export class ApiError extends Error {
    constructor(
        readonly status: number,
        message: string,
    ) {
        super(message);
        this.name = "ApiError";
    }
}

export type PatchType = "merge" | "strategic-merge";

/** Client of a cluster's Kubernetes API. Paths are those of the API, such as "/api/v1/nodes". */
export class Client {
    private readonly agent = new Agent({ keepAlive: true });

    private constructor(
        /** File this client was made from. */
        readonly kubeconfig: string,
        private readonly access: Access,
    ) {}

    static async open(kubeconfig: string): Promise<Client> {
        return new Client(resolve(kubeconfig), await readKubeconfig(kubeconfig));
    }

    /**
     * @param accept media type, for another form of the same answer
     * @throws ApiError
     */
    get<T>(path: string, accept?: string): Promise<T> {
        return this.send<T>("GET", path, undefined, undefined, accept);
    }

    /** The object, or undefined if there is none. @throws ApiError for any other failure. */
    async find<T>(path: string): Promise<T | undefined> {
        try {
            return await this.get<T>(path);
        } catch (error) {
            if (error instanceof ApiError && error.status === 404) return undefined;
            throw error;
        }
    }

    /** @throws ApiError */
    create<T>(path: string, object: object): Promise<T> {
        return this.send<T>("POST", path, object);
    }

    /** @throws ApiError */
    patch<T>(path: string, change: object, type: PatchType = "merge"): Promise<T> {
        return this.send<T>("PATCH", path, change, `application/${type}-patch+json`);
    }

    /** @throws ApiError */
    delete<T>(path: string): Promise<T> {
        return this.send<T>("DELETE", path);
    }

    /** Deletes an object, if it exists, without a grace period, which would never end on a missing node. */
    async deleteNow(path: string): Promise<void> {
        try {
            await this.send("DELETE", path, { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 });
        } catch (error) {
            if (!(error instanceof ApiError && error.status === 404)) throw error;
        }
    }

    /** Closes idle connections. They do not keep the process, so this is only for tidiness. */
    close(): void {
        this.agent.destroy();
    }

    private async send<T>(
        method: string,
        path: string,
        body?: object,
        type = "application/json",
        accept = "application/json",
    ): Promise<T> {
        const { server, certificate, token } = this.access;
        const answer = await call(server + path, {
            method,
            certificate,
            agent: this.agent,
            headers: { Authorization: `Bearer ${token}`, Accept: accept, "Content-Type": type },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        if (answer.status < 200 || answer.status > 299) {
            throw new ApiError(answer.status, `${method} ${path}: ${answer.status} ${reasonOf(answer.body)}`);
        }
        return JSON.parse(answer.body) as T;
    }
}

function reasonOf(body: string): string {
    try {
        return (JSON.parse(body) as { message?: string }).message ?? body;
    } catch {
        return body;
    }
}

/**
 * Asks repeatedly until the answer is defined, and returns it.
 * @param what name of the awaited thing in the error.
 * @param timeout milliseconds, 60 s by default.
 * @throws Error after that time, with what `state` says then.
 */
export async function waitFor<T>(
    what: string,
    ask: () => Promise<T | undefined>,
    options: { timeout?: number; state?: () => string } = {},
): Promise<T> {
    const { timeout = 60_000, state } = options;
    const end = Date.now() + timeout;
    for (;;) {
        const answer = await ask();
        if (answer !== undefined) return answer;
        if (Date.now() > end) throw new Error(`${what}: not within ${timeout / 1000} s${state ? `; ${state()}` : ""}`);
        await sleep(50);
    }
}

/**
 * Runs kubectl on a cluster and returns its output.
 * @throws Error with what kubectl wrote to stderr.
 */
export async function kubectl(client: Client, args: string[], input = ""): Promise<string> {
    const program = await find("kubectl");
    if (program === undefined) throw new Error("no kubectl; install the programs of the cluster first");
    const cache = kubectlCache(client.kubeconfig);
    return new Promise((resolve, reject) => {
        const child = spawn(program.path, ["--kubeconfig", client.kubeconfig, "--cache-dir", cache, ...args], {
            stdio: ["pipe", "pipe", "pipe"],
        });
        let output = "";
        let errors = "";
        child.stdout.setEncoding("utf8").on("data", (part: string) => (output += part));
        child.stderr.setEncoding("utf8").on("data", (part: string) => (errors += part));
        child.once("error", reject);
        child.once("close", (code) => {
            if (code === 0) resolve(output);
            else reject(new Error(`kubectl ${args.join(" ")}: ${errors.trim() || `exit code ${code}`}`));
        });
        child.stdin.on("error", () => undefined); // kubectl ended without reading, and its exit code says why
        child.stdin.end(input);
    });
}

/** Runs `kubectl apply` with YAML (or JSON) text and returns kubectl's line for each object. */
export function applyYaml(client: Client, yaml: string): Promise<string> {
    return kubectl(client, ["apply", "-f", "-"], yaml);
}

/** `kubectl apply` of a file or a folder. */
export function applyFile(client: Client, path: string): Promise<string> {
    return kubectl(client, ["apply", "-f", path]);
}
