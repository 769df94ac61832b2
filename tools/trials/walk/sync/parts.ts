/** Chance, failures, and what the model knows of nodes and pods. */
import { CloudError } from "../../../../provider/cloud";
import type { EndpointState } from "../../../../test/support/sync-world";

/** A random number from 0 to 1 that follows from a seed (mulberry32). */
export function chanceOf(seed: number): () => number {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    };
}

/** A node of the model. */
export interface ModelNode {
    ready: boolean;
    cordoned: boolean;
    labelled: boolean;
}

/** A pod of the model. */
export interface ModelPod {
    readonly node: string;
    /** Number of its slice. The second slice belongs at times to another Service. */
    readonly slice: 1 | 2;
    state: EndpointState;
    /** Everything but its readiness gate is ready. */
    contained: boolean;
}

/** A failure of a call. @param lost its answer alone is lost */
export const outage = (lost: boolean): CloudError =>
    new CloudError({
        action: "SimulatedCall",
        code: lost ? "READ_TIMEOUT" : "ServiceUnavailable",
        message: "",
        kind: lost ? "uncertain" : "unavailable",
        attempts: 1,
        ...(lost ? {} : { httpStatus: 503 }),
    });
