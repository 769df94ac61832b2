import { status } from "@grpc/grpc-js";
import type { SourceEvent } from "../deploy";
import { RpcError } from "./answers";

/** Carries events to the engine, and its answers back to those who wait for them. */
export class EventChannel {
    private emit: ((e: SourceEvent) => void) | undefined;
    /** What came before the engine listened. */
    private readonly early: SourceEvent[] = [];
    private readonly waiting = new Set<(e: Error) => void>();
    private ended = false;

    get closed(): boolean {
        return this.ended;
    }

    /** Sends everything from now on, and what has come already, to the engine. */
    open(emit: (e: SourceEvent) => void): void {
        this.emit = emit;
        for (const e of this.early.splice(0)) emit(e);
    }

    /** Refuses all who wait and all who will ask. */
    close(): void {
        this.ended = true;
        for (const refuse of [...this.waiting])
            refuse(new RpcError(status.UNAVAILABLE, "resource monitor shut down while waiting on step's done channel"));
    }

    send(e: SourceEvent): void {
        if (this.emit) this.emit(e);
        else this.early.push(e);
    }

    /** Sends an event and waits for its answer, or for the end of the run. */
    ask<T>(make: (done: (t: T) => void) => SourceEvent): Promise<T> {
        return new Promise((done, failed) => {
            if (this.ended) {
                failed(
                    new RpcError(status.UNAVAILABLE, "resource monitor shut down while sending resource registration"),
                );
                return;
            }
            this.waiting.add(failed);
            this.send(
                make((t) => {
                    this.waiting.delete(failed);
                    done(t);
                }),
            );
        });
    }
}
