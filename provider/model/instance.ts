/** An instance that somebody else has made, as the cloud describes it. Plain data, so that it can be shown at preview and judged by policies. */
import type { ListenerProtocol } from "../annotations";

/** A listener that stands on the instance. */
export interface ExistingListener {
    readonly protocol: ListenerProtocol;
    readonly port: number;
    /** Empty if it has none. Ours have the form of {@link ownershipKey}. */
    readonly description: string;
    /** vServer group behind it; absent where it has none. */
    readonly serverGroupId?: string;
    /** HTTPS port that it redirects to; absent where it does not. */
    readonly forwardPort?: number;
}

/** A member of an {@link ExistingGroup}. */
export interface ExistingBackend {
    /** ECS instance or pod address, and port, as one text: `i-bp1…:30080`. */
    readonly address: string;
    readonly weight: number;
    /** Ownership mark; empty where there is none. */
    readonly description: string;
}

/** A vServer group of the instance. */
export interface ExistingGroup {
    readonly id: string;
    readonly name: string;
    /** Read only where they matter: groups that a Service names, and groups of listeners that are about to be replaced. */
    readonly backends?: readonly ExistingBackend[];
}

/** The instance with all that stands on it. Attributes that the cloud does not tell are absent. */
export interface ExistingInstance {
    readonly id: string;
    readonly name?: string;
    readonly address?: string;
    readonly addressType?: string;
    readonly ipVersion?: string;
    readonly vpcId?: string;
    /** `active`, `inactive` or `locked`. */
    readonly status?: string;
    readonly instanceChargeType?: string;
    readonly spec?: string;
    readonly internetChargeType?: string;
    /** Mbit/s. */
    readonly bandwidth?: number;
    readonly masterZoneId?: string;
    readonly slaveZoneId?: string;
    readonly resourceGroupId?: string;
    readonly deleteProtection?: string;
    readonly modificationProtection?: string;
    readonly tags: Readonly<Record<string, string>>;
    readonly listeners: readonly ExistingListener[];
    readonly serverGroups: readonly ExistingGroup[];
}

/** Attributes of a reused instance that a Service may set, by the names of its annotations. Only those that it states: an instance of somebody else has no defaults of ours. */
export interface InstanceAttributes {
    readonly name?: string;
    readonly instanceChargeType?: "PayBySpec" | "PayByCLCU";
    readonly spec?: string;
    readonly internetChargeType?: "PayByTraffic" | "PayByBandwidth";
    /** Mbit/s. */
    readonly bandwidth?: number;
    readonly deleteProtection?: "on" | "off";
    readonly modificationProtection?: "ConsoleProtection" | "NonProtection";
}

/** What one Service wants of an instance that is there already. Plain data. */
export interface ReuseWish {
    readonly loadBalancerId: string;
    readonly namespace: string;
    readonly name: string;
    readonly clusterId: string;
    readonly addressType: "internet" | "intranet";
    readonly ipVersion: "ipv4" | "ipv6";
    /** VPC of the cluster; absent = unknown. */
    readonly vpcId?: string;
    /** Whether the listeners for the Service's ports are managed. Annotation force-override-listeners. */
    readonly manageListeners: boolean;
    /** The Service's ports. */
    readonly listeners: readonly { readonly protocol: ListenerProtocol; readonly port: number }[];
    /** vServer groups of somebody else that the Service's backends join. Annotation vgroup-port. */
    readonly joinedGroups: readonly { readonly vgroupId: string; readonly port: number }[];
    /** Attributes that are fixed at creation and that the Service states; they must be the instance's own. By the names of their annotations. */
    readonly fixed: Readonly<Partial<Record<"masterZoneid" | "slaveZoneid" | "resourceGroupId" | "ip", string>>>;
    readonly attributes: InstanceAttributes;
    readonly additionalTags: Readonly<Record<string, string>>;
    /** Whether pods are attached directly. */
    readonly attachesPods: boolean;
    /** Addresses that the Service's status names; empty = it is not bound yet. */
    readonly boundTo: readonly string[];
    /** Instances that no Service may use, such as the API server's. */
    readonly denied: readonly string[];
}

/** A Service on an instance that it may share with others. */
export interface Tenant {
    /** `namespace/name`. */
    readonly service: string;
    /** What all Services on one instance have in common: its id, or the name that a program gave it. */
    readonly instance: string;
    readonly listeners: readonly { readonly protocol: ListenerProtocol; readonly port: number }[];
    /** Annotation force-override-listeners, or true on an instance of the program's own. */
    readonly manageListeners: boolean;
    /** Annotation vgroup-port. */
    readonly joinedGroups: readonly { readonly vgroupId: string; readonly port: number }[];
}
