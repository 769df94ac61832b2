/**
 * Claim on a Service that another tool applies: takes it from the Cloud Controller Manager (CCM), or hands it back.
 *
 * `spec.loadBalancerClass` cannot be set on an existing load balancer Service.
 */
import { z } from "zod";
import { ClusterError, type ClusterReader } from "../../cluster";
import { parseJsonObject } from "../../net";
import { defined } from "../../schema/defined";
import { isOwnClass, LOAD_BALANCER_CLASSES, type LoadBalancerType, NLB_CLASS } from "../../schema/load-balancer-type";
import { keyOfSetting } from "../../service/annotations";
import * as ccm from "../../service/controller";
import type { ServiceObject } from "../../service/objects";
import { applying, type ClusterReference, managing, openReference } from "./handler";

interface ClaimInputs extends ClusterReference, ServiceKey {
    /** `ack-loadbalancer`, or the controller that `read` observed. */
    readonly controller: string;
    /** Default `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    /**
     * Deleting the claim hands the Service back to the Cloud Controller Manager. Default false: no controller manages
     * it.
     */
    readonly handBack?: boolean;
}

const { create, update, read, remove } = managing<ClaimInputs>({
    /** Claims the Service. Writes nothing if it is claimed already: it may be recreated, or handed back by others. */
    ...applying<ClaimInputs>(
        ({ namespace, name }) => `${namespace}/${name}`,
        (inputs) => claimService(openReference(inputs), inputs, inputs.loadBalancerType),
    ),
    read: async (props) => {
        const service = await openReference(props).getService(props.namespace, props.name);
        if (service === undefined) return undefined;
        const controller = ccm.isLeftToCcm(service) ? "cloud-controller-manager" : props.controller;
        return { uid: service.metadata.uid ?? props.uid, controller };
    },
    /** Hands the Service back if `handBack` is set. Otherwise it stays as it is, and gets no new load balancer. */
    delete: async (props) => {
        if (props.handBack) await handBackService(openReference(props), props, props.loadBalancerType);
    },
});
export { create, update, read, remove as delete };

export interface ServiceKey {
    readonly namespace: string;
    readonly name: string;
    /** `metadata.uid`. A recreated Service has another. */
    readonly uid: string;
}

/**
 * Claims a Service: marks it for this package and removes CCM's finalizer and labels, in one write. Does not write a
 * Service that CCM ignores already.
 *
 * For a CLB, which CCM creates for Services without a class, the mark is an annotation. For an NLB, which CCM creates
 * for its class, the class changes.
 *
 * @throws Error if the Service does not exist.
 */
export async function claimService(cluster: ClusterReader, key: ServiceKey, type?: LoadBalancerType): Promise<void> {
    const found = await (type === "nlb" ? claimByClass(cluster, key) : claimByAnnotation(cluster, key));
    if (!found)
        throw new Error(
            `Service ${key.namespace}/${key.name} is not in the cluster (any more), so it cannot be taken over. ` +
                "Remedy: apply it, then run again.",
        );
}

function claimByAnnotation(cluster: ClusterReader, key: ServiceKey): Promise<boolean> {
    return patchService(cluster, key, (service) => {
        if (!ccm.isLeftToCcm(service)) return undefined;
        const hasClass = (service.spec?.loadBalancerClass ?? "") !== "";
        const mark = hasClass ? {} : { annotations: { [ccm.CLASS_ANNOTATION]: LOAD_BALANCER_CLASSES.clb } };
        return { metadata: { ...withoutMarks(service), ...mark } };
    });
}

/** Without its finalizer CCM ignores a Service of another type. Some CCMs follow the NLB annotation in any class. */
function claimByClass(cluster: ClusterReader, key: ServiceKey): Promise<boolean> {
    return changeClass(cluster, key, {
        leaves: ccm.isLeftToCcm,
        metadata: (service) => ({ ...withoutMarks(service), annotations: absent([keyOfSetting("type")]) }),
        loadBalancerClass: LOAD_BALANCER_CLASSES.nlb,
        annotations: [],
    });
}

function withoutMarks({ metadata }: ServiceObject): object {
    const finalizers = (metadata.finalizers ?? []).filter((name) => !ccm.isCcmFinalizer(name));
    return { finalizers: finalizers.length > 0 ? finalizers : null, labels: absent(ccm.CCM_LABELS) };
}

/**
 * Hands a Service, if it exists, to CCM: without managed annotations, and with CCM's class. CCM finds the instance by
 * its tag.
 */
export async function handBackService(cluster: ClusterReader, key: ServiceKey, type?: LoadBalancerType): Promise<void> {
    await changeClass(cluster, key, {
        leaves: (service) => isOwnClass(service.spec?.loadBalancerClass),
        loadBalancerClass: type === "nlb" ? NLB_CLASS : undefined,
        annotations: [ccm.CLASS_ANNOTATION, ccm.STACK_ANNOTATION, ccm.SETTINGS_ANNOTATION],
    });
}

/** Fields that a Service loses as NodePort, kept in an annotation for an interrupted change. */
const Kept = z.object({
    loadBalancerSourceRanges: z.array(z.string()).readonly().optional(),
    healthCheckNodePort: z.number().optional(),
    allocateLoadBalancerNodePorts: z.boolean().optional(),
    ingress: z.array(z.looseObject({})).readonly().optional(),
});
type Kept = z.infer<typeof Kept>;

