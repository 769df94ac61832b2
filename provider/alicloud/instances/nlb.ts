import { type Cloud, nlb, type Tags } from "..";
import type { ObservedServerGroup, ObservedListener, ReusedAttributes, ObservedAttributes } from "../../model/observed";
import { nlbAddressType } from "../../model/nlb/load-balancer";
import { type Clock, systemClock } from "../../net";
import type { InstanceApi } from "./api";
import { toObservedBackend } from "./clb";
import { defined } from "../../schema/defined";

/** NLB instances. Their server groups belong to the VPC: each is a resource of its own. */
export function nlbInstances(cloud: Cloud): InstanceApi {
    return {
        type: "nlb",
        describe: async (id) => {
            const found = await nlb.getNlbLoadBalancer(cloud, id);
            return found && toObservedNlbAttributes(found);
        },
        awaitReady: (found) => awaitReady(cloud, found),
        setAttributes: (id, attributes) => setAttributes(cloud, id, attributes),
        listTags: async (id) => (await nlb.getNlbLoadBalancer(cloud, id))?.tags ?? {},
        setTags: (id, tags) => nlb.setNlbTags(cloud, id, tags),
        removeTags: (id, keys) => nlb.removeNlbTags(cloud, "loadbalancer", [id], keys),
        listListeners: async (id) => (await listListeners(cloud, id))?.map(toObservedListener),
        deleteListener: async (_, { id }) => (id === undefined ? undefined : nlb.deleteNlbListener(cloud, id)),
        listGroups: async (_, ids) => (await nlb.findServerGroupsById(cloud, ids)).map(toObservedServerGroup),
        listBackends: async (groupId) => ((await nlb.listServers(cloud, groupId)) ?? []).map(toObservedBackend),
    };
}

/** The listing of an instance that is gone is empty, too. */
async function listListeners(cloud: Cloud, id: string): Promise<nlb.NlbListener[] | undefined> {
    const listeners = await nlb.listNlbListeners(cloud, id);
    return listeners.length > 0 || (await nlb.getNlbLoadBalancer(cloud, id)) !== undefined ? listeners : undefined;
}

/** A listener in the words that both kinds of load balancer share. */
export function toObservedListener({
    id,
    protocol,
    port,
    startPort,
    endPort,
    description,
    serverGroupId,
}: nlb.NlbListener): ObservedListener {
    return {
        id,
        protocol,
        port: startPort ?? port,
        ...defined({ endPort }),
        description,
        ...defined({ serverGroupId }),
    };
}

/** A server group in the words that both kinds of load balancer share. */
export function toObservedServerGroup({
    id,
    name,
    type,
    protocol,
    vpcId,
    anyPort,
}: nlb.NlbServerGroup): ObservedServerGroup {
    return {
        id,
        name,
        anyPort,
        ...defined({ type, protocol, vpcId }),
    };
}

/** An instance in the words that both kinds of load balancer share. */
export function toObservedNlbAttributes(found: nlb.NlbLoadBalancer): ObservedAttributes & { readonly tags: Tags } {
    const {
        id,
        name,
        dnsName,
        addressType,
        addressIpVersion,
        ipv6AddressType,
        vpcId,
        resourceGroupId,
        bandwidthPackageId,
        modificationProtectionReason,
        cps,
    } = found;
    const facts = {
        address: dnsName,
        addressType: addressType?.toLowerCase(),
        ipVersion:
            addressIpVersion === undefined
                ? undefined
                : addressIpVersion.toLowerCase() === "dualstack"
                  ? "DualStack"
                  : "ipv4",
        ipv6AddressType: ipv6AddressType?.toLowerCase(),
        status: statusOf(found),
        vpcId,
        resourceGroupId,
        bandwidthPackageId,
        modificationProtectionReason,
        cps,
    };
    return {
        id,
        name,
        ...defined(facts),
        crossZoneEnabled: found.crossZone ? "on" : "off",
        deleteProtection: found.deleteProtection ? "on" : "off",
        modificationProtection: found.modificationProtection ? "ConsoleProtection" : "NonProtection",
        securityGroupIds: [...found.securityGroupIds].sort(),
        zoneMaps: [...found.zones].sort((a, b) => (a.zoneId < b.zoneId ? -1 : 1)),
        tags: found.tags,
    };
}

/** An instance that is out of business is locked, whatever it does. */
function statusOf({ status, businessStatus }: nlb.NlbLoadBalancer): string | undefined {
    return businessStatus === "Abnormal" ? "locked" : status?.toLowerCase();
}

/** In the order in which CCM changes them: the address type decides what zones may have. */
async function setAttributes(cloud: Cloud, id: string, attributes: ReusedAttributes): Promise<void> {
    const {
        name,
        addressType,
        zoneMaps,
        securityGroupIds,
        ipv6AddressType,
        bandwidthPackageId,
        crossZoneEnabled,
        deleteProtection,
        modificationProtection,
    } = attributes;
    if (addressType !== undefined) {
        await nlb.setAddressType(cloud, id, nlbAddressType(addressType));
    }
    if (zoneMaps !== undefined || securityGroupIds !== undefined || bandwidthPackageId !== undefined) {
        const before = await nlb.getNlbLoadBalancer(cloud, id);
        await (zoneMaps === undefined
            ? undefined
            : nlb.updateZones(
                  cloud,
                  id,
                  zoneMaps.map((zone) => nlb.keepAddresses(zone, before?.zones ?? [])),
              ));
        await nlb.changeSecurityGroups(
            cloud,
            id,
            before?.securityGroupIds ?? [],
            securityGroupIds ?? before?.securityGroupIds ?? [],
        );
        await (bandwidthPackageId === undefined
            ? undefined
            : nlb.changeBandwidthPackage(cloud, id, before?.bandwidthPackageId, bandwidthPackageId));
    }
    if (ipv6AddressType !== undefined) {
        await nlb.setIpv6AddressType(cloud, id, nlbAddressType(ipv6AddressType));
    }
    if (name !== undefined || crossZoneEnabled !== undefined) {
        await nlb.updateNlbLoadBalancer(cloud, id, {
            ...defined({ name }),
            ...(crossZoneEnabled === undefined ? {} : { crossZone: crossZoneEnabled === "on" }),
        });
    }
    if (deleteProtection !== undefined || modificationProtection !== undefined) {
        await nlb.setProtection(cloud, id, {
            ...(deleteProtection === undefined ? {} : { deletion: deleteProtection === "on" }),
            ...defined({ modification: modificationProtection }),
        });
    }
}

/** Milliseconds between two looks at an instance that is being made, and how many looks: CCM waits for two minutes, too. */
const POLLING = { times: 24, apartMs: 5_000 };

/** States in which the cloud takes no change. */
const IN_THE_MAKING = ["provisioning", "configuring"];

/**
 * Waits for an instance that is still being made, or being changed by another client.
 *
 * @throws Error if it takes more than two minutes.
 */
export async function awaitReady(
    cloud: Cloud,
    { id, status }: Pick<ObservedAttributes, "id" | "status">,
    clock: Clock = systemClock,
): Promise<void> {
    let now = status;
    for (let look = 0; IN_THE_MAKING.includes(now ?? ""); look++) {
        if (look >= POLLING.times) {
            throw new Error(
                `load balancer ${id} is still ${now} after two minutes, and nothing of it can be changed meanwhile. Remedy: run pulumi up again once it is active.`,
            );
        }
        await clock.sleep(POLLING.apartMs);
        now = (await nlb.getNlbLoadBalancer(cloud, id))?.status?.toLowerCase();
    }
}
