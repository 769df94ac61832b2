/**
 * An instance of somebody else, as far as one Service uses it: the attributes and tags that the Service states, and its leaving.
 *
 * The alicloud plugin would own the instance: delete it with the stack, and set whatever the Service does not state.
 */
import { changeTags, type FormerTags, leaveInstance, setAttributes } from "../../apply/tenancy";
import { type Cloud, createCloud, describeLoadBalancer, listTags } from "../../cloud";
import type { InstanceAttributes } from "../../model/instance";
import { plain } from "./values";

/** Inputs of a reused instance. */
export interface ReusedInputs {
    readonly loadBalancerId: string;
    /** Address of the instance; it never changes. */
    readonly address: string;
    /** Any ownership key of the Service: what bears it goes when the Service leaves. */
    readonly owner: string;
    readonly attributes: InstanceAttributes;
    readonly tags: Readonly<Record<string, string>>;
    readonly region?: string;
}

/** What is kept beside the inputs. */
export interface ReusedOutputs extends ReusedInputs {
    /** Values that the tags had before. */
    readonly former: FormerTags;
}

/** Sets what differs. */
export async function create(inputs: ReusedInputs): Promise<{ id: string; outs: ReusedOutputs }> {
    const cloud = connect(inputs);
    const actual = await readAttributes(cloud, inputs);
    if (actual === undefined) {
        throw new Error(`there is no load balancer ${inputs.loadBalancerId}, so the Service cannot use it. Remedy: correct alibaba-cloud-loadbalancer-id, or create the instance.`);
    }
    await setAttributes(cloud, inputs.loadBalancerId, changed(actual, inputs.attributes));
    const former = await changeTags(cloud, inputs.loadBalancerId, {}, inputs.tags, {});
    return { id: inputs.loadBalancerId, outs: plain({ ...inputs, former }) };
}

/** Sets what the Service states differently now. What it no longer states stays as it is; tags go back to what they were. */
export async function update(_id: string, olds: ReusedOutputs, news: ReusedInputs): Promise<{ outs: ReusedOutputs }> {
    const cloud = connect(news);
    await setAttributes(cloud, news.loadBalancerId, changed(olds.attributes, news.attributes));
    const former = await changeTags(cloud, news.loadBalancerId, olds.tags, news.tags, olds.former);
    return { outs: plain({ ...news, former }) };
}

/** Attributes and tags as they are, as far as the Service states them. */
export async function read(id: string, props: ReusedOutputs): Promise<{ id?: string; props?: ReusedOutputs; inputs?: ReusedInputs }> {
    const cloud = connect(props);
    const attributes = await readAttributes(cloud, props);
    if (attributes === undefined) {
        return {};
    }
    const actual = await listTags(cloud, "instance", id);
    const tags = Object.fromEntries(Object.keys(props.tags).flatMap((key) => (actual[key] === undefined ? [] : [[key, actual[key]]])));
    const { former, ...inputs } = { ...props, attributes, tags };
    return { id, props: plain({ ...inputs, former }), inputs: plain(inputs) };
}

/** Takes the Service's listeners, groups and tags off the instance, which stays. */
async function remove(_id: string, props: ReusedOutputs): Promise<void> {
    await leaveInstance(connect(props), props);
}
export { remove as delete };

/** The attributes that the Service states, as they are; undefined if the instance is gone. */
async function readAttributes(cloud: Cloud, { loadBalancerId, attributes }: ReusedInputs): Promise<InstanceAttributes | undefined> {
    const found = await describeLoadBalancer(cloud, loadBalancerId);
    if (found === undefined) {
        return undefined;
    }
    const actual: Record<string, unknown> = { ...found, modificationProtection: found.modificationProtectionStatus };
    return Object.fromEntries(Object.entries(attributes).map(([name, stated]) => [name, sameText(actual[name], stated) ? stated : actual[name]]));
}

function changed(before: InstanceAttributes, after: InstanceAttributes): InstanceAttributes {
    return Object.fromEntries(Object.entries(after).filter(([name, value]) => !sameText(before[name as keyof InstanceAttributes], value)));
}

/** The cloud writes some words in lower case that it takes in any. */
function sameText(one: unknown, other: unknown): boolean {
    return String(one ?? "").toLowerCase() === String(other ?? "").toLowerCase();
}

function connect(inputs: ReusedInputs): Cloud {
    return createCloud(inputs.region === undefined ? {} : { region: inputs.region });
}
