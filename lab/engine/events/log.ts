import { closeSync, openSync, writeSync } from "node:fs";
import { credentials, type ClientWritableStream } from "@grpc/grpc-js";
import { EventsClient } from "@pulumi/pulumi/proto/events_grpc_pb";
import { EventRequest } from "@pulumi/pulumi/proto/events_pb";
import type { EngineEvent, EventSink } from "./events";
import { eventJson } from "./json";

/** Where the lines of an event log go. */
interface LineWriter {
    write(line: string): void;
    close(): Promise<void>;
}

function fileWriter(file: string): LineWriter {
    const fd = openSync(file, "a");
    return { write: (line) => void writeSync(fd, `${line}\n`), close: async () => closeSync(fd) };
}

/** Sends lines to a service, as the Automation API of newer SDKs asks for it. A listener that has gone is no reason to fail. */
function streamWriter(address: string): LineWriter {
    const client = new EventsClient(address, credentials.createInsecure(), { "grpc.max_send_message_length": -1 });
    let stream: ClientWritableStream<EventRequest> | undefined;
    const ended = new Promise<void>((done) => {
        stream = client.streamEvents(() => done());
        stream.on("error", () => done());
    });
    return {
        write: (line) => {
            const q = new EventRequest();
            q.setEvent(line);
            stream?.write(q);
        },
        close: async () => {
            stream?.end();
            await ended;
            client.close();
        },
    };
}

const STREAM = "tcp://";

/** Writes events as they happen, one JSON document a line: to a file, or to the service at `tcp://host:port`. */
export class EventLog {
    private readonly writer: LineWriter;
    private sequence = 0;

    constructor(target: string) {
        this.writer = target.startsWith(STREAM) ? streamWriter(target.slice(STREAM.length)) : fileWriter(target);
    }

    readonly sink: EventSink = (e: EngineEvent) => {
        if (e.kind === "policyLoad" && e.done) return;
        // Loading is reported once for each pack.
        const times = e.kind === "policyLoad" ? e.packs : 1;
        for (let i = 0; i < times; i++)
            this.writer.write(
                JSON.stringify({
                    sequence: this.sequence++,
                    timestamp: Math.floor(Date.now() / 1000),
                    ...eventJson(e),
                }),
            );
    };

    close(): Promise<void> {
        return this.writer.close();
    }
}
