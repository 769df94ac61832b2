import { closeSync, openSync, writeSync } from "node:fs";
import type { EngineEvent, EventSink } from "./events";
import { eventJson } from "./json";

/** Writes events to a file, one JSON document a line, as they happen. */
export class EventLog {
    private readonly fd: number;
    private sequence = 0;

    constructor(file: string) {
        this.fd = openSync(file, "a");
    }

    readonly sink: EventSink = (e: EngineEvent) => {
        if (e.kind === "policyLoad" && e.done) return;
        // Loading is told once a pack.
        const times = e.kind === "policyLoad" ? e.packs : 1;
        for (let i = 0; i < times; i++) writeSync(this.fd, `${JSON.stringify({ sequence: this.sequence++, timestamp: Math.floor(Date.now() / 1000), ...eventJson(e) })}\n`);
    };

    close(): void {
        closeSync(this.fd);
    }
}
