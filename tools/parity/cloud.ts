import type { Fault, Seed, SeedCall, StatedCloud } from "../../lab/cloud";
import type { Case, CaseNode, CloudBefore } from "./case";
import { SETTINGS_OF_CERTIFICATES, named, zonesOf } from "./annotations";
import { nlbSeed } from "./nlb/seed";
import { type NlbState, nlbStateOf } from "./nlb/state";

/** The compared state of the simulated cloud. Everything outside `network` belongs to CLB. */
export interface CloudState extends Pick<
    StatedCloud["slb"],
    "loadBalancers" | "listeners" | "vServerGroups" | "domainExtensions"
> {
    readonly network: NlbState;
}

export type CloudLoadBalancer = CloudState["loadBalancers"][number];

export type CloudListener = CloudState["listeners"][number];

/** Quotas of an account that has many load balancers with the same few machines behind them. */
const RAISED = { loadBalancers: 100, nlbLoadBalancers: 100, attachmentsPerServer: 500 };

/** The simulated cloud, from outside. */
export class CloudConsole {
    constructor(private readonly url: string) {}

    /** Empties the cloud and seeds it with the initial state of a case. */
    async reset(recorded: Case): Promise<void> {
        await this.#post("/_reset", {});
        // The recorder's cloud refuses next to nothing, and calls that it lets through must get as far here.
        await this.#post("/_config", { strict: false, quotas: { backendsPerCall: 40 } });
        await this.#post("/_seed", seedOf(recorded));
    }

    /** Empties the cloud, makes it as strict as the real cloud, and seeds it. */
    async seed(seed: Seed): Promise<void> {
        await this.#post("/_reset", {});
        await this.#post("/_config", { strict: true, quotas: RAISED });
        await this.#post("/_seed", seed);
    }

    /** Machines and interfaces that appear or go while a case runs. */
    async change(seed: Seed): Promise<void> {
        await this.#post("/_seed", seed);
    }

    /** Calls the cloud as another user. Reports whether the call succeeded. */
    async act(
        action: string,
        params: Readonly<Record<string, string>>,
        product: "Slb" | "Nlb" | "Ecs",
    ): Promise<boolean> {
        const answer = await this.#post("/_console", { action, params, product, as: "other" });
        return ((await answer.json()) as { readonly status: number }).status === 200;
    }

    /** Makes actions fail. Without faults all work again. */
    async fail(faults: readonly Fault[]): Promise<void> {
        await fetch(`${this.url}/_faults`, { method: "DELETE" });
        if (faults.length > 0) await this.#post("/_faults", faults);
    }

    async state(): Promise<CloudState> {
        const answer = (await (await fetch(`${this.url}/_state`)).json()) as StatedCloud;
        return { ...answer.slb, network: nlbStateOf(answer) };
    }

    async #post(path: string, body: object): Promise<Response> {
        const answer = await fetch(this.url + path, { method: "POST", body: JSON.stringify(body) });
        if (!answer.ok) {
            throw new Error(`the simulated cloud refused ${path}: ${await answer.text()}`);
        }
        return answer;
    }
}

/** Machines of nodes. */
export function machinesOf(nodes: readonly CaseNode[]): Seed["instances"] {
    return nodes.flatMap(({ instanceId, name, internalIP }) =>
        instanceId ? [{ id: instanceId, name, privateIp: internalIP }] : [],
    );
}

/** Interfaces of pods in the VPC of the cluster, from addresses to ids. */
export function interfacesOf(
    enis: Readonly<Record<string, string>>,
    { vpcId }: Pick<Case["cluster"], "vpcId">,
): NonNullable<Seed["networkInterfaces"]> {
    const byId = new Map<string, string[]>();
    for (const [address, id] of Object.entries(enis)) if (id !== "") byId.set(id, [...(byId.get(id) ?? []), address]);
    return [...byId].map(([id, addresses]) => ({
        id,
        vpcId,
        privateIps: addresses.filter((address) => !address.includes(":")),
        ipv6Addresses: addresses.filter((address) => address.includes(":")),
    }));
}

