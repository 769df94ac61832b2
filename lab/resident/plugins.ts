import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { credentials, type sendUnaryData, type ServerUnaryCall } from "@grpc/grpc-js";
import { EngineClient, EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { createInterface } from "node:readline";
import { REPOSITORY } from "../repository";
import { sdkCommand } from "../nodejs/sdk";
import { type LocalServer, serve } from "../local-server";
import type { Surroundings } from "./request";

/** Packages whose plugins can stay. */
export type Package = "alicloud" | "kubernetes" | "pulumi-nodejs";

/** Plugin that serves successive runs of the CLI. */
interface Kept {
    readonly child: ChildProcess;
    readonly port: number;
}

const SURROUNDINGS = path.join(REPOSITORY, "dist/lab/resident/surroundings.js");
const NO_OPTIONS = { typescript: false, nodeargs: [] };

/**
 * Plugins that run on between runs and end with this process. Each gets the working folder and variables of the current
 * run.
 */
export class KeptPlugins {
    #engineFile = "";
    #engine: LocalServer | undefined;
    readonly #kept = new Map<Package, Kept>();

    /**
     * Starts them.
     *
     * @param dir folder for a file
     * @param onLine takes what they print
     */
    static async start(dir: string, names: readonly Package[], onLine: (line: string) => void): Promise<KeptPlugins> {
        const plugins = new KeptPlugins();
        plugins.#engineFile = path.join(fs.mkdtempSync(path.join(dir, "resident-")), "engine");
        const engine = await serve([EngineService, { log: plugins.#log }]);
        plugins.#engine = engine;
        await Promise.all(
            names.map(async (name) => plugins.#kept.set(name, await startPlugin(name, engine.port, onLine))),
        );
        return plugins;
    }

    /** Variables with which the CLI uses them. */
    get variables(): Record<string, string> {
        const dynamic = this.#kept.get("pulumi-nodejs");
        const others = [...this.#kept].filter(([name]) => name !== "pulumi-nodejs");
        return {
            PULUMI_DEBUG_PROVIDERS: others.map(([name, { port }]) => `${name}:${port}`).join(","),
            ...(dynamic === undefined
                ? {}
                : { LAB_DYNAMIC_PORT: String(dynamic.port), LAB_DYNAMIC_ENGINE: this.#engineFile }),
        };
    }

    /** Gives them the surroundings of the coming run. @throws Error if a plugin has ended */
    async prepare(surroundings: Surroundings): Promise<void> {
        await Promise.all([...this.#kept.values()].map(({ child }) => surround(child, surroundings)));
    }

    stop(): void {
        for (const { child } of this.#kept.values()) child.kill("SIGKILL");
        this.#engine?.close();
        fs.rmSync(path.dirname(this.#engineFile), { recursive: true, force: true });
    }

    /** The dynamic providers' messages, for the engine that they serve at the moment. */
    readonly #log = ({ request }: ServerUnaryCall<LogRequest, Empty>, done: sendUnaryData<Empty>): void => {
        const address = fs.existsSync(this.#engineFile) ? fs.readFileSync(this.#engineFile, "utf8").trim() : "";
        if (address === "") return done(null, new Empty());
        const engine = new EngineClient(address, credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
        engine.log(request, () => {
            engine.close();
            done(null, new Empty());
        });
    };
}

function startPlugin(name: Package, enginePort: number, onLine: (line: string) => void): Promise<Kept> {
    const [command, args] =
        name === "pulumi-nodejs"
            ? ["node", sdkCommand(REPOSITORY, "dynamic-provider", NO_OPTIONS)]
            : ["node", [path.join(REPOSITORY, `dist/lab/${name}/main.js`)]];
    const child = spawn(command, [...args, `127.0.0.1:${enginePort}`], {
        cwd: REPOSITORY,
        env: {
            ...process.env,
            NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --require ${JSON.stringify(SURROUNDINGS)}`.trim(),
        },
        stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    return new Promise((resolve, reject) => {
        let isReady = false;
        child.once("error", reject);
        child.once("exit", (code) => reject(new Error(`the plugin ${name} ended with ${code}`)));
        if (child.stderr !== null) createInterface({ input: child.stderr }).on("line", onLine);
        if (child.stdout !== null)
            createInterface({ input: child.stdout }).on("line", (line) => {
                if (isReady) return onLine(line);
                isReady = true;
                resolve({ child, port: Number(line) });
            });
    });
}

function surround(child: ChildProcess, surroundings: Surroundings): Promise<void> {
    return new Promise((resolve, reject) => {
        const ended = (): void => reject(new Error("a plugin that was kept has ended"));
        if (!child.connected) return ended();
        child.once("exit", ended).once("message", () => {
            child.off("exit", ended);
            resolve();
        });
        child.send(surroundings);
    });
}
