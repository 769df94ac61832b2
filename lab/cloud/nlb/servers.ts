import type { Action } from "../actions";
import { rule, tokenPage, Transition, type JsonObject, type Params, type ParamSpecs } from "../core";
import { isAddressOrCidr } from "../core/addresses";
import type { World } from "../world";
import { changeableServerGroup, findServerGroup, lockServerGroup, oneOf, QUOTA } from "./common";
import { nlbReads, nlbWrites, startJob, stopDryRun } from "./jobs";
import type { NlbServer, NlbServerGroup } from "./state";

const ADD = "NLB API AddServersToServerGroup, error codes";

const PER_CALL = rule({
    id: "nlb.server.per-call",
    code: "IllegalParamSize.Servers",
    message: "The param size of Servers is illegal.",
    when: "a call carries more servers than `quotas.nlbServersPerAdd` or `quotas.nlbServersPerChange`",
    source: "NLB API AddServersToServerGroup, parameter Servers (the code is this lab's)",
});

const TYPE_KNOWN = rule({
    id: "nlb.server.type",
    code: "IllegalParam.ServerType",
    message: "The param of ServerType is illegal.",
    when: "the type is not Ecs, Eni, Eci or Ip",
    source: "NLB API AddServersToServerGroup, parameter ServerType",
});

const TYPE_FITS = rule({
    id: "nlb.server.type-fits",
    code: "Mismatch.ServerType",
    message: "The ServerType is mismatched for %s and %s.",
    when: "an address is added to a group of instances, or an instance to a group of addresses",
    source: ADD,
});

const PORT_FITS = rule({
    id: "nlb.server.port",
    code: "IllegalParam.RSPortConflictWithServerGroup",
    message: "The param of RSPortConflictWithServerGroup is illegal.",
    when: "the port is not 1 to 65535, or not 0 in a group with AnyPortEnabled",
    source: ADD,
});

const WEIGHT_RANGE = rule({
    id: "nlb.server.weight",
    code: "IllegalParam.Weight",
    message: "The param of Weight is illegal.",
    when: "the weight is not 0 to 100",
    source: "NLB API AddServersToServerGroup, parameter Weight",
});

const DESCRIPTION_FORM = rule({
    id: "nlb.server.description",
    code: "IllegalParam.description",
    message: "The parameter description of server is illegal.",
    when: "the description is not 2 to 256 characters; recordings use one letter, so off unless switched on",
    source: ADD,
    enforcement: "off",
});

const ECS_EXISTS = rule({
    id: "nlb.server.ecs-exists",
    code: "ResourceNotFound.Ecs",
    status: 404,
    message: "The specified resource of Ecs is not found.",
    when: "no ECS instance has the id",
    source: ADD,
});

const ENI_EXISTS = rule({
    id: "nlb.server.eni-exists",
    code: "ResourceNotFound.Eni",
    status: 404,
    message: "The specified resource Eni is not found.",
    when: "no network interface has the id",
    source: ADD,
});

const ADDRESS_VALID = rule({
    id: "nlb.server.address",
    code: "IllegalParam.IP",
    message: "The param of IP is illegal.",
    when: "an address is none, or not one of the network interface",
    source: ADD,
});

const SAME_VPC = rule({
    id: "nlb.server.same-vpc",
    code: "Mismatch.VpcId",
    message: "The VpcId is mismatched for %s and %s.",
    when: "a server is in another VPC than the group",
    source: ADD,
});

const DISTINCT = rule({
    id: "nlb.server.distinct",
    code: "DuplicatedParam.Server",
    message: "The param of Server is duplicated.",
    when: "a call names the same server twice",
    source: ADD,
});

const MEMBER = rule({
    id: "nlb.server.member",
    code: "ResourceNotFound.BackendServer",
    status: 404,
    message: "The specified resource of BackendServer is not found.",
    when: "a server that is no member is removed or changed",
    source: "NLB API RemoveServersFromServerGroup, error codes",
});

interface Given {
    readonly serverId: string;
    readonly serverType: string;
    readonly serverIp: string | undefined;
    readonly port: number;
    readonly weight: number | undefined;
    readonly description: string | undefined;
}

