import * as pulumi from "@pulumi/pulumi";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import type { Backends } from "../../provider/schema/backend";
import { portText, sharePort } from "../../provider/schema/listener-address";
import { defaultLoadBalancerName, type Owner, OWNER_TAG, sameOwner } from "../../provider/schema/names";
import type { Adoption } from "../../provider/plan/adoption";
import type { ObservedLoadBalancer } from "../../provider/schema/observed";
import type { ReuseRequest } from "../../provider/service/reuse";
import { instanceChanges } from "../../provider/plan/reuse/changes";
import type { Attributes } from "../../provider/plan/diff";
import { type Difference, difference, differencesOf } from "../../provider/plan/adoption";
import type { ReferenceArgs } from "../service/args";

/** A server group as the Service specifies it. */
export interface DesiredGroup {
    readonly key: string;
    readonly name: string;
    /** Id of a user-managed group that the Service joins. */
    readonly joined?: string;
    /** Port of backends whose keys name none: the nodePort of a group of ECS instances, 0 for a range of ports. */
    readonly port?: number;
    /** The keys of addresses name no port either. */
    readonly addressesOnPort: boolean;
    readonly backends: Backends;
}

/** The desired load balancer, as far as it is known before anything is made. */
export interface AdoptionSpec<Desired extends ClbDesired | NlbDesired = ClbDesired | NlbDesired> {
    readonly desired: Desired;
    readonly references: ReferenceArgs;
    readonly uid: string;
    /** VPC of the cluster. Absent: not known. */
    readonly vpcId?: string;
    readonly owner: Owner;
    /** Any ownership key of the Service. */
    readonly mark: string;
    readonly groups: readonly DesiredGroup[];
    /** Request for a user-managed instance. Absent: the instance was created for the Service. */
    readonly reuse?: ReuseRequest;
    /** The resource group that the Service names; one of the whole cluster is for what is created from now on. */
    readonly resourceGroupId?: pulumi.Input<string>;
    /** True if a CLB keeps its charge, because no setting of the Service depends on it. Default false. */
    readonly keepsCharge?: boolean;
    readonly ignoreWeights: boolean;
    readonly allowEmpty: boolean;
}

/** Without what is known only once another resource is there. */
export function settledAttributes(attributes: Attributes): Attributes {
    return Object.fromEntries(
        Object.entries(attributes).filter(
            ([, value]) =>
                !pulumi.Output.isInstance(value) &&
                !(Array.isArray(value) && value.some((one) => pulumi.Output.isInstance(one))),
        ),
    );
}

/** Adoption of a Service, with all differences. */
export interface Comparison {
    readonly adoption: Adoption;
    readonly differences: readonly Difference[];
}

/**
 * Tags that the cloud sets itself; the plugin does not show them. Source: Tag API, TagResources: keys must not start
 * with these.
 */
const SYSTEM_TAG = /^(aliyun|acs:)/i;

/** Tags without those of the cloud itself. */
export function userTags(tags: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(tags).filter(([key]) => !SYSTEM_TAG.test(key)));
}

/** An instance that belongs to another Service is never taken over. */
export function compareInstanceIdentity({ uid }: AdoptionSpec, { tags }: ObservedLoadBalancer): Difference[] {
    const mark = tags[OWNER_TAG];
    const expected = defaultLoadBalancerName(uid);
    return mark === undefined || mark === expected
        ? []
        : [refusal("load balancer", `tag ${OWNER_TAG}`, mark, expected)];
}

/**
 * Returns the changes that the Service would make to a user-managed instance. Every run checks if it may use the
 * instance.
 */
export function compareReuse({ reuse }: AdoptionSpec, observed: ObservedLoadBalancer): Difference[] {
    return reuse === undefined ? [] : differencesOf("load balancer", instanceChanges(reuse, observed));
}

/** The object is not there, and is created in the run that takes over. */
export function missingObject(object: string, desired = "will be created", attribute = ""): Difference {
    return difference({ verdict: "note", object, attribute, observed: "-", desired });
}

/** The object carries the Service's name and is no longer desired: nothing removes it after the takeover. */
export function unmanagedObject(object: string, attribute = ""): Difference {
    return difference({ verdict: "note", object, attribute, observed: "there", desired: "stays, unmanaged" });
}

/** Makes a difference in the reason of a protection a note: the reason is for people. CCM writes others, or none. */
export const noteReason = (one: Difference): Difference =>
    one.attribute === "modificationProtectionReason" ? difference({ ...one, verdict: "note" }) : one;

/** Returns the listeners with the Service's mark on ports that it no longer has. */
export function spareListeners(
    { desired, mark }: AdoptionSpec,
    { listeners }: Pick<ObservedLoadBalancer, "listeners">,
): Difference[] {
    return listeners
        .filter(({ description }) => sameOwner(description, mark))
        .filter((listener) => !desired.listeners.some((model) => sharePort(model, listener)))
        .map((listener) => unmanagedObject(`listener ${listener.protocol}:${portText(listener)}`));
}

/** The object is there and cannot become the Service's. */
export function refusal(object: string, attribute: string, observed: string, desired: string): Difference {
    return difference({ verdict: "refused", object, attribute, observed, desired });
}