/** Fields that a NodePort cannot have. */
const LOST = ["loadBalancerClass", "loadBalancerSourceRanges", "healthCheckNodePort", "allocateLoadBalancerNodePorts"];

interface ClassChange {
    /** True if the Service, which is of type LoadBalancer, has to change its class. */
    readonly leaves: (service: ServiceObject) => boolean;
    /** Metadata that changes in the same write as the type. */
    readonly metadata?: (service: ServiceObject) => { readonly annotations?: object };
    /** New class, or undefined for none. */
    readonly loadBalancerClass: string | undefined;
    readonly annotations: readonly string[];
}

/**
 * Changes the class if necessary, and completes an interrupted change. It takes two writes, and another for the status,
 * which the API server clears in between.
 *
 * The class is immutable while the Service is of type LoadBalancer. As NodePort the Service keeps its nodePorts, which
 * answer.
 *
 * @returns false if the Service does not exist.
 * @throws Error if the fields of an interrupted change cannot be read: without source ranges every client is accepted.
 */
async function changeClass(cluster: ClusterReader, key: ServiceKey, change: ClassChange): Promise<boolean> {
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
    const text = metadata.annotations?.[ccm.CLASS_CHANGE_ANNOTATION];
    if (text === undefined) return {};
    const kept = Kept.safeParse(parseJsonObject(text));
    if (kept.success || spec?.type === "LoadBalancer") return kept.data ?? {};
    throw new Error(
        `Service ${metadata.namespace}/${metadata.name}: its class was being changed, and its annotation ` +
            `${ccm.CLASS_CHANGE_ANNOTATION}, which holds its source ranges meanwhile, cannot be read: ${text}. ` +
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
    const annotations = { ...changed.annotations, [ccm.CLASS_CHANGE_ANNOTATION]: JSON.stringify(kept) };
    return {
        metadata: { ...changed, annotations },
        spec: { type: "NodePort", ...absent(LOST) },
    };
}

function returnPatch(
    { metadata, spec }: ServiceObject,
    { ingress: _, ...kept }: Kept,
    { loadBalancerClass, annotations }: ClassChange,
): Patch | undefined {
    const present = [...annotations, ccm.CLASS_CHANGE_ANNOTATION].filter(
        (name) => name in (metadata.annotations ?? {}),
    );
    if (present.length === 0) return undefined;
    const returns = present.includes(ccm.CLASS_CHANGE_ANNOTATION) && spec?.type !== "LoadBalancer";
    return {
        metadata: { annotations: absent(present) },
        ...(returns && { spec: { type: "LoadBalancer", ...defined({ loadBalancerClass }), ...kept } }),
    };
}

interface Patch {
    readonly metadata?: object;
    readonly spec?: object;
}

const TRIES = 5;

/**
 * Patches a Service, or does not write if there is no patch, and tries again after a conflict.
 *
 * @returns false if the Service does not exist.
 */
async function patchService(
    cluster: ClusterReader,
    { namespace, name, uid }: ServiceKey,
    patchOf: (service: ServiceObject) => Patch | undefined,
): Promise<boolean> {
    for (let tries = 1; ; tries++) {
        const service = await cluster.getService(namespace, name);
        if (service === undefined || service.metadata.uid !== uid) return false;
        const patch = patchOf(service);
        if (patch === undefined) return true;
        const metadata = { ...patch.metadata, resourceVersion: service.metadata.resourceVersion };
        try {
            await cluster.patchService(namespace, name, { ...patch, metadata });
            return true;
        } catch (error) {
            if (!(error instanceof ClusterError && error.kind === "conflict") || tries >= TRIES) throw error;
        }
    }
}

const absent = (keys: readonly string[]): Record<string, null> => Object.fromEntries(keys.map((key) => [key, null]));

export interface ServiceIdentity extends Omit<ServiceKey, "uid"> {
    /** `project/stack` that is about to create it. */
    readonly stack: string;
}

/**
 * Removes the Service that an interrupted run of the same stack left behind. It has the stack's mark, a managed class
 * and no address.
 *
 * @throws Error if there is another Service of this name: it may serve traffic.
 */
export async function sweepService(
    cluster: Pick<ClusterReader, "getService" | "deleteService">,
    { namespace, name, stack }: ServiceIdentity,
): Promise<void> {
    const found = await cluster.getService(namespace, name);
    if (found === undefined) return;
    const { metadata, spec, status } = found;
    const managed = metadata.annotations?.[ccm.STACK_ANNOTATION] === stack && isOwnClass(spec?.loadBalancerClass);
    const serves = (status?.loadBalancer?.ingress ?? []).length > 0;
    const cause = managed
        ? "the stack's state was lost, and the Service has an address"
        : "another tool or user has applied it";
    if (!managed || serves || metadata.uid === undefined)
        throw new Error(
            `Service ${namespace}/${name} is in the cluster already and is not in this stack. Cause: ${cause}. ` +
                "Remedy: let this stack only follow it (follow: true, or ServiceLoadBalancer.forExisting), take it " +
                "into the state with pulumi import, or delete it if nothing needs it.",
        );
    await cluster.deleteService(namespace, name, metadata.uid);
}
