/**
 * A look at the vSwitches of an NLB before anything is made, and the question to the cloud whether it would make the instance.
 *
 * The cloud refuses what is wrong only when the instance is made, and server groups are made before it. It knows more than can be looked up: quotas, addresses that
 * are taken, zones that sell no NLB.
 */
import { describeVSwitch, nlb, type VSwitch } from "../../../alicloud";
import { type CheckResult, isUnknown } from "../values";
import { type AccountReference, openPlace } from "../place";
import { defined } from "../../../schema/defined";

/** Inputs of the check. */
export interface ZoneCheckInputs {
    /** `namespace/name`. */
    readonly service: string;
    /** VPC of the cluster. Absent: the VPC of the vSwitches. */
    readonly vpcId?: string;
    /** vSwitch by zone id. */
    readonly vswitches: Readonly<Record<string, string>>;
    /** Written by {@link check}: the VPC of the vSwitches. */
    readonly vpc?: string;
    /** The instance that is about to be made; only in a preview, and never stored. */
    readonly request?: nlb.NlbCreateSpec;
    /** Written by {@link check} where it has asked: what the cloud says. */
    readonly dryRun?: string;
    readonly region?: string;
    readonly account?: AccountReference;
}

/**
 * Looks at the vSwitches that are new, and asks about an instance that is. The VPC stays what it was found to be, and is unknown as long as a vSwitch is.
 */
export async function check(
    olds: Partial<ZoneCheckInputs>,
    { request, ...news }: ZoneCheckInputs,
): Promise<CheckResult<ZoneCheckInputs>> {
    if (isUnknown(news.vswitches) || isUnknown(news.vpcId) || isUnknown(news.region)) {
        return { inputs: news.vpcId === undefined ? news : { ...news, vpc: news.vpcId }, failures: [] };
    }
    const known = olds.vswitches ?? {};
    const fresh = Object.entries(news.vswitches).filter(([zoneId, id]) => known[zoneId] !== id);
    const cloud = openPlace(news);
    const found = await Promise.all(
        fresh.map(async ([zoneId, id]) => ({ zoneId, id, vSwitch: await describeVSwitch(cloud, id) })),
    );
    const vpc = news.vpcId ?? (isUnknown(olds.vpc) ? undefined : olds.vpc) ?? found[0]?.vSwitch?.vpcId;
    const problems = found
        .flatMap(({ zoneId, id, vSwitch }) => problemOf(zoneId, id, vSwitch, vpc) ?? [])
        .map((problem) => `${problem} Remedy: correct zone-maps.`);
    const asks =
        request !== undefined &&
        !isUnknown(request) &&
        olds.service === undefined &&
        vpc !== undefined &&
        problems.length === 0;
    const answer = asks ? await nlb.wouldCreate(cloud, vpc, request) : undefined;
    if (answer?.verdict === "refused") {
        problems.push(`the cloud would not make the load balancer. ${answer.error.message}`);
    }
    return {
        inputs: {
            ...news,
            ...defined({ vpc }),
            ...(answer && { dryRun: formatAnswer(answer) }),
        },
        failures: problems.map((problem) => ({ property: "", reason: `Service ${news.service}: ${problem}` })),
    };
}

/** An answer for the preview to show. */
function formatAnswer(answer: nlb.DryRunAnswer): string {
    return answer.verdict === "unanswered"
        ? `CreateLoadBalancer: the cloud could not be asked (${answer.reason})`
        : `CreateLoadBalancer: ${answer.verdict}`;
}

function problemOf(
    zoneId: string,
    id: string,
    vSwitch: VSwitch | undefined,
    vpc: string | undefined,
): string | undefined {
    if (vSwitch === undefined) {
        return `there is no vSwitch "${id}" in this region.`;
    }
    if (vSwitch.zoneId !== undefined && vSwitch.zoneId !== zoneId) {
        return `vSwitch "${id}" is in zone ${vSwitch.zoneId}, not in ${zoneId}.`;
    }
    return vSwitch.vpcId === vpc
        ? undefined
        : `vSwitch "${id}" is in ${vSwitch.vpcId}, but the load balancer is to be in ${vpc}.`;
}

/** Records what was looked at. */
export async function create(inputs: ZoneCheckInputs): Promise<{ id: string; outs: ZoneCheckInputs }> {
    return { id: inputs.service, outs: inputs };
}

/** Records what was looked at. */
export async function update(
    _id: string,
    _olds: ZoneCheckInputs,
    news: ZoneCheckInputs,
): Promise<{ outs: ZoneCheckInputs }> {
    return { outs: news };
}
