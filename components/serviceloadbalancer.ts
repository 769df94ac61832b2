import type * as core from "@pulumi/kubernetes/core/v1";
import type * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { build, createOnlyFacts } from "../provider/build";
import { type ListenerOptions, type LoadBalancerRelease, type ServerGroupBackends, ServiceContract, ServiceStatus } from "../provider/dynamic";
import { formatIssues, ManifestError } from "../provider/issues";
import type { Adoption } from "../provider/model/adoption";
import type { Service } from "../provider/model/service";
import { type ReadService, readService, type ServiceSource } from "./args";
import { createAcl } from "./acl";
import { type AdoptArgs, findAdoption } from "./adoption";
import { createBackends } from "./backends";
import { checkCertificates } from "./certificate";
import { claim, refuseManaged } from "./claim";
import type { Cluster, ServiceView } from "./cluster";
import { type Context, childName } from "./context";
import { createListeners } from "./listener";
import { createLoadBalancer, createRelease } from "./loadbalancer";
import { createServerGroups } from "./servergroup";
import { followService, placeService } from "./service";
import { chooseVSwitch } from "./vswitch";

/** Arguments of {@link ServiceLoadBalancer}. */
export interface ServiceLoadBalancerArgs extends ServiceSource {
    /** The cluster that the Service stands in. */
    readonly cluster: Cluster;
    /** The Service is applied by somebody else (kubectl, Helm, Argo CD); only its load balancer and status are managed. Default false. */
    readonly follow?: boolean;
    /** Create-only settings that may change this time, at the price of a new instance and address. Default none. */
    readonly allowReplacement?: readonly string[];
    /** Allow a vServer group to become empty. Default false: an empty answer of the cluster keeps the backends that are there. */
    readonly allowEmpty?: boolean;
    /** Region of the load balancer. Default: `alicloud:region`, else the environment's. */
    readonly region?: string;
    /** What is there already and is taken over instead of being made, as {@link findAdoption} has found it. Needs `follow`. Default: nothing. */
    readonly adopt?: Adoption;
    /**
     * Lets the load balancer stay, and gives the Service to the Cloud Controller Manager, when both leave the stack. Set it, run, then take the component out of the program and
     * run again. Default false.
     */
    readonly handBack?: boolean;
}

/** Arguments of {@link ServiceLoadBalancer.forExisting}. */
export interface ExistingServiceArgs extends Omit<ServiceLoadBalancerArgs, "manifest" | "service" | "follow"> {
    readonly namespace: string;
    readonly name: string;
}

/** Arguments of {@link ServiceLoadBalancer.adopt}. */
export interface AdoptServiceArgs extends ExistingServiceArgs, AdoptArgs {
    /** The Service as it ought to be, as YAML text or an object. Default: as it stands in the cluster. */
    readonly manifest?: string | object;
}

/**
 * A Kubernetes Service of type LoadBalancer behind a Classic Load Balancer (CLB): instance, listeners, vServer groups with their backends, status.
 *
 * Everything is checked before anything is registered; the error names every problem with its place and remedy. The Service carries this package's
 * `loadBalancerClass`, so that the Cloud Controller Manager leaves it alone.
 */
export class ServiceLoadBalancer extends pulumi.ComponentResource {
    /** Token of the component, for policies. */
    static readonly __pulumiType = "ack-loadbalancer:index:ServiceLoadBalancer";

    /** Refuses changes that a living instance cannot follow. */
    readonly contract: ServiceContract;
    /** The Service in the cluster; undefined if it is only followed. */
    readonly service: core.Service | undefined;
    /** The instance. */
    readonly loadBalancer: slb.ApplicationLoadBalancer;
    /** vServer groups, by key: `tcp-80`, or `target-8080` where pods are attached directly. */
    readonly serverGroups: Readonly<Record<string, slb.ServerGroup>>;
    /** Backends of the vServer groups, by the group's key. */
    readonly backends: Readonly<Record<string, ServerGroupBackends>>;
    /** Listeners, by key: `tcp-80`, `udp-53`; http and https stand on tcp. */
    readonly listeners: Readonly<Record<string, slb.Listener>>;
    /** Listener attributes beyond the alicloud plugin, by the listener's key; only where there are any. */
    readonly listenerOptions: Readonly<Record<string, ListenerOptions>>;
    /** Switches deletion protection off before the instance is deleted. */
    readonly release: LoadBalancerRelease;
    /** The Service's status. */
    readonly status: ServiceStatus;
    /** Address of the load balancer. */
    readonly address: pulumi.Output<string>;
    /** Name under which pods of the cluster reach the Service without the load balancer. Source: "Notes on service load balancing configuration". */
    readonly clusterAddress: string;

