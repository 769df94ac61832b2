/**
 * Check of the vSwitches of an NLB, and dry run of its creation.
 *
 * The cloud refuses them only with the instance, after its server groups. A dry run also covers quotas, addresses in
 * use, and zones without NLB.
 */
import { describeVSwitch, type VSwitch } from "../../../cloud";
import * as nlb from "../../../nlb";
import { defined } from "../../../schema/defined";
import { type CheckMethod, isUnknown, openPlace, type Place, recording, refuseService } from "../handler";

interface ZoneCheckInputs extends Place {
    /** `namespace/name`. */
    readonly service: string;
    /** VPC of the cluster. Absent: the VPC of the vSwitches. */
    readonly vpcId?: string;
    /** vSwitch by zone id. */
    readonly vswitches: Readonly<Record<string, string>>;
    /** VPC of the vSwitches. Written by {@link check}. */
    readonly vpc?: string;
    /** Instance that will be created, only in a preview and never stored. */
    readonly request?: nlb.NlbCreateSpec;
    /** Result of the dry run, absent without a dry run. Written by {@link check}. */
    readonly dryRun?: string;
}

export const { create, update } = recording<ZoneCheckInputs>();

/** Checks new vSwitches, and a new instance. The VPC stays established, and is unknown while a vSwitch is. */
export const check: CheckMethod<ZoneCheckInputs> = async (olds, { request, ...news }) => {
    if (isUnknown(news.vswitches) || isUnknown(news.vpcId) || isUnknown(news.region))
        return refuseService({ ...news, ...defined({ vpc: news.vpcId }) }, []);
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
    const isNew = olds.service === undefined && request !== undefined && !isUnknown(request);
    const answer =
        isNew && vpc !== undefined && problems.length === 0 ? await nlb.wouldCreate(cloud, vpc, request) : undefined;
    if (answer?.verdict === "refused")
        problems.push(`the cloud would not make the load balancer. ${answer.error.message}`);
    return refuseService({ ...news, ...defined({ vpc, dryRun: answer && formatAnswer(answer) }) }, problems);
};

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
    if (vSwitch === undefined) return `there is no vSwitch "${id}" in this region.`;
    if (vSwitch.zoneId !== undefined && vSwitch.zoneId !== zoneId)
        return `vSwitch "${id}" is in zone ${vSwitch.zoneId}, not in ${zoneId}.`;
    return vSwitch.vpcId === vpc
        ? undefined
        : `vSwitch "${id}" is in ${vSwitch.vpcId}, but the load balancer is to be in ${vpc}.`;
}
