/** Leadership by a Lease of coordination.k8s.io/v1, by the rules of client-go's leader election. */
import type { Clock } from "../net";

/** A Lease as far as leadership needs it. */
export interface LeaseRecord {
    readonly holder: string;
    readonly resourceVersion: string;
    readonly renewTime: string;
    readonly durationSeconds: number;
    readonly transitions: number;
}

/** What leadership needs of the cluster. Writes fail where the Lease has changed since it was read. */
export interface LeaseApi {
    read(): Promise<LeaseRecord | undefined>;
    create(lease: Omit<LeaseRecord, "resourceVersion">): Promise<void>;
    update(lease: LeaseRecord): Promise<void>;
}

/** Times of the election, in milliseconds. */
export interface LeaseTimes {
    /** After so long without a renewal another replica takes over. */
    readonly durationMs: number;
    /** So long after its last renewal a leader stops writing; less than the duration. */
    readonly deadlineMs: number;
    /** Time between two tries to renew or to take over. */
    readonly retryMs: number;
}

/** Another replica takes over within 12 s. */
export const LEASE_TIMES: LeaseTimes = { durationMs: 10_000, deadlineMs: 7_000, retryMs: 2_000 };

/** A write was about to be made without the lease. */
export class LeaseLost extends Error {
    constructor() {
        super("this replica does not hold the lease (any more); nothing was written");
        this.name = "LeaseLost";
    }
}

/** One replica's part in the election. */
export class Leadership {
    /** When the last renewal was begun; the lease holds for its deadline from then. */
    #renewedAt = -Infinity;
    #wallAt = 0;
    /** The Lease as it was last observed, and when it was first observed so: clocks of replicas are never compared. */
    #observed: { readonly version: string; readonly at: number } | undefined;
    #leads = false;
    /** When the last try to renew or to take over was begun. */
    triedAt: number;
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
        readonly times: LeaseTimes = LEASE_TIMES,
        /** Milliseconds of the day: they go on while the machine is suspended. */
        readonly wall: () => number = Date.now,
    ) {
        this.triedAt = clock.now();
    }

    /** Whether this replica may write now. */
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
                if (await this.#acquire()) {
                    // Renewed after the deadline: what was noticed meanwhile was left, as without the lease.
                    if (!this.leads) this.#lose();
                    this.#renewedAt = began;
                    this.#wallAt = wallBegan;
                    if (!this.#leads) {
                        this.#leads = true;
                        this.handlers.gained();
                    }
                } else this.#lose();
            } catch (error) {
                this.handlers.failed(error);
                if (!this.leads) this.#lose();
            }
            await this.clock.sleep(this.times.retryMs, signal).catch(() => undefined);
        }
    }

    /** Leaves the election, and gives the lease away so that another replica needs not wait. */
    async stop(): Promise<void> {
        this.#stop.abort();
        if (!this.#leads) return;
        this.#leads = false;
        try {
            const lease = await this.api.read();
            if (lease?.holder === this.identity) await this.api.update({ ...lease, holder: "", durationSeconds: 1 });
        } catch (error) {
            this.handlers.failed(error);
        }
    }

    #lose(): void {
        if (!this.#leads) return;
        this.#leads = false;
        this.handlers.lost();
    }

    /** Renews the lease, or takes it over once its time is over. Says whether this replica holds it. */
    async #acquire(): Promise<boolean> {
        const lease = await this.api.read();
        const renewTime = new Date(this.wall()).toISOString().replace("Z", "000Z");
        const durationSeconds = Math.ceil(this.times.durationMs / 1000);
        const mine = { holder: this.identity, renewTime, durationSeconds };
        if (lease === undefined) {
            await this.api.create({ ...mine, transitions: 0 });
            return true;
        }
        if (lease.holder === this.identity) {
            await this.api.update({ ...lease, ...mine });
            return true;
        }
        const now = this.clock.now();
        if (this.#observed?.version !== lease.resourceVersion)
            this.#observed = { version: lease.resourceVersion, at: now };
        const free = lease.holder === "" || now - this.#observed.at >= lease.durationSeconds * 1000;
        if (!free) return false;
        await this.api.update({ ...lease, ...mine, transitions: lease.transitions + 1 });
        return true;
    }
}
