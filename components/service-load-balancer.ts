import type * as nlb from "@pulumi/alicloud/nlb";
import type * as slb from "@pulumi/alicloud/slb";
import type * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import type * as dynamic from "../provider/resources";
import { defined } from "../provider/schema/defined";
import { SERVICE_TYPE } from "../provider/schema/resource-types";
import { withoutCcmMarks } from "../provider/service/controller";
import { documentOf } from "../provider/service/manifests";
import type { ServiceObject } from "../provider/service/objects";
import { serializeService } from "../provider/service/serialize";
import { findAdoption } from "./adoption/find";
import { resolveAccount } from "./cluster/account";
import { idFields } from "./cluster/args";
import { chooseProviders } from "./cluster/providers";
import { requireArguments } from "./run/arguments";
import { orRunError, reportOnce } from "./run/failures";
import { announceUnknown, isOutput, outputsOf } from "./run/outputs";
import { requireSyncAccount } from "./service/backends";
import type { InstanceOrigin } from "./service/instance";
import { knownName, nameFields, readLive, readService, type ServiceIds } from "./service/read-service";
import { retainChildren } from "./service/retain";
import {
    ADOPT_SERVICE_NAMES,
    type AdoptServiceArgs,
    EXISTING_SERVICE_NAMES,
    type ExistingServiceArgs,
    SERVICE_LOAD_BALANCER_NAMES,
    type ServiceLoadBalancerArgs,
} from "./service-load-balancer-args";
import { createResources } from "./service-resources";
import { checkTenancy } from "./shared-load-balancer";

/**
 * Kubernetes Service of type LoadBalancer behind a Classic Load Balancer (CLB) or a Network Load Balancer (NLB):
 * instance, listeners, server groups with their backends, status.
 *
 * Checks everything before the first resource is registered. The error names every problem with its place and remedy.
 * The Service carries this package's `loadBalancerClass`, so the Cloud Controller Manager ignores it. The resource
 * option `protect` prevents the deletion of all its resources until it is removed.
 */
export class ServiceLoadBalancer extends pulumi.ComponentResource {
    /** Token of the component, for policies. */
    static readonly __pulumiType = SERVICE_TYPE;

    /** Refuses changes that a living instance cannot follow. */
    readonly contract: dynamic.ServiceContract;
    /** The Service in the cluster, undefined if it is only followed. */
    readonly service: core.Service | undefined;
    /**
     * Creator of the instance: this component, the program for several Services, or a user. The last two stay when
     * the Service is deleted.
     */
    readonly managed: InstanceOrigin;
    /** Id of the instance. */
    readonly loadBalancerId: pulumi.Output<string>;
    /** The instance, if it was made for this Service. */
    readonly loadBalancer: slb.ApplicationLoadBalancer | nlb.LoadBalancer | undefined;
    /** The Service's use of a user-managed instance. */
    readonly reused: dynamic.ReusedLoadBalancer | undefined;
    /**
     * Server groups created for this Service, by key: `tcp-80`, or `target-8080` (NLB: `target-tcp-8080`) if pods are
     * attached directly.
     */
    readonly serverGroups: Readonly<Record<string, slb.ServerGroup | nlb.ServerGroup>>;
    /** Backends of the server groups, by the group's key, which is `port-80` for a user-managed group. */
    readonly backends: Readonly<Record<string, dynamic.Backends>>;
    /**
     * Listeners by key, `tcp-80` or `udp-53`, where http, https and tcpssl count as tcp. Empty on a reused instance
     * whose listeners are not managed.
     */
    readonly listeners: Readonly<Record<string, slb.Listener | nlb.Listener>>;
    /** Attributes of CLB listeners beyond the alicloud plugin, undefined for an NLB, and without a listener. */
    readonly listenerOptions: dynamic.ListenerOptions | undefined;
    /**
     * Switches deletion protection off before the instance is deleted, only for an instance that was made for this
     * Service.
     */
    readonly release: dynamic.LoadBalancerRelease | dynamic.LoadBalancerZones | undefined;
    /** The Service's status. */
    readonly status: dynamic.ServiceStatus;
    /** Namespace of the Service. */
    readonly namespace: pulumi.Output<string>;
    /** Name of the Service. */
    readonly serviceName: pulumi.Output<string>;
    /** Network of the address: the Internet, or the VPC. */
    readonly addressType: "internet" | "intranet";
    /** Address of a CLB, DNS name of an NLB. */
    readonly address: pulumi.Output<string>;
    /**
     * Name by which pods of the cluster reach the Service without the load balancer. Source: "Notes on service load
     * balancing configuration".
     */
    readonly clusterAddress: pulumi.Output<string>;

