/** Leadership of the sync controller, as its Lease tells. */

import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Client, unlessForbidden } from "../../provider/cluster/client";
import { LEASE_TIMES } from "../../provider/sync/lease";

/** Name of the Lease, unless the controller is started with another. */
const LEASE = "ack-loadbalancer-sync";

const ITEM = z.object({
    metadata: z.object({ namespace: z.string(), name: z.string() }),
    spec: z.object({ holderIdentity: z.string().nullish(), renewTime: z.string().nullish() }).optional(),
});

export interface Leader {
    /** `namespace/name` of the Lease. */
    readonly lease: string;
    /** Replica that leads, or undefined if none does. */
    readonly holder: string | undefined;
    /** Time of the last renewal, ISO 8601, empty if there was none. */
    readonly renewed: string;
}

/**
 * Reads who leads, or undefined if there is no Lease of the default name or it may not be read.
 *
 * Clocks of replicas are never compared: a Lease that looks old here is read again after the time of a renewal.
 */
export async function readLeader(client: Client, now = Date.now, wait = pause): Promise<Leader | undefined> {
    const first = await readLease(client);
    if (first?.holder === undefined || now() - Date.parse(first.renewed) < LEASE_TIMES.durationMs) return first;
    await wait(LEASE_TIMES.retryMs * 1.5);
    const second = await readLease(client);
    return second?.renewed === first.renewed ? { ...second, holder: undefined } : second;
}

async function readLease(client: Client): Promise<Leader | undefined> {
    const path = ["apis", "coordination.k8s.io", "v1", "leases"];
    const query = { fieldSelector: { "metadata.name": LEASE } };
    const [found] = (await unlessForbidden(client.list(`list leases named ${LEASE}`, path, ITEM, query))) ?? [];
    if (found === undefined) return undefined;
    const { metadata, spec } = found;
    const lease = `${metadata.namespace}/${metadata.name}`;
    return { lease, holder: spec?.holderIdentity || undefined, renewed: spec?.renewTime ?? "" };
}

/** Describes that no replica leads. @param leader undefined if there is no Lease */
export const describeAbsence = (leader: Leader | undefined): string =>
    leader === undefined
        ? `no replica of the sync controller holds a Lease named ${LEASE}`
        : `no replica of the sync controller leads since ${leader.renewed.replace(/\.\d+/, "") || "its installation"}`;

export function restartRemedy(leader: Leader | undefined): string {
    const [namespace = "", name = ""] = (leader?.lease ?? `ack-loadbalancer/${LEASE}`).split("/");
    return (
        `look at its pods: kubectl -n ${namespace} get pods; kubectl -n ${namespace} logs deployment/${name}. ` +
        "Without a Deployment install it (docs/sync.md)"
    );
}
