/** Process of a replica: it watches, takes part in the election, and reconciles while it leads. */
import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import * as os from "node:os";
import { groupApi } from "../../resources/handlers/group";
import { ClusterError } from "../../cluster";
import { Client } from "../../cluster/client";
import { discoverClusterId, PROFILE } from "../../cluster/discovery";
import type { ClusterOptions } from "../../cluster/kubeconfig";
import { type Clock, firstLine, systemClock } from "../../net";
import { cloudOpener, type OpenGroups } from "../cloud";
import { Controller } from "../controller";
import type { InstallOptions } from "../install";
import { leaseApi, Leadership, LeaseLost } from "../lease";
import { Metrics, serveProbes } from "../metrics";
import { Store } from "../store";
import { LiveCluster } from "./cluster";
import type { LEVELS, Log } from "../log";
import { clusterWriter, dryGroups, silentWriter } from "./writer";

/** Settings that the manifests pass to a replica. */
type Installed = Required<
    Pick<InstallOptions, "namespace" | "userManagedGroups" | "watchNamespaces" | "resyncSeconds" | "readinessGates">
>;

export interface SyncOptions extends ClusterOptions, Installed, Pick<InstallOptions, "clusterId"> {
    /** Name of the Lease, and of the resources that the manifests install. */
    readonly leaseName: string;
    /** Port of health and metrics, 0 for none. */
    readonly port: number;
    readonly once: boolean;
    readonly dryRun: boolean;
    readonly logLevel: (typeof LEVELS)[number];
}

const EXIT = { ok: 0, notSynced: 1, notLeading: 3 } as const;

/** Milliseconds for which `--once` waits for the lease, and an ending replica for its calls. */
const PATIENCE = 15_000;

/** Milliseconds after which `--once` gives up a cluster that it cannot read. */
const UNREADABLE = 60_000;

/** Milliseconds between two reads of the cluster's id. */
const IDENTIFY_AGAIN = 2_000;

/** Milliseconds without a try for the lease after which the process is restarted. */
const STUCK = 60_000;

/** Starts a replica. `done` resolves with the exit code: after one pass, or when it was stopped. */
export async function startReplica(options: SyncOptions, log: Log, clock: Clock = systemClock) {
    const client = new Client(options);
    await refuseUnencrypted(client);
    const replica = assemble(client, options, log, clock);
    const { port, once } = options;
    const healthy = (): boolean => options.dryRun || clock.now() - replica.leadership.triedAt < STUCK;
    const probed = { metrics: replica.metrics, ready: () => replica.state.listed, healthy };
    const server = port === 0 || once ? undefined : await serveProbes(port, probed);
    const stopping = new AbortController();
    const done = run(replica, client, stopping).finally(() => server?.close());
    return { done, stop: () => stopping.abort(new Error("stopped")) };
}

type Replica = ReturnType<typeof assemble>;

/** Makes the parts of a replica. None of them calls before it is started. */
function assemble(client: Client, options: SyncOptions, log: Log, clock: Clock) {
    const { dryRun } = options;
    const identity = `${os.hostname()}_${randomBytes(4).toString("hex")}`;
    const metrics = new Metrics();
    const store = new Store();
    /** `listed` is true once everything is known of the cluster, whose id is empty until then. */
    const state = { listed: false, clusterId: "" };
    const warn = (message: string) => (error: unknown) => log.warn({ error: firstLine(error) }, message);
    // A renewal that takes longer than its deadline is useless.
    const electionOptions = { connectTimeoutMs: 2_000, readTimeoutMs: 3_000, backoff: { attempts: 1 } };
    const lease = leaseApi(new Client({ ...options, ...electionOptions }), options.namespace, options.leaseName);
    const leadership: Leadership = new Leadership(identity, lease, clock, {
        gained: () => {
            metrics.leader.set(1);
            log.info({ identity }, "leading");
            controller.forget();
            if (state.listed) controller.resync();
        },
        lost: () => {
            metrics.leader.set(0);
            log.warn({ identity }, "not leading any more");
            controller.forget();
        },
        failed: (error) => log.warn({ identity, error: firstLine(error) }, "election failed; trying again"),
    });
    const leaving = new AbortController();
    // Each waiting call listens.
    setMaxListeners(0, leaving.signal);
    const leads = (): boolean => dryRun || leadership.leads;
    const assertLeads = () => (dryRun ? undefined : leadership.assertLeads());
    const open = cloudOpener({ metrics, clock, assertLeads, leaving: leaving.signal });
    const groups: OpenGroups = (place, type, pause) => groupApi(open(place, pause), type);
    const controller = new Controller({
        store,
        clock,
        metrics,
        log,
        leads,
        operator: () => ({ clusterId: state.clusterId, userManagedGroups: options.userManagedGroups }),
        groups: dryRun ? dryGroups(groups, (line) => void process.stdout.write(`${line}\n`)) : groups,
        writer: dryRun ? silentWriter : clusterWriter(client, identity, warn("an event was not recorded")),
    });
    // Before everything was listed, unlisted objects would look missing.
    const changed = (names: readonly string[]) => (state.listed ? controller.enqueue(names) : undefined);
    const { readinessGates, watchNamespaces } = options;
    const parts = { client, store, clock, metrics, log };
    const cluster = new LiveCluster({ ...parts, readinessGates, watchNamespaces, changed });
    return { options, log, clock, metrics, store, state, warn, leadership, leaving, leads, controller, cluster };
}

