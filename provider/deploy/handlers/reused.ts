/**
 * A user-managed instance, as far as one Service uses it: the attributes and tags that the Service states, and its request.
 *
 * The alicloud plugin would own the instance: delete it with the stack, and set whatever the Service does not state.
 */
import { isDeepStrictEqual } from "node:util";
import { type InstanceApi, instancesOf } from "../../alicloud/instances";
import { updateTags, type PreviousTags, detachService } from "../tenancy";
import type { ReusedAttributes } from "../../model/observed";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { type FormerTags, onlyRequested } from "../../plan";
import { type AccountReference, openPlace } from "./place";
import { plain } from "./values";

/** Inputs of a reused instance. */
export interface ReusedInputs {
    readonly loadBalancerId: string;
    /** Default `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    /** Address of the instance, or its DNS name; it never changes. */
    readonly address: string;
    /** Any ownership key of the Service: what carries it is removed when the Service is removed. */
    readonly owner: string;
    /** Attributes of the instance that the Service states. */
    readonly attributes: ReusedAttributes;
    /** Tags that the Service sets; others stay. */
    readonly tags: Readonly<Record<string, string>>;
    /** What tags were before, as far as that was recorded before they were set. Default: as they are when they are set. */
    readonly recordedTags?: FormerTags;
    readonly region?: string;
    readonly account?: AccountReference;
}

/** What is kept beside the inputs. */
export interface ReusedOutputs extends ReusedInputs {
    /** Values that the tags had before. */
    readonly former: PreviousTags;
}

/** Sets what differs, once the instance is there to be changed. */
export async function create(inputs: ReusedInputs): Promise<{ id: string; outs: ReusedOutputs }> {
    const api = connect(inputs);
    await setAttributes(api, inputs.loadBalancerId, inputs.attributes);
    const former = await updateTags(api, inputs.loadBalancerId, {}, inputs.tags, {}, inputs.recordedTags);
    return { id: inputs.loadBalancerId, outs: plain({ ...inputs, former }) };
}

/** Sets what the Service states differently now. What it no longer states stays as it is; tags go back to what they were. */
export async function update(_id: string, olds: ReusedOutputs, news: ReusedInputs): Promise<{ outs: ReusedOutputs }> {
    const api = connect(news);
    const specified = changed(olds.attributes, news.attributes);
    await (Object.keys(specified).length === 0 ? undefined : setAttributes(api, news.loadBalancerId, specified));
    const { loadBalancerId, tags, recordedTags } = news;
    const former = await updateTags(api, loadBalancerId, olds.tags, tags, olds.former, recordedTags);
    return { outs: plain({ ...news, former }) };
}

/** Reads first: what is specified for the first time may already have that value. */
async function setAttributes(api: InstanceApi, id: string, attributes: ReusedAttributes): Promise<void> {
    const actual = await api.describe(id);
    if (actual === undefined) {
        throw new Error(
            `there is no load balancer ${id}, so the Service cannot use it. Remedy: correct alibaba-cloud-loadbalancer-id, or create the instance.`,
        );
    }
    await api.awaitReady(actual);
    await api.setAttributes(id, changed(onlyRequested(attributes, actual), attributes));
}

/** Attributes and tags as they are, as far as the Service states them. */
export async function read(
    id: string,
    props: ReusedOutputs,
): Promise<{ id?: string; props?: ReusedOutputs; inputs?: ReusedInputs }> {
    const api = connect(props);
    const found = await api.describe(props.loadBalancerId);
    if (found === undefined) {
        return {};
    }
    const actual = found.tags ?? (await api.listTags(id));
    const tags = Object.fromEntries(
        Object.keys(props.tags).flatMap((key) => (actual[key] === undefined ? [] : [[key, actual[key]]])),
    );
    const { former, ...inputs } = { ...props, attributes: onlyRequested(props.attributes, found), tags };
    return { id, props: plain({ ...inputs, former }), inputs: plain(inputs) };
}

/** Takes the Service's listeners, groups and tags off the instance, which stays. */
async function remove(_id: string, props: ReusedOutputs): Promise<void> {
    await detachService(connect(props), props);
}
export { remove as delete };

/** Attributes whose specified value differs from the observed one. */
function changed(before: ReusedAttributes, after: ReusedAttributes): ReusedAttributes {
    return Object.fromEntries(
        Object.entries(after).filter(
            ([name, value]) => !isDeepStrictEqual(before[name as keyof ReusedAttributes], value),
        ),
    );
}

function connect(inputs: ReusedInputs): InstanceApi {
    return instancesOf(openPlace(inputs), inputs.loadBalancerType);
}
