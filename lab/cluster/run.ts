import { spawn, type ChildProcess } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { removeScratch, tailOf } from "./folder";
import { call } from "./http";
import { identify, terminate, type Identity } from "../build/identity";
import { writeKubeconfig } from "./kubeconfig";
import { makeCertificate } from "../tls";
import { commandLine, FILES, healthUrl, logFile, STOP_ORDER } from "./programs";
import type { Network, Ports, Server } from "./programs";
import type { Tools } from "./sources";
import { writeStages } from "./stages";

/** Time in milliseconds for a program to be up, far more than it takes on a busy machine. */
export const START_LIMIT = 120_000;
/** Time in milliseconds for a program to end by itself. */
export const GRACE = 5_000;

const TRIES = 4;

/**
 * Several labs have more memory than processor time: garbage is collected less often, and keys of connections are not
 * protected against future computers, which takes half of a handshake.
 */
const SPARING = { GOGC: "400", GODEBUG: "tlsmlkem=0" };

/** A program did not come up. `portTaken` says that another try with other ports makes sense. */
export class StartError extends Error {
    constructor(
        message: string,
        readonly portTaken: boolean,
    ) {
        super(message);
        this.name = "StartError";
    }
}

export interface RunOptions {
    dir: string;
    tools: Tools;
    ports: Ports;
    network: Network;
    /** Told of each program right after its start. */
    onStarted: (name: Server, process: Identity) => Promise<void>;
    /** Receives a program that ends without having been stopped. */
    onLost: (name: Server, message: string) => void;
}

interface Started {
    name: Server;
    child: ChildProcess;
    identity: Identity;
}

/** Programs of a cluster, as children of this process. */
export class Run {
    private started: Started[] = [];
    private readonly token = randomBytes(24).toString("hex");
    /**
     * Certificate of all programs. A program without one makes its own with an RSA key, which takes longer than the
     * rest of its start.
     */
    private readonly certificate = makeCertificate({ commonName: "lab cluster", names: ["127.0.0.1", "localhost"] });
    private stages: string[] = [];
    private isUp = false;
    private stopping = false;

    constructor(private readonly options: RunOptions) {}

    get isStopping(): boolean {
        return this.stopping;
    }

    get server(): string {
        return `https://127.0.0.1:${this.options.ports["kube-apiserver"]}`;
    }

    /** URL of etcd. */
    get etcd(): string {
        return `http://127.0.0.1:${this.options.ports.etcd}`;
    }

    /**
     * Starts everything, writes the kubeconfig, and returns when the cluster can be used.
     * @throws StartError with the end of the log of the program that failed. The programs that run then must be
     * stopped.
     */
    async start(report: (line: string) => void): Promise<void> {
        await this.prepare();
        await this.launch("etcd");
        await this.up("etcd");
        report("etcd is up");
        await this.launch("kube-apiserver");
        await this.up("kube-apiserver");
        report(`kube-apiserver is up at ${this.server}`);
        await this.writeAccess();
        const rest: Server[] = ["kube-controller-manager", "kube-scheduler", "kwok"];
        for (const name of rest) await this.launch(name);
        await Promise.all(rest.map((name) => this.up(name)));
        report(`${rest.join(", ")} are up`);
        this.isUp = true;
    }

    /**
     * Starts a program that has ended again, with the same port and files, and continues its log.
     * @throws StartError with the end of its log.
     */
    async startAgain(name: Server): Promise<void> {
        this.started = this.started.filter((program) => program.name !== name);
        await this.launch(name, "a");
        await this.up(name);
    }

    /** Stops everything in the order that lets each end by itself, and returns when all have gone. */
    async stop(): Promise<void> {
        this.stopping = true;
        for (const name of STOP_ORDER) {
            for (const program of this.started) {
                if (program.name === name) await terminate(program.identity, GRACE);
            }
        }
    }

