import type * as core from "@pulumi/kubernetes/core/v1";
import type * as nlb from "@pulumi/alicloud/nlb";
import type * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { buildClb, buildNlb, reuses } from "../provider/builder";
import type {
    ListenerOptions,
    LoadBalancerRelease,
    ReusedLoadBalancer,
    ServerGroupBackends,
    ServiceContract,
    ServiceStatus,
} from "../provider/resources";
import { formatDiagnostics, DiagnosticsError } from "../provider/diagnostics";
import type { Adoption } from "../provider/model/adoption";
import type { Service } from "../provider/kubernetes/service/service";
import { serializeService } from "../provider/kubernetes/service/serialize";
import { type AdoptArgs, findAdoption } from "./adoption";
import { resolveAccount } from "./service/account";
import { clusterFailure } from "./service/failures";
import { type ReadService, readService, type ServiceSource } from "./service/args";
import { BINDING_TYPE } from "./service/binding";
import { withoutCcmMarks } from "./service/claim";
import { createClb } from "./clb";
import type { Cluster } from "./service/cluster";
import type { ServiceResources } from "./service/resources";
import type { LiveService } from "./service/context";
import type { InstanceOrigin } from "./service/instance";
import { createNlb } from "./nlb";
import type { SharedLoadBalancer } from "./shared-load-balancer";
import { chooseProviders, withProviders } from "./service/providers";
import { createStatus } from "./service/status";
import { checkTenancy } from "./tenancy";

/** Arguments of {@link ServiceLoadBalancer}. */
export interface ServiceLoadBalancerArgs extends ServiceSource {
    /** The cluster that the Service stands in. */
    readonly cluster: Cluster;
    /** The Service is applied by another tool (kubectl, Helm, Argo CD); only its load balancer and status are managed. Default false. */
    readonly follow?: boolean;
    /** Create-only settings that may change this time, at the price of a new instance and address. Default none. */
    readonly allowReplacement?: readonly string[];
    /** Allow a vServer group to become empty. Default false: an empty answer of the cluster keeps the backends that are there. */
    readonly allowEmpty?: boolean;
    /** An instance that the program has made for several Services. Default: one of this Service's own, or the one that it names. */
    readonly loadBalancer?: SharedLoadBalancer;
    /** Region of the load balancer. Default: that of the cluster's account. */
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
 * A Kubernetes Service of type LoadBalancer behind a Classic Load Balancer (CLB) or a Network Load Balancer (NLB): instance, listeners, server groups with their backends, status.
 *
 * Everything is checked before anything is registered; the error names every problem with its place and remedy. The Service carries this package's
 * `loadBalancerClass`, so that the Cloud Controller Manager leaves it alone. With the resource option `protect` nothing of it can be deleted until that is taken back.
 */
export class ServiceLoadBalancer extends pulumi.ComponentResource {
    /** Token of the component, for policies. */
    static readonly __pulumiType = "ack-loadbalancer:index:ServiceLoadBalancer";

