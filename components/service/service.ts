import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import type { GroupShape } from "../../provider/backends";
import { type KubernetesObject } from "../../provider/service/service";
import { STACK_ANNOTATION } from "../../provider/service/controller";
import { withoutUnset } from "../../provider/service/ports";
import type { ServiceObject } from "../../provider/service/objects";
import { LOAD_BALANCER_CLASSES } from "../../provider/schema/load-balancer-type";
import { type ResourceArgs, ServiceStatus } from "../../provider/resources";
import type { Cluster } from "./cluster";
import { afterAllChecks, endTurn, runFacts } from "./run";
import { childName, type Component } from "./component";
import { appliedServiceHooks, stackMark, statusHooks } from "./hooks";
import { clusterArgs } from "./cluster";
import type { LiveService, ReadService } from "./read-service";
import { defined } from "../../provider/schema/defined";

/** Service of a component: specified, and in the cluster before the run changes it. */
export interface ComponentService extends Pick<ReadService, "service" | "ids" | "known" | "maps"> {
    readonly cluster: Cluster;
    /** Unknown if the cluster is made in this run. */
    readonly live: pulumi.Output<LiveService>;
    /** Dependencies of the component, which may create the Service. */
    readonly dependsOn: pulumi.ResourceOptions["dependsOn"];
    /** True if the component waits for nothing else of the program. */
    readonly independent: boolean;
}

/** Applied or followed Service, for the other children. */
export interface ServiceHandle {
    /** Undefined if the Service is followed. */
    readonly resource: core.Service | undefined;
    /** Unknown before the Service exists. */
    readonly uid: pulumi.Output<string>;
    /** Returns the nodePort of a group of nodes, unknown before the cluster has chosen it; undefined for pods. */
    nodePortOf(group: Pick<GroupShape, "kind" | "ports">): pulumi.Output<number> | undefined;
}

interface ServicePortKey {
    readonly port: number;
    readonly protocol?: string;
}

/** Metadata that the API server writes: in a manifest copied from a cluster it causes refusals or conflicts. */
const SERVER_METADATA = new Set([
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "managedFields",
    "selfLink",
    "ownerReferences",
]);

/** Applies the Service with this package's class, which keeps other controllers away. */
export function applyOwnedService(
    component: Component,
    { service, ids, maps, cluster, live: observed, independent }: ComponentService,
    dependsOn: pulumi.Resource,
): ServiceHandle {
    const resource = applyService(
        childName(component),
        service.object,
        {
            namespace: afterAllChecks(independent, ids.namespace),
            name: ids.name,
            cluster,
            spec: {
                loadBalancerClass: LOAD_BALANCER_CLASSES[service.loadBalancerType],
                ...defined({ selector: maps.selector }),
            },
            labels: maps.labels,
        },
        { parent: component.parent, dependsOn },
    );
    // Unknown values depend on the Service too: a saved plan must contain every dependency of the update.
    const live = pulumi.all([observed, resource.urn]).apply(([found]) => found.live);
    return {
        resource,
        uid: live.apply((found) => knownOnce(found !== undefined, () => madeBy(resource, resource.metadata.uid))),
        nodePortOf: nodePortOf((port) =>
            live.apply((found) =>
                knownOnce(find(found?.spec?.ports, port) !== undefined, () =>
                    madeBy(resource, resource.spec).apply((spec) =>
                        needNodePort(find(spec?.ports, port), component, port),
                    ),
                ),
            ),
        ),
    };
}

/** Applies the Service of a manifest, with the mark of this stack. */
export function applyService(
    name: string,
    object: KubernetesObject,
    more: {
        readonly namespace: pulumi.Input<string>;
        /** Default: the manifest's. */
        readonly name?: pulumi.Input<string>;
        readonly cluster: Cluster;
        readonly spec: object;
        /** Default: the manifest's. */
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
                ...defined({ name: more.name, labels: more.labels }),
                namespace: more.namespace,
                annotations: {
                    ...metadata.annotations,
                    // The kubernetes plugin would wait for an address that only this package writes.
                    "pulumi.com/skipAwait": "true",
                    [STACK_ANNOTATION]: stackMark(),
                },
            },
            spec: { ...withoutUnset(spec), ...more.spec },
        },
        { ...opts, ...defined({ hooks }) },
    );
}

