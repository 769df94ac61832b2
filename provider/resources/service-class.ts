/**
 * Changes `spec.loadBalancerClass` of an existing Service.
 *
 * It is immutable while the Service is of type LoadBalancer. As NodePort the Service keeps its nodePorts, which answer.
 */
import { z } from "zod";
import type { ClusterReader } from "../cluster";
import type { ServiceObject } from "../service/objects";
import { CLASS_CHANGE_ANNOTATION } from "../service/controller";
import { parseJsonObject } from "../net";
import { defined } from "../schema/defined";
import { absent, type Patch, patchService, type ServiceKey } from "./patch-service";

/** Fields that a Service loses as NodePort, kept in an annotation for an interrupted change. */
const Kept = z.object({
    loadBalancerSourceRanges: z.array(z.string()).readonly().optional(),
    healthCheckNodePort: z.number().optional(),
    allocateLoadBalancerNodePorts: z.boolean().optional(),
    ingress: z.array(z.looseObject({})).readonly().optional(),
});
type Kept = z.infer<typeof Kept>;

interface ClassChange {
    /** True if the Service, which is of type LoadBalancer, has to change its class. */
    readonly leaves: (service: ServiceObject) => boolean;
    /** Metadata that changes in the same write as the type. */
    readonly metadata?: (service: ServiceObject) => { readonly annotations?: object };
    /** New class; undefined = none. */
    readonly loadBalancerClass: string | undefined;
    /** Annotations that are removed. */
    readonly annotations: readonly string[];
}

/**
 * Changes the class if necessary, and completes an interrupted change. Two writes, and one for the status, which the
 * API
 * server clears in between.
 *
 * @returns false if the Service does not exist.
 * @throws Error if the fields of an interrupted change cannot be read: without source ranges every client is accepted.
 */
export async function changeClass(cluster: ClusterReader, key: ServiceKey, change: ClassChange): Promise<boolean> {
    const exists = await patchService(cluster, key, (service) =>
        service.spec?.type === "LoadBalancer" && change.leaves(service) ? leavePatch(service, change) : undefined,
    );
    let kept: Kept = {};
    await patchService(cluster, key, (service) => {
        kept = keptOf(service);
        return returnPatch(service, kept, change);
    });
    const service = await cluster.getService(key.namespace, key.name);
    if (kept.ingress !== undefined && service?.metadata.uid === key.uid)
        await cluster.patchServiceStatus(key.namespace, key.name, { ingress: kept.ingress });
    return exists;
}

/** A Service whose owner made it a load balancer again needs nothing. */
function keptOf({ metadata, spec }: ServiceObject): Kept {
    const text = metadata.annotations?.[CLASS_CHANGE_ANNOTATION];
    if (text === undefined) return {};
    const kept = Kept.safeParse(parseJsonObject(text));
    if (kept.success || spec?.type === "LoadBalancer") return kept.data ?? {};
    throw new Error(
        `Service ${metadata.namespace}/${metadata.name}: its class was being changed, and its annotation ` +
            `${CLASS_CHANGE_ANNOTATION}, which holds its source ranges meanwhile, cannot be read: ${text}. ` +
            "Remedy: set spec.type to LoadBalancer again, with the spec.loadBalancerSourceRanges that it is to " +
            "have, remove the annotation, and run again",
    );
}

function leavePatch(service: ServiceObject, { metadata }: ClassChange): Patch {
    const { spec, status } = service;
    const changed = metadata?.(service) ?? {};
    const kept: Kept = defined({
        loadBalancerSourceRanges: spec?.loadBalancerSourceRanges,
        healthCheckNodePort: spec?.healthCheckNodePort,
        allocateLoadBalancerNodePorts: spec?.allocateLoadBalancerNodePorts === false ? false : undefined,
        ingress: status?.loadBalancer?.ingress,
    });
    return {
        metadata: {
            ...changed,
            annotations: { ...changed.annotations, [CLASS_CHANGE_ANNOTATION]: JSON.stringify(kept) },
        },
        spec: {
            type: "NodePort",
            ...absent([
                "loadBalancerClass",
                "loadBalancerSourceRanges",
                "healthCheckNodePort",
                "allocateLoadBalancerNodePorts",
            ]),
        },
    };
}

function returnPatch(
    { metadata, spec }: ServiceObject,
    { ingress: _, ...kept }: Kept,
    { loadBalancerClass, annotations }: ClassChange,
): Patch | undefined {
    const present = [...annotations, CLASS_CHANGE_ANNOTATION].filter((name) => name in (metadata.annotations ?? {}));
    if (present.length === 0) return undefined;
    const returns = present.includes(CLASS_CHANGE_ANNOTATION) && spec?.type !== "LoadBalancer";
    return {
        metadata: { annotations: absent(present) },
        ...(returns && { spec: { type: "LoadBalancer", ...defined({ loadBalancerClass }), ...kept } }),
    };
}
