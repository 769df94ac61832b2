/** Weights of backends: by number of pods, and by the share of a Service in a group of several. Pure. */
import { type Backends, MAX_WEIGHT } from "../schema/backend";
import { defined } from "../schema/defined";
import { follows } from "../schema/facts";

/** Weight of a node in Cluster mode and of a pod that is attached directly. Source: CCM, vServer groups. */
export const EVEN_WEIGHT = 100;

/**
 * Computes the weights of nodes in Local mode from the number of pods on each node, as the given version of CCM does.
 * The newest version uses the number of pods. Above 100, all weights are scaled down in proportion, to at least 1.
 *
 * @returns `error`: largest deviation from the intended share of traffic after scaling, as a fraction.
 */
export function localWeights(
    podsByNode: ReadonlyMap<string, number>,
    compatibility?: string,
): { readonly weights: ReadonlyMap<string, number>; readonly error: number } {
    const weigh = (weight: (pods: number) => number) =>
        new Map([...podsByNode].map(([node, pods]) => [node, weight(pods)]));
    const facts = defined({ compatibility });
    const total = sum(podsByNode.values());
    if (!follows(facts, "percentWeights")) return { weights: weigh(() => EVEN_WEIGHT), error: 0 };
    if (!follows(facts, "podCountWeights"))
        return { weights: weigh((pods) => Math.max(1, Math.floor((100 * pods) / total))), error: 0 };
    const most = Math.max(0, ...podsByNode.values());
    if (most <= MAX_WEIGHT) return { weights: podsByNode, error: 0 };
    const weights = weigh((pods) => Math.max(1, Math.round((pods * MAX_WEIGHT) / most)));
    const all = sum(weights.values());
    const errors = [...podsByNode].map(([node, pods]) => Math.abs((weights.get(node) ?? 0) / all - pods / total));
    return { weights, error: Math.max(...errors) };
}

/**
 * Divides the traffic weight of a Service among its backends in a group of several Services, in proportion to their
 * weights. A Service with traffic gives each backend at least 1, and the sum may exceed its weight. Source: CCM,
 * vServer groups, and "Configure CLB using annotations", traffic weight of the Service.
 *
 * @param weight 0 to 100, where 0 means that the Service gets no new traffic.
 */
export function shareOf(weight: number, backends: Backends): Backends {
    const entries = Object.entries(backends);
    const total = sum(entries.map(([, backend]) => backend.weight));
    const share = (own: number): number => {
        if (weight === 0) return 0;
        // A default-weight of 0 gives no proportions: the backends get equal shares.
        const part = total === 0 ? weight / entries.length : (weight * own) / total;
        return Math.max(1, Math.floor(part));
    };
    return Object.fromEntries(entries.map(([key, backend]) => [key, { ...backend, weight: share(backend.weight) }]));
}

function sum(values: Iterable<number>): number {
    return [...values].reduce((total, value) => total + value, 0);
}
