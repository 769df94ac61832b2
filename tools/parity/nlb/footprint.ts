/** The calls by which the controller has made an NLB, for the simulated cloud. */
import type { Seed, SeedCall } from "../../../lab/cloud";
import type { Case, RecordedCall } from "../case";
import { certificatesOf } from "../cloud";
import { flat, nlbSeed, tagList } from "./seed";

/** Order of creation by dependency. The recorder has the calls in the order of their responses. */
const ORDER = [
    "CreateLoadBalancer",
    "CreateSecurityGroup",
    "AuthorizeSecurityGroup",
    "LoadBalancerJoinSecurityGroup",
    "CreateServerGroup",
    "AddServersToServerGroup",
    "CreateListener",
];

/**
 * The initial state of a case, and what the controller has made in its first step.
 *
 * @param rename replaces names and ids of the recording by those of the Service in the cluster.
 */
export function nlbFootprint(recorded: Case, rename: (value: unknown) => unknown): Seed {
    const { expect } = recorded.steps[0] ?? { expect: undefined };
    const calls = [...(expect?.mutations ?? [])].sort((a, b) => rank(a) - rank(b));
    const {
        securityGroups = [],
        eips = [],
        bandwidthPackages = [],
        certificates = [],
        calls: before = [],
    } = nlbSeed(recorded);
    const members = (recorded.cloudBefore.serverGroups ?? []).flatMap(({ backends }) => backends);
    const seed: Seed = {
        instances: members.filter(({ type }) => type === "Ecs").map(({ serverId }) => ({ id: serverId })),
        securityGroups,
        eips,
        bandwidthPackages,
        certificates: [...certificatesOf(recorded), ...certificates],
        calls: [...before, ...calls.map((call) => seedCall(recorded, call))],
    };
    return rename(seed) as Seed;
}

function rank({ action }: RecordedCall): number {
    const place = ORDER.indexOf(action);
    return place === -1 ? ORDER.length : place;
}

function seedCall(recorded: Case, { action, on, params }: RecordedCall): SeedCall {
    const { Tags: tags, ClientToken: _, ...rest } = params;
    const listeners = recorded.steps[0]?.expect.cloud.listeners ?? [];
    const listener = listeners.find(({ port, protocol }) => on === `${protocol}:${port}`);
    const security = /^(Create|Authorize)SecurityGroup$/.test(action);
    const id = action === "CreateListener" ? listener?.ref : action.startsWith("Create") ? on : undefined;
    return {
        product: security ? "Ecs" : "Nlb",
        action,
        params: flat({ ...rest, ...(tags === undefined ? {} : { Tag: tagList(tags as Record<string, string>) }) }),
        ...(id === undefined ? {} : { id }),
    };
}