/** Uses the Service in the cluster; only its status is written. */
export function followService(
    component: Component,
    { live: observed, dependsOn, independent }: ComponentService,
): ServiceHandle {
    const live = observed.apply((found): pulumi.Output<ServiceObject> => {
        if (found.live !== undefined) return pulumi.output(found.live);
        // The contract reports read errors; in a preview a dependency may be about to create the Service.
        const isMade = pulumi.runtime.isDryRun() && dependsOn !== undefined;
        if (found.failure !== undefined || isMade) return unknown();
        throw new pulumi.RunError(
            `Service ${component.subject} is not in the cluster. ` +
                "Remedy: apply it first, or let this stack apply it (without follow).",
        );
    });
    return {
        resource: undefined,
        uid: live.apply((service) => afterAllChecks(independent, service.metadata.uid ?? "")),
        nodePortOf: nodePortOf((port) =>
            live.apply((service) => needNodePort(find(service.spec?.ports, port), component, port)),
        ),
    };
}

/**
 * Creates the Service's status as the last resource of the Service.
 *
 * @param ready resources to wait for
 */
export function createStatus(
    component: Component,
    { ids, cluster, independent }: ComponentService,
    { uid }: ServiceHandle,
    loadBalancerId: pulumi.Output<string>,
    ingress: ResourceArgs<"status">["ingress"],
    ready: pulumi.Resource[],
): ServiceStatus {
    const name = childName(component);
    runFacts().subjects.set(name, pulumi.output({ ...ids, uid, loadBalancerId }));
    const status = new ServiceStatus(
        name,
        { ...ids, uid, ...clusterArgs(cluster), ingress },
        { parent: component.parent, dependsOn: ready, hooks: statusHooks(cluster) },
    );
    endTurn(independent, status);
    return status;
}

/** Value that is unknown in a preview. */
const unknown = <T>() => pulumi.output(pulumi.unknown) as unknown as pulumi.Output<T>;

/** Keeps a value unknown if `--target` or `--exclude` skips its resource, whose outputs are then only its inputs. */
function madeBy<T>({ id }: pulumi.CustomResource, value: pulumi.Output<T>): pulumi.Output<T> {
    return pulumi.all([id, value]).apply(([, made]) => made) as pulumi.Output<T>;
}

/** Keeps a value of the API server unknown in previews until the object exists: a dry run returns a temporary value. */
function knownOnce<T>(there: boolean, value: () => pulumi.Output<T>): pulumi.Output<T> {
    return pulumi.runtime.isDryRun() && !there ? unknown() : value();
}

const nodePortOf =
    (read: (port: ServicePortKey) => pulumi.Output<number>): ServiceHandle["nodePortOf"] =>
    ({ kind, ports: [first] }) =>
        kind === "ecs" && first !== undefined ? read(first) : undefined;

function find(
    ports: readonly (ServicePortKey & { readonly nodePort?: number })[] | undefined,
    shape: ServicePortKey,
): number | undefined {
    return ports?.find((port) => port.port === shape.port && (port.protocol ?? "TCP") === (shape.protocol ?? "TCP"))
        ?.nodePort;
}

function needNodePort(nodePort: number | undefined, { subject }: Component, port: ServicePortKey): number {
    if (nodePort === undefined)
        throw new pulumi.RunError(
            `port ${port.port} of Service ${subject} has no nodePort, so no node can be its backend. ` +
                "Remedy: do not set allocateLoadBalancerNodePorts to false, or use backend-type: eni.",
        );
    return nodePort;
}
