import type * as core from "@pulumi/kubernetes/core/v1";
import type * as nlb from "@pulumi/alicloud/nlb";
import type * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { build, buildNetwork, createOnlyFacts, networkCreateOnlyFacts } from "../provider/build";
import { type ListenerOptions, type LoadBalancerRelease, type ServerGroupBackends, ServiceContract, ServiceStatus } from "../provider/dynamic";
import { formatIssues, ManifestError } from "../provider/issues";
import type { Service } from "../provider/model/service";
import { LOAD_BALANCER_CLASSES, NLB_CLASS } from "../provider/model/type";
import { type ReadService, readService, type ServiceSource } from "./args";
import { createAcl } from "./acl";
import { createBackends } from "./backends";
import { checkCertificates } from "./certificate";
import type { Cluster } from "./cluster";
import { type AnyContext, type Context, childName, type NetworkContext } from "./context";
import { checkEdge } from "./edge";
import { createListeners } from "./listener";
import { createLoadBalancer, createRelease } from "./loadbalancer";
import { checkZones, placeNetwork } from "./nlb";
import { createServerGroups } from "./servergroup";
import { followService, placeService, type ServiceHandle } from "./service";
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
}

/** Arguments of {@link ServiceLoadBalancer.forExisting}. */
export interface ExistingServiceArgs extends Omit<ServiceLoadBalancerArgs, "manifest" | "service" | "follow"> {
    readonly namespace: string;
    readonly name: string;
}

/**
 * A Kubernetes Service of type LoadBalancer behind a Classic Load Balancer (CLB) or a Network Load Balancer (NLB): instance, listeners, server groups with their backends, status.
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
    readonly loadBalancer: slb.ApplicationLoadBalancer | nlb.LoadBalancer;
    /** Server groups, by key: `tcp-80`, or `target-8080` (NLB: `target-tcp-8080`) where pods are attached directly. */
    readonly serverGroups: Readonly<Record<string, slb.ServerGroup | nlb.ServerGroup>>;
    /** Backends of the server groups, by the group's key. */
    readonly backends: Readonly<Record<string, ServerGroupBackends>>;
    /** Listeners, by key: `tcp-80`, `udp-53`; http, https and tcpssl stand on tcp. */
    readonly listeners: Readonly<Record<string, slb.Listener | nlb.Listener>>;
    /** Attributes of CLB listeners beyond the alicloud plugin, by the listener's key; only where there are any. */
    readonly listenerOptions: Readonly<Record<string, ListenerOptions>>;
    /** Switches deletion protection off before the instance is deleted. */
    readonly release: LoadBalancerRelease;
    /** The Service's status. */
    readonly status: ServiceStatus;
    /** Address of a CLB, DNS name of an NLB. */
    readonly address: pulumi.Output<string>;
    /** Name under which pods of the cluster reach the Service without the load balancer. Source: "Notes on service load balancing configuration". */
    readonly clusterAddress: string;

    /**
     * Exposes a Service that is in the cluster already, as it stands there.
     *
     * @throws RunError if the cluster has no such Service; ClusterError if the cluster cannot be reached.
     */
    static async forExisting(name: string, args: ExistingServiceArgs, opts?: pulumi.ComponentResourceOptions): Promise<ServiceLoadBalancer> {
        const { namespace, name: serviceName, ...rest } = args;
        const live = await args.cluster.service(namespace, serviceName);
        if (live === undefined) {
            throw new pulumi.RunError(`the cluster has no Service ${namespace}/${serviceName}. Remedy: apply it first, or check namespace and name.`);
        }
        return new ServiceLoadBalancer(name, { ...rest, manifest: live, follow: true }, opts);
    }

    /**
     * @param name unique name of the component; its children are named after namespace, Service and port.
     * @throws RunError with every problem of the Service at once.
     */
    constructor(name: string, args: ServiceLoadBalancerArgs, opts?: pulumi.ComponentResourceOptions) {
        const { service, warnings } = readOrFail(args);
        super(ServiceLoadBalancer.__pulumiType, name, componentInputs(service, args), opts);
        if (warnings.length > 0) {
            void pulumi.log.warn(formatIssues(warnings), this);
        }
        if (service.settings.preserveLbOnDelete !== undefined) {
            void pulumi.log.warn(`PreservedOnDelete: the load balancer of Service ${service.namespace}/${service.name} stays when the Service is deleted`, this);
        }
        const common = {
            parent: this,
            service,
            references: args.references ?? {},
            cluster: args.cluster,
            view: args.cluster.view(service),
            region: args.region ?? new pulumi.Config("alicloud").get("region"),
            allowEmpty: args.allowEmpty ?? false,
        };
        if (args.follow && service.loadBalancerClass === NLB_CLASS) {
            void pulumi.log.warn(
                `Service ${service.namespace}/${service.name}: the Cloud Controller Manager of the cluster makes an NLB for ${NLB_CLASS} too. Apply the Service with ${LOAD_BALANCER_CLASSES.nlb}.`,
                this,
            );
        }
        this.clusterAddress = `${service.name}.${service.namespace}.svc.cluster.local`;
        if (service.loadBalancerType === "nlb") {
            const context: NetworkContext = { ...common, desired: buildNetwork(service, args.cluster.facts) };
            const zones = checkZones(context);
            this.contract = createContract(context, args, { ...networkCreateOnlyFacts(service, args.cluster.facts), vpcId: zones.vpc });
            const handle = args.follow ? followService(context) : placeService(context, this.contract);
            this.service = handle.resource;
            const placed = placeNetwork(context, { handle, contract: this.contract, zones });
            ({ loadBalancer: this.loadBalancer, serverGroups: this.serverGroups, backends: this.backends, listeners: this.listeners, release: this.release } = placed);
            this.listenerOptions = {};
            this.address = placed.loadBalancer.dnsName;
            this.status = createStatus(context, handle, { hostname: this.address }, placed.ready);
            this.registerOutputs({ address: this.address, clusterAddress: this.clusterAddress });
            return;
        }
        const context: Context = { ...common, desired: build(service, args.cluster.facts) };
        const vswitchId = chooseVSwitch(context);
        this.contract = createContract(context, args, requestedFacts(context, vswitchId));
        const handle = args.follow ? followService(context) : placeService(context, this.contract);
        this.service = handle.resource;
        const certificates = checkCertificates(context);
        const { preserve } = context.desired.loadBalancer;
        // A list of our own outlives the instance, whose listeners use it; one that guards a preserved instance stays with it.
        const early = preserve ? undefined : createAcl(context, handle, undefined);
        const loadBalancer = createLoadBalancer(context, { handle, vswitchId, dependsOn: [this.contract, ...certificates, ...(early === undefined ? [] : [early.acl])] });
        const acl = early ?? (preserve ? createAcl(context, handle, loadBalancer) : undefined);
        this.loadBalancer = loadBalancer;
        this.release = createRelease(context, loadBalancer);
        const groups = createServerGroups(context, handle, loadBalancer);
        this.serverGroups = Object.fromEntries(Object.entries(groups).map(([key, group]) => [key, group.resource]));
        this.backends = createBackends(context, groups);
        const listeners = createListeners(context, {
            loadBalancer,
            groups,
            backends: this.backends,
            ownAclId: acl?.acl.id,
            dependsOn: [...certificates, ...(acl === undefined ? [] : [acl.entries])],
        });
        this.listeners = Object.fromEntries(Object.entries(listeners).map(([key, listener]) => [key, listener.resource]));
        this.listenerOptions = Object.fromEntries(Object.entries(listeners).flatMap(([key, { options }]) => (options === undefined ? [] : [[key, options]])));
        this.address = loadBalancer.address;
        const ingress = service.settings.hostname === undefined ? { ip: this.address } : { hostname: service.settings.hostname };
        this.status = createStatus(context, handle, ingress, [...Object.values(this.listeners), ...Object.values(this.listenerOptions)]);
        this.registerOutputs({ address: this.address, clusterAddress: this.clusterAddress });
    }
}