    /**
     * Exposes a Service that is in the cluster already, as it stands there.
     *
     * @throws RunError if the cluster has no such Service, if the Cloud Controller Manager manages it, or if the
     * cluster cannot be reached.
     */
    static forExisting(
        name: string,
        args: ExistingServiceArgs,
        opts?: pulumi.ComponentResourceOptions,
    ): Promise<ServiceLoadBalancer> {
        return reportOnce(exposeExisting(name, args, opts));
    }

    /**
     * Takes a Service over from the Cloud Controller Manager with its load balancer: address, listeners, vServer
     * groups and backends stay as they are, and nothing is written to them. Another tool still applies the Service.
     *
     * @throws RunError if Service and cloud differ, with a table, or if the cluster cannot be reached.
     */
    static adopt(
        name: string,
        args: AdoptServiceArgs,
        opts?: pulumi.ComponentResourceOptions,
    ): Promise<ServiceLoadBalancer> {
        return reportOnce(exposeAdopted(name, args, opts));
    }

    /**
     * @param name unique name of the component. Its children are named after it, and after their ports.
     * @throws RunError with every problem of the Service at once.
     */
    constructor(name: string, args: ServiceLoadBalancerArgs, opts?: pulumi.ComponentResourceOptions) {
        const { subject, account, read, serviceSpec, options, problems, fields } = readArguments(name, args, opts);
        const { ids } = read;
        super(
            ServiceLoadBalancer.__pulumiType,
            name,
            serviceSpec,
            args.handBack ? retainChildren(ServiceLoadBalancer.__pulumiType, options) : options,
        );
        this.namespace = pulumi.output(ids.namespace);
        this.serviceName = pulumi.output(ids.name);
        this.addressType = serviceSpec.addressType;
        announceUnknown(fields, subject, this);
        const { cluster } = args;
        const dependsOn = opts?.dependsOn;
        const independent = Object.keys(outputsOf(fields)).length === 0 && isIndependent(args, opts);
        const resources = createResources(
            { parent: this, name, subject, account },
            { ...read, cluster, live: readLive(cluster, read.known, dependsOn), dependsOn, independent },
            args,
            read.warnings,
            problems,
        );
        this.contract = resources.contract;
        this.service = resources.service;
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
        this.clusterAddress = pulumi.interpolate`${ids.name}.${ids.namespace}.svc.cluster.local`;
        this.status = resources.status;
        // A rule about a whole stack sees outputs only.
        this.registerOutputs({
            address: this.address,
            clusterAddress: this.clusterAddress,
            managed: this.managed,
            loadBalancerId: this.loadBalancerId,
            serviceSpec,
        });
    }
}

/** True if the contract depends on no other resource of the program. */
function isIndependent(
    { cluster, references }: ServiceLoadBalancerArgs,
    opts: pulumi.ComponentResourceOptions = {},
): boolean {
    const { dependsOn, parent, provider, providers } = opts;
    return (
        [dependsOn, parent, provider, providers, references].every((given) => given === undefined) &&
        !isOutput(cluster.connection.kubeconfig)
    );
}

