import { expect, test } from "@jest/globals";
import { clockUntil } from "../net";
import { type Answer, refusal, scriptedCloud } from "../../test/support/cloud-client";
import { addServers } from "./server-group";
import { JobError, JobWatch } from "./jobs";

const IDS = /^JobIds\.\d+$/;

/** Makes a cloud whose jobs end after so many milliseconds, unless `answer` returns an answer. */
function jobs(
    endsAt: (id: string) => number,
    answer: (action: string, at: number) => Answer | undefined = () => undefined,
) {
    const scripted = scriptedCloud(({ action, params, at }) => {
        const given = answer(action, at);
        if (given !== undefined) return given;
        const ids = Object.entries(params).flatMap(([key, id]) => (IDS.test(key) ? [id] : []));
        const statusOf = (id: string) =>
            at < endsAt(id) ? "Processing" : id.startsWith("bad") ? "Failed" : "Succeeded";
        return {
            body: {
                Status: statusOf(params["JobId"] ?? ""),
                Jobs: ids.map((Id) => ({
                    Id,
                    Status: statusOf(Id),
                    ErrorMessage: Id.startsWith("bad") ? "no quota" : "",
                })),
            },
        };
    });
    return { ...scripted, watch: new JobWatch(scripted.cloud, scripted.clock) };
}

test("many jobs are looked at together, 20 a call, until each has ended", async () => {
    const { watch, clock, asked } = jobs((id) => Number(id) * 20);
    await clock.run(
        Promise.all(Array.from({ length: 45 }, (_, index) => watch.wait("AddServersToServerGroup", `${index}`))),
    );
    expect(new Set(asked.map(({ action }) => action))).toStrictEqual(new Set(["ListAsynJobs"]));
    const counts = asked.map(({ params }) => Object.keys(params).filter((key) => IDS.test(key)).length);
    expect(counts).toStrictEqual([20, 20, 5, 20, 9, 14]);
    asked.length = 0;
    await clock.run(clock.sleep(60_000));
    expect(asked).toHaveLength(0);
});

test("waits that the clock ends reject with its reason, and later ones begin anew", async () => {
    const scripted = jobs(() => 5_000);
    const leaving = new AbortController();
    const watch = new JobWatch(scripted.cloud, clockUntil(leaving.signal, scripted.clock));
    const waits = ["1", "2"].map((id) => watch.wait("AddServersToServerGroup", id));
    await scripted.clock.run(scripted.clock.sleep(1));
    leaving.abort(new Error("leaving"));
    await Promise.all(waits.map((wait) => expect(wait).rejects.toThrow("leaving")));
    await expect(watch.wait("AddServersToServerGroup", "3")).rejects.toThrow("leaving");
});

test("a job that fails rejects with its reason, and the others go on", async () => {
    const { watch, clock } = jobs((id) => (id === "bad" ? 500 : 5_000));
    const bad = watch.wait("AddServersToServerGroup", "bad");
    const good = watch.wait("AddServersToServerGroup", "good");
    await expect(clock.run(bad)).rejects.toThrow(/^AddServersToServerGroup failed: no quota \(job bad\)/);
    expect(clock.now()).toBeLessThan(1_000);
    await clock.run(good);
});

for (const [what, answer] of Object.entries<Answer>({
    "is throttled": refusal("Throttling.User"),
    "is not available": refusal("ServiceUnavailable", "", 503),
}))
    test(`jobs are waited for while the list of jobs ${what}`, async () => {
        const { watch, clock } = jobs(
            () => 100,
            (_, at) => (at < 120_000 ? answer : undefined),
        );
        await clock.run(watch.wait("AddServersToServerGroup", "1"));
        expect(clock.now()).toBeGreaterThanOrEqual(120_000);
    });

test("a role that may not list jobs asks for each by itself", async () => {
    const { watch, clock, asked } = jobs(
        () => 0,
        (action) => (action === "ListAsynJobs" ? refusal("Forbidden.RAM", "", 403) : undefined),
    );
    await clock.run(Promise.all(["1", "2"].map((id) => watch.wait("AddServersToServerGroup", id))));
    await watch.wait("AddServersToServerGroup", "3");
    expect(asked.map(({ action }) => action)).toStrictEqual([
        "ListAsynJobs",
        "GetJobStatus",
        "GetJobStatus",
        "GetJobStatus",
    ]);
});

test("what is no answer of the cloud ends every wait: the lease is lost", async () => {
    const { watch, clock } = jobs(
        () => 0,
        () => new Error("lost"),
    );
    const waits = ["1", "2"].map((id) => expect(watch.wait("AddServersToServerGroup", id)).rejects.toThrow("lost"));
    await clock.run(Promise.all(waits));
});

test("a job that never ends, or that the cloud does not list, is given up after five minutes", async () => {
    const { watch, clock } = jobs(() => Infinity);
    await expect(clock.run(watch.wait("AddServersToServerGroup", "1"))).rejects.toThrow(JobError);
    expect(clock.now()).toBeLessThan(302_000);
});

test("changes of a client with a watch wait there", async () => {
    const { cloud, asked } = scriptedCloud(() => ({ body: { JobId: "job-1" } }));
    const waited: string[] = [];
    const watched = {
        ...cloud,
        awaitJob: (action: string, id: string) => Promise.resolve(void waited.push(`${action} ${id}`)),
    };
    await addServers(watched, "sgp-1", [{ address: "i-1", port: 80, weight: 1 }]);
    expect(waited).toStrictEqual(["AddServersToServerGroup job-1"]);
    expect(asked).toHaveLength(1);
});
