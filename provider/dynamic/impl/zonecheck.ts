/**
 * A look at the vSwitches of an NLB before anything is made.
 *
 * The cloud refuses a wrong one only when the instance is made, and server groups are made before it.
 */
import { createCloud, describeVSwitch, type VSwitch } from "../../cloud";
import { type CheckResult, isUnknown } from "./values";

/** Inputs of the check. */
export interface ZoneCheckInputs {
    /** `namespace/name`. */
    readonly service: string;
    readonly vpcId?: string;
    /** vSwitch by zone id. */
    readonly vswitches: Readonly<Record<string, string>>;
    /** Written by {@link check}: the VPC of the vSwitches. */
    readonly vpc?: string;
    readonly region?: string;
}

/** Looks at the vSwitches that are new. The VPC stays what it was found to be, and is unknown as long as a vSwitch is. */
export async function check(olds: Partial<ZoneCheckInputs>, news: ZoneCheckInputs): Promise<CheckResult<ZoneCheckInputs>> {
    if (isUnknown(news.vswitches) || isUnknown(news.vpcId) || isUnknown(news.region)) {
        return { inputs: news.vpcId === undefined ? news : { ...news, vpc: news.vpcId }, failures: [] };
    }
    const known = olds.vswitches ?? {};
    const fresh = Object.entries(news.vswitches).filter(([zoneId, id]) => known[zoneId] !== id);
    const cloud = createCloud(news.region === undefined ? {} : { region: news.region });
    const found = await Promise.all(fresh.map(async ([zoneId, id]) => ({ zoneId, id, vSwitch: await describeVSwitch(cloud, id) })));
    const vpc = news.vpcId ?? (isUnknown(olds.vpc) ? undefined : olds.vpc) ?? found[0]?.vSwitch?.vpcId;
    const problems = found.flatMap(({ zoneId, id, vSwitch }) => problemOf(zoneId, id, vSwitch, vpc) ?? []);
    return {
        inputs: { ...news, ...(vpc === undefined ? {} : { vpc }) },
        failures: problems.map((problem) => ({ property: "", reason: `Service ${news.service}: ${problem} Remedy: correct zone-maps.` })),
    };
}

function problemOf(zoneId: string, id: string, vSwitch: VSwitch | undefined, vpc: string | undefined): string | undefined {
    if (vSwitch === undefined) {
        return `there is no vSwitch "${id}" in this region.`;
    }
    if (vSwitch.zoneId !== undefined && vSwitch.zoneId !== zoneId) {
        return `vSwitch "${id}" is in zone ${vSwitch.zoneId}, not in ${zoneId}.`;
    }
    return vSwitch.vpcId === vpc ? undefined : `vSwitch "${id}" is in ${vSwitch.vpcId}, but the load balancer is to be in ${vpc}.`;
}

/** Records what was looked at. */
export async function create(inputs: ZoneCheckInputs): Promise<{ id: string; outs: ZoneCheckInputs }> {
    return { id: inputs.service, outs: inputs };
}

/** Records what was looked at. */
export async function update(_id: string, _olds: ZoneCheckInputs, news: ZoneCheckInputs): Promise<{ outs: ZoneCheckInputs }> {
    return { outs: news };
}
