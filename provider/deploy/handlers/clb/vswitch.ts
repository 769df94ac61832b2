/**
 * The vSwitch of an internal instance whose Service may name none.
 *
 * Source: "Configure CLB using annotations", internal CLB: CCM before v2.13.0 takes the first vSwitch of the cluster's control plane, later ones take an available one.
 */
import { describeVSwitch, type VSwitch } from "../../../alicloud";
import { containedIn } from "../../../schema/cidr";
import { type CheckResult, isUnknown } from "../values";
import { type AccountReference, openPlace } from "../place";

/** Inputs of the choice. */
export interface VSwitchInputs {
    /** `namespace/name`. */
    readonly service: string;
    /** The vSwitch that the Service names. Absent: one of the candidates. */
    readonly named?: string;
    /** vSwitches of the cluster's control plane, in their order. */
    readonly candidates: readonly string[];
    /** `first`: the first candidate, in any state. `available`: the first one with a free address. */
    readonly rule: "first" | "available";
    /** Static address that the instance asks for; absent = any of the vSwitch. */
    readonly address?: string;
    /** VPC of the cluster; absent = the vSwitch's VPC is not compared. */
    readonly vpcId?: string;
    /** vSwitch of an instance that is taken over. */
    readonly adopted?: string;
    /** Written by {@link check}: what was chosen, now or long ago. */
    readonly chosen?: string;
    readonly region?: string;
    readonly account?: AccountReference;
}

/** Reads a vSwitch; undefined if there is none with the id. */
type Look = (id: string) => Promise<VSwitch | undefined>;

/**
 * Chooses once. What was chosen stays, also when the candidates change, or when the Service no longer names it: an instance cannot move.
 *
 * A vSwitch is looked at before it is used for the first time, so that a preview refuses what the cloud would refuse.
 */
export async function check(
    olds: Partial<VSwitchInputs>,
    news: VSwitchInputs,
    look: Look = (id) => describeVSwitch(openPlace(news), id),
): Promise<CheckResult<VSwitchInputs>> {
    const established = isUnknown(olds.chosen) ? news.adopted : (olds.chosen ?? news.adopted);
    if (news.named !== undefined) {
        const problem =
            established !== undefined || isUnknown([news.named, news.region, news.vpcId])
                ? undefined
                : problemOf(news, news.named, await look(news.named));
        return {
            inputs: { ...news, chosen: news.named },
            failures: problem === undefined ? [] : [refusal(news, problem)],
        };
    }
    if (established === undefined && isUnknown([news.candidates, news.region])) {
        // VPC, vSwitches or region are made in the same run: the choice is made in the up.
        return { inputs: news, failures: [] };
    }
    const choice = established === undefined ? await choose(news, look) : { chosen: established };
    return "chosen" in choice
        ? { inputs: { ...news, chosen: choice.chosen }, failures: [] }
        : { inputs: news, failures: [refusal(news, choice.problem)] };
}

function refusal(inputs: VSwitchInputs, reason: string): { property: string; reason: string } {
    return { property: "", reason: `Service ${inputs.service}: ${reason}` };
}

/** Why an internal load balancer cannot stand in a vSwitch. Sources: "Configure CLB using annotations", vswitch-id; "FAQ about Services", error table. */
function problemOf({ vpcId, address }: VSwitchInputs, id: string, vSwitch: VSwitch | undefined): string | undefined {
    if (vSwitch === undefined) {
        return `there is no vSwitch "${id}" in this region. Remedy: correct vswitch-id, or remove it to get one of the cluster's.`;
    }
    if (vpcId !== undefined && vSwitch.vpcId !== vpcId) {
        return `vSwitch "${id}" is in VPC ${vSwitch.vpcId}, the cluster in ${vpcId}; a load balancer there could not reach its backends. Remedy: name a vSwitch of ${vpcId}.`;
    }
    if (vSwitch.availableIpAddressCount === 0) {
        return `vSwitch "${id}" has no free address. Remedy: set vswitch-id to another vSwitch of the VPC, or free addresses.`;
    }
    const { cidrBlock } = vSwitch;
    if (address !== undefined && !isUnknown(address) && cidrBlock !== undefined && !containedIn([cidrBlock])(address)) {
        return `the address ${address} is not in ${cidrBlock}, the range of vSwitch "${id}". Remedy: set ip to an address of that range, or vswitch-id to the vSwitch that has the address.`;
    }
    return undefined;
}

/** A vSwitch of the cluster, or why none can be taken. */
async function choose(inputs: VSwitchInputs, look: Look): Promise<{ chosen: string } | { problem: string }> {
    const { candidates, rule } = inputs;
    const vpcId = isUnknown(inputs.vpcId) ? undefined : inputs.vpcId;
    for (const id of rule === "first" ? candidates.slice(0, 1) : candidates) {
        const vSwitch = rule === "first" && vpcId === undefined ? undefined : await look(id);
        if (vSwitch !== undefined && vpcId !== undefined && vSwitch.vpcId !== vpcId) {
            const problem = `vSwitch "${id}" of the cluster's vSwitches is in VPC ${vSwitch.vpcId}, the cluster in ${vpcId}; a load balancer there could not reach its backends. Remedy: correct the cluster's \`vswitches\` or \`vpcId\`.`;
            return { problem };
        }
        if (rule === "first" || (vSwitch?.availableIpAddressCount ?? 0) > 0) return { chosen: id };
    }
    const problem =
        `none of the vSwitches ${candidates.join(", ")} has a free address for its internal load balancer. ` +
        "Remedy: free addresses, add a vSwitch to the cluster's `vswitches`, or name one with vswitch-id.";
    return { problem };
}

/** Records the choice. */
export async function create(inputs: VSwitchInputs): Promise<{ id: string; outs: VSwitchInputs }> {
    return { id: inputs.service, outs: inputs };
}

/** Records the choice as it is now. */
export async function update(_id: string, _olds: VSwitchInputs, news: VSwitchInputs): Promise<{ outs: VSwitchInputs }> {
    return { outs: news };
}
