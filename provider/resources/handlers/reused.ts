/**
 * Part of a user-managed instance that one Service uses: the attributes and tags that the Service sets.
 *
 * The alicloud plugin would own the instance: it would delete it with the stack, and set all other attributes.
 */
import { isDeepStrictEqual } from "node:util";
import { type InstanceApi, instancesOf } from "../../plan/reuse/instances";
import type { ReusedAttributes } from "../../service/reuse";
import { type FormerTags, onlyRequested } from "../../plan/reuse/changes";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { Tags } from "../../cloud";
import { detachService, updateTags } from "../tenancy";
import { managing, openPlace, type Place } from "./handler";

interface ReusedInputs extends Place {
    readonly loadBalancerId: string;
    /** Default `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    /** Address of the instance, or its DNS name; it never changes. */
    readonly address: string;
    /** Any ownership key of the Service. Objects with it are removed with the Service. */
    readonly owner: string;
    /** Attributes of the instance that the Service sets. */
    readonly attributes: ReusedAttributes;
    /** Tags that the Service sets; others stay. */
    readonly tags: Readonly<Record<string, string>>;
    /** Tags before an earlier run set them, if recorded. Default: as observed when they are set. */
    readonly recordedTags?: FormerTags;
}

interface ReusedComputed {
    readonly former: Tags;
}

const { create, update, read, remove } = managing<ReusedInputs, ReusedComputed>(
    {
        /** Sets the difference, once the instance can be changed. */
        create: async (inputs) => {
            const api = connect(inputs);
            const { loadBalancerId: id, attributes, tags, recordedTags } = inputs;
            await setAttributes(api, id, attributes);
            return { id, former: await updateTags(api, id, {}, tags, {}, recordedTags) };
        },
        /** Sets changed attributes. Those that are no longer set stay; tags go back to their former values. */
        update: async (olds, news) => {
            const api = connect(news);
            const { loadBalancerId: id, tags, recordedTags } = news;
            const specified = changed(olds.attributes, news.attributes);
            if (Object.keys(specified).length > 0) await setAttributes(api, id, specified);
            return { former: await updateTags(api, id, olds.tags, tags, olds.former, recordedTags) };
        },
        read: async (props) => {
            const api = connect(props);
            const found = await api.describe(props.loadBalancerId);
            if (found === undefined) return undefined;
            const actual = found.tags ?? (await api.listTags(props.loadBalancerId));
            const tags = Object.entries(actual).filter(([key]) => key in props.tags);
            return { attributes: onlyRequested(props.attributes, found), tags: Object.fromEntries(tags) };
        },
        /** Removes the Service's listeners, groups and tags from the instance, which stays. */
        delete: (props) => detachService(connect(props), props),
    },
    ["former"],
);
export { create, update, read, remove as delete };

/** Reads first: an attribute may have its value already. */
async function setAttributes(api: InstanceApi, id: string, attributes: ReusedAttributes): Promise<void> {
    const actual = await api.describe(id);
    if (actual === undefined)
        throw new Error(
            `there is no load balancer ${id}, so the Service cannot use it. Remedy: correct ` +
                "alibaba-cloud-loadbalancer-id, or create the instance.",
        );
    await api.awaitReady(actual);
    await api.setAttributes(id, changed(onlyRequested(attributes, actual), attributes));
}

function changed(before: ReusedAttributes, after: ReusedAttributes): ReusedAttributes {
    const isChanged = ([name, value]: [string, unknown]): boolean =>
        !isDeepStrictEqual(before[name as keyof ReusedAttributes], value);
    return Object.fromEntries(Object.entries(after).filter(isChanged));
}

const connect = (inputs: ReusedInputs): InstanceApi => instancesOf(openPlace(inputs), inputs.loadBalancerType);
