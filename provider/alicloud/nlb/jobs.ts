import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "../../net";
import { list, object, readAnswer, text } from "../http/answer";
import type { Cloud } from "../http/client";
import { CloudError } from "../http/error";
import type { Json } from "../http/json";

/** A task of the NLB API that ended badly, or that did not end. */
export class JobError extends Error {
    readonly action: string;
    readonly jobId: string;

    constructor(action: string, jobId: string, outcome: string) {
        super(
            `${action} ${outcome} (job ${jobId}).\n  cause: the NLB API carries changes out in the background, and this one was not.\n` +
                "  remedy: run pulumi up again, which changes what is still missing; if it fails again, look the job up in the NLB console.",
        );
        this.name = "JobError";
        this.action = action;
        this.jobId = jobId;
    }
}

const STARTED = object({ JobId: text });
const JOB_STATUS = object({ Status: text });
const JOBS = object({ Jobs: list(object({ ErrorMessage: text })) });

/** Milliseconds between two looks at a job, growing from the first to the last of them. */
const FIRST_WAIT = 400;
const LONGEST_WAIT = 3_000;

/** Milliseconds after which a job is given up. The longest that CCM waits for is three minutes. */
export const JOB_PATIENCE = 300_000;

/**
 * Makes one changing call and waits until the cloud has carried it out (GetJobStatus).
 *
 * The call carries a token of its own, so that it can be repeated when its answer is lost, whatever it does.
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

/** Asks for one job until it has ended. @throws JobError */
export async function pollJob(cloud: Cloud, action: string, jobId: string, clock: Clock): Promise<void> {
    const deadline = clock.now() + JOB_PATIENCE;
    for (let wait = FIRST_WAIT; ; wait = Math.min(LONGEST_WAIT, wait * 1.5)) {
        const status = await statusOf(cloud, jobId);
        if (status === "Succeeded") return;
        if (status === "Failed") throw new JobError(action, jobId, `failed${await reasonOf(cloud, jobId)}`);
        if (clock.now() + wait >= deadline) throw new JobError(action, jobId, "did not end within five minutes");
        await clock.sleep(wait);
    }
}

/** State of a job; undefined where the cloud does not say at the moment. The job goes on: throttling or an outage of this call alone is no failure of the change. */
async function statusOf(cloud: Cloud, jobId: string): Promise<string | undefined> {
    try {
        return readAnswer("GetJobStatus", JOB_STATUS, await cloud.call("nlb", "GetJobStatus", { JobId: jobId })).Status;
    } catch (error) {
        if (error instanceof CloudError && error.kind !== "final") return undefined;
        throw error;
    }
}

/** What the cloud says about a failed job; nothing if it does not say. */
async function reasonOf(cloud: Cloud, jobId: string): Promise<string> {
    try {
        const answer = await cloud.call("nlb", "ListAsynJobs", { JobIds: [jobId] });
        const message = readAnswer("ListAsynJobs", JOBS, answer).Jobs?.[0]?.ErrorMessage;
        return message === undefined || message === "" ? "" : `: ${message}`;
    } catch (error) {
        // The failure of the job is what counts; older clusters' roles may not list jobs.
        if (error instanceof CloudError) return "";
        throw error;
    }
}