function createContract(context: AnyContext, args: ServiceLoadBalancerArgs, requested: Record<string, pulumi.Input<string>>): ServiceContract {
    const { resourceGroupId } = context.references;
    return new ServiceContract(
        childName(context),
        {
            service: childName(context),
            problems: checkEdge(context),
            requested: { ...requested, ...(resourceGroupId === undefined ? {} : { resourceGroupId }) },
            ...(args.allowReplacement === undefined ? {} : { allowReplacement: args.allowReplacement }),
        },
        { parent: context.parent },
    );
}

/** The Service's status, once everything is ready that makes it true. */
function createStatus(
    context: AnyContext,
    handle: ServiceHandle,
    ingress: { ip?: pulumi.Input<string>; hostname?: pulumi.Input<string> },
    ready: readonly pulumi.Resource[],
): ServiceStatus {
    const { service, cluster } = context;
    return new ServiceStatus(
        childName(context),
        {
            namespace: service.namespace,
            name: service.name,
            uid: handle.uid,
            ...(cluster.context === undefined ? {} : { context: cluster.context }),
            ingress: [ingress],
        },
        { parent: context.parent, dependsOn: [...ready] },
    );
}

/** The create-only settings; those that refer to resources as what they turn out to be. */
function requestedFacts(context: Context, vswitchId: pulumi.Input<string> | undefined): Record<string, pulumi.Input<string>> {
    return { ...createOnlyFacts(context.service, context.cluster.facts), ...(vswitchId === undefined ? {} : { vswitchId }) };
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
        loadBalancerType: service.loadBalancerType,
        addressType: service.settings.addressType ?? "internet",
        externalTrafficPolicy: service.externalTrafficPolicy,
        sourceRanges: service.loadBalancerSourceRanges,
        ports: service.ports.map((port) => `${port.protocol}:${port.port}`),
        settings: JSON.parse(JSON.stringify(service.settings)) as object,
    };
}
