import type { ImmutableFields, Settings, ZoneMap } from "../schema/settings";
import type { ListenerAddress } from "../schema/listener-address";
import type { LoadBalancerType } from "../schema/load-balancer-type";
import type { Service, ServicePort } from "./service";
import { type ClusterFacts, follows } from "../schema/facts";
import { defined } from "../schema/defined";
import { backendTypeOf, ipVersionOf, listenersManaged, settled } from "./annotations";
import type { Owner } from "../schema/names";
import { listenerProtocolOf } from "../schema/protocols";

type OfBoth = "name" | "deleteProtection" | "modificationProtection";
type OfClb = "instanceChargeType" | "spec" | "bandwidth";
/** A CLB has an address type too, but cannot be switched. */
type OfNlb = "addressType" | "ipv6AddressType" | "bandwidthPackageId" | "crossZoneEnabled";

/**
 * Attributes of a reused instance that a Service sets, security groups and zones sorted. A user-managed instance gets
 * no defaults.
 */
export interface ReusedAttributes extends Pick<Settings, OfBoth | OfClb | OfNlb | "securityGroupIds" | "zoneMaps"> {
    readonly internetChargeType?: "PayByTraffic" | "PayByBandwidth";
}

/** A Service on an instance that it may share with others. */
export interface Tenant {
    /** `namespace/name`. */
    readonly service: string;
    /** Id of the instance, or the name that a program gave it. */
    readonly instance: string;
    readonly listeners: readonly ListenerAddress[];
    /** True if the listeners are managed: annotation force-override-listeners, or an instance of the program. */
    readonly manageListeners: boolean;
    /** User-managed server groups that the backends join, by first listener port. Annotation vgroup-port. */
    readonly joinedGroups: readonly { readonly vgroupId: string; readonly port: number }[];
    /** Tags that the Service sets on the instance. Default none. */
    readonly tags?: Settings["additionalResourceTags"];
    /** True if the followed Cloud Controller Manager version does not share an instance. Default false. */
    readonly alone?: true;
}

type OfTenant = Pick<Tenant, "listeners" | "manageListeners" | "joinedGroups">;

/** Request of a Service to use an existing instance. */
export interface ReuseRequest extends Owner, OfTenant {
    /** Default `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    readonly loadBalancerId: string;
    /** UID of the namespace kube-system, to compare with the instance's tag. Absent = unknown or a deliberate move. */
    readonly clusterUid?: string;
    readonly addressType: "internet" | "intranet";
    /** Absent = that of the instance. */
    readonly ipVersion?: "ipv4" | "ipv6" | "DualStack";
    /** VPC of the cluster, absent if unknown. */
    readonly vpcId?: string;
    /** True if the instance may be in another VPC than the cluster. Default false. */
    readonly crossesVpcs?: boolean;
    /** Immutable attributes that the Service sets, by setting. They must be the instance's. */
    readonly fixed: Readonly<Partial<Record<"masterZoneid" | "slaveZoneid" | "resourceGroupId" | "ip", string>>>;
    readonly attributes: ReusedAttributes;
    readonly additionalTags: Readonly<Record<string, string>>;
    readonly attachesPods: boolean;
    /** Type of server groups that the backends can join, absent for a CLB. */
    readonly groupType?: "Instance" | "Ip";
    /** Addresses in the Service's status. */
    readonly boundTo: readonly string[];
    /** Instances that no Service may use, such as the API server's. */
    readonly denied: readonly string[];
}

export const reuses = ({ settings }: Pick<Service, "settings">): boolean => settings.id !== undefined;

/** Builds the request of a Service that names an existing instance. `boundTo` = addresses in its status. */
export function buildReuse(
    service: Service,
    facts: ClusterFacts,
    boundTo: readonly string[],
): ReuseRequest | undefined {
    const { settings, namespace, name, ports, loadBalancerType } = service;
    if (settings.id === undefined) return undefined;
    return {
        loadBalancerType,
        loadBalancerId: settings.id,
        namespace,
        name,
        clusterId: facts.clusterId,
        addressType: settings.addressType ?? "internet",
        ...defined({ vpcId: facts.vpcId }),
        manageListeners: listenersManaged(service.settings),
        listeners: ports.map((port) => placeOf(service, port)),
        joinedGroups: joinedBy(service),
        additionalTags: settings.additionalResourceTags ?? {},
        attachesPods: backendTypeOf(settings, facts) === "eni",
        boundTo,
        denied: facts.deniedLoadBalancers ?? [],
        ...(loadBalancerType === "nlb" ? nlbRequest(settings, facts) : clbRequest(settings)),
    };
}

