/**
 * Zones of the cloud's regions: `cn-hangzhou-k`, and `ap-southeast-1a` where the region ends with a number. Source: ECS
 * API 2014-05-26, DescribeZones.
 */

/** Name of a region's zone by its letter. */
export const zoneOf = (region: string, letter: string): string =>
    /\d$/.test(region) ? `${region}${letter}` : `${region}-${letter}`;

/** Returns the region of a zone. A name of another form is its own region. */
export const regionOf = (zone: string): string => zone.replace(/-[a-z]$|(?<=\d)[a-z]$/, "");
