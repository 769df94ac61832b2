/** Queue, budget and lease of the controller. */
import { expect, test } from "@jest/globals";
import { VirtualClock } from "../../test/support/cloud-client";
import { Budget } from "./cloud";
import { Leadership, type LeaseApi, LeaseLost, type LeaseRecord, LEASE_TIMES } from "./lease";
import { WorkQueue } from "./queue";

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("queue: a key runs once for many additions, never concurrently, again if added meanwhile", async () => {
    const began: string[] = [];
    const doors: (() => void)[] = [];
    const queue = new WorkQueue(
        (key) => {
            began.push(key);
            return new Promise((resolve) => doors.push(resolve));
        },
        new VirtualClock(),
        2,
    );
    for (const key of ["a", "a", "b", "c", "c"]) queue.add(key);
    expect(began).toStrictEqual(["a", "b"]);
    expect(queue.depth).toBe(2);
    doors[0]?.();
    await tick();
    expect(began).toStrictEqual(["a", "b", "a"]);
    doors[1]?.();
    doors[2]?.();
    await tick();
    expect(began).toStrictEqual(["a", "b", "a", "c"]);
    doors[3]?.();
    await queue.settled();
    queue.stop();
    queue.add("d");
    expect(began).toHaveLength(4);
});

test("queue: of two times the earlier one counts, also where the other one was asked for last", async () => {
    const clock = new VirtualClock();
    const worked: number[] = [];
    const queue = new WorkQueue(() => Promise.resolve(void worked.push(clock.now())), clock, 1);
    queue.addAfter("a", 100);
    queue.addAfter("a", 2_000);
    queue.addAfter("b", 2_000);
    queue.addAfter("b", 50);
    await clock.run(clock.sleep(5_000));
    expect(worked).toStrictEqual([50, 100]);
    queue.addAfter("a", 100);
    queue.retry("a", false);
    await clock.run(clock.sleep(5_000));
    expect(worked).toStrictEqual([50, 100, 5_100, 6_000]);
});

test("queue: waits after failures double up to five minutes and start anew after a success", async () => {
    const clock = new VirtualClock();
    const queue: WorkQueue = new WorkQueue(() => Promise.resolve(), clock, 1);
    for (let failure = 0; failure < 11; failure++) queue.retry("a", false);
    queue.succeed("a");
    queue.retry("a", false);
    expect(clock.slept).toStrictEqual([...Array.from({ length: 9 }, (_, n) => 1000 * 2 ** n), 300_000, 300_000, 1000]);
    queue.stop();
    await tick();
});

test("queue: refused keys leave workers to others, and speed up once the cloud takes them", async () => {
    const clock = new VirtualClock();
    const tries: string[] = [];
    const done = new Map<string, number>();
    let refuses = true;
    const queue: WorkQueue = new WorkQueue(
        async (key) => {
            tries.push(key);
            await clock.sleep(100);
            if (refuses && key.startsWith("bad")) return queue.retry(key, true);
            done.set(key, clock.now());
            queue.succeed(key);
        },
        clock,
        10,
    );
    const all = Array.from({ length: 100 }, (_, number) => `bad ${number}`);
    for (const key of all) queue.add(key);
    await clock.run(queue.settled());
    expect(tries).toHaveLength(100);
    tries.length = 0;
    for (let second = 0; second < 60; second++) {
        for (const key of all) queue.add(key);
        queue.add(`good ${second}`);
        const began = clock.now();
        await clock.run(clock.sleep(1_000));
        expect(done.get(`good ${second}`)).toBe(began + 100);
    }
    const refused = tries.filter((key) => key.startsWith("bad"));
    expect(refused.length).toBeLessThanOrEqual(8 * 4);
    expect(new Set(refused).size).toBe(refused.length);
    refuses = false;
    await clock.run(clock.sleep(60_000));
    expect(all.filter((key) => queue.isRefused(key))).toStrictEqual([]);
    queue.stop();
});

