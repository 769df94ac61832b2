import type { NlbDesired } from "../../../provider/builder";
import type { ObservedNlb } from "../../../provider/model/observed";
import { difference, type Difference } from "../../../provider/plan/adoption";
import type { ZoneMap } from "../../../provider/schema/settings";
import type { AdoptionSpec } from "../spec";

/** The zones of an instance that are not as the Service says, one line for each. An address that is not asked for may be any. */
export function compareZones(
    { desired, references }: AdoptionSpec<NlbDesired>,
    { zoneMaps = [] }: ObservedNlb,
): Difference[] {
    const zones = desired.loadBalancer.zones.map((zone) => {
        const given = references.zoneVswitches?.[zone.zoneId];
        // A vSwitch that another resource of the program makes is known only then.
        return {
            ...zone,
            vswitchId: given === undefined ? zone.vswitchId : typeof given === "string" ? given : undefined,
        };
    });
    const ids = [...new Set([...zones, ...zoneMaps].map(({ zoneId }) => zoneId))].sort();
    return ids.flatMap((zoneId) => {
        const asked = zones.find((zone) => zone.zoneId === zoneId);
        const actual = zoneMaps.find((zone) => zone.zoneId === zoneId);
        if (asked !== undefined && actual !== undefined && fits(asked, actual)) return [];
        return [
            difference({
                verdict: "differs",
                object: "load balancer",
                attribute: `zone ${zoneId}`,
                observed: text(actual),
                desired: text(asked),
            }),
        ];
    });
}

type AskedZone = Omit<ZoneMap, "vswitchId"> & { readonly vswitchId: string | undefined };

function fits(asked: AskedZone, actual: ZoneMap): boolean {
    return (["vswitchId", "privateIpv4", "allocationId"] as const).every(
        (key) => asked[key] === undefined || asked[key] === actual[key],
    );
}

function text(zone: AskedZone | undefined): string {
    return zone === undefined
        ? "-"
        : [zone.vswitchId ?? "(to be created)", zone.privateIpv4, zone.allocationId]
              .filter((part) => part !== undefined)
              .join(" ");
}
