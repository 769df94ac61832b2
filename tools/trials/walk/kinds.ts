/** Kinds of load balancer whose Services live in the walk. */
import * as fc from "fast-check";
import type { SeedCall } from "../../../lab/cloud";
import type { InstanceSettings } from "../../../components";
import { clbOf, OWN_CLB } from "./clb";
import { nlbOf, OWN_NLB } from "./nlb";
import { all, type Life, lives, pick, seldom, some, type Ways } from "./versions";

/** Services of a program, which change together. */
export interface Kind {
    /** Objects that others made before. */
    readonly seed: readonly SeedCall[];
    /** Lives of the Services. */
    readonly lives: (changes: number) => fc.Arbitrary<readonly Life[]>;
    /** The program takes the Services from the cluster as they stand there. */
    readonly followed?: true;
    /** The program has the sync controller keep the backends at first, and switches that off and on. */
    readonly synced?: true;
    /** Settings of the instance that all Services share, by number. */
    readonly shared?: readonly InstanceSettings[];
}

/** Programs have at most so many Services, each with its own load balancer, or in pairs on an instance. */
const SERVICES = 24;
const LANES = 2;
/** Services of a program that share one instance of the program. The ports of more would meet. */
const SHARING = 8;

const own =
    <Protocol extends string>(ways: Ways<Protocol>): Kind["lives"] =>
    (changes) =>
        fc.tuple(...Array.from({ length: SERVICES }, () => lives(ways, 0, changes)));

const reusing =
    <Protocol extends string>(
        ways: (instance: number, tags: readonly string[], lane: number) => Ways<Protocol>,
    ): Kind["lives"] =>
    (changes) =>
        fc.tuple(
            ...Array.from({ length: SERVICES }, (_, index) => {
                const lane = index % LANES;
                const [pair, own, spare] = [index - lane, index, SERVICES + index].map((instance) =>
                    ways(instance, TAGS[lane] ?? [], lane),
                ) as [Ways<Protocol>, Ways<Protocol>, Ways<Protocol>];
                // Nobody sees a Service on an NLB where it has no listener: who leaves it there takes the tag of reuse.
                const isAlone = pair.kind === "nlb" && index >= SERVICES / 2;
                const here = isAlone ? own : pair;
                const isSeen = pair.kind === "clb" || isAlone;
                return lives(isSeen ? { ...here, moved: spare.fixed } : { ...here, stays: true }, lane, changes);
            }),
        );

/** Services that take the listeners of their ports on a reused instance, and leave them again. */
const forcing = <Protocol extends string>(ways: Ways<Protocol>): Ways<Protocol> => ({
    ...ways,
    annotations: (ports, always) =>
        all(ways.annotations(ports, always), some({ "force-override-listeners": pick("true") })),
});

/** Services of an NLB whose first port is a range of ports now and then. */
const ranging = <Protocol extends string>(ways: Ways<Protocol>): Ways<Protocol> => ({
    ...ways,
    annotations: (ports, always) =>
        all(
            ways.annotations(ports, always),
            seldom({ "listener-port-range": pick(...[20_010, 20_020].map((to) => `20000-${to}:${ports[0]?.port}`)) }),
        ),
});

/** Services that choose between pods and nodes as backends now and then. */
const choosing = <Protocol extends string>(ways: Ways<Protocol>): Ways<Protocol> => ({
    ...ways,
    annotations: (ports, always) =>
        all(ways.annotations(ports, always), seldom({ "backend-type": pick("eni", "ecs") })),
});

/** Services whose backends join groups of a user, the first of which two Services share. */
const joining = <Protocol extends string>(ways: Ways<Protocol>, group: string, lane: number): Ways<Protocol> => ({
    ...forcing(ways),
    fixed: ways.fixed.chain((always) =>
        fc.constantFrom(
            ...[`${group}-a:${80 + lane * 1000}`, `${group}-a:${80 + lane * 1000},${group}-b:${443 + lane * 1000}`].map(
                (joined) => ({ ...always, "vgroup-port": joined }),
            ),
        ),
    ),
    annotations: (ports, always) =>
        all(forcing(ways).annotations(ports, always), some({ weight: pick(0, 20, 100) })).map(
            ({ "server-group-type": _, ...others }) => others,
        ),
});

/** Tags of the Services on an instance. The instance has a tag `team`. */
const TAGS: readonly (readonly string[])[] = [
    ["a=1", "team=2,b=3"],
    ["c=1", "d=3"],
];

/**
 * Instances of a user: those that Services use at first, alone or in pairs, and one for each to move to. Each has a tag
 * and a listener with its group.
 */
const INSTANCES = Array.from({ length: 2 * SERVICES }, (_, index) => index);

const CLBS: readonly SeedCall[] = INSTANCES.flatMap((index): SeedCall[] => [
    {
        action: "CreateLoadBalancer",
        id: `lb-users-${index}`,
        params: { LoadBalancerName: `users-${index}`, AddressType: "internet", LoadBalancerSpec: "slb.s1.small" },
    },
    {
        action: "TagResources",
        params: {
            ResourceType: "instance",
            "ResourceId.1": `lb-users-${index}`,
            "Tag.1.Key": "team",
            "Tag.1.Value": "a",
        },
    },
    {
        action: "CreateVServerGroup",
        id: `rsp-users-${index}`,
        params: {
            LoadBalancerId: `lb-users-${index}`,
            VServerGroupName: "users",
            BackendServers: '[{"ServerId":"i-node-3","Port":8080,"Weight":100,"Type":"ecs"}]',
        },
    },
    {
        action: "CreateLoadBalancerTCPListener",
        params: {
            LoadBalancerId: `lb-users-${index}`,
            ListenerPort: 20_000,
            VServerGroupId: `rsp-users-${index}`,
            Bandwidth: -1,
        },
    },
]);