/** Runs a replica until it is stopped, or for one pass. Returns the exit code. */
async function run(replica: Replica, client: Client, stopping: AbortController): Promise<number> {
    const { options, log, clock, store, state, warn, leadership, leaving, controller, cluster } = replica;
    const { signal } = stopping;
    const election = options.dryRun ? Promise.resolve() : leadership.run();
    try {
        const failed = warn("the cluster did not say its id; trying again");
        const identified = identify(options, client, failed, clock, signal);
        await Promise.race([
            Promise.all([cluster.start(), identified.then((id) => void (state.clusterId = id))]),
            aborted(signal),
            ...(options.once ? [unreadable(clock, signal)] : []),
        ]);
        state.listed = true;
        log.info({ groups: store.groups().length }, "watching");
        return await (options.once ? pass(replica, signal) : serveUntilStopped(replica, signal));
    } catch (error) {
        if (!signal.aborted) throw error;
        return EXIT.ok;
    } finally {
        stopping.abort();
        controller.queue.stop();
        // Calls under way end before another replica takes over. Waiting calls would keep the lease for nothing.
        leaving.abort(new LeaseLost());
        const ended = new AbortController();
        const patience = clock.sleep(PATIENCE, ended.signal).catch(() => undefined);
        await Promise.race([controller.queue.settled(), patience]);
        ended.abort();
        await leadership.stop();
        await election;
        cluster.stop();
    }
}

/** Brings every group up to date once. Returns the exit code. */
async function pass({ clock, log, leadership, leads, controller }: Replica, signal: AbortSignal): Promise<number> {
    const until = clock.now() + PATIENCE;
    const isHopeless = () => leadership.failure instanceof ClusterError && leadership.failure.kind === "not-found";
    while (!leads() && !isHopeless() && clock.now() < until) await clock.sleep(100, signal);
    if (!leads() && leadership.failure instanceof Error) throw leadership.failure;
    if (!leads()) {
        log.error({}, "another replica holds the lease, and does what a pass would do");
        return EXIT.notLeading;
    }
    controller.resync();
    await controller.queue.settled();
    const problems = controller.publisher.problems();
    for (const { binding, finding } of problems) log.error({ binding, reason: finding.reason }, finding.cause);
    return problems.length === 0 ? EXIT.ok : EXIT.notSynced;
}

async function serveUntilStopped({ options, clock, leads, controller }: Replica, signal: AbortSignal): Promise<never> {
    if (leads()) controller.resync();
    for (;;) {
        const spread = 0.9 + 0.2 * clock.random();
        await clock.sleep(options.resyncSeconds * 1000 * spread, signal);
        controller.resync();
    }
}

/** Backends follow the answers of the API server, so nobody on the way may change them or read the token. */
async function refuseUnencrypted(client: Client): Promise<void> {
    const server = await client.server();
    const { protocol, hostname } = new URL(server);
    if (protocol === "https:" || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)) return;
    const detail = "the kubeconfig names the API server by http://, without encryption";
    throw new ClusterError({ kind: "unencrypted", action: "connect", server, detail });
}

/** Returns the id of the cluster. No binding counts without it: a silent API server is asked again. */
async function identify(
    { clusterId }: SyncOptions,
    client: Client,
    failed: (error: unknown) => void,
    clock: Clock,
    signal: AbortSignal,
): Promise<string> {
    if (clusterId !== undefined) return clusterId;
    for (;;) {
        let id: string | undefined;
        try {
            id = await discoverClusterId(client);
        } catch (error) {
            failed(error);
            await clock.sleep(IDENTIFY_AGAIN, signal);
            continue;
        }
        if (id !== undefined) return id;
        throw new Error(
            "the cluster id, which is part of the marks of Services, cannot be detected " +
                `(ConfigMap kube-system/${PROFILE}). ` +
                "Remedy: start the controller with --cluster-id, or let it read that ConfigMap",
        );
    }
}

/** Ends a pass over a silent cluster: a CronJob or a pipeline would wait forever. */
async function unreadable(clock: Clock, signal: AbortSignal): Promise<never> {
    await clock.sleep(UNREADABLE, signal);
    throw new Error(
        `the cluster could not be read within ${UNREADABLE / 1000} s; nothing was written. ` +
            "Remedy: see the warnings above",
    );
}

const aborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
