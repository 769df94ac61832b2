import type { Product } from "./product";
import type { Json } from "./answer";

export interface CallOptions {
    /**
     * True if the call may be repeated when the result of the first try is unknown. Default: by the action's verb (true
     * for reading, setting and removing, false for creating and adding).
     */
    readonly idempotent?: boolean;
    readonly signal?: AbortSignal;
}

/** Alibaba Cloud's OpenAPI in a region. */
export interface Cloud {
    readonly region: string;
    /**
     * Makes a call and returns its answer. Waits for the action's rate, and tries again where that can help.
     *
     * @param params business parameters. RegionId is added where it is not given.
     * @throws CloudError when the call failed for good, or the signal's reason when it was aborted
     */
    call(
        product: Product,
        action: string,
        params?: Readonly<Record<string, unknown>>,
        options?: CallOptions,
    ): Promise<Json>;
    /**
     * Waits for a job of the NLB API, if the client does not poll each job itself. Rejects if the job fails or does
     * not end.
     *
     * @param action that has started the job.
     */
    readonly awaitJob?: (action: string, jobId: string) => Promise<void>;
}