/** Groups of a user that Services join. */
const CLB_GROUPS: readonly SeedCall[] = INSTANCES.flatMap((index) =>
    ["a", "b"].map((group) => ({
        action: "CreateVServerGroup",
        id: `rsp-joined-${index}-${group}`,
        params: {
            LoadBalancerId: `lb-users-${index}`,
            VServerGroupName: `joined-${index}-${group}`,
            BackendServers: '[{"ServerId":"i-node-3","Port":8080,"Weight":100,"Type":"ecs"}]',
        },
    })),
);

const NLBS: readonly SeedCall[] = INSTANCES.flatMap((index): SeedCall[] => [
    {
        product: "Nlb",
        action: "CreateLoadBalancer",
        id: `nlb-users-${index}`,
        params: {
            LoadBalancerName: `users-${index}`,
            AddressType: "Internet",
            VpcId: "vpc-lab",
            "ZoneMappings.1.ZoneId": "cn-hangzhou-a",
            "ZoneMappings.1.VSwitchId": "vsw-na",
            "ZoneMappings.2.ZoneId": "cn-hangzhou-b",
            "ZoneMappings.2.VSwitchId": "vsw-nb",
            "Tag.1.Key": "team",
            "Tag.1.Value": "a",
        },
    },
]);

const NLB_GROUPS: readonly SeedCall[] = INSTANCES.flatMap((index) =>
    ["a", "b"].map((group) => ({
        product: "Nlb" as const,
        action: "CreateServerGroup",
        id: `sgp-joined-${index}-${group}`,
        params: {
            ServerGroupName: `joined-${index}-${group}`,
            ServerGroupType: "Instance",
            Protocol: "TCP_UDP",
            VpcId: "vpc-lab",
        },
    })),
);

const FORCED = { "force-override-listeners": "true" };

const SHARED: readonly InstanceSettings[] = [
    {},
    { deleteProtection: "off" },
    { modificationProtection: "NonProtection", additionalResourceTags: { a: "1" } },
    { additionalResourceTags: { b: "2" } },
];

const JOINED_CLB: Kind = {
    seed: [...CLBS, ...CLB_GROUPS],
    lives: reusing((index, tags, lane) =>
        joining(clbOf({ id: `lb-users-${index}` }, tags), `rsp-joined-${index}`, lane),
    ),
};

const JOINED_NLB: Kind = {
    seed: [...NLBS, ...NLB_GROUPS],
    lives: reusing((index, tags, lane) =>
        joining(
            { ...nlbOf({ id: `nlb-users-${index}` }, tags), protocols: ["tcp", "udp"] },
            `sgp-joined-${index}`,
            lane,
        ),
    ),
};

export const KINDS: Readonly<Record<string, Kind>> = {
    clb: { seed: [], lives: own(OWN_CLB) },
    nlb: { seed: [], lives: own(OWN_NLB) },
    "followed-clb": { seed: [], lives: own(OWN_CLB), followed: true },
    "followed-nlb": { seed: [], lives: own(OWN_NLB), followed: true },
    "synced-clb": { seed: [], lives: own(OWN_CLB), synced: true },
    "synced-nlb": { seed: [], lives: own(OWN_NLB), synced: true },
    "terway-clb": { seed: [], lives: own(choosing({ ...OWN_CLB, network: "terway" })) },
    "terway-nlb": { seed: [], lives: own(choosing(ranging({ ...OWN_NLB, network: "terway" }))) },
    shared: {
        seed: [],
        lives: (changes) => fc.tuple(...Array.from({ length: SHARING }, (_, lane) => lives(clbOf({}), lane, changes))),
        shared: SHARED,
    },
    "reused-clb": { seed: CLBS, lives: reusing((index, tags) => clbOf({ id: `lb-users-${index}`, ...FORCED }, tags)) },
    "attached-clb": { seed: CLBS, lives: reusing((index, tags) => clbOf({ id: `lb-users-${index}` }, tags)) },
    "forced-clb": { seed: CLBS, lives: reusing((index, tags) => forcing(clbOf({ id: `lb-users-${index}` }, tags))) },
    "forced-nlb": { seed: NLBS, lives: reusing((index, tags) => forcing(nlbOf({ id: `nlb-users-${index}` }, tags))) },
    "joined-clb": JOINED_CLB,
    "joined-nlb": JOINED_NLB,
    "synced-joined-clb": { ...JOINED_CLB, synced: true },
    "synced-joined-nlb": { ...JOINED_NLB, synced: true },
    "reused-nlb": { seed: NLBS, lives: reusing((index, tags) => nlbOf({ id: `nlb-users-${index}`, ...FORCED }, tags)) },
    "attached-nlb": { seed: NLBS, lives: reusing((index, tags) => nlbOf({ id: `nlb-users-${index}` }, tags)) },
};
