import { reads, type Action } from "../actions";
import type { World } from "../world";

function pairs(world: World): [master: string, slave: string][] {
    const zones = world.config.zones.map((letter) => world.zone(letter));
    return zones.map((zone, i) => [zone, zones[(i + 1) % zones.length] ?? zone]);
}

export const regionActions: readonly Action[] = [
    reads("DescribeRegions", {}, (_p, world) => ({
        Regions: { Region: [{ RegionId: world.region, LocalName: world.region, RegionEndpoint: "slb.aliyuncs.com" }] },
    })),
    reads("DescribeZones", {}, (_p, world) => ({
        Zones: {
            Zone: pairs(world).map(([ZoneId, slave]) => ({
                ZoneId,
                LocalName: ZoneId,
                SlaveZones: { SlaveZone: [{ ZoneId: slave, LocalName: slave }] },
            })),
        },
    })),
    reads("DescribeAvailableResource", {}, (p, world) => {
        const rows = pairs(world).map(([MasterZoneId, SlaveZoneId]) => {
            const all = ["vpc", "classic_internet"].flatMap((AddressType) =>
                (AddressType === "vpc" ? ["ipv4"] : ["ipv4", "ipv6"]).map((AddressIPVersion) => ({
                    AddressType,
                    AddressIPVersion,
                })),
            );
            const offered = all.filter(
                (r) =>
                    (p.text("AddressType") ?? r.AddressType) === r.AddressType &&
                    (p.text("AddressIPVersion") ?? r.AddressIPVersion) === r.AddressIPVersion,
            );
            return { MasterZoneId, SlaveZoneId, SupportResources: { SupportResource: offered } };
        });
        return { AvailableResources: { AvailableResource: rows } };
    }),
];
