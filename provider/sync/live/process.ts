/** The process of one replica: watches, takes part in the election, keeps groups right while it leads. */
import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import * as os from "node:os";
import { groupApi } from "../../deploy/handlers/group";
import { Client } from "../../kubernetes/client";
import { loadKubeConfig } from "../../kubernetes/connection";
import { discoverClusterId, PROFILE } from "../../kubernetes/discovery";
import { type Clock, firstLine, systemClock } from "../../net";
import { Budget } from "../budget";
import { cloudOpener } from "../cloud";
import { Controller } from "../controller";
import { Leadership, LeaseLost } from "../lease";
import { Metrics } from "../metrics";
import type { ClusterWriter, Log, OpenGroups } from "../ports";
import { Store } from "../store";
import { LiveCluster } from "./cluster";
import { dryGroups, silentWriter } from "./dry-run";
import { leaseApi } from "./leases";
import type { SyncOptions } from "./options";
import { serveProbes } from "./server";
import { clusterWriter } from "./writer";

/** Exit codes of the command. */
export const SYNC_EXIT = { ok: 0, notSynced: 1, usage: 2, notLeading: 3 } as const;

/** Milliseconds for which `--once` waits for the lease, and a replica that ends for calls under way. */
const PATIENCE = 15_000;

/** Milliseconds after which `--once` gives up a cluster that it cannot read. */
const UNREADABLE = 60_000;

/** Milliseconds between two questions for the cluster's id. */
const IDENTIFY_AGAIN = 2_000;

/** A process that is stuck for so many milliseconds is restarted. */
const STUCK = 60_000;

/** A running replica. */
export interface Replica {
    /** Resolves with the exit code: after one pass, or when it was stopped. */
    readonly done: Promise<number>;
    stop(): void;
}

/** Starts a replica. */
export async function startReplica(options: SyncOptions, log: Log, clock: Clock = systemClock): Promise<Replica> {
    const identity = `${os.hostname()}_${randomBytes(4).toString("hex")}`;
    const config = await loadKubeConfig(options);
    const client = new Client(options);
    const metrics = new Metrics();
    const store = new Store();
    const leadership: Leadership = electionOf(options, identity, log, clock, {
        gained: () => {
            metrics.leader.set(1);
            log.info({ identity }, "leading");
            controller.forget();
            if (listed) controller.resync();
        },
        lost: () => {
            metrics.leader.set(0);
            log.warn({ identity }, "not leading any more");
            controller.forget();
        },
    });
    const leaving = new AbortController();
    // One for each call that waits.
    setMaxListeners(0, leaving.signal);
    const leads = (): boolean => options.dryRun || leadership.leads;
    const controller = new Controller({
        store,
        clock,
        metrics,
        log,
        leads,
        operator: () => ({ clusterId, userManagedGroups: options.userManagedGroups }),
        groups: openGroups(options, metrics, clock, leadership, leaving.signal),
        writer: openWriter(options, client, identity, log),
    });
    const cluster = new LiveCluster({
        config,
        client,
        store,
        clock,
        metrics,
        log,
        readinessGates: options.readinessGates,
        // Before everything was listed, what is not there yet would look as if it were missing.
        changed: (groups) => (listed ? controller.enqueue(groups) : undefined),
    });
    let listed = false;
    let clusterId = "";
    const stopping = new AbortController();
    const server = await serve(options, {
        metrics,
        ready: () => listed,
        healthy: () => options.dryRun || clock.now() - leadership.triedAt < STUCK,
    });

    const pass = async (): Promise<number> => {
        const until = clock.now() + PATIENCE;
        while (!leads() && clock.now() < until) await clock.sleep(100, stopping.signal);
        if (!leads()) {
            log.error({}, "another replica holds the lease, and does what a pass would do");
            return SYNC_EXIT.notLeading;
        }
        controller.resync();
        await controller.queue.settled();
        for (const { binding, finding } of controller.problems())
            log.error({ binding, reason: finding.reason }, finding.cause);
        return controller.problems().length === 0 ? SYNC_EXIT.ok : SYNC_EXIT.notSynced;
    };
    const serveUntilStopped = async (): Promise<number> => {
        if (leads()) controller.resync();
        for (;;) {
            const spread = 0.9 + 0.2 * clock.random();
            await clock.sleep(options.resyncSeconds * 1000 * spread, stopping.signal);
            controller.resync();
        }
    };
    const run = async (): Promise<number> => {
        const election = options.dryRun ? Promise.resolve() : leadership.run();
        try {
            const identified = identify(options, client, log, clock, stopping.signal).then(
                (id) => void (clusterId = id),
            );
            await Promise.race([
                Promise.all([cluster.start(), identified]),
                aborted(stopping.signal),
                ...(options.once ? [unreadable(clock, stopping.signal)] : []),
            ]);
            listed = true;
            log.info({ groups: store.groups().length }, "watching");
            return options.once ? await pass() : await serveUntilStopped();
        } catch (error) {
            if (!stopping.signal.aborted) throw error;
            return SYNC_EXIT.ok;
        } finally {
            stopping.abort();
            controller.queue.stop();
            // Calls under way end before another replica takes over; those that wait for their next try would keep the lease for nothing.
            leaving.abort(new LeaseLost());
            const ended = new AbortController();
            const patience = clock.sleep(PATIENCE, ended.signal).catch(() => undefined);
            await Promise.race([controller.queue.settled(), patience]);
            ended.abort();
            await leadership.stop();
            await election;
            cluster.stop();
            await server?.close();
        }
    };
    return { done: run(), stop: () => stopping.abort(new Error("stopped")) };
}

