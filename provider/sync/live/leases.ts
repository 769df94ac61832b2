/** The Lease of the election, coordination.k8s.io/v1. */
import { z } from "zod";
import type { Client } from "../../kubernetes/client";
import type { LeaseApi, LeaseRecord } from "../lease";

const LEASE = z.looseObject({
    metadata: z.looseObject({ resourceVersion: z.string() }),
    spec: z
        .looseObject({
            holderIdentity: z.string().nullish(),
            leaseDurationSeconds: z.number().nullish(),
            renewTime: z.string().nullish(),
            leaseTransitions: z.number().nullish(),
        })
        .optional(),
});

/** A Lease by namespace and name. */
export function leaseApi(client: Client, namespace: string, name: string): LeaseApi {
    const collection = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    const specOf = ({ holder, renewTime, durationSeconds, transitions }: Omit<LeaseRecord, "resourceVersion">) => ({
        holderIdentity: holder,
        leaseDurationSeconds: durationSeconds,
        renewTime,
        leaseTransitions: transitions,
    });
    return {
        async read() {
            const lease = await client.get(`get lease ${namespace}/${name}`, `${collection}/${name}`, LEASE);
            if (lease === undefined) return undefined;
            const { metadata, spec } = lease;
            return {
                holder: spec?.holderIdentity ?? "",
                resourceVersion: metadata.resourceVersion,
                renewTime: spec?.renewTime ?? "",
                durationSeconds: spec?.leaseDurationSeconds ?? 1,
                transitions: spec?.leaseTransitions ?? 0,
            };
        },
        async create(lease) {
            await client.create(`create lease ${namespace}/${name}`, collection, {
                metadata: { name, namespace },
                spec: specOf(lease),
            });
        },
        async update(lease) {
            await client.mergePatch(`update lease ${namespace}/${name}`, `${collection}/${name}`, {
                metadata: { resourceVersion: lease.resourceVersion },
                spec: specOf(lease),
            });
        },
    };
}
