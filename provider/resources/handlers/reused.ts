/**
 * Part of a user-managed instance that one Service uses: the attributes and tags that the Service sets.
 *
 * The alicloud plugin would own the instance: it would delete it with the stack, and set all other attributes.
 */
import { isDeepStrictEqual } from "node:util";
import { type InstanceApi, instancesOf } from "../../observe/instances";
import type { ReusedAttributes } from "../../schema/observed";
import { type FormerTags, onlyRequested } from "../../plan";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { detachService, type PreviousTags, updateTags } from "../tenancy";
import { type Create, type Delete, openPlace, type Place, plain, type ReadMethod, type Update } from "./handler";

export interface ReusedInputs extends Place {
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

export interface ReusedOutputs extends ReusedInputs {
    /** Former values of the tags. */
    readonly former: PreviousTags;
}

/** Sets the difference, once the instance can be changed. */
export const create: Create<ReusedInputs, ReusedOutputs> = async (inputs) => {
    const api = connect(inputs);
    const { loadBalancerId, attributes, tags, recordedTags } = inputs;
    await setAttributes(api, loadBalancerId, attributes);
    const former = await updateTags(api, loadBalancerId, {}, tags, {}, recordedTags);
    return { id: loadBalancerId, outs: plain({ ...inputs, former }) };
};

/** Sets changed attributes. Those that are no longer set stay; tags go back to their former values. */
export const update: Update<ReusedInputs, ReusedOutputs> = async (_id, olds, news) => {
    const api = connect(news);
    const { loadBalancerId, tags, recordedTags } = news;
    const specified = changed(olds.attributes, news.attributes);
    if (Object.keys(specified).length > 0) await setAttributes(api, loadBalancerId, specified);
    const former = await updateTags(api, loadBalancerId, olds.tags, tags, olds.former, recordedTags);
    return { outs: plain({ ...news, former }) };
};

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

/** Reads the attributes and tags that the Service sets. */
export const read: ReadMethod<ReusedInputs, ReusedOutputs> = async (id, props) => {
    const api = connect(props);
    const found = await api.describe(props.loadBalancerId);
    if (found === undefined) return {};
    const actual = found.tags ?? (await api.listTags(id));
    const tags = Object.fromEntries(
        Object.keys(props.tags).flatMap((key) => (actual[key] === undefined ? [] : [[key, actual[key]]])),
    );
    const { former, ...inputs } = { ...props, attributes: onlyRequested(props.attributes, found), tags };
    return { id, props: plain({ ...inputs, former }), inputs: plain(inputs) };
};

/** Removes the Service's listeners, groups and tags from the instance, which stays. */
const remove: Delete<ReusedOutputs> = async (_id, props) => {
    await detachService(connect(props), props);
};
export { remove as delete };

function changed(before: ReusedAttributes, after: ReusedAttributes): ReusedAttributes {
    const isChanged = ([name, value]: [string, unknown]): boolean =>
        !isDeepStrictEqual(before[name as keyof ReusedAttributes], value);
    return Object.fromEntries(Object.entries(after).filter(isChanged));
}

const connect = (inputs: ReusedInputs): InstanceApi => instancesOf(openPlace(inputs), inputs.loadBalancerType);
