import { zoneOf } from "../../regions";
import type { Cloud } from "../cloud";
import type { Product } from "../actions";
import { takePublic } from "../vpc/addresses";
import type { World } from "../world";

/** An API action to run while seeding, with the id that its object shall get. */
export interface SeedCall {
    readonly action: string;
    readonly params: Readonly<Record<string, string | number | boolean>>;
    readonly product?: Product;
    /** Id of the object that the action makes, such as `lb-shared`. */
    readonly id?: string;
}

/**
 * Initial objects of a test. Every part is optional and added to the existing objects. An object with a known id is
 * replaced. Whatever has an API of its own in this cloud (instances of load balancers, groups, ACLs, …) is made by
 * `calls`.
 */
export interface Seed {
    readonly vpcs?: readonly {
        id: string;
        cidr?: string;
        name?: string;
        tags?: Record<string, string>;
    }[];
    readonly vSwitches?: readonly {
        id: string;
        vpcId?: string;
        zoneId: string;
        cidr: string;
        ipv6Cidr?: string;
        name?: string;
        tags?: Record<string, string>;
    }[];
    /** Machines, cluster nodes included. `vSwitchId` defaults to the first vSwitch. */
    readonly instances?: readonly {
        id: string;
        privateIp?: string;
        vSwitchId?: string;
        name?: string;
        status?: string;
        tags?: Record<string, string>;
    }[];
    /** Network interfaces. They provide the addresses of pods in a Terway cluster. */
    readonly networkInterfaces?: readonly {
        id: string;
        privateIps: readonly string[];
        ipv6Addresses?: readonly string[];
        instanceId?: string;
        vpcId?: string;
        vSwitchId?: string;
        type?: string;
        status?: string;
    }[];
    readonly certificates?: readonly {
        id: string;
        kind?: "server" | "ca";
        name?: string;
        commonName?: string;
        expiresAt?: string | number;
    }[];
    readonly securityGroups?: readonly { id: string; vpcId?: string; name?: string; tags?: Record<string, string> }[];
    readonly eips?: readonly { id: string; address?: string; instanceId?: string; instanceType?: string }[];
    readonly bandwidthPackages?: readonly { id: string; name?: string; bandwidth?: string }[];
    /**
     * Changes of CLB instances that no API call makes, by id: `{"lb-1": {"spec": ""}}` makes a shared-resource
     * instance.
     */
    readonly loadBalancers?: Readonly<
        Record<string, { spec?: string; tags?: Record<string, string>; status?: string }>
    >;
    /** Health of servers by id or address, as DescribeHealthStatus answers it: `normal`, `abnormal`, `unavailable`. */
    readonly health?: Readonly<Record<string, string>>;
    readonly calls?: readonly SeedCall[];
    /** Ids of instances and interfaces that are gone. */
    readonly remove?: { readonly instances?: readonly string[]; readonly networkInterfaces?: readonly string[] };
}

function tagMap(tags: Record<string, string> | undefined): Map<string, string> {
    return new Map(Object.entries(tags ?? {}));
}

function seedNetworks(world: World, seed: Seed): void {
    for (const v of seed.vpcs ?? []) {
        const { id, name = v.id, cidr = "10.0.0.0/8" } = v;
        world.vpc.vpcs.set(id, { id, name, cidr, tags: tagMap(v.tags) });
    }
    for (const v of seed.vSwitches ?? []) {
        const vpcId = v.vpcId ?? [...world.vpc.vpcs.keys()][0] ?? "";
        const used = world.vpc.vSwitches.get(v.id)?.used ?? new Map<string, string>();
        world.vpc.vSwitches.set(v.id, {
            id: v.id,
            name: v.name ?? v.id,
            vpcId,
            zoneId: v.zoneId,
            cidr: v.cidr,
            ipv6Cidr: v.ipv6Cidr ?? "",
            used,
            tags: tagMap(v.tags),
        });
    }
}

/** The vSwitch that a machine is in, by id or else the first there is. */
function place(world: World, vSwitchId: string | undefined): { vpcId: string; vSwitchId: string; zoneId: string } {
    const vSwitch = vSwitchId === undefined ? [...world.vpc.vSwitches.values()][0] : world.vpc.vSwitches.get(vSwitchId);
    return {
        vpcId: vSwitch?.vpcId ?? "",
        vSwitchId: vSwitch?.id ?? "",
        zoneId: vSwitch?.zoneId ?? world.defaultZones()[0],
    };
}

function occupy(world: World, vSwitchId: string, addresses: readonly string[], owner: string): void {
    const used = world.vpc.vSwitches.get(vSwitchId)?.used;
    for (const address of addresses) if (address !== "") used?.set(address, owner);
}

