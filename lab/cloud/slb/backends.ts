import { refusal } from "../core";
import type { World } from "../world";
import * as rules from "./backend-rules";
import { findLoadBalancer } from "./lookup";
import type { Backend, LoadBalancer } from "./state";

/**
 * Parses a list of backends: JSON, or the same with single quotes. Keys may be in any case, and unknown keys are
 * ignored.
 */
export function parseBackends(text: string | undefined): Record<string, unknown>[] {
    if (text === undefined) return [];
    const attempts = [text, text.replaceAll("'", '"')];
    for (const attempt of attempts) {
        try {
            const value: unknown = JSON.parse(attempt);
            if (Array.isArray(value)) return value.map((item) => lowerKeys(item));
        } catch {
            // The next spelling is tried. If none can be read, the list is malformed.
        }
    }
    throw refusal(rules.WELL_FORMED);
}

function lowerKeys(item: unknown): Record<string, unknown> {
    if (item === null || typeof item !== "object") throw refusal(rules.WELL_FORMED);
    return Object.fromEntries(Object.entries(item).map(([key, value]) => [key.toLowerCase(), value]));
}

/** Backend as a request gives it. Absent values are undefined. */
export interface GivenBackend {
    readonly serverId: string;
    readonly port: number;
    readonly weight: number | undefined;
    readonly type: string | undefined;
    readonly serverIp: string | undefined;
    readonly description: string | undefined;
}

function field(raw: Record<string, unknown>, name: string): string | undefined {
    const value = raw[name];
    return value === undefined || value === null || value === "" ? undefined : String(value);
}

/** Reads and checks the backends of a call, each by itself. */
export function readBackends(world: World, text: string | undefined): GivenBackend[] {
    const raw = parseBackends(text);
    const { backendsPerCall } = world.config.quotas;
    world.rules.check(rules.CALL_LIMIT, raw.length <= backendsPerCall, backendsPerCall);
    return raw.map((item) => {
        const serverId = field(item, "serverid");
        if (serverId === undefined) throw refusal(rules.SERVER_ID_GIVEN);
        const port = field(item, "port");
        world.rules.check(rules.PORT_RANGE, inRange(port, 1, 65535));
        const weight = field(item, "weight");
        world.rules.check(rules.WEIGHT_RANGE, weight === undefined || inRange(weight, 0, 100));
        const type = field(item, "type")?.toLowerCase();
        world.rules.check(rules.TYPE_KNOWN, type === undefined || ["ecs", "eni", "eci"].includes(type));
        const description = field(item, "description");
        world.rules.check(rules.DESCRIPTION_FORM, description === undefined || [...description].length <= 80);
        return {
            serverId,
            port: Number(port),
            weight: weight === undefined ? undefined : Number(weight),
            type,
            serverIp: field(item, "serverip"),
            description,
        };
    });
}

function inRange(text: string | undefined, min: number, max: number): boolean {
    return text !== undefined && /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
}

/** Completes a backend of a request with its address, and checks everything that the cloud records about the server. */
export function resolveBackend(world: World, lb: LoadBalancer, given: GivenBackend): Backend {
    const type = given.type ?? "ecs";
    const where = type === "ecs" ? resolveInstance(world, given) : resolveInterface(world, lb, given);
    world.rules.check(rules.SAME_NETWORK, lb.vpcId === "" || where.vpcId === undefined || where.vpcId === lb.vpcId);
    return {
        serverId: given.serverId,
        port: given.port,
        weight: given.weight ?? 100,
        type,
        // Only the given fields are returned for ECS backends, since the address of an instance is not part of its
        // identity.
        serverIp: type === "ecs" ? "" : (given.serverIp ?? where.address),
        description: given.description ?? "",
    };
}

interface Place {
    readonly vpcId: string | undefined;
    readonly address: string;
}

