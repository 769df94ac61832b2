import { reads, writes, type Action, type Caller } from "../actions";
import { ApiError, Params, rule, tokenPage, Transition, type JsonObject, type ParamSpecs } from "../core";
import type { World } from "../world";
import type { Job } from "./state";

const JOB_EXISTS = rule({
    id: "nlb.job.exists",
    code: "ResourceNotFound.Job",
    status: 404,
    message: "The specified resource of Job is not found.",
    when: "the state of an unknown job is asked for; a lenient cloud calls it done",
    source: "NLB API GetJobStatus",
});

const SAME_REQUEST = rule({
    id: "nlb.client-token",
    code: "IdempotenceSignatureMismatch",
    message: "The idempotence token of request is same with the prev one, but the signature is different.",
    when: "a client token is used again with other parameters",
    source: "NLB API AddServersToServerGroup, error codes",
});

/** Runs the ends of all jobs whose time has come. */
export function settle(world: World): void {
    const now = world.now();
    const due = world.nlb.pending.filter((p) => p.at <= now);
    world.nlb.pending = world.nlb.pending.filter((p) => p.at > now);
    for (const { run } of due) run();
}

export interface JobPlan {
    readonly action: string;
    readonly resourceType: string;
    readonly resourceId: string;
    /** Change that the job makes when it succeeds. */
    readonly effect: () => void;
    /** Reverts the effect if the job fails, for objects that show up before the job is done. */
    readonly undo?: () => void;
    /** Duration in milliseconds. Default `delays.nlbJob`. */
    readonly ms?: number;
}

/** Starts a job and gives its id. With no delay its effect is there at once. */
export function startJob(world: World, caller: Caller, plan: JobPlan): string {
    const id = world.ids.next("job");
    const ms = plan.ms ?? world.config.delays.nlbJob;
    const now = world.now();
    const status = new Transition<string>("Processing");
    status.go("Processing", caller.jobFails ? "Failed" : "Succeeded", ms, now);
    const job: Job = {
        id,
        action: plan.action,
        resourceId: plan.resourceId,
        resourceType: plan.resourceType,
        status,
        startedAt: now,
    };
    world.nlb.jobs.set(id, job);
    const run = caller.jobFails ? (plan.undo ?? ((): void => undefined)) : plan.effect;
    if (ms > 0) world.nlb.pending.push({ at: now + ms, run });
    else run();
    return id;
}

/** Ends a call that is only a dry run. Stands between the checks of a handler and its first change. */
export function stopDryRun(p: Params): void {
    if (p.bool("DryRun") === true)
        throw new ApiError("DryRunOperation", "Request validation has been passed with DryRun flag set.");
}

type Handler = (p: Params, world: World, caller: Caller) => JsonObject | void;

/** Declares a changing NLB action: jobs are settled first, and a repeated client token gets the first answer again. */
export function nlbWrites(name: string, params: ParamSpecs, run: Handler): Action {
    return writes(name, params, (p, world, caller) => {
        settle(world);
        const token = p.text("ClientToken");
        if (token === undefined || p.bool("DryRun") === true) return run(p, world, caller);
        const request = JSON.stringify([name, Object.entries(p.all).sort(([a], [b]) => (a < b ? -1 : 1))]);
        const before = world.nlb.clientTokens.get(token);
        if (before !== undefined) {
            world.rules.check(SAME_REQUEST, before.request === request);
            if (before.request === request) return before.answer;
        }
        const answer = run(p, world, caller) ?? {};
        world.nlb.clientTokens.set(token, { request, answer });
        return answer;
    });
}

/** Declares a reading NLB action: jobs are settled first. */
export function nlbReads(name: string, params: ParamSpecs, run: Handler): Action {
    return reads(name, params, (p, world, caller) => {
        settle(world);
        return run(p, world, caller);
    });
}

export const jobActions: readonly Action[] = [
    nlbReads("GetJobStatus", {}, (p, world) => {
        const job = world.nlb.jobs.get(p.text("JobId") ?? "");
        world.rules.check(JOB_EXISTS, job !== undefined);
        return { Status: job?.status.now(world.now()) ?? "Succeeded" };
    }),
    nlbReads("ListAsynJobs", { JobIds: { maxItems: 100 } }, (p, world) => {
        const ids = p.list("JobIds");
        const found = [...world.nlb.jobs.values()].filter((job) => ids.length === 0 || ids.includes(job.id));
        const { rows, counters } = tokenPage(p, found, 20);
        const view = (job: Job): JsonObject => ({
            Id: job.id,
            Api: job.action,
            ResourceId: job.resourceId,
            ResourceType: job.resourceType,
            Status: job.status.now(world.now()),
            CreateTime: job.startedAt,
            ModifyTime: job.startedAt,
            ErrorMessage: "",
        });
        return { ...counters, Jobs: rows.map(view) };
    }),
];
