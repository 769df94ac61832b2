import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { list, number, requireText, text, type Json } from "../http/json";
import { numberedPages } from "../http/page";

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

/** All vSwitches of a VPC (DescribeVSwitches, every page). */
export async function listVSwitches(cloud: Cloud, vpcId: string): Promise<VSwitch[]> {
    const action = "DescribeVSwitches";
    const items = (page: Json): Json[] => list(page, "VSwitches", "VSwitch");
    const pages = await numberedPages(
        (PageNumber) => cloud.call("vpc", action, { VpcId: vpcId, PageNumber, PageSize: 50 }),
        (page) => items(page).length,
    );
    return pages.flatMap(items).map((item) => fromJson(item, action));
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