function seedOf(recorded: Case): Seed {
    const { cluster, cloudBefore } = recorded;
    const nodes = [...cluster.nodes, ...recorded.steps.flatMap((step) => step.nodes ?? [])];
    const members = (cloudBefore.serverGroups ?? []).flatMap(({ backends }) => backends);
    const network = nlbSeed(recorded);
    return {
        vpcs: [{ id: cluster.vpcId, cidr: "10.0.0.0/8" }, ...(network.vpcs ?? [])],
        vSwitches: vswitchesOf(recorded),
        instances: [
            ...(machinesOf(nodes) ?? []),
            ...members.filter(({ type }) => type.toLowerCase() === "ecs").map(({ serverId }) => ({ id: serverId })),
        ],
        networkInterfaces: interfacesOf(cluster.enis, cluster),
        certificates: [...certificatesOf(recorded), ...(network.certificates ?? [])],
        eips: [
            ...Object.entries(cloudBefore.eips ?? {}).flatMap(([instanceId, addresses]) =>
                addresses.map((address) => ({ id: `eip-${address}`, address, instanceId })),
            ),
            ...(network.eips ?? []),
        ],
        bandwidthPackages: network.bandwidthPackages ?? [],
        securityGroups: network.securityGroups ?? [],
        calls: [...aclsOf(recorded), ...objectCalls(cloudBefore), ...(network.calls ?? [])],
        loadBalancers: Object.fromEntries(
            (cloudBefore.loadBalancers ?? [])
                .filter(({ product }) => product === "clb")
                .map(({ ref, tags }) => [ref, { tags }]),
        ),
    };
}

/** Returns the vSwitches of a case. The recorder takes any vSwitch, but here it has to exist. */
function vswitchesOf(recorded: Case): NonNullable<Seed["vSwitches"]> {
    const { cluster, steps } = recorded;
    const known = new Set(cluster.vswitches.map(({ id }) => id));
    const zones = new Map([
        ...named(recorded, "vswitch-id").map((id) => [id, "cn-hangzhou-b"] as const),
        ...steps.flatMap(({ service }) => zonesOf(service)).map((zone) => [zone.VSwitchId, zone.ZoneId] as const),
    ]);
    return [
        ...cluster.vswitches.map(({ id, zoneId, cidr }) => ({ id, zoneId, cidr, vpcId: cluster.vpcId })),
        ...[...zones]
            .filter(([id]) => id !== "" && !known.has(id))
            .map(([id, zoneId], index) => ({ id, zoneId, cidr: `192.168.${100 + index}.0/24`, vpcId: cluster.vpcId })),
    ];
}

/** Every certificate that a Service names, except those that are missing in the case. */
export function certificatesOf(recorded: Case): NonNullable<Seed["certificates"]> {
    const ids = named(recorded, ...SETTINGS_OF_CERTIFICATES).map((entry) => entry.split(":").at(-1)?.trim() ?? "");
    const missing = new Set(recorded.cloudBefore.missingCerts ?? []);
    const expired = new Set(recorded.cloudBefore.expiredCerts ?? []);
    return [...new Set(ids)]
        .filter((id) => id !== "" && !missing.has(id))
        .map((id) => ({ id, ...(expired.has(id) ? { expiresAt: "2020-01-01T00:00:00Z" } : {}) }));
}

/** Every access control list that a Service names. */
export function aclsOf(recorded: Case): SeedCall[] {
    return named(recorded, "acl-id").map((id) => ({
        action: "CreateAccessControlList",
        id,
        params: { AclName: id },
    }));
}

function objectCalls(before: CloudBefore): SeedCall[] {
    const loadBalancers = (before.loadBalancers ?? [])
        .filter(({ product }) => product === "clb")
        .map(({ ref, attributes }): SeedCall => {
            const { Address, ...rest } = attributes;
            // A public address cannot be asked for, and nothing depends on it.
            return {
                action: "CreateLoadBalancer",
                id: ref,
                params: rest["AddressType"] === "intranet" && Address !== undefined ? { ...rest, Address } : rest,
            };
        });
    const here = new Set(loadBalancers.map(({ id }) => id));
    const groups = (before.serverGroups ?? [])
        .filter(({ lb }) => lb !== undefined && here.has(lb))
        .map(({ ref, lb = "", name, backends }): SeedCall => ({
            action: "CreateVServerGroup",
            id: ref,
            params: {
                LoadBalancerId: lb,
                VServerGroupName: name,
                BackendServers: JSON.stringify(
                    backends.map(({ serverId, serverIp, port, weight, type, description }) => ({
                        ServerId: serverId,
                        ServerIp: serverIp ?? "",
                        Port: port,
                        Weight: weight,
                        Type: type,
                        Description: description,
                    })),
                ),
            },
        }));
    const listeners = (before.listeners ?? [])
        .filter(({ lb }) => here.has(lb))
        .flatMap(({ lb, port, protocol, status, serverGroup, attributes }): SeedCall[] => [
            {
                action: `CreateLoadBalancer${protocol.toUpperCase()}Listener`,
                params: {
                    LoadBalancerId: lb,
                    ListenerPort: port,
                    VServerGroupId: serverGroup,
                    ...(protocol === "tcp" || protocol === "udp" ? {} : { StickySession: "off", HealthCheck: "off" }),
                    ...attributes,
                },
            },
            ...(status === "running"
                ? [
                      {
                          action: "StartLoadBalancerListener",
                          params: { LoadBalancerId: lb, ListenerPort: port, ListenerProtocol: protocol },
                      },
                  ]
                : []),
        ]);
    return [...loadBalancers, ...groups, ...listeners];
}
