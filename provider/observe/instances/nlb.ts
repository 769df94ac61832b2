import { nlbAddressType } from "../../nlb/model";
import type {
    ObservedAttributes,
    ObservedListener,
    ObservedServerGroup,
    ReusedAttributes,
} from "../../schema/observed";
import { type Clock, systemClock } from "../../net";
import { defined } from "../../schema/defined";
import type { Tags } from "../../cloud/http/answer";
import type { Cloud } from "../../cloud/http/client";
import * as nlb from "../../nlb/api";
import type { InstanceApi } from "./api";

/** Returns the access to NLB instances. */
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
        listBackends: async (groupId) => (await nlb.listServers(cloud, groupId)) ?? [],
    };
}

/** The list of an instance that does not exist is empty, too. */
async function listListeners(cloud: Cloud, id: string): Promise<nlb.ListedNlbListener[] | undefined> {
    const listeners = await nlb.listNlbListeners(cloud, id);
    return listeners.length > 0 || (await nlb.getNlbLoadBalancer(cloud, id)) !== undefined ? listeners : undefined;
}

/** Returns a listener in the form that both load balancer types share. */
export function toObservedListener(listener: nlb.ListedNlbListener): ObservedListener {
    const { id, protocol, port, startPort, endPort, description, serverGroupId } = listener;
    return { id, protocol, port: startPort ?? port, description, ...defined({ endPort, serverGroupId }) };
}

/** Returns a server group in the form that both load balancer types share. */
export function toObservedServerGroup(group: ObservedServerGroup): ObservedServerGroup {
    const { id, name, type, protocol, vpcId, anyPort } = group;
    return { id, name, ...defined({ type, protocol, vpcId, anyPort }) };
}

/** Returns the attributes of an NLB under the names that both load balancer types share. */
export function toObservedNlbAttributes(found: nlb.NlbInstance): ObservedAttributes & { readonly tags: Tags } {
    const { id, name, vpcId, resourceGroupId, bandwidthPackageId, modificationProtectionReason, cps, tags } = found;
    const dualStack = found.addressIpVersion?.toLowerCase() === "dualstack";
    return {
        id,
        name,
        ...defined({
            address: found.dnsName,
            addressType: found.addressType?.toLowerCase(),
            ipVersion: found.addressIpVersion && (dualStack ? "DualStack" : "ipv4"),
            ipv6AddressType: found.ipv6AddressType?.toLowerCase(),
            // An instance with an unpaid bill is locked in every status.
            status: found.businessStatus === "Abnormal" ? "locked" : found.status?.toLowerCase(),
            vpcId,
            resourceGroupId,
            bandwidthPackageId,
            modificationProtectionReason,
            cps,
        }),
        crossZoneEnabled: found.crossZone ? "on" : "off",
        deleteProtection: found.deleteProtection ? "on" : "off",
        modificationProtection: found.modificationProtection ? "ConsoleProtection" : "NonProtection",
        securityGroupIds: found.securityGroupIds,
        zoneMaps: found.zones.toSorted((a, b) => (a.zoneId < b.zoneId ? -1 : 1)),
        tags,
    };
}

/** In CCM's order: zones depend on the address type. */
async function setAttributes(cloud: Cloud, id: string, attributes: ReusedAttributes): Promise<void> {
    const { name, addressType, zoneMaps, securityGroupIds, ipv6AddressType, bandwidthPackageId } = attributes;
    const { crossZoneEnabled, deleteProtection, modificationProtection } = attributes;
    if (addressType !== undefined) await nlb.setAddressType(cloud, id, nlbAddressType(addressType));
    if (zoneMaps !== undefined || securityGroupIds !== undefined || bandwidthPackageId !== undefined) {
        const before = await nlb.getNlbLoadBalancer(cloud, id);
        const { zones = [], securityGroupIds: groups = [] } = before ?? {};
        if (zoneMaps !== undefined) {
            const desired = zoneMaps.map((zone) => nlb.keepAddresses(zone, zones));
            await nlb.updateZones(cloud, id, desired);
        }
        await nlb.changeSecurityGroups(cloud, id, groups, securityGroupIds ?? groups);
        if (bandwidthPackageId !== undefined)
            await nlb.changeBandwidthPackage(cloud, id, before?.bandwidthPackageId, bandwidthPackageId);
    }
    if (ipv6AddressType !== undefined) await nlb.setIpv6AddressType(cloud, id, nlbAddressType(ipv6AddressType));
    const crossZone = crossZoneEnabled && crossZoneEnabled === "on";
    if (name !== undefined || crossZone !== undefined)
        await nlb.updateNlbLoadBalancer(cloud, id, defined({ name, crossZone }));
    const deletion = deleteProtection && deleteProtection === "on";
    if (deletion !== undefined || modificationProtection !== undefined)
        await nlb.setProtection(cloud, id, defined({ deletion, modification: modificationProtection }));
}

/** Wait for an instance that is being created: two minutes, as in CCM. */
const POLLING = { times: 24, apartMs: 5_000 };

/** Statuses in which the cloud takes no change. */
const UNREADY = ["provisioning", "configuring"];

/**
 * Waits for an instance that is being created, or being changed by another client.
 *
 * @throws Error after two minutes.
 */
export async function awaitReady(
    cloud: Cloud,
    { id, status }: Pick<ObservedAttributes, "id" | "status">,
    clock: Clock = systemClock,
): Promise<void> {
    let now = status;
    for (let reads = 0; UNREADY.includes(now ?? ""); reads++) {
        if (reads >= POLLING.times)
            throw new Error(
                `load balancer ${id} is still ${now} after two minutes, and nothing of it can be changed meanwhile. ` +
                    "Remedy: run pulumi up again once it is active.",
            );
        await clock.sleep(POLLING.apartMs);
        now = (await nlb.getNlbLoadBalancer(cloud, id))?.status?.toLowerCase();
    }
}
