import type { Seed, SeedCall } from "../../../lab/cloud";
import { named, zonesOf } from "../annotations";
import type { Case, CloudBefore, RecordedBackend } from "../case";

/**
 * Objects that an NLB needs: addresses, bandwidth and security groups named by a Service, and the case's initial state.
 */
export function nlbSeed(
    recorded: Case,
): Pick<Seed, "vpcs" | "eips" | "bandwidthPackages" | "securityGroups" | "certificates" | "calls"> {
    const { vpcId } = recorded.cluster;
    const loadBalancers = (recorded.cloudBefore.loadBalancers ?? []).filter(({ product }) => product === "nlb");
    const vpcs = new Set(loadBalancers.map(({ attributes }) => attributes["VpcId"] ?? vpcId));
    const allocations = recorded.steps.flatMap(({ service }) => zonesOf(service).map((zone) => zone.AllocationId));
    const securityGroups = [
        ...named(recorded, "security-group-ids"),
        ...loadBalancers.flatMap((one) => one.securityGroups ?? []),
    ];
    return {
        vpcs: [...vpcs].filter((id) => id !== vpcId).map((id) => ({ id })),
        eips: [...new Set(allocations)].filter((id) => id !== "").map((id) => ({ id })),
        bandwidthPackages: named(recorded, "bandwidth-package-id").map((id) => ({ id })),
        securityGroups: [...new Set(securityGroups)].map((id) => ({ id, vpcId })),
        certificates: named(recorded, "cacert-id").map((id) => ({ id, kind: "ca" as const })),
        calls: nlbCalls(recorded.cloudBefore, vpcId),
    };
}

function nlbCalls(before: CloudBefore, defaultVpc: string): SeedCall[] {
    const loadBalancers = (before.loadBalancers ?? []).filter(({ product }) => product === "nlb");
    const here = new Set(loadBalancers.map(({ ref }) => ref));
    const groups = (before.serverGroups ?? []).filter(({ lb }) => lb === undefined);
    const call = (action: string, params: Readonly<Record<string, unknown>>, id?: string): SeedCall => ({
        product: "Nlb",
        action,
        params: flat(params),
        ...(id === undefined ? {} : { id }),
    });
    return [
        ...loadBalancers.map(({ ref, attributes, tags, zoneMappings, securityGroups }) => {
            // The cloud gives the domain name.
            const { DNSName: _, ...rest } = attributes;
            return call(
                "CreateLoadBalancer",
                {
                    VpcId: defaultVpc,
                    ...rest,
                    ZoneMappings: zoneMappings,
                    SecurityGroupIds: securityGroups,
                    Tag: tagList(tags),
                },
                ref,
            );
        }),
        ...groups.flatMap(({ ref, name, attributes, tags, backends }) => [
            call(
                "CreateServerGroup",
                { VpcId: defaultVpc, ...attributes, ServerGroupName: name, Tag: tagList(tags) },
                ref,
            ),
            ...(backends.length === 0
                ? []
                : [call("AddServersToServerGroup", { ServerGroupId: ref, Servers: backends.map(serverOf) })]),
        ]),
        ...(before.listeners ?? [])
            .filter(({ lb }) => here.has(lb))
            .flatMap(({ lb, ref, port, protocol, status, serverGroup, attributes }) => {
                const id = `${ref ?? "lsn-before"}@${port}`;
                const made = call(
                    "CreateListener",
                    {
                        LoadBalancerId: lb,
                        ListenerPort: port,
                        ListenerProtocol: protocol,
                        ServerGroupId: serverGroup,
                        ...attributes,
                    },
                    id,
                );
                return status === "Running" ? [made] : [made, call("StopListener", { ListenerId: id })];
            }),
    ];
}

function serverOf({ serverId, serverIp, type, port, weight, description }: RecordedBackend) {
    return {
        ServerId: serverId,
        ServerIp: serverIp,
        ServerType: type,
        Port: port,
        Weight: weight,
        Description: description,
    };
}

/** Tags as requests list them. */
export function tagList(tags: Readonly<Record<string, string>> = {}) {
    return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}

/** Nested parameters as they are on the wire: `Tag.1.Key`. What is undefined or empty is left out. */
export function flat(params: Readonly<Record<string, unknown>>): Record<string, string> {
    const found: Record<string, string> = {};
    const walk = (value: unknown, name: string): void => {
        if (Array.isArray(value)) value.forEach((item, index) => walk(item, `${name}.${index + 1}`));
        else if (value !== null && typeof value === "object")
            for (const [key, item] of Object.entries(value)) walk(item, `${name}.${key}`);
        else if (value !== undefined && value !== "") found[name] = String(value);
    };
    for (const [name, value] of Object.entries(params)) walk(value, name);
    return found;
}