test("budget: the published quota, half of it after a throttled call, back within minutes", async () => {
    const clock = new VirtualClock();
    const budget = new Budget(clock);
    const calls = () => budget.rate("slb", "AddVServerGroupBackendServers").calls;
    expect(calls()).toBe(90);
    budget.throttled("slb", "AddVServerGroupBackendServers");
    budget.throttled("slb", "AddVServerGroupBackendServers");
    expect(calls()).toBe(45);
    expect(budget.rate("slb", "RemoveVServerGroupBackendServers").calls).toBe(90);
    expect(budget.rate("nlb", "AddServersToServerGroup")).toStrictEqual({ calls: 200, perMs: 61_000 });
    expect(budget.rate("nlb", "ListAsynJobs")).toStrictEqual({ calls: 20, perMs: 1_250 });
    for (let times = 0; times < 8; times++) {
        await clock.run(clock.sleep(60_000));
        budget.throttled("slb", "AddVServerGroupBackendServers");
    }
    expect(calls()).toBeGreaterThanOrEqual(9);
    await clock.run(clock.sleep(10 * 60_000));
    expect(calls()).toBe(90);
});

/** A Lease in memory. */
class Leases implements LeaseApi {
    lease: LeaseRecord | undefined;
    down = false;
    delay = (): Promise<void> => Promise.resolve();
    #version = 0;

