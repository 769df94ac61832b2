/**
 * The vSwitch of an internal instance whose Service may name none.
 *
 * Source: "Configure CLB using annotations", internal CLB: CCM before v2.13.0 takes the first vSwitch of the cluster's control plane, later ones take an available one.
 */
import { createCloud, describeVSwitch } from "../../cloud";
import { type CheckResult, isUnknown } from "./values";

/** Inputs of the choice. */
export interface VSwitchInputs {
    /** `namespace/name`. */
    readonly service: string;
    readonly named?: string;
    readonly candidates: readonly string[];
    readonly rule: "first" | "available";
    /** Written by {@link check}: what was chosen, now or long ago. */
    readonly chosen?: string;
    readonly region?: string;
}

/** Chooses once. What was chosen stays, also when the candidates change, or when the Service no longer names it: an instance cannot move. */
export async function check(olds: Partial<VSwitchInputs>, news: VSwitchInputs): Promise<CheckResult<VSwitchInputs>> {
    const established = isUnknown(olds.chosen) ? undefined : olds.chosen;
    const chosen = news.named ?? established ?? (await choose(news));
    if (chosen !== undefined) {
        return { inputs: { ...news, chosen }, failures: [] };
    }
    const reason =
        `Service ${news.service}: none of the vSwitches ${news.candidates.join(", ")} has a free address for its internal load balancer. ` +
        "Remedy: free addresses, add a vSwitch to the cluster's `vswitches`, or name one with vswitch-id.";
    return { inputs: news, failures: [{ property: "", reason }] };
}

async function choose(inputs: VSwitchInputs): Promise<string | undefined> {
    if (inputs.rule === "first") {
        return inputs.candidates[0];
    }
    const cloud = createCloud(inputs.region === undefined ? {} : { region: inputs.region });
    for (const id of inputs.candidates) {
        const vSwitch = await describeVSwitch(cloud, id);
        if (vSwitch !== undefined && (vSwitch.availableIpAddressCount ?? 0) > 0) {
            return id;
        }
    }
    return undefined;
}

/** Records the choice. */
export async function create(inputs: VSwitchInputs): Promise<{ id: string; outs: VSwitchInputs }> {
    return { id: inputs.service, outs: inputs };
}

/** Records the choice as it is now. */
export async function update(_id: string, _olds: VSwitchInputs, news: VSwitchInputs): Promise<{ outs: VSwitchInputs }> {
    return { outs: news };
}
