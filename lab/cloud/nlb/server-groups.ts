import type { Action } from "../actions";
import { hasTags, rule, tokenPage, Transition, type JsonObject, type Params, type ParamSpecs } from "../core";
import type { World } from "../world";
import { applyTags, changeableServerGroup, lockServerGroup, oneOf, QUOTA, tagRows } from "./common";
import { nlbReads, nlbWrites, startJob, stopDryRun } from "./jobs";
import type { NlbHealthCheck, NlbServerGroup } from "./state";

const VPC_EXISTS = rule({
    id: "nlb.server-group.vpc-exists",
    code: "ResourceNotFound.Vpc",
    status: 404,
    message: "The specified resource of Vpc is not found.",
    when: "the VPC is unknown",
    source: "NLB API CreateServerGroup, error codes",
});

const NOT_USED = rule({
    id: "nlb.server-group.not-used",
    code: "ResourceInUse.ServerGroup",
    message: "The specified resource of ServerGroup is in use.",
    when: "a server group is deleted while a listener uses it",
    source: "NLB API DeleteServerGroup, error codes; testdata/alicloud-plugin (nsg-in-use)",
    enforcement: "always",
});

const HEALTH = "HealthCheckConfig";

const ATTRIBUTES: ParamSpecs = {
    Scheduler: {
        allowed: ["Wrr", "Rr", "Sch", "Tch", "Qch", "Wlc", "wrr", "rr", "sch", "tch", "qch", "wlc"],
        code: "IllegalParam.Scheduler",
    },
    ConnectionDrainTimeout: { min: 0, max: 900, code: "IllegalParam.ConnectionDrainTimeout" },
    [`${HEALTH}.HealthCheckType`]: {
        allowed: ["TCP", "HTTP", "UDP", "tcp", "http", "udp"],
        code: "IllegalParam.HealthCheckType",
    },
    [`${HEALTH}.HealthCheckConnectPort`]: { min: 0, max: 65535, code: "IllegalParam.HealthCheckConnectPort" },
    [`${HEALTH}.HealthyThreshold`]: { min: 2, max: 10, code: "IllegalParam.HealthyThreshold" },
    [`${HEALTH}.UnhealthyThreshold`]: { min: 2, max: 10, code: "IllegalParam.UnhealthyThreshold" },
    [`${HEALTH}.HealthCheckConnectTimeout`]: { min: 1, max: 300, code: "IllegalParam.HealthCheckConnectTimeout" },
    [`${HEALTH}.HealthCheckInterval`]: { min: 1, max: 50, code: "IllegalParam.HealthCheckInterval" },
    [`${HEALTH}.HealthCheckDomain`]: { maxLength: 80, code: "IllegalParam.HealthCheckDomain" },
    [`${HEALTH}.HealthCheckUrl`]: { maxLength: 80, code: "IllegalParam.HealthCheckUrl" },
    [`${HEALTH}.HttpCheckMethod`]: { allowed: ["GET", "HEAD", "get", "head"], code: "IllegalParam.HttpCheckMethod" },
};

/** Health checks of a new group: on, as TCP (also for UDP groups). */
function defaultHealthCheck(): NlbHealthCheck {
    return {
        HealthCheckEnabled: true,
        HealthCheckType: "TCP",
        HealthCheckConnectPort: 0,
        HealthyThreshold: 2,
        UnhealthyThreshold: 2,
        HealthCheckConnectTimeout: 5,
        HealthCheckInterval: 10,
        HealthCheckDomain: "",
        HealthCheckUrl: "",
        HttpCheckMethod: "",
        HealthCheckHttpCode: [],
        HealthCheckReq: "",
        HealthCheckExp: "",
        HealthCheckHttpVersion: "",
    };
}

