import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { type KubernetesObject } from "../../provider/kubernetes/service/service";
import { STACK_ANNOTATION } from "../../provider/kubernetes/service/controller";
import { withoutUnset } from "../../provider/kubernetes/service/ports";
import type { ServiceObject } from "../../provider/kubernetes";
import { LOAD_BALANCER_CLASSES } from "../../provider/schema/load-balancer-type";
import type { Cluster } from "./cluster";
import { afterAllChecks } from "./order";
import { type AnyContext, childName } from "./context";
import { stackMark, appliedServiceHooks } from "./hooks";
import { defined } from "../../provider/schema/defined";

/** The Service as the other children need it, whether this stack applies it or only follows it. */
export interface ServiceHandle {
    /** Undefined if the Service is only followed. */
    readonly resource: core.Service | undefined;
    /** `metadata.uid`; unknown before a Service exists. */
    readonly uid: pulumi.Output<string>;
    /** nodePort of a Service port; unknown before the cluster has chosen it. */
    nodePort(port: ServicePortKey): pulumi.Output<number>;
}

interface ServicePortKey {
    readonly port: number;
    readonly protocol?: string;
}

interface PortStatus {
    readonly port: number;
    readonly protocol?: string;
    readonly nodePort?: number;
}

/** Metadata that the API server writes; a manifest that was copied from a cluster carries it, and applying it would be refused or fought over. So would its status. */
const SERVER_METADATA = new Set([
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "managedFields",
    "selfLink",
    "ownerReferences",
]);

/**
 * Applies the Service, with our class, so that no other controller takes it.
 *
 * The kubernetes plugin would wait for an address that only this package writes; an annotation says that it must not.
 */
export function applyOwnedService(context: AnyContext, dependsOn: pulumi.Resource): ServiceHandle {
    const { service, cluster } = context;
    const resource = applyService(
        childName(context),
        service.object,
        {
            namespace: afterAllChecks(context, service.namespace),
            cluster,
            spec: {
                loadBalancerClass: LOAD_BALANCER_CLASSES[service.loadBalancerType],
                ...defined({ selector: context.maps.selector }),
            },
            labels: context.maps.labels,
        },
        { parent: context.parent, dependsOn },
    );
    // What a preview does not know yet depends on the Service, too: a plan that a preview saves holds every dependency of the update.
    const live = pulumi.all([context.live, resource.urn]).apply(([found]) => found.live);
    return {
        resource,
        uid: live.apply((found) => knownOnce(found !== undefined, () => madeBy(resource, resource.metadata.uid))),
        nodePort: (port) =>
            live.apply((found) =>
                knownOnce(find(found?.spec?.ports, port) !== undefined, () =>
                    madeBy(resource, resource.spec).apply((spec) =>
                        needNodePort(find(spec?.ports, port), context, port),
                    ),
                ),
            ),
    };
}

/** Applies a Service as it stands in a manifest, with the mark of this stack. */
export function applyService(
    name: string,
    object: KubernetesObject,
    more: {
        readonly namespace: pulumi.Input<string>;
        readonly cluster: Cluster;
        readonly spec: object;
        /** Instead of the manifest's. */
        readonly labels?: pulumi.Input<Readonly<Record<string, string>>> | undefined;
    },
    opts: pulumi.CustomResourceOptions,
): core.Service {
    const { apiVersion, kind, metadata, spec } = object as unknown as {
        apiVersion: "v1";
        kind: "Service";
        metadata: Readonly<Record<string, unknown>> & { annotations?: object };
        spec: Readonly<Record<string, unknown>>;
    };
    const own = Object.fromEntries(
        Object.entries(withoutUnset(metadata)).filter(([member]) => !SERVER_METADATA.has(member)),
    );
    const hooks = appliedServiceHooks(more.cluster);
    return new core.Service(
        name,
        {
            apiVersion,
            kind,
            metadata: {
                ...own,
                ...defined({ labels: more.labels }),
                namespace: more.namespace,
                annotations: {
                    ...metadata.annotations,
                    "pulumi.com/skipAwait": "true",
                    [STACK_ANNOTATION]: stackMark(),
                },
            },
            spec: { ...withoutUnset(spec), ...more.spec },
        },
        { ...opts, ...defined({ hooks }) },
    );
}

/** Takes the Service as it is in the cluster. It is never changed, except for its status. */
export function followService(context: AnyContext): ServiceHandle {
    const live = context.live.apply((found): pulumi.Output<ServiceObject> => {
        if (found.live === undefined) {
            // The contract refuses a run that cannot read the cluster; in a preview another resource may be about to make the Service.
            const isMade = pulumi.runtime.isDryRun() && context.dependsOn !== undefined;
            if (found.failure !== undefined || isMade)
                return pulumi.output(pulumi.unknown) as unknown as pulumi.Output<ServiceObject>;
            throw new pulumi.RunError(
                `Service ${context.subject} is not in the cluster. Remedy: apply it first, or let this stack apply it (without follow).`,
            );
        }
        return pulumi.output(found.live);
    });
    return {
        resource: undefined,
        uid: live.apply((service) => afterAllChecks(context, service.metadata.uid ?? "")),
        nodePort: (port) => live.apply((service) => needNodePort(find(service.spec?.ports, port), context, port)),
    };
}

/** A value that is unknown where the resource is not made: a run with `--target` or `--exclude` skips it, and the SDK then takes its inputs for all that is known of it. */
function madeBy<T>({ id }: pulumi.CustomResource, value: pulumi.Output<T>): pulumi.Output<T> {
    return pulumi.all([id, value]).apply(([, made]) => made) as pulumi.Output<T>;
}

/**
 * A value that the API server chooses. A dry run answers with a value that it then throws away, so in a preview it counts as unknown until the object is there.
 */
function knownOnce<T>(there: boolean, value: () => pulumi.Output<T>): pulumi.Output<T> {
    return pulumi.runtime.isDryRun() && !there
        ? (pulumi.output(pulumi.unknown) as unknown as pulumi.Output<T>)
        : value();
}

function find(ports: readonly PortStatus[] | undefined, shape: ServicePortKey): number | undefined {
    return ports?.find((port) => port.port === shape.port && (port.protocol ?? "TCP") === (shape.protocol ?? "TCP"))
        ?.nodePort;
}

function needNodePort(nodePort: number | undefined, context: AnyContext, port: ServicePortKey): number {
    if (nodePort === undefined) {
        throw new pulumi.RunError(
            `port ${port.port} of Service ${context.subject} has no nodePort, so no node can be its backend. Remedy: do not set allocateLoadBalancerNodePorts to false, or use backend-type: eni.`,
        );
    }
    return nodePort;
}