/** Id of the cluster. Without it no binding counts, so that an API server that does not answer is asked again. */
async function identify(
    { clusterId }: SyncOptions,
    client: Client,
    log: Log,
    clock: Clock,
    signal: AbortSignal,
): Promise<string> {
    if (clusterId !== undefined) return clusterId;
    for (;;) {
        try {
            const found = await discoverClusterId(client);
            if (found !== undefined) return found;
        } catch (error) {
            log.warn({ error: firstLine(error) }, "the cluster did not say its id; trying again");
            await clock.sleep(IDENTIFY_AGAIN, signal);
            continue;
        }
        throw new Error(
            `the cluster does not say its id, by which the marks of its Services are known (ConfigMap kube-system/${PROFILE}). Remedy: start the controller with --cluster-id, or let it read that ConfigMap`,
        );
    }
}

/** Ends a pass over a cluster that does not answer: a CronJob or a pipeline would wait for ever. */
async function unreadable(clock: Clock, signal: AbortSignal): Promise<never> {
    await clock.sleep(UNREADABLE, signal);
    throw new Error(
        `the cluster could not be read within ${UNREADABLE / 1000} s; nothing was written. Remedy: see the warnings above`,
    );
}

const aborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

function electionOf(
    options: SyncOptions,
    identity: string,
    log: Log,
    clock: Clock,
    handlers: { readonly gained: () => void; readonly lost: () => void },
): Leadership {
    // A renewal that takes longer than its deadline is worth nothing.
    const client = new Client({ ...options, connectTimeoutMs: 2_000, readTimeoutMs: 3_000, backoff: { attempts: 1 } });
    const failed = (error: unknown): void =>
        log.warn({ identity, error: firstLine(error) }, "election failed; trying again");
    return new Leadership(identity, leaseApi(client, options.namespace, options.leaseName), clock, {
        ...handlers,
        failed,
    });
}

function openGroups(
    { dryRun }: SyncOptions,
    metrics: Metrics,
    clock: Clock,
    leadership: Leadership,
    leaving: AbortSignal,
): OpenGroups {
    const budgets = new Map<string, Budget>();
    const budget = (key: string): Budget => {
        const known = budgets.get(key) ?? new Budget(clock);
        budgets.set(key, known);
        return known;
    };
    const assertLeads = (): void => (dryRun ? undefined : leadership.assertLeads());
    const open = cloudOpener({ budget, metrics, clock, assertLeads, leaving });
    const groups: OpenGroups = (place, type, pause) => groupApi(open(place, pause), type);
    return dryRun ? dryGroups(groups, (line) => void process.stdout.write(`${line}\n`)) : groups;
}

const openWriter = ({ dryRun }: SyncOptions, client: Client, identity: string, log: Log): ClusterWriter =>
    dryRun
        ? silentWriter
        : clusterWriter(client, identity, (error) =>
              log.warn({ error: firstLine(error) }, "an event was not recorded"),
          );

async function serve(
    { port, once }: SyncOptions,
    probes: Parameters<typeof serveProbes>[1],
): Promise<Awaited<ReturnType<typeof serveProbes>> | undefined> {
    return port === 0 || once ? undefined : serveProbes(port, probes);
}