    /**
     * Exposes a Service that is in the cluster already, as it stands there.
     *
     * @throws RunError if the cluster has no such Service, or if the Cloud Controller Manager manages it; ClusterError if the cluster cannot be reached.
     */
    static async forExisting(name: string, args: ExistingServiceArgs, opts?: pulumi.ComponentResourceOptions): Promise<ServiceLoadBalancer> {
        const { namespace, name: serviceName, ...rest } = args;
        const live = await args.cluster.service(namespace, serviceName);
        if (live === undefined) {
            throw new pulumi.RunError(`the cluster has no Service ${namespace}/${serviceName}. Remedy: apply it first, or check namespace and name.`);
        }
        refuseManaged(live);
        return new ServiceLoadBalancer(name, { ...rest, manifest: live, follow: true }, opts);
    }

    /**
     * Takes a Service over from the Cloud Controller Manager, together with the load balancer that it has made: address, listeners, vServer groups and backends stay as they
     * are, and nothing is written to them. The Service stays in the hands of whoever applies it.
     *
     * @throws RunError if something differs between Service and cloud, with a table; ClusterError if the cluster cannot be reached.
     */
    static async adopt(name: string, args: AdoptServiceArgs, opts?: pulumi.ComponentResourceOptions): Promise<ServiceLoadBalancer> {
        const { namespace, name: serviceName, loadBalancerId, allowChanges, ...rest } = args;
        const manifest = args.manifest ?? (await args.cluster.service(namespace, serviceName));
        if (manifest === undefined) {
            throw new pulumi.RunError(`the cluster has no Service ${namespace}/${serviceName}. Remedy: apply it first, or check namespace and name.`);
        }
        const found = await findAdoption({
            ...rest,
            manifest,
            ...(loadBalancerId === undefined ? {} : { loadBalancerId }),
            ...(allowChanges === undefined ? {} : { allowChanges }),
        });
        return new ServiceLoadBalancer(name, { ...rest, manifest, follow: true, adopt: found }, opts);
    }