function read(p: Params, world: World, limit: number): Given[] {
    const list = p.structs("Servers");
    world.rules.check(PER_CALL, list.length <= limit);
    const given = list.map((s) => ({
        serverId: s.need("ServerId"),
        serverType: s.text("ServerType") ?? "Ecs",
        serverIp: s.text("ServerIp"),
        port: s.int("Port") ?? 0,
        weight: s.int("Weight"),
        description: s.text("Description"),
    }));
    world.rules.check(
        DISTINCT,
        new Set(given.map((g) => `${g.serverId} ${g.serverIp} ${g.port}`)).size === given.length,
    );
    for (const { weight, description, serverType } of given) {
        world.rules.check(WEIGHT_RANGE, weight === undefined || (weight >= 0 && weight <= 100));
        world.rules.check(
            DESCRIPTION_FORM,
            description === undefined || ([...description].length >= 2 && [...description].length <= 256),
        );
        world.rules.check(TYPE_KNOWN, ["Ecs", "Eni", "Eci", "Ip"].includes(serverType));
    }
    return given;
}

/**
 * Reports whether entries are the same member: equal in server, port and address, where an omitted address matches any.
 */
function same(server: NlbServer, given: Given): boolean {
    return (
        server.serverId === given.serverId &&
        server.port === given.port &&
        (given.serverIp === undefined || given.serverIp === server.serverIp)
    );
}

/** Looks a server up and checks that it fits the group. */
function resolve(world: World, group: NlbServerGroup, given: Given): NlbServer {
    world.rules.check(TYPE_FITS, (group.type === "Ip") === (given.serverType === "Ip"), group.type, given.serverType);
    world.rules.check(PORT_FITS, group.anyPortEnabled ? given.port === 0 : given.port >= 1 && given.port <= 65535);
    const where =
        given.serverType === "Ip"
            ? address(world, given)
            : given.serverType === "Eni"
              ? eni(world, given)
              : ecs(world, given);
    world.rules.check(SAME_VPC, where.vpcId === undefined || where.vpcId === group.vpcId, given.serverId, group.id);
    const status = new Transition<string>("Available");
    status.go("Adding", "Available", world.config.delays.nlbJob, world.now());
    return {
        serverId: given.serverId,
        serverType: given.serverType,
        serverIp: where.ip,
        port: given.port,
        weight: given.weight ?? 100,
        description: given.description ?? "",
        zoneId: where.zoneId ?? world.defaultZones()[0],
        status,
    };
}

interface Place {
    readonly vpcId: string | undefined;
    readonly zoneId: string | undefined;
    readonly ip: string;
}

function address(world: World, given: Given): Place {
    world.rules.check(ADDRESS_VALID, isAddressOrCidr(given.serverId) !== undefined);
    return { vpcId: undefined, zoneId: undefined, ip: given.serverIp ?? given.serverId };
}

function eni(world: World, given: Given): Place {
    const found = world.ecs.networkInterfaces.get(given.serverId);
    world.rules.check(ENI_EXISTS, found !== undefined);
    const ip = given.serverIp ?? found?.privateIps[0] ?? "";
    world.rules.check(
        ADDRESS_VALID,
        found === undefined || found.privateIps.includes(ip) || found.ipv6Addresses.includes(ip),
    );
    return { vpcId: found?.vpcId, zoneId: found?.zoneId, ip };
}

function ecs(world: World, given: Given): Place {
    // Elastic container instances are not modelled, and are taken as given.
    const found = given.serverType === "Ecs" ? world.ecs.instances.get(given.serverId) : undefined;
    world.rules.check(ECS_EXISTS, given.serverType !== "Ecs" || found !== undefined);
    return { vpcId: found?.vpcId, zoneId: found?.zoneId, ip: given.serverIp ?? found?.privateIp ?? "" };
}

function attachments(world: World, serverId: string, serverIp: string): number {
    return [...world.nlb.serverGroups.values()].reduce(
        (sum, g) => sum + g.servers.filter((s) => s.serverId === serverId && s.serverIp === serverIp).length,
        0,
    );
}

