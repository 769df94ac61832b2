/** A network that vSwitches divide. */
export interface Vpc {
    readonly id: string;
    name: string;
    cidr: string;
    tags: Map<string, string>;
}

/** Subnet in a zone. Load balancers and network interfaces take addresses from it. */
export interface VSwitch {
    readonly id: string;
    name: string;
    vpcId: string;
    zoneId: string;
    cidr: string;
    ipv6Cidr: string;
    /** Addresses in use, with what uses them. */
    used: Map<string, string>;
    tags: Map<string, string>;
}

/** A public address that can be bound to an instance. */
export interface Eip {
    readonly id: string;
    address: string;
    name: string;
    description: string;
    bandwidth: string;
    internetChargeType: string;
    instanceId: string;
    instanceType: string;
    resourceGroupId: string;
}

/** Bandwidth that several public addresses share. */
export interface BandwidthPackage {
    readonly id: string;
    readonly name: string;
    readonly bandwidth: string;
}

export interface VpcState {
    vpcs: Map<string, Vpc>;
    vSwitches: Map<string, VSwitch>;
    eips: Map<string, Eip>;
    bandwidthPackages: Map<string, BandwidthPackage>;
    /** Public addresses in use, with what uses them. */
    publicAddresses: Map<string, string>;
}

export function emptyVpc(): VpcState {
    return {
        vpcs: new Map(),
        vSwitches: new Map(),
        eips: new Map(),
        bandwidthPackages: new Map(),
        publicAddresses: new Map(),
    };
}
