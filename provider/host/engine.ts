import { connect } from "node:net";

/** Milliseconds between two looks. */
const EVERY_MS = 2_000;

/**
 * Ends this process once the engine has gone, as after a crash of the CLI: nothing else would end it.
 *
 * The process that started this one is the engine, or ends with it. A plugin is also told the engine's address; the SDK
 * keeps it from a policy pack.
 */
export function endWithEngine(argv: readonly string[] = process.argv.slice(2)): void {
    const parent = process.ppid;
    const port = Number(argv.map((argument) => /^[\w.]+:(\d+)$/.exec(argument)?.[1]).find(Boolean));
    const look = (): void => {
        if (process.ppid !== parent) process.exit();
        if (Number.isNaN(port)) return;
        const socket = connect(port, "127.0.0.1", () => void socket.destroy());
        socket.once("error", () => process.exit());
    };
    setInterval(look, EVERY_MS).unref();
}
