/**
 * Simulated cloud of the lab in this process, on virtual time, with server groups for replicas of the sync controller.
 */
import { expect } from "@jest/globals";
import { Cloud as LabCloud } from "../../lab/cloud/cloud";
import { applySeed, defaultSeed, type Seed, type SeedCall } from "../../lab/cloud/console";
import type { Fault } from "../../lab/cloud/core";
import { parseRequest } from "../../lab/cloud/wire";
import { World } from "../../lab/cloud/world";
import { VirtualClock } from "./cloud-client";
import { HttpFailure, type HttpRequest, type HttpResponse } from "../../provider/net";
import { MARK, NLB_MARK, node } from "./sync-world";
import type { Operator } from "../../provider/sync/binding/object";
import { RigReplica, type RigWorld } from "./rig-replica";

const KEYS = { accessKeyId: "LTAIrig0000000001", accessKeySecret: "rig-secret" };

/** Server groups of the rig: a CLB's for nodes, and an NLB's for addresses and for servers. */
export const RIG_GROUPS = { nodes: "rsp-rig", addresses: "sgp-rig", servers: "sgp-servers" } as const;

/** Mark of the NLB's group of servers. */
export const NODE_MARK = "k8s.30080.TCP.web.shop.c1";

const GROUPS: readonly SeedCall[] = [
    {
        action: "CreateVServerGroup",
        params: { LoadBalancerId: "lb-rig", VServerGroupName: MARK },
        id: RIG_GROUPS.nodes,
    },
    {
        product: "Nlb",
        action: "CreateServerGroup",
        params: { ServerGroupName: NLB_MARK, VpcId: "vpc-lab", ServerGroupType: "Ip", Protocol: "TCP" },
        id: RIG_GROUPS.addresses,
    },
    {
        product: "Nlb",
        action: "CreateServerGroup",
        params: { ServerGroupName: NODE_MARK, VpcId: "vpc-lab", ServerGroupType: "Instance", Protocol: "TCP" },
        id: RIG_GROUPS.servers,
    },
];

/** Machines i-n0 … of nodes n0 …, as many as the rig has. */
const MACHINES = 64;

const RIG_SEED: Seed = {
    instances: Array.from({ length: MACHINES }, (_, n) => ({ id: `i-n${n}`, privateIp: `10.1.0.${n + 1}` })),
    networkInterfaces: [{ id: "eni-1", privateIps: Array.from({ length: 99 }, (_, n) => `10.0.0.${n + 1}`) }],
    calls: [
        {
            action: "CreateLoadBalancer",
            params: {
                LoadBalancerName: "rig",
                AddressType: "intranet",
                InstanceChargeType: "PayByCLCU",
                VpcId: "vpc-lab",
                VSwitchId: "vsw-lab-a",
            },
            id: "lb-rig",
        },
        ...GROUPS,
    ],
};

/** Names of that many nodes. */
export const nodesOf = (count: number) => Array.from({ length: count }, (_, index) => node(`n${index}`));

/** Weights by server or address. */
export type Weights = Readonly<Record<string, number>>;

/** Returns the model's weights for these members: the same for each. */
export const even = (names: readonly string[]): Weights =>
    Object.fromEntries([...names].sort().map((name) => [name, 100]));

/** Milliseconds after which everything has been tried again: a resync, and the longest wait of the queue. */
export const REST = 660_000;

/** Simulated cloud with a vServer group and an NLB server group, and replicas that call it. */
export class SyncRig implements RigWorld {
    readonly clock = new VirtualClock(() => 0.5);
    /** Milliseconds that each call takes, half before and half after its effect. */
    latency: () => number = () => 0;
    readonly #cloud: LabCloud;
    readonly #faults = new Map<string, string>();
    readonly #hit = new Set<string>();

    private constructor() {
        const world = new World("cn-hangzhou");
        world.config.clockSkewSeconds = Number.MAX_SAFE_INTEGER;
        const began = Date.now();
        world.now = () => began + this.clock.now();
        this.#cloud = new LabCloud(world, KEYS);
    }