function seedMachines(world: World, seed: Seed): void {
    const { instances, networkInterfaces } = world.ecs;
    for (const id of seed.remove?.instances ?? []) instances.delete(id);
    for (const id of seed.remove?.networkInterfaces ?? []) networkInterfaces.delete(id);
    for (const i of seed.instances ?? []) {
        const where = place(world, i.vSwitchId);
        instances.set(i.id, {
            id: i.id,
            name: i.name ?? i.id,
            ...where,
            privateIp: i.privateIp ?? "",
            status: i.status ?? "Running",
            tags: tagMap(i.tags),
        });
        occupy(world, where.vSwitchId, [i.privateIp ?? ""], i.id);
    }
    for (const n of seed.networkInterfaces ?? []) {
        const where = place(world, n.vSwitchId ?? instances.get(n.instanceId ?? "")?.vSwitchId);
        const eni = {
            id: n.id,
            ...where,
            vpcId: n.vpcId ?? where.vpcId,
            instanceId: n.instanceId ?? "",
            type: n.type ?? "Secondary",
            status: n.status ?? "InUse",
            tags: tagMap(undefined),
        };
        networkInterfaces.set(n.id, {
            ...eni,
            privateIps: [...n.privateIps],
            ipv6Addresses: [...(n.ipv6Addresses ?? [])],
        });
        occupy(world, where.vSwitchId, n.privateIps, n.id);
    }
}

const TEN_YEARS = 10 * 365 * 24 * 3600 * 1000;

function seedOthers(world: World, seed: Seed): void {
    for (const c of seed.certificates ?? []) {
        const { id, kind = "server", name = c.id, commonName = "example.com" } = c;
        const expiresAt = c.expiresAt === undefined ? world.now() + TEN_YEARS : new Date(c.expiresAt).getTime();
        const createdAt = world.now();
        world.slb.certificates.set(id, { id, kind, name, commonName, expiresAt, createdAt, tags: new Map() });
    }
    for (const g of seed.securityGroups ?? []) {
        const vpcId = g.vpcId ?? [...world.vpc.vpcs.keys()][0] ?? "";
        world.ecs.securityGroups.set(g.id, {
            id: g.id,
            name: g.name ?? g.id,
            description: "",
            vpcId,
            type: "normal",
            resourceGroupId: "",
            permissions: [],
            tags: tagMap(g.tags),
        });
    }
    for (const e of seed.eips ?? []) {
        const eip = {
            id: e.id,
            address: e.address ?? takePublic(world, e.id),
            instanceId: e.instanceId ?? "",
            instanceType: e.instanceType ?? (e.instanceId === undefined ? "" : "SlbInstance"),
        };
        const rest = {
            name: "",
            description: "",
            bandwidth: "5",
            internetChargeType: "PayByTraffic",
            resourceGroupId: "rg-default",
        };
        world.vpc.eips.set(e.id, { ...eip, ...rest });
    }
    for (const b of seed.bandwidthPackages ?? []) {
        const { id, name = b.id, bandwidth = "5" } = b;
        world.vpc.bandwidthPackages.set(id, { id, name, bandwidth });
    }
    for (const [server, state] of Object.entries(seed.health ?? {})) world.slb.health.set(server, state);
}

function patchLoadBalancers(world: World, seed: Seed): void {
    for (const [id, patch] of Object.entries(seed.loadBalancers ?? {})) {
        const lb = world.slb.loadBalancers.get(id);
        if (lb === undefined) throw new Error(`seed: there is no CLB instance ${id}`);
        if (patch.spec !== undefined) lb.spec = patch.spec;
        if (patch.status !== undefined) lb.status.go(patch.status, patch.status, 0, world.now());
        for (const [key, value] of Object.entries(patch.tags ?? {})) lb.tags.set(key, value);
    }
}

/** Prefixes of ids by the action that makes them, for seeds that want a particular id. */
const PREFIXES: Readonly<Record<string, string>> = {
    "Slb.CreateLoadBalancer": "lb",
    "Slb.CreateVServerGroup": "rsp",
    "Slb.CreateAccessControlList": "acl",
    "Slb.CreateDomainExtension": "de",
    "Nlb.CreateLoadBalancer": "nlb",
    "Nlb.CreateListener": "lsn",
    "Nlb.CreateServerGroup": "sgp",
    "Vpc.AllocateEipAddress": "eip",
    "Ecs.CreateSecurityGroup": "sg",
};

/** Adds what the seed says. If a call is refused, it throws and names the call. */
export async function applySeed(cloud: Cloud, seed: Seed, world: World = cloud.world): Promise<void> {
    seedNetworks(world, seed);
    seedMachines(world, seed);
    seedOthers(world, seed);
    for (const call of seed.calls ?? []) {
        const product = call.product ?? "Slb";
        const prefix = PREFIXES[`${product}.${call.action}`];
        if (call.id !== undefined && prefix !== undefined) world.ids.ask(prefix, call.id);
        const params = Object.fromEntries(Object.entries(call.params).map(([k, v]) => [k, String(v)]));
        const answer = await cloud.act(call.action, params, "seed", product, world);
        world.ids.forgetAsked();
        if (answer === "drop" || answer.status !== 200)
            throw new Error(`seed: ${call.action} was refused: ${JSON.stringify(answer)}`);
    }
    patchLoadBalancers(world, seed);
}

/** Returns the seed of a fresh lab: a VPC with a vSwitch in each of two zones, and no load balancers. */
export function defaultSeed(region: string): Seed {
    return {
        vpcs: [{ id: "vpc-lab", name: "lab", cidr: "10.0.0.0/8" }],
        vSwitches: [
            { id: "vsw-lab-b", vpcId: "vpc-lab", zoneId: zoneOf(region, "b"), cidr: "10.0.0.0/16" },
            { id: "vsw-lab-a", vpcId: "vpc-lab", zoneId: zoneOf(region, "a"), cidr: "10.1.0.0/16" },
        ],
    };
}
