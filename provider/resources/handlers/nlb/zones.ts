/**
 * Zones of an NLB, and the deletion or release of the instance. The resource depends on the instance, so it is deleted
 * first.
 *
 * The alicloud plugin sets vSwitches and addresses only when it creates the instance, and deletes without switching the
 * protection off, which the cloud refuses. A preserved instance loses its protections and ownership marks.
 */
import { isDeepStrictEqual } from "node:util";
import * as nlb from "../../../nlb";
import { sortedByKey } from "../../../schema/defined";
import { CLUSTER_TAG, OWNER_TAG } from "../../../schema/names";
import type { ZoneMap } from "../../../schema/settings";
import { type CheckMethod, gone, isUnknown, managing, openPlace, refuse } from "../handler";
import type { Released } from "../release";

interface LoadBalancerZonesInputs extends Released {
    readonly zones: Readonly<Record<string, Omit<ZoneMap, "zoneId">>>;
    /** `Internet` or `Intranet`. Elastic addresses are bound when the load balancer becomes public. */
    readonly addressType: string;
    /** True in a preview, which makes a dry run. It is never stored. */
    readonly preview?: boolean;
    /** Server groups that stay with a preserved instance. Default none. */
    readonly serverGroupIds?: readonly string[];
}

interface LoadBalancerZonesComputed {
    /**
     * Public addresses by zone, from the first change of the zones on. The plugin, whose instance has them until then,
     * does not read them again.
     */
    readonly publicAddresses?: Readonly<Record<string, string>>;
}

/**
 * Keeps addresses of zones that are no longer named, as the cloud does. Makes a dry run in a preview of changed zones,
 * unless the address type, which decides the result, changes too.
 */
const check: CheckMethod<LoadBalancerZonesInputs> = async (olds, { preview, ...asked }) => {
    const settled =
        !isUnknown(asked.zones) &&
        !isUnknown(asked.region) &&
        olds.loadBalancerId !== undefined &&
        olds.loadBalancerId === asked.loadBalancerId;
    const staysPublic = [olds, asked].every(({ addressType }) => addressType === "Internet");
    const news = settled
        ? { ...asked, zones: placesOf(nlb.keepNamed(desiredZones(asked), desiredZones(olds), staysPublic)) }
        : asked;
    if (!preview || !settled || olds.addressType !== news.addressType || isDeepStrictEqual(olds.zones, news.zones))
        return refuse(news, []);
    const answer = await nlb.wouldUpdateZones(openPlace(news), news.loadBalancerId, desiredZones(news));
    return refuse(
        news,
        answer.verdict === "refused"
            ? [`the cloud would not change the zones of ${news.loadBalancerId}. ${answer.error.message}`]
            : [],
    );
};

const { create, update, read, remove } = managing<LoadBalancerZonesInputs, LoadBalancerZonesComputed>(
    {
        /** Records the zones: the plugin has just created the instance with them. */
        create: ({ loadBalancerId }) => Promise.resolve({ id: loadBalancerId }),
        /** Adds, changes and removes zones in one call. */
        update: async (_olds, news) => {
            const cloud = openPlace(news);
            const id = news.loadBalancerId;
            const instance = await nlb.getNlbLoadBalancer(cloud, id);
            if (instance === undefined) throw gone(`load balancer ${id}`, "its zones cannot be changed");
            const desired = desiredZones(news);
            const unchanged =
                desired.length === instance.zoneMaps.length &&
                desired.every((zone) => instance.zoneMaps.some((actual) => nlb.zoneFits(zone, actual)));
            if (unchanged) return { publicAddresses: publicAddresses(instance) };
            const zones = desired.map((zone) => nlb.keepAddresses(zone, instance.zoneMaps));
            await nlb.updateZones(cloud, id, zones);
            return { publicAddresses: publicAddresses((await nlb.getNlbLoadBalancer(cloud, id)) ?? instance) };
        },
        /** Reads the zones, with the addresses that were requested. */
        read: async (props) => {
            const instance = await nlb.getNlbLoadBalancer(openPlace(props), props.loadBalancerId);
            if (instance === undefined) return undefined;
            const zones = instance.zoneMaps.map(({ zoneId, vswitchId, privateIpv4, allocationId }) => {
                const requested = props.zones[zoneId];
                const addresses = {
                    ...(requested?.privateIpv4 && { privateIpv4 }),
                    ...(requested?.allocationId && { allocationId }),
                };
                return [zoneId, { vswitchId, ...addresses }] as const;
            });
            return {
                zones: sortedByKey(Object.fromEntries(zones)),
                ...(props.publicAddresses && { publicAddresses: publicAddresses(instance) }),
            };
        },
        delete: release,
    },
    ["publicAddresses"],
);
export { check, create, update, read, remove as delete };

const MARKS = [OWNER_TAG, CLUSTER_TAG];

/** Server groups of a preserved instance lose their marks too, and stay with their servers. */
async function release(inputs: LoadBalancerZonesInputs): Promise<void> {
    const { loadBalancerId, preserve = false, serverGroupIds = [] } = inputs;
    const cloud = openPlace(inputs);
    const instance = await nlb.getNlbLoadBalancer(cloud, loadBalancerId);
    if (instance === undefined) return;
    const modification = preserve && instance.modificationProtection === "ConsoleProtection";
    const isProtected = instance.deleteProtection === "on";
    if (isProtected || modification)
        await nlb.setProtection(cloud, loadBalancerId, {
            ...(isProtected ? { deletion: false } : {}),
            ...(modification ? { modification: "NonProtection" } : {}),
        });
    if (!preserve) return nlb.deleteNlbLoadBalancer(cloud, loadBalancerId);
    const marks = MARKS.filter((key) => key in instance.tags);
    await nlb.removeNlbTags(cloud, "loadbalancer", [loadBalancerId], marks);
    await nlb.removeNlbTags(cloud, "servergroup", serverGroupIds, MARKS);
}

const publicAddresses = ({ zoneMaps }: nlb.ObservedNlbLoadBalancer): Record<string, string> =>
    Object.fromEntries(zoneMaps.flatMap(({ zoneId, publicIpv4 }) => (publicIpv4 ? [[zoneId, publicIpv4]] : [])));

const desiredZones = ({ zones = {} }: Partial<LoadBalancerZonesInputs>): ZoneMap[] =>
    Object.entries(zones).map(([zoneId, zone]) => ({ zoneId, ...zone }));

const placesOf = (zones: readonly ZoneMap[]): LoadBalancerZonesInputs["zones"] =>
    Object.fromEntries(zones.map(({ zoneId, ...place }) => [zoneId, place]));
