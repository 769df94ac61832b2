/**
 * Keeps an instance active while it is used, and lets it go: just before it is deleted, or just before it is left to itself.
 *
 * The alicloud plugin can say that an instance is active only at the cost of a call for each that it makes.
 * Protection guards against the console and other tools; deleting the Service still deletes its instance ("Configure CLB using annotations", deletion protection).
 * The alicloud plugin deletes without switching it off first, which the cloud refuses. An instance that is preserved loses its protections and the marks of its owner
 * (same document, preserving the instance), so that it can be changed and reused. This resource depends on the instance, so it is deleted first.
 */
import {
    activateLoadBalancer,
    type Cloud,
    describeLoadBalancer,
    listTags,
    nlb,
    removeTags,
    setDeleteProtection,
    setModificationProtection,
} from "../../alicloud";
import { CLUSTER_TAG, OWNER_TAG } from "../../model/names";
import { plain } from "./values";
import { type AccountReference, openPlace } from "./place";

/** Inputs of a release. */
export interface ReleaseInputs {
    readonly loadBalancerId: string;
    /** Default `clb`. */
    readonly loadBalancerType?: "clb" | "nlb";
    /** NLB server groups that stay with their instance. Default none. */
    readonly serverGroupIds?: readonly string[];
    /** The instance stays when the Service is deleted. Default false. */
    readonly preserve?: boolean;
    /** Named for the preview alone: what is switched off is what is on. */
    readonly switchesOff?: readonly string[];
    /** Status of a CLB. Default: active. */
    readonly status?: string;
    readonly region?: string;
    readonly account?: AccountReference;
}

/** An instance that was just made is active. */
export async function create(inputs: ReleaseInputs): Promise<{ id: string; outs: ReleaseInputs }> {
    return { id: inputs.loadBalancerId, outs: plain(inputs) };
}

/** Sets an instance that was switched off active again. A new instance is a replacement. */
export async function update(_id: string, olds: ReleaseInputs, news: ReleaseInputs): Promise<{ outs: ReleaseInputs }> {
    if (olds.status === "inactive") {
        await activateLoadBalancer(openPlace(news), news.loadBalancerId);
    }
    return { outs: plain(news) };
}

/** The status of a CLB as it is; gone with its instance. An NLB cannot be switched off. */
export async function read(
    id: string,
    props: ReleaseInputs,
): Promise<{ id?: string; props?: ReleaseInputs; inputs?: ReleaseInputs }> {
    if (props.loadBalancerType === "nlb") {
        return { id, props, inputs: props };
    }
    const instance = await describeLoadBalancer(openPlace(props), props.loadBalancerId);
    if (instance === undefined) {
        return {};
    }
    const found = plain({ ...props, status: instance.status });
    return { id, props: found, inputs: found };
}

/** Protection off, and the owner's marks too if the instance stays; nothing if it is gone. */
async function remove(_id: string, props: ReleaseInputs): Promise<void> {
    const cloud = openPlace(props);
    await (props.loadBalancerType === "nlb" ? releaseNlb : releaseClb)(cloud, props);
}
export { remove as delete };

async function releaseClb(cloud: Cloud, { loadBalancerId, preserve }: ReleaseInputs): Promise<void> {
    const instance = await describeLoadBalancer(cloud, loadBalancerId);
    if (instance === undefined) {
        return;
    }
    if (instance.deleteProtection === "on") {
        await setDeleteProtection(cloud, loadBalancerId, "off");
    }
    if (!preserve) {
        return;
    }
    if (instance.modificationProtectionStatus === "ConsoleProtection") {
        await setModificationProtection(cloud, loadBalancerId, "NonProtection");
    }
    const tags = await listTags(cloud, loadBalancerId);
    const marks = [OWNER_TAG, CLUSTER_TAG].filter((key) => key in tags);
    if (marks.length > 0) {
        await removeTags(cloud, loadBalancerId, marks);
    }
}

/** Server groups of a preserved NLB lose their marks too; they and their servers stay. */
async function releaseNlb(
    cloud: Cloud,
    { loadBalancerId, preserve = false, serverGroupIds = [] }: ReleaseInputs,
): Promise<void> {
    const instance = await nlb.getNlbLoadBalancer(cloud, loadBalancerId);
    if (instance === undefined) {
        return;
    }
    const modification = preserve && instance.modificationProtection;
    if (instance.deleteProtection || modification) {
        await nlb.setProtection(cloud, loadBalancerId, {
            ...(instance.deleteProtection ? { deletion: false } : {}),
            ...(modification ? { modification: "NonProtection" } : {}),
        });
    }
    if (!preserve) {
        return;
    }
    await nlb.removeNlbTags(
        cloud,
        "loadbalancer",
        [loadBalancerId],
        [OWNER_TAG, CLUSTER_TAG].filter((key) => key in instance.tags),
    );
    await nlb.removeNlbTags(cloud, "servergroup", serverGroupIds, [OWNER_TAG, CLUSTER_TAG]);
}
