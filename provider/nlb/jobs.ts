/** Jobs, in which the NLB API carries changes out in the background, and dry runs. */
import { object, type Json, list, readAnswer, text } from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { type Clock, systemClock } from "../net/clock";
import { randomUUID } from "node:crypto";
import { CloudError, isVerdict } from "../cloud/http/error";
import { batches } from "../cloud/http/page";
import { ignoring } from "../schema/defined";

/** Job of the NLB API that failed, or did not end in time. */
export class JobError extends Error {
    constructor(
        readonly action: string,
        readonly jobId: string,
        outcome: string,
    ) {
        super(
            `${action} ${outcome} (job ${jobId}).\n  cause: the NLB API carries changes out in the background, and ` +
                "this one was not.\n" +
                "  remedy: run pulumi up again, which changes what is still missing; if it fails again, look the " +
                "job up in the NLB console.",
        );
        this.name = "JobError";
    }
}

const STARTED = object({ JobId: text });

const JOB_STATUS = object({ Status: text });

const JOBS = object({ Jobs: list(object({ Id: text, Status: text, ErrorMessage: text })) });

/** Milliseconds between two reads of a job, growing from the first to the longest. */
const FIRST_WAIT = 400;

const LONGEST_WAIT = 3_000;

/** Most milliseconds for a job. CCM waits for three minutes at most. */
const JOB_PATIENCE = 300_000;

/**
 * Makes a change and waits until the cloud has carried it out (GetJobStatus). Its token makes it safe to repeat.
 *
 * @throws JobError if the job fails, or does not end within five minutes.
 */
export async function change(
    cloud: Cloud,
    action: string,
    params: Readonly<Record<string, unknown>>,
    clock: Clock = systemClock,
): Promise<Json> {
    const answer = await cloud.call("nlb", action, { ...params, ClientToken: randomUUID() }, { idempotent: true });
    const { JobId: jobId } = readAnswer(action, STARTED, answer);
    if (jobId !== undefined) await (cloud.awaitJob?.(action, jobId) ?? pollJob(cloud, action, jobId, clock));
    return answer;
}

/** Waits for a job. @throws JobError */
async function pollJob(cloud: Cloud, action: string, jobId: string, clock: Clock): Promise<void> {
    const deadline = clock.now() + JOB_PATIENCE;
    for (let wait = FIRST_WAIT; ; wait = Math.min(LONGEST_WAIT, wait * 1.5)) {
        const status = await statusOf(cloud, jobId);
        if (status === "Succeeded") return;
        if (status === "Failed") throw failed(action, jobId, await reasonOf(cloud, jobId));
        if (clock.now() + wait >= deadline) throw new JobError(action, jobId, "did not end within five minutes");
        await clock.sleep(wait);
    }
}

const failed = (action: string, jobId = "", reason = "") =>
    new JobError(action, jobId, reason === "" ? "failed" : `failed: ${reason}`);

/** Undefined if the call is throttled or fails for the moment: the job goes on. */
async function statusOf(cloud: Cloud, jobId: string): Promise<string | undefined> {
    const goesOn = (error: unknown): boolean => error instanceof CloudError && error.kind !== "final";
    const answer = await ignoring(goesOn, cloud.call("nlb", "GetJobStatus", { JobId: jobId }));
    return answer && readAnswer("GetJobStatus", JOB_STATUS, answer).Status;
}

/** Undefined if the cloud does not answer: the job's failure counts. Roles of older clusters may not list jobs. */
async function reasonOf(cloud: Cloud, jobId: string): Promise<string | undefined> {
    const listed = cloud.call("nlb", "ListAsynJobs", { JobIds: [jobId] });
    const read = listed.then((answer) => readAnswer("ListAsynJobs", JOBS, answer).Jobs?.[0]?.ErrorMessage);
    return ignoring((error) => error instanceof CloudError, read);
}