    /**
     * @param name unique name of the component; its children are named after namespace, Service and port.
     * @throws RunError with every problem of the Service at once.
     */
    constructor(name: string, args: ServiceLoadBalancerArgs, opts?: pulumi.ComponentResourceOptions) {
        const { service, warnings } = readOrFail(args);
        super(ServiceLoadBalancer.__pulumiType, name, componentInputs(service, args), args.handBack ? staying(opts) : opts);
        if (warnings.length > 0) {
            void pulumi.log.warn(formatIssues(warnings), this);
        }
        if (service.settings.preserveLbOnDelete !== undefined) {
            void pulumi.log.warn(`PreservedOnDelete: the load balancer of Service ${service.namespace}/${service.name} stays when the Service is deleted`, this);
        }
        const context: Context = {
            parent: this,
            service,
            desired: build(service, args.cluster.facts),
            references: args.references ?? {},
            cluster: args.cluster,
            view: args.adopt === undefined ? unmanagedView(args.cluster, service) : args.cluster.view(service),
            region: args.region ?? new pulumi.Config("alicloud").get("region"),
            allowEmpty: args.allowEmpty ?? false,
            ...(args.adopt === undefined ? {} : { adoption: args.adopt }),
        };
        const vswitchId = chooseVSwitch(context);
        this.contract = new ServiceContract(
            childName(context),
            {
                // Known only once the cluster has answered: whatever the answer forbids is then refused before the first resource.
                service: context.view.then(() => childName(context)),
                requested: requestedFacts(context, vswitchId),
                ...(args.allowReplacement === undefined ? {} : { allowReplacement: args.allowReplacement }),
            },
            { parent: this },
        );
        const handle = args.follow ? followService(context) : placeService(context, this.contract);
        this.service = handle.resource;
        const claimed = claim(context, handle, { follow: args.follow ?? false, handBack: args.handBack ?? false });
        const certificates = checkCertificates(context);
        const { preserve } = context.desired.loadBalancer;
        // A list of our own outlives the instance, whose listeners use it; one that guards a preserved instance stays with it.
        const early = preserve ? undefined : createAcl(context, handle, undefined);
        this.loadBalancer = createLoadBalancer(context, {
            handle,
            vswitchId,
            dependsOn: [this.contract, ...(claimed === undefined ? [] : [claimed]), ...certificates, ...(early === undefined ? [] : [early.acl])],
        });
        const acl = early ?? (preserve ? createAcl(context, handle, this.loadBalancer) : undefined);
        this.release = createRelease(context, this.loadBalancer);
        const groups = createServerGroups(context, handle, this.loadBalancer);
        this.serverGroups = Object.fromEntries(Object.entries(groups).map(([key, group]) => [key, group.resource]));
        this.backends = createBackends(context, groups);
        const listeners = createListeners(context, {
            loadBalancer: this.loadBalancer,
            groups,
            backends: this.backends,
            ownAclId: acl?.acl.id,
            dependsOn: [...certificates, ...(acl === undefined ? [] : [acl.entries])],
        });
        this.listeners = Object.fromEntries(Object.entries(listeners).map(([key, listener]) => [key, listener.resource]));
        this.listenerOptions = Object.fromEntries(Object.entries(listeners).flatMap(([key, { options }]) => (options === undefined ? [] : [[key, options]])));
        this.address = this.loadBalancer.address;
        this.clusterAddress = `${service.name}.${service.namespace}.svc.cluster.local`;
        this.status = new ServiceStatus(
            childName(context),
            {
                namespace: service.namespace,
                name: service.name,
                uid: handle.uid,
                ...(args.cluster.context === undefined ? {} : { context: args.cluster.context }),
                ingress: [service.settings.hostname === undefined ? { ip: this.address } : { hostname: service.settings.hostname }],
            },
            { parent: this, dependsOn: [...Object.values(this.listeners), ...Object.values(this.listenerOptions)] },
        );
        this.registerOutputs({ address: this.address, clusterAddress: this.clusterAddress });
    }
}

/** What the cluster says, unless it says that the Service is somebody else's. */
async function unmanagedView(cluster: Cluster, service: Service): Promise<ServiceView> {
    const view = await cluster.view(service);
    refuseManaged(view.live);
    return view;
}

/** Children stay where they are when they leave the stack; only the claim acts then: it gives the Service away. */
function staying(opts: pulumi.ComponentResourceOptions = {}): pulumi.ComponentResourceOptions {
    const retain: pulumi.ResourceTransformation = ({ type, props, opts: own }) =>
        type.endsWith(":ServiceClaim") || type === ServiceLoadBalancer.__pulumiType ? undefined : { props, opts: { ...own, retainOnDelete: true } };
    return { ...opts, transformations: [...(opts.transformations ?? []), retain] };
}

/** The create-only settings; those that refer to resources as what they turn out to be. */
function requestedFacts(context: Context, vswitchId: pulumi.Input<string> | undefined): Record<string, pulumi.Input<string>> {
    const { resourceGroupId } = context.references;
    return {
        ...createOnlyFacts(context.service, context.cluster.facts),
        ...(vswitchId === undefined ? {} : { vswitchId }),
        ...(resourceGroupId === undefined ? {} : { resourceGroupId }),
    };
}

function readOrFail(args: ServiceLoadBalancerArgs): ReadService {
    try {
        return readService(args, args.cluster.facts);
    } catch (error) {
        // A RunError is shown as it is; anything else with a stack trace, which helps nobody who misspelt an annotation.
        throw error instanceof ManifestError ? new pulumi.RunError(error.message) : error;
    }
}

/** What the engine stores of the component and policies see: plain facts, no clients, no objects of the program. */
function componentInputs(service: Service, args: ServiceLoadBalancerArgs): object {
    return {
        service: `${service.namespace}/${service.name}`,
        clusterId: args.cluster.facts.clusterId,
        addressType: service.settings.addressType ?? "internet",
        externalTrafficPolicy: service.externalTrafficPolicy,
        ports: service.ports.map((port) => `${port.protocol}:${port.port}`),
        settings: JSON.parse(JSON.stringify(service.settings)) as object,
    };
}
