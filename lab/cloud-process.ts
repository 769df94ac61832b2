import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { type CloudFacts } from "./environment";
import { REPOSITORY } from "./repository";

/** Time in milliseconds that the cloud may take to be ready. */
const CLOUD_START = 60_000;

/** A simulated cloud in a process of its own. */
export interface CloudProcess {
    /** Facts of the cloud, once it answers. */
    readonly ready: Promise<CloudFacts>;
    /** Ends the cloud and resolves when it is gone. */
    stop(): Promise<void>;
}

export interface CloudProcessOptions {
    /** It outlives this process. Default false. */
    readonly detached?: boolean;
    /** Enforce only the rules that clients depend on. Default false. */
    readonly lenient?: boolean;
    /** Region of everything in it. Default `cn-hangzhou`. */
    readonly region?: string;
}

/** Starts a simulated cloud, which leaves its facts and its log in the folder. */
export function startCloudProcess(
    dir: string,
    { detached = false, lenient = false, region }: CloudProcessOptions = {},
): CloudProcess {
    fs.mkdirSync(dir, { recursive: true });
    fs.rmSync(path.join(dir, "cloud.json"), { force: true });
    const log = fs.openSync(path.join(dir, "cloud.log"), "a");
    const child = spawn(
        process.execPath,
        [
            path.join(REPOSITORY, "dist/lab/cloud/main.js"),
            "serve",
            "--dir",
            dir,
            ...(detached ? ["--detach"] : []),
            ...(lenient ? ["--lenient"] : []),
            ...(region === undefined ? [] : ["--region", region]),
        ],
        { stdio: ["ignore", log, log], detached },
    );
    child.unref();
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    return {
        ready: waitForFacts(dir, child),
        stop: async () => {
            if (child.exitCode === null && child.signalCode === null) {
                child.ref();
                child.kill("SIGTERM");
                await ended;
            }
        },
    };
}

async function waitForFacts(dir: string, child: ChildProcess): Promise<CloudFacts> {
    const deadline = Date.now() + CLOUD_START;
    while (Date.now() < deadline && child.exitCode === null) {
        const facts = readFacts(dir);
        if (facts !== undefined) return facts;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(
        `the simulated cloud did not start: ${fs.readFileSync(path.join(dir, "cloud.log"), "utf8").slice(-2000)}`,
    );
}

/** Reads the facts that a cloud left in its folder. It returns `undefined` if there are none or they are incomplete. */
export function readFacts(dir: string): CloudFacts | undefined {
    try {
        return JSON.parse(fs.readFileSync(path.join(dir, "cloud.json"), "utf8")) as CloudFacts;
    } catch {
        // Not written yet, or only half.
        return undefined;
    }
}