    async read(): Promise<LeaseRecord | undefined> {
        await this.delay();
        if (this.down) throw new Error("unreachable");
        return this.lease;
    }
    async create(lease: Omit<LeaseRecord, "resourceVersion">): Promise<void> {
        await Promise.resolve();
        if (this.lease !== undefined) throw new Error("conflict");
        this.lease = { ...lease, resourceVersion: String(++this.#version) };
    }
    async update(lease: LeaseRecord): Promise<void> {
        await Promise.resolve();
        if (this.down || this.lease?.resourceVersion !== lease.resourceVersion) throw new Error("conflict");
        this.lease = { ...lease, resourceVersion: String(++this.#version) };
    }
}

function replica(name: string, leases: LeaseApi, clock: VirtualClock, times = LEASE_TIMES) {
    const log: string[] = [];
    let dead = false;
    const own: LeaseApi = {
        read: () => (dead ? Promise.reject(new Error("dead")) : leases.read()),
        create: (lease) => leases.create(lease),
        update: (lease) => (dead ? Promise.reject(new Error("dead")) : leases.update(lease)),
    };
    const member: Leadership = new Leadership(
        name,
        own,
        clock,
        {
            gained: () => log.push("gained"),
            lost: () => log.push("lost"),
            failed: () => log.push("failed"),
        },
        times,
        () => clock.now(),
    );
    return { member, log, die: (now = true) => void (dead = now) };
}

test("lease: one of two replicas leads; the other takes over within 15 s after it has died", async () => {
    const clock = new VirtualClock(() => 0);
    const leases = new Leases();
    const one = replica("one", leases, clock);
    const two = replica("two", leases, clock);
    void one.member.run();
    void two.member.run();
    await clock.run(clock.sleep(60_000));
    expect([one.member.leads, two.member.leads].filter(Boolean)).toHaveLength(1);
    const [leader, other] = one.member.leads ? [one, two] : [two, one];
    // The leader dies without a word.
    leader.die();
    const died = clock.now();
    while (!other.member.leads) await clock.run(clock.sleep(500));
    expect(clock.now() - died).toBeLessThanOrEqual(15_000);
    expect(leader.member.leads).toBe(false);
    expect(() => leader.member.assertLeads()).toThrow(LeaseLost);
    expect(leases.lease?.leaseTransitions).toBe(1);
});

test.each([2_147_483_647, 2 ** 40, -5, 2_147_483_646])(
    "lease: nobody is kept out by a count of %d transitions",
    async (leaseTransitions) => {
        const clock = new VirtualClock(() => 0);
        const leases = new Leases();
        const ended = { holderIdentity: "gone", leaseDurationSeconds: 1, renewTime: "2026-01-01T00:00:00.000000Z" };
        leases.lease = { ...ended, leaseTransitions, resourceVersion: "1" };
        const { member } = replica("one", leases, clock);
        void member.run();
        await clock.run(clock.sleep(20_000));
        expect(member.leads).toBe(true);
        expect(leases.lease.leaseTransitions).toBe(leaseTransitions === 2_147_483_646 ? 2_147_483_647 : 0);
    },
);

test("lease: a leader that cannot renew stops writing before another can take over", async () => {
    const clock = new VirtualClock(() => 0);
    const leases = new Leases();
    const { member, log } = replica("one", leases, clock);
    void member.run();
    await clock.run(clock.sleep(10_000));
    expect(member.leads).toBe(true);
    leases.down = true;
    await clock.run(clock.sleep(LEASE_TIMES.deadlineMs + LEASE_TIMES.retryMs));
    expect(member.leads).toBe(false);
    expect(log).toContain("lost");
    leases.down = false;
    await clock.run(clock.sleep(5_000));
    expect(member.leads).toBe(true);
});

test("lease: a process that was stopped past its lease does not write when it continues", async () => {
    const clock = new VirtualClock(() => 0);
    const { member } = replica("one", new Leases(), clock);
    void member.run();
    await clock.run(clock.sleep(1_000));
    expect(member.leads).toBe(true);
    // Nothing of the process runs. Only time passes.
    const later = clock.now() + 60_000;
    clock.now = () => later;
    expect(member.leads).toBe(false);
});

test("lease: a leader that renews after its deadline has lost the lease and gained it again", async () => {
    const clock = new VirtualClock(() => 0);
    const leases = new Leases();
    const { member, log } = replica("one", leases, clock);
    void member.run();
    await clock.run(clock.sleep(5_000));
    expect(log).toStrictEqual(["gained"]);
    // The API server answers late.
    leases.delay = () => clock.sleep(LEASE_TIMES.deadlineMs);
    await clock.run(clock.sleep(LEASE_TIMES.deadlineMs + LEASE_TIMES.retryMs - 1_000));
    expect(member.leads).toBe(false);
    expect(log).toStrictEqual(["gained"]);
    leases.delay = () => Promise.resolve();
    await clock.run(clock.sleep(LEASE_TIMES.deadlineMs));
    expect(member.leads).toBe(true);
    expect(log.slice(0, 3)).toStrictEqual(["gained", "lost", "gained"]);
});

test("lease: a replica that ends gives it away", async () => {
    const clock = new VirtualClock(() => 0);
    const leases = new Leases();
    const one = replica("one", leases, clock);
    void one.member.run();
    await clock.run(clock.sleep(1_000));
    await one.member.stop();
    expect(leases.lease).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    const two = replica("two", leases, clock);
    void two.member.run();
    await clock.run(clock.sleep(1_000));
    expect(two.member.leads).toBe(true);
});

test("lease: a duration that somebody has written into it counts for no longer than the own one", async () => {
    const clock = new VirtualClock(() => 0);
    const leases = new Leases();
    await leases.create({ holderIdentity: "nobody", leaseDurationSeconds: 2 ** 31 - 1 });
    const { member } = replica("one", leases, clock);
    void member.run();
    await clock.run(clock.sleep(LEASE_TIMES.durationMs + LEASE_TIMES.retryMs));
    expect(member.leads).toBe(true);
});

test("lease: replicas of two versions with other times share it, and never do both lead", async () => {
    const clock = new VirtualClock(() => 0);
    const leases = new Leases();
    const ours = replica("ours", leases, clock);
    const other = replica("other", leases, clock, { durationMs: 15_000, deadlineMs: 10_000, retryMs: 3_000 });
    void ours.member.run();
    void other.member.run();
    const led = new Set<string>();
    for (let moment = 0; moment < 6_000; moment++) {
        await clock.run(clock.sleep(100));
        // Connections break for 13 and 17 s, at times both.
        ours.die(moment % 610 < 130);
        other.die(moment % 470 < 170);
        const leaders = [ours, other].filter(({ member }) => member.leads).map(({ member }) => member.identity);
        expect(leaders.length).toBeLessThanOrEqual(1);
        leaders.forEach((name) => led.add(name));
    }
    expect([...led].sort()).toStrictEqual(["other", "ours"]);
    expect(leases.lease?.leaseTransitions).toBeGreaterThan(5);
});
