import { reads, type Action } from "../actions";

export const regionActions: readonly Action[] = [
    reads("DescribeRegions", {}, (_p, world) => ({
        Regions: [
            { RegionId: world.region, LocalName: world.region, RegionEndpoint: `nlb.${world.region}.aliyuncs.com` },
        ],
    })),
    reads("DescribeZones", {}, (_p, world) => ({
        Zones: [...world.config.zones]
            .sort()
            .map((letter) => ({ ZoneId: world.zone(letter), LocalName: `Zone ${letter.toUpperCase()}` })),
    })),
];
