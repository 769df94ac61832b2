/** Commands of the package in a process that stays, for tests that look after each of many steps. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import * as readline from "node:readline";
import { REPOSITORY, type Result, type Session } from "../../lab";

/** Reads command lines as JSON texts, and answers each with its exit code and text, whose lines are not wrapped. */
const LOOP = `
const { run } = require("./dist/cli/main.js");
const terminal = { columns: Infinity, colors: false };
const lines = require("node:readline").createInterface({ input: process.stdin });
(async () => {
    for await (const line of lines) {
        let text = "";
        const write = (part) => void (text += part);
        const code = await run(JSON.parse(line), { out: write, error: write, terminal });
        console.log(JSON.stringify({ code, text }));
    }
})();
`;

export class Commands {
    readonly #child: ChildProcessWithoutNullStreams;
    readonly #answers: AsyncIterator<string>;

    /** @param env variables on top of the lab's. */
    constructor({ lab }: Session, env: Readonly<Record<string, string>> = {}) {
        this.#child = spawn("node", ["-e", LOOP], { cwd: REPOSITORY, env: { ...lab.env, ...env } });
        this.#answers = readline.createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    }

    async run(...argv: readonly string[]): Promise<Result> {
        this.#child.stdin.write(`${JSON.stringify(argv)}\n`);
        const { value } = await this.#answers.next();
        return JSON.parse(String(value)) as Result;
    }

    stop(): void {
        this.#child.kill();
    }
}