function resolveInstance(world: World, given: GivenBackend): Place {
    const instance = world.ecs.instances.get(given.serverId);
    world.rules.check(rules.INSTANCE_EXISTS, instance !== undefined);
    world.rules.check(rules.INSTANCE_RUNNING, instance === undefined || instance.status === "Running");
    return { vpcId: instance?.vpcId, address: instance?.privateIp ?? "" };
}

function resolveInterface(world: World, lb: LoadBalancer, given: GivenBackend): Place {
    world.rules.check(rules.ENI_NEEDS_GUARANTEED, lb.spec !== "");
    // Elastic container instances are not modelled, so their address is taken as given.
    if (given.type === "eci") return { vpcId: undefined, address: given.serverIp ?? "" };
    const eni = world.ecs.networkInterfaces.get(given.serverId);
    world.rules.check(rules.ENI_EXISTS, eni !== undefined, given.serverId);
    if (eni === undefined) return { vpcId: undefined, address: given.serverIp ?? "" };
    const address = given.serverIp ?? eni.privateIps[0] ?? "";
    const known = eni.privateIps.includes(address) || eni.ipv6Addresses.includes(address);
    world.rules.check(rules.ENI_HAS_ADDRESS, known, address, given.serverId);
    return { vpcId: eni.vpcId, address };
}

/**
 * Entries are the same member if server, port and (for interfaces) address are equal. An address that a request omits
 * matches any.
 */
export function sameMember(member: Backend, given: GivenBackend): boolean {
    return (
        member.serverId === given.serverId &&
        member.port === given.port &&
        (given.serverIp === undefined || member.type === "ecs" || member.serverIp === given.serverIp)
    );
}

/** All members of all groups of an instance. */
export function backendsOf(world: World, loadBalancerId: string): Backend[] {
    return [...world.slb.vServerGroups.values()]
        .filter((g) => g.loadBalancerId === loadBalancerId)
        .flatMap((g) => g.backends);
}

/**
 * Checks the conditions on members of a group together with all others. `group` has the members after the change,
 * `others` those of the instance's other groups.
 */
export function checkMembers(
    world: World,
    loadBalancerId: string,
    group: readonly Backend[],
    others: readonly Backend[],
): void {
    const lb = findLoadBalancer(world, loadBalancerId);
    const all = [...group, ...others];
    world.rules.check(rules.INSTANCE_BACKEND_QUOTA, all.length <= world.config.quotas.backendsPerLoadBalancer);
    checkOneVpc(world, lb, all);
    checkAddresses(world, group);
    const elsewhere = [...world.slb.loadBalancers.keys()]
        .filter((id) => id !== loadBalancerId)
        .flatMap((id) => backendsOf(world, id));
    const counts = new Map<string, number>();
    for (const b of [...all, ...elsewhere])
        counts.set(`${b.serverId} ${b.serverIp}`, (counts.get(`${b.serverId} ${b.serverIp}`) ?? 0) + 1);
    const overAttached = group.some(
        (b) => (counts.get(`${b.serverId} ${b.serverIp}`) ?? 0) > world.config.quotas.attachmentsPerServer,
    );
    world.rules.check(rules.ATTACHMENT_QUOTA, !overAttached);
}

function checkOneVpc(world: World, lb: LoadBalancer, members: readonly Backend[]): void {
    const vpcs = new Set(
        members
            .map((b) => (b.type === "ecs" ? world.ecs.instances : world.ecs.networkInterfaces).get(b.serverId)?.vpcId)
            .filter((id) => id !== undefined),
    );
    if (lb.vpcId !== "") vpcs.add(lb.vpcId);
    world.rules.check(rules.ONE_VPC, vpcs.size <= 1);
}

function checkAddresses(world: World, group: readonly Backend[]): void {
    const holders = new Map<string, string>();
    for (const b of group) {
        if (b.serverIp === "") continue;
        const key = `${b.serverIp} ${b.port}`;
        const holder = holders.get(key);
        world.rules.check(rules.ADDRESS_CONFLICT, holder === undefined || holder === b.serverId, b.serverIp, b.port);
        holders.set(key, b.serverId);
    }
}
