import type { Diagnostics } from "../deploy";
import type { EventSink } from "../events";
import type { LogSink } from "../monitor";
import type { LineSink } from "../plugin";

/** Every message ends a line. */
export const MESSAGE_END = "\n";

/** Turns what the parts of a run have to say into events. */
export class Messages {
    /** Resources (or "" for the stack) that an error was reported for. */
    private readonly erroredUrns = new Set<string>();

    constructor(private readonly events: EventSink) {}

    /** How many resources an error was reported for; the stack as a whole counts as one. */
    get errors(): number {
        return this.erroredUrns.size;
    }

    private tell(
        severity: "info" | "info#err" | "warning" | "error",
        urn: string,
        message: string,
        ephemeral = false,
        stream?: string,
    ): void {
        if (severity === "error" && !ephemeral) this.erroredUrns.add(urn);
        this.events({
            kind: "diagnostic",
            severity,
            urn,
            message: message + MESSAGE_END,
            ephemeral,
            ...(stream === undefined ? {} : { stream }),
        });
    }

    /** Messages of the engine itself. */
    readonly diag: Diagnostics = {
        info: (urn, m) => this.tell("info", urn, m),
        warning: (urn, m) => this.tell("warning", urn, m),
        error: (urn, m) => this.tell("error", urn, m),
    };
    /** What programs and plugins log. */
    readonly log: LogSink = (severity, urn, m, ephemeral) => this.tell(severity, urn, m, ephemeral);
    /** What they write on their output. */
    readonly lines: LineSink = (line, stream) =>
        this.tell(stream === "stdout" ? "info" : "info#err", "", `${line}\n`, false, stream);
}
