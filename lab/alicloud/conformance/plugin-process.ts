import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";

/** Variables of the environment that would change what the plugin does. */
const unwanted =
    /^(ALI|ALICLOUD|ALIBABA|[A-Z]+_ENDPOINT$|TF_|CLIENT_|NODE_EXTRA_CA_CERTS$|SSL_CERT_FILE$|HTTPS?_PROXY$|https?_proxy$)/;

/** A running plugin under test. */
export class PluginProcess {
    private constructor(
        private readonly child: ChildProcess,
        readonly client: ResourceProviderClient,
    ) {}

    static async start(
        command: readonly string[],
        engineAddress: string,
        environment: Readonly<Record<string, string>>,
    ): Promise<PluginProcess> {
        const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.test(name)));
        const child = spawn(command[0]!, [...command.slice(1), engineAddress], {
            env: { ...inherited, ...environment },
            stdio: ["ignore", "pipe", process.env["LAB_ALICLOUD_STDERR"] === undefined ? "ignore" : "inherit"],
        });
        const port = await new Promise<string>((resolve, reject) => {
            createInterface(child.stdout).once("line", resolve);
            child.once("exit", (code) =>
                reject(new Error(`the plugin ended with ${String(code)} before it printed a port`)),
            );
            child.once("error", reject);
        });
        const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
        return new PluginProcess(child, client);
    }

    get isRunning(): boolean {
        return this.child.exitCode === null && this.child.signalCode === null;
    }

    async stop(): Promise<void> {
        this.client.close();
        if (!this.isRunning) return;
        const ended = new Promise((resolve) => this.child.once("exit", resolve));
        this.child.kill("SIGKILL");
        await ended;
    }

    /** Resolves once the process has ended, or after the given time. */
    async ended(milliseconds: number): Promise<boolean> {
        if (!this.isRunning) return true;
        return new Promise((resolve) => {
            const timer = setTimeout(() => resolve(false), milliseconds);
            this.child.once("exit", () => {
                clearTimeout(timer);
                resolve(true);
            });
        });
    }
}

export type { ServiceError };
