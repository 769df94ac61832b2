import { type ChildProcess, fork } from "node:child_process";
import * as path from "node:path";
import { REPOSITORY } from "../repository";
import type { OnOutput } from "./inline-cli";
import type { Answer, Request } from "./request";

/**
 * Process that stays loaded, runs programs in itself, and keeps a process of each plugin. An operation then starts only
 * the CLI.
 */
export class Resident {
    readonly #child: ChildProcess;
    #ready: Promise<unknown>;
    #isBusy = false;

    /** @param env of a lab */
    constructor(env: NodeJS.ProcessEnv) {
        this.#child = fork(path.join(REPOSITORY, "dist/lab/resident/main.js"), [], {
            env,
            // As programs are run: the SDK switches V8's natives on while it loads.
            execArgv: ["--allow-natives-syntax"],
            stdio: ["ignore", "ignore", "inherit", "ipc"],
        });
        this.#keepParent(false);
        this.#ready = this.#answer(() => undefined);
    }

    /** True while a command runs. */
    get isBusy(): boolean {
        return this.#isBusy;
    }

    /**
     * Runs a command line of the CLI.
     *
     * @returns its exit code
     * @throws Error if the process has ended
     */
    async run(request: Request, onOutput: OnOutput): Promise<number> {
        this.#isBusy = true;
        this.#keepParent(true);
        try {
            await this.#ready;
            const answer = this.#answer(onOutput);
            if (this.#child.connected) this.#child.send(request);
            return await answer;
        } finally {
            this.#isBusy = false;
            this.#keepParent(false);
        }
    }

    /** Keeps the parent's process from ending while there is work to do. Without work, this process ends with it. */
    #keepParent(does: boolean): void {
        if (does) this.#child.ref();
        else this.#child.unref();
        const { channel } = this.#child;
        if (does) channel?.ref();
        else channel?.unref();
    }

    #answer(onOutput: OnOutput): Promise<number> {
        return new Promise((resolve, reject) => {
            const ended = (): void => reject(new Error("the lab's resident CLI has ended"));
            if (!this.#child.connected) return ended();
            const take = (message: Answer): void => {
                if ("output" in message) return onOutput(message.output, message.isError);
                this.#child.off("message", take).off("exit", ended);
                resolve(message.code);
            };
            this.#child.on("message", take).once("exit", ended);
        });
    }

    /** Ends it, and its plugins. */
    async stop(): Promise<void> {
        await this.#ready.catch(() => undefined);
        if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
        this.#keepParent(true);
        const ended = new Promise((resolve) => this.#child.once("exit", resolve));
        this.#child.kill("SIGTERM");
        await ended;
    }
}