    /** A rig whose key pair is that of the environment from now on. */
    static async create(): Promise<SyncRig> {
        process.env["ALIBABA_CLOUD_ACCESS_KEY_ID"] = KEYS.accessKeyId;
        process.env["ALIBABA_CLOUD_ACCESS_KEY_SECRET"] = KEYS.accessKeySecret;
        const rig = new SyncRig();
        await applySeed(rig.#cloud, defaultSeed("cn-hangzhou"));
        await applySeed(rig.#cloud, RIG_SEED);
        return rig;
    }

    /** @param operator default: that of cluster c1, who names no user-managed group */
    replica(operator?: Operator): RigReplica {
        return new RigReplica(this, operator);
    }

    fault(fault: Fault): void {
        this.#faults.set(this.#cloud.faults.add(fault), JSON.stringify(fault));
    }

    /** Ends the faults. */
    heal(): void {
        for (const { fault, hits } of this.#cloud.faults.list())
            if (hits > 0) this.#hit.add(this.#faults.get(fault.id ?? "") ?? "");
        this.#cloud.faults.clear();
    }

    /** Faults that have hit no call until the last {@link heal}. */
    get idleFaults(): string[] {
        return [...new Set(this.#faults.values())].filter((fault) => !this.#hit.has(fault));
    }

    get world(): World {
        return this.#cloud.world;
    }

    /** Actions that programs have called, with their codes, since a number of calls. */
    calls(since = 0): string[] {
        return this.#cloud.calls
            .select({ origin: "api" })
            .slice(since)
            .map(({ action, code }) => (code === "OK" ? action : `${action} ${code}`));
    }

    /** Does something as a person in the console. */
    async console(action: string, params: Readonly<Record<string, string>>, product?: "Nlb"): Promise<void> {
        const answer = await this.#cloud.act(action, params, "console", product);
        expect(answer).toMatchObject({ status: 200 });
    }

    /**
     * Creates the same groups and machines in another account, whose roles may be assumed. The result reads the CLB
     * members there by machine.
     */
    async otherAccount(accountId: string): Promise<() => Weights> {
        const keys = { accessKeyId: `LTAI${accountId}`, accessKeySecret: "other-secret" };
        const world = this.#cloud.places.declare({ accountId, keys });
        world.now = this.world.now;
        for (const seed of [defaultSeed("cn-hangzhou"), RIG_SEED]) await applySeed(this.#cloud, seed, world);
        return () => weightsIn(world);
    }

    /** Makes the CLB's group again after it was deleted, under its id. */
    async makeGroupAgain(): Promise<void> {
        await applySeed(this.#cloud, { calls: GROUPS.slice(0, 1) });
    }

    /**
     * Returns the members of the CLB's group by machine: those with a mark, or all. It fails for a member that is there
     * twice.
     */
    nodeWeights(mark?: string): Weights {
        return weightsIn(this.world, mark);
    }

    /** Members of the NLB's group of servers, by id. */
    serverWeights(): Weights {
        const { servers } = this.world.nlb.serverGroups.get(RIG_GROUPS.servers) ?? { servers: [] };
        return unique(servers.map(({ serverId, weight }) => [serverId, weight] as const));
    }

    /** Members of the NLB's group of addresses, by address. */
    addressWeights(): Weights {
        const { servers } = this.world.nlb.serverGroups.get(RIG_GROUPS.addresses) ?? { servers: [] };
        return unique(servers.map(({ serverIp, weight }) => [serverIp, weight] as const));
    }

    /** Carries a request out in the simulated cloud. */
    async transport(request: HttpRequest): Promise<HttpResponse> {
        const wait = this.latency();
        if (wait > 0) await this.clock.sleep(wait / 2);
        const answer = await this.#cloud.answer(
            parseRequest({
                method: request.method,
                url: `${request.url.pathname}${request.url.search}`,
                headers: request.headers,
                body: request.body ?? "",
            }),
        );
        if (wait > 0) await this.clock.sleep(wait / 2);
        if (answer === "drop") throw new HttpFailure("ECONNRESET", "socket hang up", true);
        return {
            status: answer.status,
            headers: {},
            body: typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body),
        };
    }
}

function weightsIn(world: World, mark?: string): Weights {
    const { backends } = world.slb.vServerGroups.get(RIG_GROUPS.nodes) ?? { backends: [] };
    return unique(
        backends.flatMap(({ serverId, weight, description }) =>
            mark === undefined || description === mark ? [[serverId, weight] as const] : [],
        ),
    );
}

function unique(members: readonly (readonly [string, number])[]): Weights {
    const names = members.map(([name]) => name);
    expect([`a member is there twice: ${names.join(", ")}`, new Set(names).size]).toStrictEqual([
        `a member is there twice: ${names.join(", ")}`,
        names.length,
    ]);
    return Object.fromEntries([...members].sort(([a], [b]) => (a < b ? -1 : 1)));
}
