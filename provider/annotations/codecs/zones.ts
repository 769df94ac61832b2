/** Zones of an NLB. */

import type { ZoneMap } from "../../schema/settings";
import { isIpv4 } from "./dns";
import { identifier } from "./identifier";
import { listOf } from "./list";
import { zone } from "./texts";
import { refused, type Reading } from "./type";

const vswitch = identifier("vsw-", "a vSwitch id");
const eip = identifier("eip-", "an elastic IP address id");

const SHAPE = "zone:vSwitch[:address[:elastic-IP-id]]";

function readZone(text: string): Reading<ZoneMap> {
    const [zoneId = "", vswitchId = "", address = "", allocationId = "", ...more] = text.split(":");
    const wrong = (what: string, belongs: string) => ({
        problem: `has "${what}" where ${belongs} belongs`,
        remedy: `write ${SHAPE}`,
    });
    if (more.length > 0 || vswitchId === "")
        return { problem: `is not of the form ${SHAPE}`, remedy: `write ${SHAPE}` };
    if (refused(zone.parse(zoneId))) return wrong(zoneId, "a zone id");
    if (refused(vswitch.parse(vswitchId))) return wrong(vswitchId, 'a vSwitch id ("vsw-…")');
    if (address !== "" && !isIpv4(address)) return wrong(address, "an IPv4 address");
    if (allocationId !== "" && refused(eip.parse(allocationId)))
        return wrong(allocationId, 'the id of an elastic IP address ("eip-…")');
    return {
        value: {
            zoneId,
            vswitchId,
            ...(address === "" ? {} : { privateIpv4: address }),
            ...(allocationId === "" ? {} : { allocationId }),
        },
    };
}

/** The inverse; trailing parts that are not there are left out. */
function writeZone(entry: unknown): string | undefined {
    if (typeof entry !== "object" || entry === null) return undefined;
    const { zoneId, vswitchId, privateIpv4 = "", allocationId = "" } = entry as ZoneMap;
    const parts = [zoneId, vswitchId, privateIpv4, allocationId];
    return parts.every((part) => typeof part === "string") ? parts.join(":").replace(/:+$/, "") : undefined;
}

/** `cn-hangzhou-k:vsw-1,cn-hangzhou-j:vsw-2:10.0.0.9:eip-1`. Blanks around an entry are ignored. */
export const zoneMaps = listOf<ZoneMap>(
    { shape: SHAPE, example: "cn-hangzhou-k:vsw-i123456,cn-hangzhou-j:vsw-j654321", parse: readZone, print: writeZone },
    true,
);
