/** Leadership by a Lease of coordination.k8s.io/v1, by the rules of client-go's leader election. */
import { z } from "zod";
import type { Client } from "../cluster/client";
import { ClusterError } from "../cluster/error";
import type { Clock } from "../net";

const SPEC = z.object({
    holderIdentity: z.string().nullish(),
    leaseDurationSeconds: z.number().nullish(),
    renewTime: z.string().nullish(),
    leaseTransitions: z.number().nullish(),
});

const LEASE = z.looseObject({ metadata: z.looseObject({ resourceVersion: z.string() }), spec: SPEC.optional() });

/** Spec of a Lease, and the version that was read. */
export type LeaseRecord = z.output<typeof SPEC> & { readonly resourceVersion: string };

/** Access to a Lease. Writes fail if it has changed since it was read. */
export interface LeaseApi {
    read(): Promise<LeaseRecord | undefined>;
    create(lease: Omit<LeaseRecord, "resourceVersion">): Promise<void>;
    update(lease: LeaseRecord): Promise<void>;
}

/**
 * Times of the election, in milliseconds: another replica takes over within 12 s. Replicas of two versions share a
 * lease: no version may have a deadline after the duration of another.
 */
export const LEASE_TIMES = {
    /** Time without a renewal after which another replica takes over. */
    durationMs: 10_000,
    /** Time after the last renewal when a leader stops writing, less than the duration. */
    deadlineMs: 7_000,
    /** Time between two tries to renew or to take over. */
    retryMs: 2_000,
};

/** Most transitions that a Lease counts, which is an int32. Beyond it the count starts again. */
const MOST_TRANSITIONS = 2_147_483_647;

export class LeaseLost extends Error {
    constructor() {
        super("this replica does not hold the lease (any more); nothing was written");
        this.name = "LeaseLost";
    }
}

export class Leadership {
    /** Begin of the last renewal, from which the deadline counts. */
    #renewedAt = -Infinity;
    #wallAt = 0;
    /** Version of the Lease and time of its first observation: clocks of replicas are never compared. */
    #observed: { readonly version: string; readonly at: number } | undefined;
    #leads = false;
    /** Begin of the last try to renew or to take over. */
    triedAt: number;
    /** Error of the last try. Undefined if the cluster answered. */
    failure: unknown;
    readonly #stop = new AbortController();

    constructor(
        readonly identity: string,
        readonly api: LeaseApi,
        readonly clock: Clock,
        readonly handlers: {
            readonly gained: () => void;
            readonly lost: () => void;
            readonly failed: (error: unknown) => void;
        },
        readonly times = LEASE_TIMES,
        /** Wall clock in milliseconds: it goes on while the machine is suspended. */
        readonly wall: () => number = Date.now,
    ) {
        this.triedAt = clock.now();
    }

    /** True if this replica may write now. */
    get leads(): boolean {
        const { deadlineMs } = this.times;
        return (
            this.#leads && this.clock.now() - this.#renewedAt < deadlineMs && this.wall() - this.#wallAt < deadlineMs
        );
    }

    /** @throws LeaseLost if this replica may not write now. */
    assertLeads(): void {
        if (!this.leads) throw new LeaseLost();
    }

    /** Takes part in the election until {@link stop}. */
    async run(): Promise<void> {
        const { signal } = this.#stop;
        while (!signal.aborted) {
            const began = this.clock.now();
            const wallBegan = this.wall();
            this.triedAt = began;
            try {
                const holds = await this.#acquire();
                this.failure = undefined;
                if (holds) {
                    // Renewed after the deadline: changes were ignored meanwhile, as without the lease.
                    if (!this.leads) this.#lose();
                    this.#renewedAt = began;
                    this.#wallAt = wallBegan;
                    if (!this.#leads) {
                        this.#leads = true;
                        this.handlers.gained();
                    }
                } else this.#lose();
            } catch (error) {
                this.failure = error;
                this.handlers.failed(error);
                if (!this.leads) this.#lose();
            }
            await this.clock.sleep(this.times.retryMs, signal).catch(() => undefined);
        }
    }

    /** Leaves the election and releases the lease, for another replica to take over at once. */
    async stop(): Promise<void> {
        this.#stop.abort();
        if (!this.#leads) return;
        this.#leads = false;
        try {
            const lease = await this.api.read();
            if (lease?.holderIdentity === this.identity)
                await this.api.update({ ...lease, holderIdentity: "", leaseDurationSeconds: 1 });
        } catch (error) {
            this.handlers.failed(error);
        }
    }

    #lose(): void {
        if (!this.#leads) return;
        this.#leads = false;
        this.handlers.lost();
    }

    /** Renews the lease, or takes it over after its duration. Returns true if this replica holds it. */
    async #acquire(): Promise<boolean> {
        const lease = await this.api.read();
        const renewTime = new Date(this.wall()).toISOString().replace("Z", "000Z");
        const leaseDurationSeconds = Math.ceil(this.times.durationMs / 1000);
        const mine = { holderIdentity: this.identity, renewTime, leaseDurationSeconds };
        if (lease === undefined) {
            await this.api.create({ ...mine, leaseTransitions: 0 });
            return true;
        }
        if (lease.holderIdentity === this.identity) {
            await this.api.update({ ...lease, ...mine });
            return true;
        }
        const now = this.clock.now();
        if (this.#observed?.version !== lease.resourceVersion)
            this.#observed = { version: lease.resourceVersion, at: now };
        const heldMs = Math.min((lease.leaseDurationSeconds ?? 1) * 1000, this.times.durationMs);
        if (lease.holderIdentity && now - this.#observed.at < heldMs) return false;
        const transitions = lease.leaseTransitions ?? 0;
        await this.api.update({
            ...lease,
            ...mine,
            leaseTransitions: transitions >= 0 && transitions < MOST_TRANSITIONS ? transitions + 1 : 0,
        });
        return true;
    }
}

export function leaseApi(client: Client, namespace: string, name: string): LeaseApi {
    const collection = ["apis", "coordination.k8s.io", "v1", "namespaces", namespace, "leases"];
    const lease = `lease ${namespace}/${name}`;
    return {
        async read() {
            const found = await client.get(`get ${lease}`, [...collection, name], LEASE);
            return found && { ...found.spec, resourceVersion: found.metadata.resourceVersion };
        },
        async create(spec) {
            try {
                await client.create(`create ${lease}`, collection, { metadata: { name, namespace }, spec });
            } catch (error) {
                if (!(error instanceof ClusterError) || error.kind !== "not-found") throw error;
                const detail = `namespace "${namespace}" does not exist; create it, or name another by --namespace`;
                throw new ClusterError({ ...error, detail });
            }
        },
        async update({ resourceVersion, ...spec }) {
            const metadata = { resourceVersion };
            await client.mergePatch(`update ${lease}`, [...collection, name], { metadata, spec });
        },
    };
}
