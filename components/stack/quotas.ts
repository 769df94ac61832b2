/** Refuses Services for which the account has no room, before anything is made of them. */
import * as pulumi from "@pulumi/pulumi";
import { groupBackends } from "../../provider/backends";
import { buildClb, buildNlb } from "../../provider/plan/desired";
import { formatDiagnostics, isError } from "../../provider/diagnostics";
import type { NodeObject, ServiceObject } from "../../provider/service/objects";
import type { ServiceDocument } from "../../provider/service/manifests";
import { parseService } from "../../provider/service/service";
import { observeQuotas } from "../../provider/cloud/quotas";
import { type InstanceDemand, judgeQuotas } from "../../provider/plan/quotas";
import type { ClusterFacts } from "../../provider/schema/facts";
import { LOAD_BALANCER_TYPES } from "../../provider/schema/load-balancer-type";
import { openAccount } from "../../provider/cloud";
import { resolveAccount } from "../service/account";
import type { Cluster } from "../service/cluster";
import { logWarnings } from "../service/warnings";

/** A Service of the folder, and what there is of it. */
export interface FolderService {
    readonly document: ServiceDocument;
    /** As it is in the cluster. */
    readonly live: ServiceObject | undefined;
    /** True if its load balancer exists and is adopted. */
    readonly adopted: boolean;
}

/**
 * Compares the demand of the Services with the quotas of the account. Reads the cloud and the nodes only if a load
 * balancer is to be created: for a Service that the cluster does not have yet.
 *
 * @throws RunError with every quota that is too small
 */
export async function checkQuotas(cluster: Cluster, services: readonly FolderService[]): Promise<void> {
    if (services.every(({ live, adopted }) => adopted || live !== undefined)) return;
    const nodes = await cluster.nodes();
    const demands = services.flatMap((service) => demandOf(service, cluster.facts, nodes));
    const exposed = new Set(services.filter(isExposed).map(({ document }) => document.subject));
    const openCloud = () => openAccount(resolveAccount(cluster.account));
    const judged = await Promise.all(
        LOAD_BALANCER_TYPES.map(async (type) => {
            const ofType = demands.filter((demand) => demand.type === type);
            if (!ofType.some(({ created }) => created)) return [];
            const { clusterId } = cluster.facts;
            const count = ofType.filter(({ service }) => exposed.has(service)).length;
            return judgeQuotas(type, ofType, await observeQuotas(openCloud(), type, { clusterId, exposed: count }));
        }),
    );
    const found = judged.flat();
    if (found.some(isError))
        throw new pulumi.RunError(
            `the account has no room for these Services; nothing was changed.\n${formatDiagnostics(found)}`,
        );
    logWarnings(found);
}

const isExposed = ({ live }: FolderService): boolean => (live?.status?.loadBalancer?.ingress ?? []).length > 0;

/** Returns the demand of a Service; nothing if it uses an existing instance. */
function demandOf(
    { document, live, adopted }: FolderService,
    facts: ClusterFacts,
    nodes: readonly NodeObject[],
): InstanceDemand[] {
    const { service } = parseService(document, facts);
    if (service === undefined || service.settings.id !== undefined) return [];
    const type = service.loadBalancerType;
    const { listeners, serverGroups } = type === "nlb" ? buildNlb(service, facts) : buildClb(service, facts);
    // With externalTrafficPolicy Local the backends are the nodes of pods, which may not run yet.
    const byNodes = service.externalTrafficPolicy === "Cluster" ? serverGroups : [];
    return [
        {
            service: document.subject,
            type,
            created: !adopted && live === undefined,
            listeners: listeners.length,
            groups: byNodes
                .filter(({ kind, joined }) => kind === "ecs" && joined === undefined)
                .map((group) =>
                    Object.keys(groupBackends(service, group, facts, { nodes, endpointSlices: [] }).backends),
                ),
        },
    ];
}
