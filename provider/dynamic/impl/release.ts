/**
 * Switches deletion protection off, just before an instance is deleted.
 *
 * Protection guards against the console and other tools; deleting the Service still deletes its instance ("Configure CLB using annotations", deletion protection).
 * The alicloud plugin deletes without switching it off first, which the cloud refuses. This resource hangs on the instance, so it goes first.
 */
import { createCloud, describeLoadBalancer, setDeleteProtection } from "../../cloud";
import { plain } from "./values";

/** Inputs of a release. */
export interface ReleaseInputs {
    readonly loadBalancerId: string;
    readonly region?: string;
}

/** Nothing is to be done while the instance lives. */
export async function create(inputs: ReleaseInputs): Promise<{ id: string; outs: ReleaseInputs }> {
    return { id: inputs.loadBalancerId, outs: plain(inputs) };
}

/** Still nothing; a new instance is a replacement. */
export async function update(_id: string, _olds: ReleaseInputs, news: ReleaseInputs): Promise<{ outs: ReleaseInputs }> {
    return { outs: plain(news) };
}

/** Protection off, if the instance is still there and has it on. */
async function remove(_id: string, props: ReleaseInputs): Promise<void> {
    const cloud = createCloud(props.region === undefined ? {} : { region: props.region });
    const instance = await describeLoadBalancer(cloud, props.loadBalancerId);
    if (instance?.deleteProtection === "on") {
        await setDeleteProtection(cloud, props.loadBalancerId, "off");
    }
}
export { remove as delete };