/** Reads `HealthCheckConfig.*` (answers call it `HealthCheck`) on top of what is there. */
function readHealthCheck(p: Params, before: NlbHealthCheck): NlbHealthCheck {
    const codes = p.list(`${HEALTH}.HealthCheckHttpCode`);
    const read = Object.entries(before).map(([name, value]): [string, unknown] => {
        const key = `${HEALTH}.${name}`;
        if (name === "HealthCheckHttpCode") return [name, codes.length > 0 ? codes : value];
        if (typeof value === "boolean") return [name, p.bool(key) ?? value];
        return [name, (typeof value === "number" ? p.int(key) : p.text(key)) ?? value];
    });
    return Object.fromEntries(read) as unknown as NlbHealthCheck;
}

/** Listeners that send traffic to a group, or will once their job is done. */
export function listenersUsing(world: World, groupId: string): { id: string; loadBalancerId: string }[] {
    return [...world.nlb.listeners.values()].filter(
        (l) => l.serverGroupId === groupId || l.nextServerGroupId === groupId,
    );
}

function view(world: World, g: NlbServerGroup): JsonObject {
    return {
        ServerGroupId: g.id,
        ServerGroupName: g.name,
        ServerGroupType: g.type,
        Protocol: g.protocol,
        VpcId: g.vpcId,
        AnyPortEnabled: g.anyPortEnabled,
        AddressIPVersion: g.addressIpVersion,
        IpVersionAffinityMode: g.ipVersionAffinityMode === "" ? undefined : g.ipVersionAffinityMode,
        ConnectionDrainEnabled: g.connectionDrainEnabled,
        ConnectionDrainTimeout: g.connectionDrainTimeout,
        Scheduler: g.scheduler,
        PreserveClientIpEnabled: g.preserveClientIpEnabled,
        ResourceGroupId: g.resourceGroupId,
        RegionId: world.region,
        ServerGroupStatus: g.status.now(world.now()),
        ServerCount: g.servers.length,
        RelatedLoadBalancerIds: [...new Set(listenersUsing(world, g.id).map((l) => l.loadBalancerId))],
        HealthCheck: { ...g.healthCheck },
        Tags: tagRows(g.tags),
    };
}

