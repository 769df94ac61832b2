/** Entry of `pulumi-language-nodejs [options] <engine address>`: prints the port, then serves until the CLI ends. */
import { connect } from "node:net";
import { languageHost } from "./host";
import { endAll } from "./processes";
import { serve } from "../local-server";

const EVERY_MS = 2000;

async function main(engine: string | undefined): Promise<void> {
    if (engine === undefined) throw new Error("usage: pulumi-language-nodejs <engine address>");
    const { port } = await serve(languageHost(engine));
    process.stdout.write(`${port}\n`);
    endWithEngine(engine);
}

/** A CLI that is killed ends nobody: its address stops listening. */
function endWithEngine(engine: string): void {
    const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(engine) ?? [];
    setInterval(() => {
        const socket = connect(Number(port), host);
        socket.once("connect", () => socket.destroy());
        socket.once("error", () => process.exit(0));
    }, EVERY_MS);
}

process.on("exit", endAll);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));
main(process.argv.slice(2).find((argument) => !argument.startsWith("-"))).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
});
