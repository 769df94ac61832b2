/** Demand of a folder's Services against the quotas of the account. */
import * as pulumi from "@pulumi/pulumi";
import { groupBackends } from "../../provider/backends";
import { openAccount } from "../../provider/cloud";
import { observeQuotas } from "../../provider/cloud/quotas";
import { formatDiagnostics, isError } from "../../provider/diagnostics";
import { buildClb, buildNlb } from "../../provider/plan/desired";
import { type InstanceDemand, judgeQuotas } from "../../provider/plan/quotas";
import type { ClusterFacts } from "../../provider/schema/facts";
import { LOAD_BALANCER_TYPES } from "../../provider/schema/load-balancer-type";
import type { NodeObject, ServiceObject } from "../../provider/service/objects";
import { resolveAccount } from "../cluster/account";
import type { Cluster } from "../cluster/cluster";
import { logWarnings } from "../service/warnings";
import type { FolderService, FolderView } from "./view";

/**
 * Compares the demand of the Services with the quotas of the account. Reads the cloud and the nodes only if a load
 * balancer is to be created: for a Service that the cluster does not have yet.
 *
 * @throws RunError with every quota that is too small
 */
export async function checkQuotas(cluster: Cluster, { services, live }: FolderView): Promise<void> {
    if ([...services.keys()].every((key) => live.has(key))) return;
    const nodes = await cluster.reads.nodes();
    const demands = [...services].flatMap(([key, service]) => demandOf(service, live.get(key), cluster.facts, nodes));
    const openCloud = () => openAccount(resolveAccount(cluster.account));
    const judged = await Promise.all(
        LOAD_BALANCER_TYPES.map(async (type) => {
            const ofType = demands.filter((demand) => demand.type === type);
            if (!ofType.some(({ created }) => created)) return [];
            const { clusterId } = cluster.facts;
            const { length: exposed } = ofType.filter(({ hasAddress }) => hasAddress);
            return judgeQuotas(type, ofType, await observeQuotas(openCloud(), type, { clusterId, exposed }));
        }),
    );
    const found = judged.flat();
    if (found.some(isError))
        throw new pulumi.RunError(
            `the account has no room for these Services; nothing was changed.\n${formatDiagnostics(found)}`,
        );
    logWarnings(found);
}

/** Returns the demand of a Service, or nothing if it uses an existing instance. */
function demandOf(
    { subject, parsed: { service } }: FolderService,
    live: ServiceObject | undefined,
    facts: ClusterFacts,
    nodes: readonly NodeObject[],
): (InstanceDemand & { readonly hasAddress: boolean })[] {
    if (service.settings.id !== undefined) return [];
    const type = service.loadBalancerType;
    const { listeners, serverGroups } = type === "nlb" ? buildNlb(service, facts) : buildClb(service, facts);
    // With externalTrafficPolicy Local the backends are the nodes of pods, which may not run yet.
    const byNodes = service.externalTrafficPolicy === "Cluster" ? serverGroups : [];
    return [
        {
            service: subject,
            type,
            created: live === undefined,
            hasAddress: (live?.status?.loadBalancer?.ingress ?? []).length > 0,
            listeners: listeners.length,
            groups: byNodes
                .filter(({ kind, joined }) => kind === "ecs" && joined === undefined)
                .map((group) =>
                    Object.keys(groupBackends(service, group, facts, { nodes, endpointSlices: [] }).backends),
                ),
        },
    ];
}
