/**
 * Keeps a CLB active while it is used, and deletes or preserves it. The resource depends on the instance, so it is
 * deleted first.
 *
 * Without it each call of the alicloud plugin would need another call for the status. The plugin deletes without
 * switching the protection off, which the cloud refuses. The protection guards against the console and other tools
 * only. The engine deletes the plugin's resource with its remnant, without a call. A preserved instance loses its
 * protections and ownership marks: it can be changed and reused. Source: "Configure CLB using annotations", deletion
 * protection, preserving the instance.
 */
import * as clb from "../../clb/load-balancer";
import { listTags, removeTags } from "../../clb/tags";
import type { Cloud } from "../../cloud";
import { CLUSTER_TAG, OWNER_TAG } from "../../schema/names";
import { managing, openPlace, type Place } from "./handler";

/** Instance of either type that is released. */
export interface Released extends Place {
    readonly loadBalancerId: string;
    /** The instance stays when the Service is deleted. Default false. */
    readonly preserve?: boolean;
    /** Protections that are switched off, for the preview only. */
    readonly switchesOff?: readonly string[];
}

interface ReleaseInputs extends Released {
    /** Status of the instance: active. */
    readonly status: string;
}

const { create, update, read, remove } = managing<ReleaseInputs>({
    /** Records the instance. A new instance is active. */
    create: ({ loadBalancerId }) => Promise.resolve({ id: loadBalancerId }),
    update: async (olds, news) => {
        if (olds.status === "inactive") await clb.activateLoadBalancer(openPlace(news), news.loadBalancerId);
    },
    read: async (props) => {
        const instance = await clb.describeLoadBalancer(openPlace(props), props.loadBalancerId);
        return instance && { status: instance.status };
    },
    /** Deletes the instance, if it exists, or removes protections and ownership marks of a preserved instance. */
    delete: (props) => release(openPlace(props), props),
});
export { create, update, read, remove as delete };

async function release(cloud: Cloud, { loadBalancerId, preserve }: ReleaseInputs): Promise<void> {
    const instance = await clb.describeLoadBalancer(cloud, loadBalancerId);
    if (instance === undefined) return;
    if (instance.deleteProtection === "on") await clb.setDeleteProtection(cloud, loadBalancerId, "off");
    if (!preserve) return clb.deleteLoadBalancer(cloud, loadBalancerId);
    if (instance.modificationProtection === "ConsoleProtection")
        await clb.setModificationProtection(cloud, loadBalancerId, "NonProtection");
    const tags = await listTags(cloud, loadBalancerId);
    const marks = [OWNER_TAG, CLUSTER_TAG].filter((key) => key in tags);
    await removeTags(cloud, loadBalancerId, marks);
}
