/**
 * A replica of the sync controller in this process, on virtual time: every call passes the real client, its retries,
 * its budget and the lease's check.
 */
import type { VirtualClock } from "./cloud-client";
import { groupApi } from "../../provider/resources/handlers/group";
import type { HttpRequest, HttpResponse } from "../../provider/net";
import type { BindingSpec } from "../../provider/sync/binding/spec";
import type { BindingStatus } from "../../provider/sync/binding/status";
import { cloudOpener } from "../../provider/sync/cloud";
import { Controller } from "../../provider/sync/controller";
import { LeaseLost } from "../../provider/sync/lease";
import { Metrics } from "../../provider/sync/metrics";
import type { Operator } from "../../provider/sync/binding/object";
import { Store, type Watched } from "../../provider/sync/store";
import { binding, service } from "./sync-world";

/** World in which a replica works. */
export interface RigWorld {
    readonly clock: VirtualClock;
    transport(request: HttpRequest): Promise<HttpResponse>;
}

/** Replica with its own objects, a controller, and a say in whether it leads. */
export class RigReplica {
    readonly store = new Store();
    readonly metrics = new Metrics();
    readonly statuses: BindingStatus[] = [];
    /** Readiness gates that were set: pod and status. */
    readonly gates: [string, string][] = [];
    readonly controller: Controller;
    leads = true;
    /** Ends the waits of calls. */
    readonly leaving = new AbortController();
    /** Calls that writing replicas may make before they lose the lease or die. Default no end. */
    callsLeft = Infinity;

    constructor(
        readonly rig: RigWorld,
        operator: Operator = { clusterId: "c1", userManagedGroups: [] },
    ) {
        const { clock } = rig;
        const open = cloudOpener({
            metrics: this.metrics,
            clock,
            leaving: this.leaving.signal,
            assertLeads: () => {
                if (!this.leads || this.callsLeft-- <= 0) {
                    this.leads = false;
                    throw new LeaseLost();
                }
            },
            transport: (request) => rig.transport(request),
        });
        this.controller = new Controller({
            store: this.store,
            operator: () => operator,
            groups: (place, type, pause) => groupApi(open(place, pause), type),
            writer: {
                writeStatus: (_, status) => Promise.resolve(void this.statuses.push(status)),
                record: () => Promise.resolve(),
                setCondition: ({ metadata }, { status }) =>
                    Promise.resolve(void this.gates.push([metadata.name, status])),
            },
            clock,
            metrics: this.metrics,
            log: { info: () => undefined, warn: () => undefined, error: () => undefined },
            leads: () => this.leads,
            wall: () => clock.now(),
        });
    }

    put<Kind extends keyof Watched>(kind: Kind, object: Watched[Kind]): void {
        this.controller.enqueue(this.store.put(kind, object));
    }

    remove<Kind extends keyof Watched>(kind: Kind, object: Watched[Kind]): void {
        this.controller.enqueue(this.store.remove(kind, object));
    }

    /** Service shop/web with a binding, on these nodes. */
    cluster(spec: BindingSpec, nodes: readonly Watched["node"][], slice?: Watched["slice"]): void {
        this.put("service", service());
        for (const one of nodes) this.put("node", one);
        if (slice !== undefined) this.put("slice", slice);
        this.put("binding", binding(spec));
    }

    /** Begins to lead, as after the election. */
    lead(): void {
        this.leads = true;
        this.callsLeft = Infinity;
        this.controller.forget();
        this.controller.resync();
    }

    /** Until no group is worked on, and then this many milliseconds more. */
    async settle(ms = 0): Promise<void> {
        const { clock } = this.rig;
        await clock.run(this.controller.queue.settled());
        if (ms === 0) return;
        await clock.run(clock.sleep(ms));
        await clock.run(this.controller.queue.settled());
    }

    /** Reason of the last condition. */
    get reason(): string | undefined {
        return this.statuses.at(-1)?.conditions?.[0]?.reason;
    }
}
