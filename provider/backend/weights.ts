import { compareVersions } from "../schema/versions";
import { type Backends, MAX_WEIGHT } from "../model/backend";

/** Weight of every node in Cluster mode and of every pod that is attached directly. Source: CCM, vServer groups. */
export const EVEN_WEIGHT = 100;

/** From this CCM on weights follow the pods (in per cent). Source: "FAQ about Services", node weights in Local mode. */
const PERCENT_SINCE = "v1.9.3.164";

/** From this CCM on a node's weight is its number of pods. Source: as above. */
const POD_COUNT_SINCE = "v1.9.3.276";

/** Weights of nodes and what had to be given up to fit them into the cloud's range. */
export interface NodeWeights {
    readonly weights: ReadonlyMap<string, number>;
    /** Largest deviation from the intended share of traffic that fitting into 0 to {@link MAX_WEIGHT} causes, as a fraction (0 = none). */
    readonly error: number;
}

/**
 * Weights of nodes in Local mode from the number of a Service's pods on each, for the CCM generation that is emulated.
 *
 * The newest generation uses the pod count itself. Above 100, the cloud's limit, all are scaled down together so that their proportion stays; none falls below 1.
 */
export function localWeights(podsByNode: ReadonlyMap<string, number>, compatibility?: string): NodeWeights {
    const total = sum(podsByNode.values());
    if (compatibility !== undefined && compareVersions(compatibility, PERCENT_SINCE) < 0) {
        return { weights: weigh(podsByNode, () => EVEN_WEIGHT), error: 0 };
    }
    if (compatibility !== undefined && compareVersions(compatibility, POD_COUNT_SINCE) < 0) {
        return { weights: weigh(podsByNode, (pods) => Math.max(1, Math.floor((100 * pods) / total))), error: 0 };
    }
    const most = Math.max(0, ...podsByNode.values());
    if (most <= MAX_WEIGHT) {
        return { weights: podsByNode, error: 0 };
    }
    const weights = weigh(podsByNode, (pods) => Math.max(1, Math.round((pods * MAX_WEIGHT) / most)));
    const all = sum(weights.values());
    return {
        weights,
        error: Math.max(
            ...[...podsByNode].map(([node, pods]) => Math.abs((weights.get(node) ?? 0) / all - pods / total)),
        ),
    };
}

/**
 * The backends of a Service in a group that several Services serve, where the annotation weight gives the Service a share of the traffic.
 *
 * The share is divided among the backends in the proportion of their weights. None of a Service that gets traffic falls to 0, so that the sum may exceed the share.
 * Source: CCM, vServer groups; "Configure CLB using annotations", traffic weight of the Service.
 *
 * @param weight 0 to 100; 0 = the Service gets no new traffic.
 */
export function shareOf(weight: number, backends: Backends): Backends {
    const total = sum(Object.values(backends).map((backend) => backend.weight));
    const count = Object.keys(backends).length;
    // A default-weight of 0 has no proportions, and no say where the Service has a share: its backends get the same.
    const partOf = (own: number) => (total === 0 ? weight / count : (weight * own) / total);
    const share = (own: number) => (weight === 0 ? 0 : Math.max(1, Math.floor(partOf(own))));
    return Object.fromEntries(
        Object.entries(backends).map(([key, backend]) => [key, { ...backend, weight: share(backend.weight) }]),
    );
}

function weigh(podsByNode: ReadonlyMap<string, number>, weight: (pods: number) => number): Map<string, number> {
    return new Map([...podsByNode].map(([node, pods]) => [node, weight(pods)]));
}

function sum(values: Iterable<number>): number {
    return [...values].reduce((total, value) => total + value, 0);
}
