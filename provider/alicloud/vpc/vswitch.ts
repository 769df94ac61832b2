import { number, object, readAnswer, text } from "../http/answer";
import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { defined } from "../../schema/defined";

/** A vSwitch as the cloud has it. */
export interface VSwitch {
    readonly id: string;
    readonly vpcId: string;
    readonly zoneId?: string;
    readonly cidrBlock?: string;
    /** Addresses that are free. */
    readonly availableIpAddressCount?: number;
}

const VSWITCH = object({
    VSwitchId: text,
    VpcId: text,
    ZoneId: text,
    CidrBlock: text,
    AvailableIpAddressCount: number,
});

/** The vSwitch with this id, or undefined if there is none (DescribeVSwitchAttributes). */
export async function describeVSwitch(cloud: Cloud, id: string): Promise<VSwitch | undefined> {
    const action = "DescribeVSwitchAttributes";
    try {
        const answer = await cloud.call("vpc", action, { VSwitchId: id });
        const { VSwitchId, VpcId, ZoneId, CidrBlock, AvailableIpAddressCount } = readAnswer(action, VSWITCH, answer);
        // The API answers an unknown id with an empty object.
        if (VSwitchId === undefined) return undefined;
        return {
            id: VSwitchId,
            vpcId: VpcId ?? "",
            ...defined({ zoneId: ZoneId, cidrBlock: CidrBlock, availableIpAddressCount: AvailableIpAddressCount }),
        };
    } catch (error) {
        if (isNotFound(error, "vswitch")) return undefined;
        throw error;
    }
}