    /** Refuses changes that a living instance cannot follow. */
    readonly contract: ServiceContract;
    /** The Service in the cluster; undefined if it is only followed. */
    readonly service: core.Service | undefined;
    /** Who made the instance: this component, the program for several Services, or a user. The last two stay when the Service is deleted. */
    readonly managed: InstanceOrigin;
    /** Id of the instance. */
    readonly loadBalancerId: pulumi.Output<string>;
    /** The instance, if it was made for this Service. */
    readonly loadBalancer: slb.ApplicationLoadBalancer | nlb.LoadBalancer | undefined;
    /** The Service's use of a user-managed instance. */
    readonly reused: ReusedLoadBalancer | undefined;
    /** Server groups that were made for this Service, by key: `tcp-80`, or `target-8080` (NLB: `target-tcp-8080`) where pods are attached directly. */
    readonly serverGroups: Readonly<Record<string, slb.ServerGroup | nlb.ServerGroup>>;
    /** Backends of the server groups, by the group's key. */
    readonly backends: Readonly<Record<string, ServerGroupBackends>>;
    /** Listeners, by key: `tcp-80`, `udp-53`; http, https and tcpssl stand on tcp. None on a reused instance whose listeners are not managed. */
    readonly listeners: Readonly<Record<string, slb.Listener | nlb.Listener>>;
    /** Attributes of CLB listeners beyond the alicloud plugin, by the listener's key; only where there are any. */
    readonly listenerOptions: Readonly<Record<string, ListenerOptions>>;
    /** Switches deletion protection off before the instance is deleted; only for one that was made for this Service. */
    readonly release: LoadBalancerRelease | undefined;
    /** The Service's status. */
    readonly status: ServiceStatus;
    /** Namespace of the Service. */
    readonly namespace: string;
    /** Name of the Service. */
    readonly serviceName: string;
    /** Whether the address is in the Internet or in the VPC. */
    readonly addressType: "internet" | "intranet";
    /** Address of a CLB, DNS name of an NLB. */
    readonly address: pulumi.Output<string>;
    /** Name under which pods of the cluster reach the Service without the load balancer. Source: "Notes on service load balancing configuration". */
    readonly clusterAddress: string;

    /**
     * Exposes a Service that is in the cluster already, as it stands there.
     *
     * @throws RunError if the cluster has no such Service, or if the Cloud Controller Manager manages it; ClusterError if the cluster cannot be reached.
     */
    static async forExisting(
        name: string,
        args: ExistingServiceArgs,
        opts?: pulumi.ComponentResourceOptions,
    ): Promise<ServiceLoadBalancer> {
        const { namespace, name: serviceName, ...rest } = args;
        const live = await args.cluster.service(namespace, serviceName);
        if (live === undefined) {
            throw new pulumi.RunError(
                `the cluster has no Service ${namespace}/${serviceName}. Remedy: apply it first, or check namespace and name.`,
            );
        }
        return new ServiceLoadBalancer(name, { ...rest, manifest: live, follow: true }, opts);
    }

