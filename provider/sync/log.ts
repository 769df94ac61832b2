import type { LoggerOptions } from "pino";
import { shortLine } from "../net";

export type Log = Readonly<Record<"info" | "warn" | "error", (fields: object, message: string) => void>>;

/** Levels of the log, from quiet to verbose. */
export const LEVELS = ["error", "warn", "info", "debug"] as const;

/** Cleans each text: in JSON as a whole, the mask of a secret would swallow quotes and braces. */
export const withoutSecrets = (fields: object): object => {
    const clean = (key: string, value: unknown): unknown =>
        typeof value === "string" ? shortLine(`${key}=${value}`).slice(key.length + 1) : value;
    return JSON.parse(JSON.stringify(fields, clean)) as object;
};

/**
 * Opens a log of JSON lines, without secrets. Other commands do not load its library.
 *
 * @param descriptor of the file that it writes to, by default standard output
 */
export async function openLog(level: (typeof LEVELS)[number], descriptor = 1): Promise<Log> {
    const { pino } = await import("pino");
    const options: LoggerOptions = {
        name: "ack-loadbalancer-sync",
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
    };
    const log = pino(options, pino.destination(descriptor));
    return {
        info: (fields, message) => log.info(withoutSecrets(fields), shortLine(message)),
        warn: (fields, message) => log.warn(withoutSecrets(fields), shortLine(message)),
        error: (fields, message) => log.error(withoutSecrets(fields), shortLine(message)),
    };
}
