/** Service in the cluster: applied by the component, or followed, and claimed from other controllers. */
import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { ServiceClaim } from "../../provider/resources";
import { defined, filtered } from "../../provider/schema/defined";
import { LOAD_BALANCER_CLASSES } from "../../provider/schema/load-balancer-type";
import type { ServerGroup } from "../../provider/schema/server-group";
import { SETTINGS_ANNOTATION, STACK_ANNOTATION } from "../../provider/service/controller";
import type { ServiceObject } from "../../provider/service/objects";
import { nodePortIn, type ServicePortKey, withoutUnset } from "../../provider/service/ports";
import type { KubernetesObject } from "../../provider/service/service";
import type { ServiceSource } from "./args";
import { type Cluster, clusterArgs } from "../cluster/cluster";
import { appliedServiceHooks, stackMark } from "./hooks";
import type { LiveService, ReadService } from "./read-service";
import { childName, type Component } from "./component";
import { afterAllChecks } from "../run/run";

/** Applied or followed Service, for the other children. */
export interface ServiceHandle {
    /** Undefined if the Service is followed. */
    readonly resource: core.Service | undefined;
    /** Unknown before the Service exists. */
    readonly uid: pulumi.Output<string>;
    /** Returns the nodePort of a group of nodes, unknown before the cluster has chosen it, or undefined for pods. */
    nodePortOf(group: Pick<ServerGroup, "kind" | "ports">): pulumi.Output<number> | undefined;
}

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

/** Metadata that the API server writes: in a manifest copied from a cluster it causes refusals or conflicts. */
const SERVER_METADATA = /^(uid|resourceVersion|generation|creationTimestamp|managedFields|selfLink|ownerReferences)$/;

/** Applies the Service with this package's class, which keeps other controllers away. */
function applyOwnedService(
    component: Component,
    { service, ids, maps, cluster, live: observed, independent }: ComponentService,
    source: ServiceSource,
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
            settings: settingsOf(source),
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
                knownOnce(nodePortIn(found?.spec?.ports, port) !== undefined, () =>
                    madeBy(resource, resource.spec).apply((spec) =>
                        needNodePort(nodePortIn(spec?.ports, port), component, port),
                    ),
                ),
            ),
        ),
    };
}

/** Returns settings and references in code as JSON, or undefined if there are none. */
function settingsOf({ settings = {}, references = {} }: ServiceSource): pulumi.Output<string> | undefined {
    if (Object.keys(settings).length + Object.keys(references).length === 0) return undefined;
    return pulumi.output(references).apply(({ zoneVswitches, ...ids }) => {
        const zones = Object.entries(zoneVswitches ?? {}).map(([zoneId, vswitchId]) => ({ zoneId, vswitchId }));
        return JSON.stringify({ ...settings, ...ids, ...(zoneVswitches && { zoneMaps: zones }) });
    });
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
        /** Settings in code, as JSON. Default: none. */
        readonly settings?: pulumi.Input<string> | undefined;
    },
    opts: pulumi.CustomResourceOptions,
): core.Service {
    const { apiVersion, kind, metadata, spec } = object as unknown as {
        apiVersion: "v1";
        kind: "Service";
        metadata: Readonly<Record<string, unknown>> & { annotations?: object };
        spec: Readonly<Record<string, unknown>>;
    };
    const own = filtered(withoutUnset(metadata), (member) => !SERVER_METADATA.test(member));
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
                    ...defined({ [SETTINGS_ANNOTATION]: more.settings }),
                },
            },
            spec: { ...withoutUnset(spec), ...more.spec },
        },
        { ...opts, ...defined({ hooks }) },
    );
}

/** Uses the Service in the cluster, and writes only its status. */
function followService(component: Component, { live: observed, independent }: ComponentService): ServiceHandle {
    // The contract reports read errors and a Service that is not there.
    const live = observed.apply((found): pulumi.Output<ServiceObject> =>
        found.live === undefined ? unknown() : pulumi.output(found.live),
    );
    return {
        resource: undefined,
        uid: live.apply((service) => afterAllChecks(independent, service.metadata.uid ?? "")),
        nodePortOf: nodePortOf((port) =>
            live.apply((service) => needNodePort(nodePortIn(service.spec?.ports, port), component, port)),
        ),
    };
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

function needNodePort(nodePort: number | undefined, { subject }: Component, port: ServicePortKey): number {
    if (nodePort === undefined)
        throw new pulumi.RunError(
            `port ${port.port} of Service ${subject} has no nodePort, so no node can be its backend. ` +
                "Remedy: do not set allocateLoadBalancerNodePorts to false, or use backend-type: eni.",
        );
    return nodePort;
}

/**
 * Applies or follows the Service, and claims its load balancer from other controllers.
 *
 * @param source of the Service, with the settings in code
 * @param options.follow true if another tool applies the Service
 * @param options.handBack true if the Cloud Controller Manager gets the Service back when it leaves the stack
 * @returns the Service, and the resources that must precede everything made for it
 */
export function acquireService(
    component: Component,
    service: ComponentService,
    source: ServiceSource,
    { follow, handBack }: { readonly follow: boolean; readonly handBack: boolean },
    contract: pulumi.Resource,
): { readonly handle: ServiceHandle; readonly held: readonly pulumi.Resource[] } {
    const { ids, cluster } = service;
    const { loadBalancerType } = service.service;
    const handle = follow ? followService(component, service) : applyOwnedService(component, service, source, contract);
    if (!handBack && !needsClaim(service, follow)) return { handle, held: [] };
    const claim = new ServiceClaim(
        childName(component),
        {
            controller: "ack-loadbalancer",
            ...ids,
            uid: handle.uid,
            loadBalancerType: loadBalancerType === "clb" ? undefined : loadBalancerType,
            ...clusterArgs(cluster),
            handBack: handBack || undefined,
        },
        { parent: component.parent, dependsOn: handle.resource },
    );
    return { handle, held: [claim] };
}

/** True if a Service is claimed even if it is not handed back. A CLB class of this package is a claim by itself. */
export const needsClaim = ({ service }: Pick<ComponentService, "service">, follow: boolean): boolean =>
    follow && service.loadBalancerClass !== LOAD_BALANCER_CLASSES.clb;