/** Reads and checks everything that precedes the first resource. */
function readArguments(name: string, args: ServiceLoadBalancerArgs, opts: pulumi.ComponentResourceOptions | undefined) {
    requireArguments(`ServiceLoadBalancer ${name}`, args, SERVICE_LOAD_BALANCER_NAMES, ["cluster"]);
    const { cluster, loadBalancer: shared } = args;
    // The list of source ranges must be of the instance's IP version.
    const settings =
        shared?.model.ipVersion === "ipv6" ? { ...args.settings, ipVersion: "ipv6" as const } : args.settings;
    const read = readService({ ...args, ...defined({ settings }) }, cluster, name);
    const { service, ids } = read;
    const subject = subjectOf(ids, name);
    checkTenancy(service, subject, args);
    const plainSpec = serializeService(service, cluster.facts, {
        ...(shared && { shared: { name: shared.name, addressType: shared.model.addressType } }),
        ...defined({ protect: opts?.protect }),
        typed: Object.keys({ ...args.settings, ...args.references }),
    });
    const serviceSpec = {
        ...plainSpec,
        service: pulumi.interpolate`${ids.namespace}/${ids.name}`,
        clusterId: cluster.ids.clusterId,
        cluster: { ...plainSpec.cluster, ...cluster.ids },
    };
    const account = resolveAccount(cluster.account, args.region, `ServiceLoadBalancer ${name}`);
    requireSyncAccount(name, cluster.sync, account);
    const { options, problems: wrongProviders } = chooseProviders(cluster, account, opts);
    const problems = pulumi
        .all([wrongProviders, read.problems, cluster.idProblem])
        .apply((found): readonly (string | undefined)[] => found.flat());
    return {
        subject,
        account,
        read,
        serviceSpec,
        options,
        problems,
        fields: { ...nameFields(ids), ...idFields(cluster.ids) },
    };
}

async function exposeExisting(
    name: string,
    args: ExistingServiceArgs,
    opts: pulumi.ComponentResourceOptions | undefined,
): Promise<ServiceLoadBalancer> {
    requireArguments(`ServiceLoadBalancer ${name}`, args, EXISTING_SERVICE_NAMES, ["cluster", "namespace", "name"]);
    const { namespace: _, name: __, ...rest } = args;
    const manifest = documentOf(await standing(args), { observed: true });
    return new ServiceLoadBalancer(name, { ...rest, manifest, follow: true }, opts);
}

async function exposeAdopted(
    name: string,
    args: AdoptServiceArgs,
    opts: pulumi.ComponentResourceOptions | undefined,
): Promise<ServiceLoadBalancer> {
    requireArguments(`ServiceLoadBalancer ${name}`, args, ADOPT_SERVICE_NAMES, ["cluster", "namespace", "name"]);
    const { namespace: _, name: __, loadBalancerId, allowChanges, ...rest } = args;
    const manifest = args.manifest ?? documentOf(withoutCcmMarks(await standing(args)), { observed: true });
    const search = { ...rest, manifest, ...defined({ loadBalancerId, allowChanges }) };
    const found = await orRunError(findAdoption(search));
    return new ServiceLoadBalancer(name, { ...rest, manifest, follow: true, adopt: found }, opts);
}

/** Returns the Service of the cluster. @throws RunError if there is none */
async function standing(args: ExistingServiceArgs): Promise<ServiceObject> {
    const { namespace, name } = await knownName(args, args.cluster);
    const live = await orRunError(args.cluster.reads.service(namespace, name));
    if (live !== undefined) return live;
    throw new pulumi.RunError(
        `the cluster has no Service ${namespace}/${name}. Remedy: apply it first, or check namespace and name.`,
    );
}

/** Returns the Service's name in messages: the component's name if namespace or name is an Output. */
function subjectOf({ namespace, name }: ServiceIds, component: string): string {
    return isOutput(namespace) || isOutput(name) ? component : `${String(namespace)}/${String(name)}`;
}
