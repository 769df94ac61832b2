import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { number, requireText, text, type Json } from "../http/json";

/** A vSwitch as the cloud has it. */
export interface VSwitch {
    readonly id: string;
    readonly vpcId: string;
    readonly zoneId?: string;
    readonly cidrBlock?: string;
    /** Addresses that are free. */
    readonly availableIpAddressCount?: number;
}

/** The vSwitch with this id, or undefined if there is none (DescribeVSwitchAttributes). */
export async function describeVSwitch(cloud: Cloud, id: string): Promise<VSwitch | undefined> {
    try {
        const answer = await cloud.call("vpc", "DescribeVSwitchAttributes", { VSwitchId: id });
        // The API answers an unknown id with an empty object.
        return text(answer, "VSwitchId") === undefined ? undefined : fromJson(answer, "DescribeVSwitchAttributes");
    } catch (error) {
        if (isNotFound(error, "vswitch")) return undefined;
        throw error;
    }
}

function fromJson(json: Json, action: string): VSwitch {
    const zoneId = text(json, "ZoneId");
    const cidrBlock = text(json, "CidrBlock");
    const free = number(json, "AvailableIpAddressCount");
    return {
        id: requireText(json, "VSwitchId", action),
        vpcId: requireText(json, "VpcId", action),
        ...(zoneId === undefined ? {} : { zoneId }),
        ...(cidrBlock === undefined ? {} : { cidrBlock }),
        ...(free === undefined ? {} : { availableIpAddressCount: free }),
    };
}
