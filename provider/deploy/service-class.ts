/**
 * Another `spec.loadBalancerClass` for a Service that is there.
 *
 * The API server lets no class of a load balancer Service change, so it changes by way of type NodePort, which keeps the nodePorts: nodes answer all the time.
 */
import { z } from "zod";
import type { ClusterReader, ServiceObject } from "../kubernetes";
import { CLASS_CHANGE_ANNOTATION } from "../kubernetes/service/controller";
import { parseJsonObject } from "../net";
import { absent, patchService, type ServiceKey } from "./patch-service";
import { defined } from "../schema/defined";

/** What a Service loses on its way through another type, kept on it so that a second try still knows it. */
const Kept = z.object({
    loadBalancerSourceRanges: z.array(z.string()).readonly().optional(),
    healthCheckNodePort: z.number().optional(),
    allocateLoadBalancerNodePorts: z.boolean().optional(),
    ingress: z.array(z.looseObject({})).readonly().optional(),
});
type Kept = z.infer<typeof Kept>;

/** A change of class. */
export interface ClassChange {
    /** Whether the Service, which is of type LoadBalancer, has to change its class. */
    readonly leaves: (service: ServiceObject) => boolean;
    /** Metadata that changes in the same write as the type, so that no moment is left in which a controller could act on one without the other. */
    readonly metadata?: (service: ServiceObject) => object;
    /** The new class; undefined = none. */
    readonly loadBalancerClass: string | undefined;
    /** Annotations that the Service loses. */
    readonly annotations: readonly string[];
}

/**
 * Changes the class, if it has to change; one that was interrupted half-way is finished. Two writes, and one for the status, which the API server empties in between.
 *
 * @returns false if the Service is gone.
 * @throws Error if what an interrupted change has kept cannot be read: without its source ranges the Service would be open to everybody.
 */
export async function changeClass(cluster: ClusterReader, key: ServiceKey, change: ClassChange): Promise<boolean> {
    const there = await patchService(cluster, key, (service) =>
        service.spec?.type === "LoadBalancer" && change.leaves(service) ? leavePatch(service, change) : undefined,
    );
    let kept: Kept = {};
    await patchService(cluster, key, (service) => {
        kept = keptOf(service);
        return returnPatch(service, kept, change);
    });
    const service = await cluster.getService(key.namespace, key.name);
    if (kept.ingress !== undefined && service?.metadata.uid === key.uid) {
        await cluster.patchServiceStatus(key.namespace, key.name, { ingress: kept.ingress });
    }
    return there;
}

/** What an interrupted change has kept. A Service that is a load balancer again, by its owner's will, has lost nothing that it needs. */
function keptOf({ metadata, spec }: ServiceObject): Kept {
    const text = metadata.annotations?.[CLASS_CHANGE_ANNOTATION];
    if (text === undefined) {
        return {};
    }
    const kept = Kept.safeParse(parseJsonObject(text));
    if (kept.success || spec?.type === "LoadBalancer") {
        return kept.data ?? {};
    }
    throw new Error(
        `Service ${metadata.namespace}/${metadata.name}: its class was being changed, and its annotation ${CLASS_CHANGE_ANNOTATION}, which holds its source ranges meanwhile, cannot be read: ${text}. ` +
            `Remedy: set spec.type to LoadBalancer again, with the spec.loadBalancerSourceRanges that it is to have, remove the annotation, and run again`,
    );
}

function leavePatch(service: ServiceObject, { metadata }: ClassChange): object {
    const { spec, status } = service;
    const own: { readonly annotations?: object } = metadata?.(service) ?? {};
    const kept: Kept = {
        ...defined({
            loadBalancerSourceRanges: spec?.loadBalancerSourceRanges,
            healthCheckNodePort: spec?.healthCheckNodePort,
        }),
        ...(spec?.allocateLoadBalancerNodePorts === false ? { allocateLoadBalancerNodePorts: false } : {}),
        ...defined({ ingress: status?.loadBalancer?.ingress }),
    };
    return {
        metadata: { ...own, annotations: { ...own.annotations, [CLASS_CHANGE_ANNOTATION]: JSON.stringify(kept) } },
        spec: {
            type: "NodePort",
            loadBalancerClass: null,
            loadBalancerSourceRanges: null,
            healthCheckNodePort: null,
            allocateLoadBalancerNodePorts: null,
        },
    };
}

function returnPatch(
    { metadata, spec }: ServiceObject,
    { ingress: _, ...kept }: Kept,
    { loadBalancerClass, annotations }: ClassChange,
): object | undefined {
    const present = [...annotations, CLASS_CHANGE_ANNOTATION].filter((name) => name in (metadata.annotations ?? {}));
    const returns = CLASS_CHANGE_ANNOTATION in (metadata.annotations ?? {}) && spec?.type !== "LoadBalancer";
    return present.length === 0
        ? undefined
        : {
              metadata: { annotations: absent(present) },
              ...(returns
                  ? {
                        spec: {
                            type: "LoadBalancer",
                            ...defined({ loadBalancerClass }),
                            ...kept,
                        },
                    }
                  : {}),
          };
}
