/**
 * Choice of the vSwitch of an internal CLB whose Service may name none.
 *
 * Source: "Configure CLB using annotations", internal CLB: CCM before v2.13.0 takes the first vSwitch of the cluster's
 * control plane, later versions take an available vSwitch.
 */
import { describeVSwitch, type VSwitch } from "../../../cloud";
import { containedIn } from "../../../schema/cidr";
import { type Checked, isUnknown, openPlace, type Place, recording, refuseService } from "../handler";

export interface VSwitchInputs extends Place {
    /** `namespace/name`. */
    readonly service: string;
    /** vSwitch that the Service names. Absent: one of the candidates. */
    readonly named?: string;
    /** vSwitches of the cluster's control plane, in their order. */
    readonly candidates: readonly string[];
    /** `first` takes the first candidate, in any state. `available` takes the first with a free address. */
    readonly rule: "first" | "available";
    /** Static address of the instance. If absent, it is any of the vSwitch. */
    readonly address?: string;
    /** VPC of the cluster. If absent, the vSwitch's VPC is not compared. */
    readonly vpcId?: string;
    /** vSwitch of an adopted instance. */
    readonly adopted?: string;
    /** Established choice. Written by {@link check}. */
    readonly chosen?: string;
}

export const { create, update } = recording<VSwitchInputs>();

type Look = (id: string) => Promise<VSwitch | undefined>;

/** Chooses once: an instance cannot move. Checks a vSwitch before its first use. */
export async function check(
    olds: Partial<VSwitchInputs>,
    news: VSwitchInputs,
    look: Look = (id) => describeVSwitch(openPlace(news), id),
): Promise<Checked<VSwitchInputs>> {
    const established = isUnknown(olds.chosen) ? news.adopted : (olds.chosen ?? news.adopted);
    const { named } = news;
    if (named !== undefined) {
        const unchecked = established !== undefined || isUnknown([named, news.region, news.vpcId]);
        const problem = unchecked ? undefined : problemOf(news, named, await look(named));
        return refuseService({ ...news, chosen: named }, [problem]);
    }
    // VPC, vSwitches or region that this run creates: `pulumi up` chooses.
    if (established === undefined && isUnknown([news.candidates, news.region])) return refuseService(news, []);
    const choice = established === undefined ? await choose(news, look) : { chosen: established };
    return "chosen" in choice
        ? refuseService({ ...news, chosen: choice.chosen }, [])
        : refuseService(news, [choice.problem]);
}

/** Sources: "Configure CLB using annotations", vswitch-id, and "FAQ about Services", error table. */
function problemOf({ vpcId, address }: VSwitchInputs, id: string, vSwitch: VSwitch | undefined): string | undefined {
    if (vSwitch === undefined)
        return (
            `there is no vSwitch "${id}" in this region. Remedy: correct vswitch-id, or remove it to get one of the ` +
            "cluster's."
        );
    if (vpcId !== undefined && vSwitch.vpcId !== vpcId)
        return (
            `vSwitch "${id}" is in VPC ${vSwitch.vpcId}, the cluster in ${vpcId}; a load balancer there could not ` +
            `reach its backends. Remedy: name a vSwitch of ${vpcId}.`
        );
    if (vSwitch.availableIpAddressCount === 0)
        return (
            `vSwitch "${id}" has no free address. Remedy: set vswitch-id to another vSwitch of the VPC, or free ` +
            "addresses."
        );
    const { cidrBlock } = vSwitch;
    if (address !== undefined && !isUnknown(address) && cidrBlock !== undefined && !containedIn([cidrBlock])(address))
        return (
            `the address ${address} is not in ${cidrBlock}, the range of vSwitch "${id}". Remedy: set ip to an ` +
            "address of that range, or vswitch-id to the vSwitch that has the address."
        );
    return undefined;
}

async function choose(inputs: VSwitchInputs, look: Look): Promise<{ chosen: string } | { problem: string }> {
    const { candidates, rule } = inputs;
    const vpcId = isUnknown(inputs.vpcId) ? undefined : inputs.vpcId;
    for (const id of rule === "first" ? candidates.slice(0, 1) : candidates) {
        const vSwitch = rule === "first" && vpcId === undefined ? undefined : await look(id);
        if (vSwitch !== undefined && vpcId !== undefined && vSwitch.vpcId !== vpcId) {
            const problem =
                `vSwitch "${id}" of the cluster's vSwitches is in VPC ${vSwitch.vpcId}, the cluster in ${vpcId}; a ` +
                "load balancer there could not reach its backends. Remedy: correct the cluster's `vswitches` or " +
                "`vpcId`.";
            return { problem };
        }
        if (rule === "first" || (vSwitch?.availableIpAddressCount ?? 0) > 0) return { chosen: id };
    }
    return {
        problem:
            `none of the vSwitches ${candidates.join(", ")} has a free address for its internal load balancer. ` +
            "Remedy: free addresses, add a vSwitch to the cluster's `vswitches`, or name one with vswitch-id.",
    };
}