    private async prepare(): Promise<void> {
        const { dir, tools } = this.options;
        await removeScratch(dir);
        await mkdir(join(dir, FILES.logs), { recursive: true });
        const secret = { mode: 0o600 };
        const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
        await writeFile(join(dir, FILES.accountKey), privateKey.export({ type: "sec1", format: "pem" }), secret);
        await writeFile(join(dir, FILES.certificate), this.certificate.cert);
        await writeFile(join(dir, FILES.certificateKey), this.certificate.key, secret);
        await writeFile(join(dir, FILES.tokens), `${this.token},admin,admin,"system:masters"\n`, secret);
        this.stages = await writeStages(tools.stages, join(dir, FILES.stages));
    }

    private async launch(name: Server, logMode: "w" | "a" = "w"): Promise<void> {
        if (this.stopping) throw new StartError("stopped while starting", false);
        const { dir, tools, ports, network, onStarted, onLost } = this.options;
        const [file = name, ...args] = commandLine(name, dir, tools, ports, network, this.stages);
        const log = openSync(logFile(dir, name), logMode);
        let child: ChildProcess;
        try {
            // Nothing of the caller's environment: a KUBECONFIG or ~/.kwok must not reach the programs.
            const env = { PATH: process.env["PATH"], HOME: dir, TMPDIR: process.env["TMPDIR"], ...SPARING };
            child = spawn(file, args, { cwd: dir, env, stdio: ["ignore", log, log] });
        } finally {
            closeSync(log);
        }
        if (child.pid === undefined) {
            const error = await new Promise<Error>((resolve) => child.once("error", resolve));
            throw new StartError(`${name} cannot be started: ${error.message}`, false);
        }
        child.on("exit", (code, signal) => {
            if (this.isUp && !this.stopping) onLost(name, `${name} ended by itself (${signal ?? `exit code ${code}`})`);
        });
        const identity = identify(child.pid);
        this.started.push({ name, child, identity });
        await onStarted(name, identity);
    }

    private async up(name: Server): Promise<void> {
        const child = this.started.find((program) => program.name === name)?.child;
        const log = logFile(this.options.dir, name);
        const end = Date.now() + START_LIMIT;
        const failure = async (what: string): Promise<StartError> => {
            const tail = await tailOf(log);
            return new StartError(`${name} ${what}. End of ${log}:\n${tail}`, tail.includes("address already in use"));
        };
        for (;;) {
            const healthy = await this.isHealthy(name);
            if (child?.exitCode !== null || child.signalCode !== null) {
                throw await failure(`ended while starting (${child?.signalCode ?? `exit code ${child?.exitCode}`})`);
            }
            // Another process that took the port of kwok might answer in its place while it is still ending.
            if ((await tailOf(log)).includes("address already in use")) throw await failure("found its port taken");
            if (healthy) return;
            if (Date.now() > end) throw await failure(`was not up after ${START_LIMIT / 1000} s`);
            await sleep(50);
        }
    }

    private async isHealthy(name: Server): Promise<boolean> {
        const url = healthUrl(name, this.options.ports);
        try {
            const headers: Record<string, string> =
                name === "kube-apiserver" ? { Authorization: `Bearer ${this.token}` } : {};
            const answer = await call(url, { headers, timeout: 2_000, certificate: this.certificate.cert });
            return answer.status === 200;
        } catch {
            return false; // not listening yet
        }
    }

    private async writeAccess(): Promise<void> {
        const { dir } = this.options;
        const text = writeKubeconfig({ server: this.server, certificate: this.certificate.cert, token: this.token });
        await writeFile(join(dir, FILES.kubeconfig), text, { mode: 0o600 });
    }
}

/**
 * Makes a run and starts it, again with other ports if another process took a port before the program did.
 * @throws StartError of the last try, or of the first that has another cause. The programs that run then must be
 * stopped.
 */
export async function startOnFreePorts(
    choose: () => Promise<Ports>,
    make: (ports: Ports) => Run,
    report: (line: string) => void,
): Promise<Run> {
    for (let attempt = 1; ; attempt++) {
        const run = make(await choose());
        try {
            await run.start(report);
            return run;
        } catch (error) {
            if (run.isStopping || attempt === TRIES || !(error instanceof StartError && error.portTaken)) throw error;
            report("a port was taken meanwhile; trying others");
            await run.stop();
        }
    }
}