/** Milliseconds between two reads of the jobs. */
const PERIOD = 300;

/** Most jobs in a call, as in CCM. */
const JOBS_PER_CALL = 20;

interface Waiter extends PromiseWithResolvers<void> {
    readonly action: string;
    readonly since: number;
}

/**
 * Waits for many jobs at once (ListAsynJobs, 20 jobs a call): a call per job would use up the read quota.
 *
 * Repeats calls that are throttled or not answered. Roles of older clusters may not list jobs, and then each job has
 * its own calls.
 */
export class JobWatch {
    readonly #waiters = new Map<string, Waiter>();
    #mayList = true;
    #watching = false;

    constructor(
        private readonly cloud: Cloud,
        private readonly clock: Clock,
    ) {}

    /**
     * Resolves when a job has succeeded.
     *
     * @throws JobError if it fails or does not end within five minutes, or else the error of the clock or of a refused
     * call.
     */
    wait(action: string, jobId: string): Promise<void> {
        if (!this.#mayList) return pollJob(this.cloud, action, jobId, this.clock);
        const waiter = { action, since: this.clock.now(), ...Promise.withResolvers<void>() };
        this.#waiters.set(jobId, waiter);
        if (!this.#watching) void this.#watch();
        return waiter.promise;
    }

    async #watch(): Promise<void> {
        this.#watching = true;
        while (this.#waiters.size > 0) {
            try {
                await this.clock.sleep(PERIOD);
            } catch (error) {
                for (const jobId of this.#waiters.keys()) this.#end(jobId, error);
                break;
            }
            await Promise.all(batches([...this.#waiters.keys()], JOBS_PER_CALL).map((ids) => this.#read(ids)));
            for (const [jobId, { action, since }] of this.#waiters)
                if (this.clock.now() - since >= JOB_PATIENCE)
                    this.#end(jobId, new JobError(action, jobId, "did not end within five minutes"));
        }
        this.#watching = false;
    }

    async #read(ids: readonly string[]): Promise<void> {
        try {
            const answer = await this.cloud.call("nlb", "ListAsynJobs", { JobIds: ids, MaxResults: JOBS_PER_CALL });
            for (const { Id, Status, ErrorMessage } of readAnswer("ListAsynJobs", JOBS, answer).Jobs ?? []) {
                if (Status === "Succeeded") this.#end(Id);
                if (Status === "Failed")
                    this.#end(Id, failed(this.#waiters.get(Id ?? "")?.action ?? "", Id, ErrorMessage));
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
        pollJob(this.cloud, waiter.action, jobId, this.clock).then(waiter.resolve, waiter.reject);
    }

    #end(jobId = "", error?: unknown): void {
        const waiter = this.#waiters.get(jobId);
        this.#waiters.delete(jobId);
        if (error === undefined) waiter?.resolve();
        else waiter?.reject(error);
    }
}

/** Answer to a request that the cloud was only to check. Source: NLB API, parameter DryRun. */
export type DryRunAnswer =
    | { readonly verdict: "passed" }
    | { readonly verdict: "refused"; readonly error: CloudError }
    /** The credentials may only read, or the cloud is out of reach. */
    | { readonly verdict: "unanswered"; readonly reason: string };

/** Error code of a dry run that passed. */
const PASSED = "DryRunOperation";

/** Asks if the cloud would carry out a request, without changing anything. Does not throw for answers of the cloud. */
export async function dryRun(
    cloud: Cloud,
    action: string,
    params: Readonly<Record<string, unknown>>,
): Promise<DryRunAnswer> {
    try {
        await cloud.call("nlb", action, { ...params, DryRun: true }, { idempotent: true });
        return { verdict: "passed" };
    } catch (error) {
        if (!(error instanceof CloudError)) throw error;
        if (error.code === PASSED) return { verdict: "passed" };
        return isVerdict(error) ? { verdict: "refused", error } : { verdict: "unanswered", reason: error.code };
    }
}