function add(p: Params, world: World, group: NlbServerGroup): NlbServer[] {
    const { nlbServersPerAdd, nlbServersPerGroup, nlbAttachmentsPerServer } = world.config.quotas;
    // Servers that are members already stay as they are.
    const given = read(p, world, nlbServersPerAdd).filter((one) => !group.servers.some((s) => same(s, one)));
    const fresh = given.map((one) => resolve(world, group, one));
    const count = group.servers.length + fresh.length;
    world.rules.check(QUOTA, count <= nlbServersPerGroup, "servers", count, nlbServersPerGroup);
    for (const s of fresh) {
        const times = attachments(world, s.serverId, s.serverIp) + 1;
        world.rules.check(QUOTA, times <= nlbAttachmentsPerServer, "serverattachments", times, nlbAttachmentsPerServer);
    }
    return fresh;
}

/** Returns the members that a call means. Each must be a member. */
function members(p: Params, world: World, group: NlbServerGroup): { server: NlbServer; given: Given }[] {
    return read(p, world, world.config.quotas.nlbServersPerChange).flatMap((given) => {
        const server = group.servers.find((s) => same(s, given));
        world.rules.check(MEMBER, server !== undefined);
        return server === undefined ? [] : [{ server, given }];
    });
}

function view(group: NlbServerGroup, s: NlbServer, now: number): JsonObject {
    return {
        ServerGroupId: group.id,
        ServerId: s.serverId,
        ServerType: s.serverType,
        ServerIp: s.serverIp,
        Port: s.port,
        Weight: s.weight,
        Description: s.description,
        Status: s.status.now(now),
        ZoneId: s.zoneId,
    };
}

const GROUP: ParamSpecs = { ServerGroupId: { required: true }, Servers: { required: true } };

export const serverActions: readonly Action[] = [
    nlbWrites("AddServersToServerGroup", GROUP, (p, world, caller) => {
        const group = changeableServerGroup(world, p.need("ServerGroupId"));
        const fresh = add(p, world, group);
        stopDryRun(p);
        lockServerGroup(world, group);
        group.servers.push(...fresh);
        const undo = (): void => {
            group.servers = group.servers.filter((s) => !fresh.includes(s));
        };
        return {
            ServerGroupId: group.id,
            JobId: startJob(world, caller, {
                action: "AddServersToServerGroup",
                resourceType: "servergroup",
                resourceId: group.id,
                effect: () => undefined,
                undo,
            }),
        };
    }),
    nlbWrites("RemoveServersFromServerGroup", GROUP, (p, world, caller) => {
        const group = changeableServerGroup(world, p.need("ServerGroupId"));
        const doomed = members(p, world, group).map((m) => m.server);
        stopDryRun(p);
        lockServerGroup(world, group);
        for (const s of doomed) s.status.go("Removing", "Available", world.config.delays.nlbJob, world.now());
        const effect = (): void => {
            group.servers = group.servers.filter((s) => !doomed.includes(s));
        };
        return {
            ServerGroupId: group.id,
            JobId: startJob(world, caller, {
                action: "RemoveServersFromServerGroup",
                resourceType: "servergroup",
                resourceId: group.id,
                effect,
            }),
        };
    }),
    nlbWrites("UpdateServerGroupServersAttribute", GROUP, (p, world, caller) => {
        const group = changeableServerGroup(world, p.need("ServerGroupId"));
        const changes = members(p, world, group);
        stopDryRun(p);
        lockServerGroup(world, group);
        for (const { server } of changes)
            server.status.go("Configuring", "Available", world.config.delays.nlbJob, world.now());
        const effect = (): void => {
            for (const { server, given } of changes) {
                server.weight = given.weight ?? server.weight;
                server.description = given.description ?? server.description;
            }
        };
        return {
            ServerGroupId: group.id,
            JobId: startJob(world, caller, {
                action: "UpdateServerGroupServersAttribute",
                resourceType: "servergroup",
                resourceId: group.id,
                effect,
            }),
        };
    }),
    nlbReads(
        "ListServerGroupServers",
        { ServerGroupId: { required: true }, MaxResults: { min: 1, max: 100 } },
        (p, world) => {
            const group = findServerGroup(world, p.need("ServerGroupId"));
            const found = group.servers.filter(
                (s) => oneOf(p, "ServerIds", s.serverId) && oneOf(p, "ServerIps", s.serverIp),
            );
            const { rows, counters } = tokenPage(p, found, 20);
            return { ...counters, Servers: rows.map((s) => view(group, s, world.now())) };
        },
    ),
];