export const serverGroupActions: readonly Action[] = [
    nlbWrites(
        "CreateServerGroup",
        {
            ServerGroupName: { required: true, maxLength: 128, code: "IllegalParam.ServerGroupName" },
            VpcId: { required: true },
            ServerGroupType: { allowed: ["Instance", "Ip"], code: "IllegalParam.ServerGroupType" },
            Protocol: { allowed: ["TCP", "UDP", "TCPSSL", "TCP_UDP"], code: "IllegalParam.Protocol" },
            ...ATTRIBUTES,
            Tag: { maxItems: 20 },
        },
        (p, world, caller) => {
            world.rules.check(VPC_EXISTS, world.vpc.vpcs.has(p.need("VpcId")));
            const { nlbServerGroups } = world.config.quotas;
            const count = world.nlb.serverGroups.size;
            world.rules.check(QUOTA, count < nlbServerGroups, "servergroups", count, nlbServerGroups);
            const tags = new Map<string, string>();
            applyTags(world, tags, p);
            stopDryRun(p);
            const id = world.ids.next("sgp");
            const status = new Transition<string>("Available");
            status.go("Creating", "Available", world.config.delays.nlbJob, world.now());
            const group: NlbServerGroup = {
                id,
                name: p.need("ServerGroupName"),
                type: p.text("ServerGroupType") ?? "Instance",
                protocol: p.text("Protocol") ?? "TCP",
                vpcId: p.need("VpcId"),
                anyPortEnabled: p.bool("AnyPortEnabled") ?? false,
                addressIpVersion: p.text("AddressIPVersion") ?? "Ipv4",
                ipVersionAffinityMode: p.text("IpVersionAffinityMode") ?? "",
                connectionDrainEnabled: p.bool("ConnectionDrainEnabled") ?? false,
                connectionDrainTimeout: p.int("ConnectionDrainTimeout") ?? 300,
                scheduler: p.text("Scheduler") ?? "Wrr",
                // A TCPSSL listener cannot use a group that keeps client addresses.
                preserveClientIpEnabled: p.bool("PreserveClientIpEnabled") ?? p.text("Protocol") !== "TCPSSL",
                resourceGroupId: p.text("ResourceGroupId") ?? "rg-default",
                healthCheck: readHealthCheck(p, defaultHealthCheck()),
                servers: [],
                status,
                lockedUntil: world.now() + world.config.delays.nlbJob,
                tags,
                createdAt: world.now(),
            };
            world.nlb.serverGroups.set(id, group);
            const undo = (): void => void world.nlb.serverGroups.delete(id);
            return {
                ServerGroupId: id,
                JobId: startJob(world, caller, {
                    action: "CreateServerGroup",
                    resourceType: "servergroup",
                    resourceId: id,
                    effect: () => undefined,
                    undo,
                }),
            };
        },
    ),
    // Newest first, as the cloud lists them.
    nlbReads("ListServerGroups", { MaxResults: { min: 1, max: 100 } }, (p, world) => {
        const found = [...world.nlb.serverGroups.values()]
            .filter(
                (g) =>
                    oneOf(p, "ServerGroupIds", g.id) &&
                    oneOf(p, "ServerGroupNames", g.name) &&
                    (p.text("VpcId") ?? g.vpcId) === g.vpcId &&
                    (p.text("ServerGroupType") ?? g.type) === g.type &&
                    (p.text("ResourceGroupId") ?? g.resourceGroupId) === g.resourceGroupId &&
                    hasTags(p, g.tags),
            )
            .reverse();
        const { rows, counters } = tokenPage(p, found, 20);
        return { ...counters, ServerGroups: rows.map((g) => view(world, g)) };
    }),
    nlbWrites(
        "UpdateServerGroupAttribute",
        {
            ServerGroupId: { required: true },
            ServerGroupName: { maxLength: 128, code: "IllegalParam.ServerGroupName" },
            ...ATTRIBUTES,
        },
        (p, world, caller) => {
            const g = changeableServerGroup(world, p.need("ServerGroupId"));
            stopDryRun(p);
            lockServerGroup(world, g);
            const effect = (): void => {
                g.name = p.text("ServerGroupName") ?? g.name;
                g.connectionDrainEnabled = p.bool("ConnectionDrainEnabled") ?? g.connectionDrainEnabled;
                g.connectionDrainTimeout = p.int("ConnectionDrainTimeout") ?? g.connectionDrainTimeout;
                g.scheduler = p.text("Scheduler") ?? g.scheduler;
                g.preserveClientIpEnabled = p.bool("PreserveClientIpEnabled") ?? g.preserveClientIpEnabled;
                g.ipVersionAffinityMode = p.text("IpVersionAffinityMode") ?? g.ipVersionAffinityMode;
                g.healthCheck = readHealthCheck(p, g.healthCheck);
            };
            return {
                ServerGroupId: g.id,
                JobId: startJob(world, caller, {
                    action: "UpdateServerGroupAttribute",
                    resourceType: "servergroup",
                    resourceId: g.id,
                    effect,
                }),
            };
        },
    ),
    nlbWrites("DeleteServerGroup", { ServerGroupId: { required: true } }, (p, world, caller) => {
        const g = changeableServerGroup(world, p.need("ServerGroupId"));
        world.rules.check(NOT_USED, listenersUsing(world, g.id).length === 0);
        stopDryRun(p);
        lockServerGroup(world, g, "Deleting");
        const effect = (): void => void world.nlb.serverGroups.delete(g.id);
        return {
            JobId: startJob(world, caller, {
                action: "DeleteServerGroup",
                resourceType: "servergroup",
                resourceId: g.id,
                effect,
            }),
        };
    }),
];
