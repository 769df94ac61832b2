import type { Diagnostics } from "../deploy";
import type { EventSink } from "../events";
import type { LogSink } from "../monitor";
import type { LineSink } from "../plugin";

/** Every message ends a line. */
export const MESSAGE_END = "\n";

/** The stream of messages that belong to none. */
const DEFAULT_STREAM = 0;

/** Turns what the parts of a run have to say into events. */
export class Messages {
    /** Resources (or "" for the stack) that an error was reported for. */
    private readonly erroredUrns = new Set<string>();
    private lastStream = DEFAULT_STREAM;

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
        stream = DEFAULT_STREAM,
    ): void {
        if (severity === "error" && !ephemeral) this.erroredUrns.add(urn);
        this.events({
            kind: "diagnostic",
            severity,
            urn,
            message: message + MESSAGE_END,
            ephemeral,
            stream,
        });
    }

    /** Messages of the engine itself. */
    readonly diag: Diagnostics = {
        info: (urn, m) => this.tell("info", urn, m),
        warning: (urn, m) => this.tell("warning", urn, m),
        error: (urn, m) => this.tell("error", urn, m),
    };
    /** What programs and plugins log. */
    readonly log: LogSink = (severity, urn, m, ephemeral, stream) => this.tell(severity, urn, m, ephemeral, stream);

    /** Takes what one process writes on its output; each of the two has a stream of its own. Blank lines are dropped. */
    processLines(): LineSink {
        const streams = { stdout: ++this.lastStream, stderr: ++this.lastStream };
        return (line, from) => {
            if (line.trim() !== "")
                this.tell(from === "stdout" ? "info" : "info#err", "", `${line}\n`, false, streams[from]);
        };
    }
}