    /**
     * Takes a Service over from the Cloud Controller Manager, together with the load balancer that it has made: address, listeners, vServer groups and backends stay as they
     * are, and nothing is written to them. The Service stays in the hands of whoever applies it.
     *
     * @throws RunError if something differs between Service and cloud, with a table; ClusterError if the cluster cannot be reached.
     */
    static async adopt(
        name: string,
        args: AdoptServiceArgs,
        opts?: pulumi.ComponentResourceOptions,
    ): Promise<ServiceLoadBalancer> {
        const { namespace, name: serviceName, loadBalancerId, allowChanges, ...rest } = args;
        const manifest = args.manifest ?? withoutCcmMarks(await args.cluster.service(namespace, serviceName));
        if (manifest === undefined) {
            throw new pulumi.RunError(
                `the cluster has no Service ${namespace}/${serviceName}. Remedy: apply it first, or check namespace and name.`,
            );
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
        const { service, warnings, selector } = readOrFail(args);
        checkTenancy(service, args);
        const shared = args.loadBalancer;
        const serviceSpec = serializeService(service, args.cluster.facts, {
            ...(shared === undefined ? {} : { shared: { name: shared.name, addressType: shared.model.addressType } }),
            ...(opts?.protect === undefined ? {} : { protect: opts.protect }),
        });
        const account = resolveAccount(args.cluster.account, args.region);
        const providers = chooseProviders(args.cluster, account, opts);
        const options = withProviders(opts, providers);
        super(ServiceLoadBalancer.__pulumiType, name, serviceSpec, args.handBack ? staying(options) : options);
        this.namespace = service.namespace;
        this.serviceName = service.name;
        this.addressType = serviceSpec.addressType;
        if (warnings.length > 0) {
            void pulumi.log.warn(formatDiagnostics(warnings), this);
        }
        if (service.settings.preserveLbOnDelete !== undefined && !reuses(service)) {
            void pulumi.log.warn(
                `PreservedOnDelete: the load balancer of Service ${service.namespace}/${service.name} stays when the Service is deleted`,
                this,
            );
        }
        const context = {
            parent: this,
            service,
            references: args.references ?? {},
            cluster: args.cluster,
            live: readLive(args.cluster, service, opts?.dependsOn),
            dependsOn: opts?.dependsOn,
            ...(selector === undefined ? {} : { selector }),
            account,
            wrongProviders: providers.problems,
            allowEmpty: args.allowEmpty ?? false,
            ...(args.adopt === undefined ? {} : { adoption: args.adopt }),
        };
        const serviceOptions = {
            follow: args.follow ?? false,
            handBack: args.handBack ?? false,
            allowReplacement: args.allowReplacement ?? [],
            shared,
        };
        const resources: ServiceResources =
            service.loadBalancerType === "nlb"
                ? createNlb({ ...context, desired: buildNlb(service, args.cluster.facts) }, serviceOptions)
                : createClb({ ...context, desired: buildClb(service, args.cluster.facts) }, serviceOptions);
        this.contract = resources.contract;
        this.service = resources.handle.resource;
        this.managed = resources.instance.origin;
        this.loadBalancerId = resources.instance.id;
        this.address = resources.instance.address;
        this.loadBalancer = resources.loadBalancer;
        this.reused = resources.reused;
        this.release = resources.release;
        this.serverGroups = resources.serverGroups;
        this.backends = resources.backends;
        this.listeners = resources.listeners;
        this.listenerOptions = resources.listenerOptions;
        this.clusterAddress = `${service.name}.${service.namespace}.svc.cluster.local`;
        this.status = createStatus(context, resources);
        // A rule about a whole stack sees outputs, so that the Service's spec is an output too.
        this.registerOutputs({
            address: this.address,
            clusterAddress: this.clusterAddress,
            managed: this.managed,
            loadBalancerId: this.loadBalancerId,
            serviceSpec,
        });
    }
}

/** Children stay where they are when they leave the stack; only the claim acts then, which gives the Service away, and bindings, which would keep the sync controller on it. */
function staying(opts: pulumi.ComponentResourceOptions = {}): pulumi.ComponentResourceOptions {
    const retain: pulumi.ResourceTransformation = ({ type, props, opts: own }) =>
        type.endsWith(":ServiceClaim") || type === BINDING_TYPE || type === ServiceLoadBalancer.__pulumiType
            ? undefined
            : { props, opts: { ...own, retainOnDelete: true } };
    return { ...opts, transformations: [...(opts.transformations ?? []), retain] };
}

/** The Service as it is, once what the component waits for is done: another part of the program may apply it. */
function readLive(
    cluster: Cluster,
    { namespace, name }: Service,
    dependsOn: pulumi.ResourceOptions["dependsOn"],
): pulumi.Output<LiveService> {
    const done = pulumi
        .output(dependsOn as pulumi.Input<undefined>)
        .apply((resources: undefined | pulumi.Resource | pulumi.Resource[]) =>
            pulumi.all([resources ?? []].flat().map(({ urn }) => urn)),
        );
    return pulumi.all([cluster.connection.kubeconfig, done]).apply(async () => {
        try {
            const live = await cluster.service(namespace, name);
            return live === undefined ? {} : { live };
        } catch (error) {
            return { failure: clusterFailure(error) };
        }
    });
}

function readOrFail(args: ServiceLoadBalancerArgs): ReadService {
    try {
        // The list of source ranges must be of the instance's IP version.
        const settings =
            args.loadBalancer?.model.ipVersion === "ipv6"
                ? { ...args.settings, ipVersion: "ipv6" as const }
                : args.settings;
        return readService({ ...args, ...(settings === undefined ? {} : { settings }) }, args.cluster.facts);
    } catch (error) {
        // A RunError is shown as it is; anything else with a stack trace, which does not help with a misspelt annotation.
        throw error instanceof DiagnosticsError ? new pulumi.RunError(error.message) : error;
    }
}
