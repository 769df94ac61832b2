import { redact } from "../net";

export type Log = Readonly<Record<"info" | "warn" | "error", (fields: object, message: string) => void>>;

/** Levels of the log, from quiet to verbose. */
export const LEVELS = ["error", "warn", "info", "debug"] as const;

/** Opens a log of JSON lines on standard output, without secrets. Other commands do not load its library. */
export async function openLog(level: (typeof LEVELS)[number]): Promise<Log> {
    const { pino } = await import("pino");
    const log = pino({
        name: "ack-loadbalancer-sync",
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
    });
    const clean = (fields: object): object => JSON.parse(redact(JSON.stringify(fields))) as object;
    return {
        info: (fields, message) => log.info(clean(fields), redact(message)),
        warn: (fields, message) => log.warn(clean(fields), redact(message)),
        error: (fields, message) => log.error(clean(fields), redact(message)),
    };
}