type RequestOfType = Pick<ReuseRequest, "ipVersion" | "fixed" | "attributes" | "crossesVpcs" | "groupType">;

function clbRequest(settings: Settings): RequestOfType {
    const { masterZoneid, slaveZoneid, resourceGroupId, ip, chargeType } = settings;
    const { name, instanceChargeType, spec, bandwidth, deleteProtection, modificationProtection } = settings;
    const protection = { deleteProtection, modificationProtection };
    const internetChargeType = chargeType && (chargeType === "paybybandwidth" ? "PayByBandwidth" : "PayByTraffic");
    return {
        ipVersion: ipVersionOf(settings),
        fixed: defined({ masterZoneid, slaveZoneid, resourceGroupId, ip }),
        attributes: defined({ name, instanceChargeType, spec, internetChargeType, bandwidth, ...protection }),
    };
}

function nlbRequest(settings: Settings, facts: ClusterFacts): RequestOfType {
    const { ipVersion, resourceGroupId, name, addressType, ipv6AddressType, bandwidthPackageId } = settings;
    const { crossZoneEnabled, deleteProtection, modificationProtection } = settings;
    const zoneMaps = settings.zoneMaps && sortedZones(settings.zoneMaps);
    const securityGroupIds = settings.securityGroupIds && sortedIds(settings.securityGroupIds);
    const access = { addressType, zoneMaps, securityGroupIds, ipv6AddressType, bandwidthPackageId };
    return {
        ...(ipVersion === undefined ? {} : { ipVersion: ipVersion === "DualStack" ? "DualStack" : "ipv4" }),
        fixed: defined({ resourceGroupId }),
        attributes: defined({ name, ...access, crossZoneEnabled, deleteProtection, modificationProtection }),
        crossesVpcs: follows(facts, "crossVpc"),
        groupType: settled(settings, "serverGroupType", "nlb"),
    };
}

export const sortedIds = (ids: readonly string[]): string[] => [...new Set(ids)].sort();

export const sortedZones = (zones: readonly ZoneMap[]): ZoneMap[] =>
    zones.toSorted((a, b) => (a.zoneId < b.zoneId ? -1 : 1));

/** Returns the immutable fields of a reuse: the instance, and the joined groups on it. */
export function reuseImmutableFields({ id, vgroupPort }: Settings): ImmutableFields {
    if (id === undefined) return {};
    return defined({ id, vgroupPort: vgroupPort?.map(({ vgroupId, port }) => `${vgroupId}:${port}`).join(",") });
}

/** Returns the listener port or ports of a Service port on an NLB. */
export function portRangeOf(settings: Settings, { port }: ServicePort): Omit<ListenerAddress, "protocol"> {
    const range = settings.listenerPortRange?.find((candidate) => candidate.port === port);
    return range === undefined ? { port } : { port: range.from, endPort: range.to };
}

type Listening = Pick<Service, "settings" | "ports"> & Partial<Pick<Service, "loadBalancerType">>;

function placeOf({ settings, loadBalancerType }: Listening, port: ServicePort): ListenerAddress {
    const protocol = listenerProtocolOf(port, settings);
    return { protocol, ...(loadBalancerType === "nlb" ? portRangeOf(settings, port) : { port: port.port }) };
}

/** Returns the user-managed groups by listener port, not by Service port. */
function joinedBy(service: Listening): Tenant["joinedGroups"] {
    return (service.settings.vgroupPort ?? []).map(({ vgroupId, port }) => {
        const own = service.ports.find((one) => one.port === port);
        return { vgroupId, port: own === undefined ? port : placeOf(service, own).port };
    });
}

/** Builds a tenant of a shared instance. `instance` = its id, or the name that the program gave it. */
export function tenantOf(
    service: Pick<Service, "namespace" | "name"> & Listening,
    instance: string,
    facts: Pick<ClusterFacts, "compatibility">,
): Tenant {
    const { namespace, name, ports } = service;
    return {
        service: `${namespace}/${name}`,
        instance,
        listeners: ports.map((port) => placeOf(service, port)),
        manageListeners: listenersManaged(service.settings),
        joinedGroups: joinedBy(service),
        ...defined({ tags: service.settings.additionalResourceTags }),
        ...(reuses(service) && !follows(facts, "sharing") ? { alone: true } : {}),
    };
}
