/**
 * Keeps an instance active while it is used, and releases it just before it is deleted or preserved. The resource
 * depends on the instance, so it is deleted first.
 *
 * Without it each call of the alicloud plugin would need another call for the status. The plugin deletes without
 * switching the protection off, which the cloud refuses; the protection guards against the console and other tools
 * only. A preserved instance loses its protections and ownership marks: it can be changed and reused.
 * Source: "Configure CLB using annotations", deletion protection, preserving the instance.
 */
import * as clb from "../../clb/load-balancer";
import type { Cloud } from "../../cloud";
import * as nlb from "../../nlb";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { CLUSTER_TAG, OWNER_TAG } from "../../schema/names";
import { managing, openPlace, type Place } from "./handler";

interface ReleaseInputs extends Place {
    readonly loadBalancerId: string;
    /** Default `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    /** NLB server groups that stay with their instance. Default none. */
    readonly serverGroupIds?: readonly string[];
    /** The instance stays when the Service is deleted. Default false. */
    readonly preserve?: boolean;
    /** Protections that are switched off; for the preview only. */
    readonly switchesOff?: readonly string[];
    /** Status of a CLB. Default: active. */
    readonly status?: string;
}

const { create, update, read, remove } = managing<ReleaseInputs>({
    /** Records the instance: a new one is active. */
    create: ({ loadBalancerId }) => Promise.resolve({ id: loadBalancerId }),
    update: async (olds, news) => {
        if (olds.status === "inactive") await clb.activateLoadBalancer(openPlace(news), news.loadBalancerId);
    },
    /** Reads the status of a CLB. An NLB cannot be switched off. */
    read: async (props) => {
        if (props.loadBalancerType === "nlb") return {};
        const instance = await clb.describeLoadBalancer(openPlace(props), props.loadBalancerId);
        return instance && { status: instance.status };
    },
    /** Switches the protection off, if the instance exists. Removes the ownership marks of a preserved one. */
    delete: (props) =>
        props.loadBalancerType === "nlb" ? releaseNlb(openPlace(props), props) : releaseClb(openPlace(props), props),
});
export { create, update, read, remove as delete };

const MARKS = [OWNER_TAG, CLUSTER_TAG];

async function releaseClb(cloud: Cloud, { loadBalancerId, preserve }: ReleaseInputs): Promise<void> {
    const instance = await clb.describeLoadBalancer(cloud, loadBalancerId);
    if (instance?.deleteProtection === "on") await clb.setDeleteProtection(cloud, loadBalancerId, "off");
    if (instance === undefined || !preserve) return;
    if (instance.modificationProtection === "ConsoleProtection")
        await clb.setModificationProtection(cloud, loadBalancerId, "NonProtection");
    const tags = await clb.listTags(cloud, loadBalancerId);
    const marks = MARKS.filter((key) => key in tags);
    await clb.removeTags(cloud, loadBalancerId, marks);
}

/** Server groups of a preserved NLB lose their marks too, and stay with their servers. */
async function releaseNlb(
    cloud: Cloud,
    { loadBalancerId, preserve = false, serverGroupIds = [] }: ReleaseInputs,
): Promise<void> {
    const instance = await nlb.getNlbLoadBalancer(cloud, loadBalancerId);
    if (instance === undefined) return;
    const modification = preserve && instance.modificationProtection === "ConsoleProtection";
    if (instance.deleteProtection || modification)
        await nlb.setProtection(cloud, loadBalancerId, {
            ...(instance.deleteProtection ? { deletion: false } : {}),
            ...(modification ? { modification: "NonProtection" } : {}),
        });
    if (!preserve) return;
    const marks = MARKS.filter((key) => key in instance.tags);
    await nlb.removeNlbTags(cloud, "loadbalancer", [loadBalancerId], marks);
    await nlb.removeNlbTags(cloud, "servergroup", serverGroupIds, MARKS);
}
