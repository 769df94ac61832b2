import { object, list, readAnswer, text } from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import type { Clock } from "../net/clock";
import { JOB_PATIENCE, JobError, pollJob } from "./jobs";
import { batches } from "../cloud/http/page";
import { CloudError } from "../cloud/http/error";

/** Milliseconds between two reads of the jobs. */
const PERIOD = 300;

/** Most jobs in one call, as in CCM. */
const JOBS_PER_CALL = 20;

const JOBS = object({ Jobs: list(object({ Id: text, Status: text, ErrorMessage: text })) });

interface Waiter {
    readonly action: string;
    readonly since: number;
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
}

/**
 * Waits for many jobs at once (ListAsynJobs, 20 jobs a call): a call per job would use up the read quota.
 *
 * Repeats calls that are throttled or not answered. Roles of older clusters may not list jobs; then each job has its
 * calls.
 */
export class JobWatch {
    readonly #cloud: Cloud;
    readonly #clock: Clock;
    readonly #waiters = new Map<string, Waiter>();
    #mayList = true;
    #watching = false;

    constructor(cloud: Cloud, clock: Clock) {
        this.#cloud = cloud;
        this.#clock = clock;
    }

    /**
     * Resolves when a job has succeeded.
     *
     * @throws JobError if it fails, or does not end within five minutes; the error of the clock or of a refused call.
     */
    wait(action: string, jobId: string): Promise<void> {
        if (!this.#mayList) return pollJob(this.#cloud, action, jobId, this.#clock);
        return new Promise((resolve, reject) => {
            this.#waiters.set(jobId, { action, since: this.#clock.now(), resolve, reject });
            if (!this.#watching) void this.#watch();
        });
    }

    async #watch(): Promise<void> {
        this.#watching = true;
        while (this.#waiters.size > 0) {
            try {
                await this.#clock.sleep(PERIOD);
            } catch (error) {
                for (const jobId of this.#waiters.keys()) this.#end(jobId, error);
                break;
            }
            await Promise.all(batches([...this.#waiters.keys()], JOBS_PER_CALL).map((ids) => this.#read(ids)));
            for (const [jobId, { action, since }] of this.#waiters)
                if (this.#clock.now() - since >= JOB_PATIENCE)
                    this.#end(jobId, new JobError(action, jobId, "did not end within five minutes"));
        }
        this.#watching = false;
    }

    async #read(ids: readonly string[]): Promise<void> {
        try {
            const answer = await this.#cloud.call("nlb", "ListAsynJobs", { JobIds: ids, MaxResults: JOBS_PER_CALL });
            for (const { Id, Status, ErrorMessage } of readAnswer("ListAsynJobs", JOBS, answer).Jobs ?? []) {
                if (Status === "Succeeded") this.#end(Id);
                if (Status === "Failed") this.#end(Id, this.#failed(Id, ErrorMessage));
            }
        } catch (error) {
            if (error instanceof CloudError && error.kind !== "final") return;
            if (!(error instanceof CloudError)) return ids.forEach((id) => this.#end(id, error));
            this.#mayList = false;
            for (const id of ids) this.#poll(id);
        }
    }

    #poll(jobId: string): void {
        const waiter = this.#waiters.get(jobId);
        if (waiter === undefined) return;
        this.#waiters.delete(jobId);
        pollJob(this.#cloud, waiter.action, jobId, this.#clock).then(waiter.resolve, waiter.reject);
    }

    #failed(jobId = "", message = ""): JobError {
        const action = this.#waiters.get(jobId)?.action ?? "";
        return new JobError(action, jobId, `failed${message === "" ? "" : `: ${message}`}`);
    }

    #end(jobId = "", error?: unknown): void {
        const waiter = this.#waiters.get(jobId);
        this.#waiters.delete(jobId);
        if (error === undefined) waiter?.resolve();
        else waiter?.reject(error);
    }
}
