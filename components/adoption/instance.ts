/** What the takeover of an instance has in common for both kinds of load balancer. */
import { defaultLoadBalancerName, OWNER_TAG } from "../../provider/model/names";
import type { ObservedLoadBalancer } from "../../provider/model/observed";
import { instanceChanges } from "../../provider/plan";
import { difference, type Difference } from "../../provider/plan/adoption";
import type { AdoptionSpec } from "./spec";

/** Tags that the cloud itself puts on things; the plugin does not show them. Source: Tag API, TagResources: keys must not start with these. */
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
        : [refused("load balancer", `tag ${OWNER_TAG}`, mark, expected)];
}

/** What the Service would change of a user-managed instance; whether it may use it at all is checked with every run. */
export function compareReuse({ reuse }: AdoptionSpec, observed: ObservedLoadBalancer): Difference[] {
    return (reuse === undefined ? [] : instanceChanges(reuse, observed)).map(({ what, before, after }) =>
        difference({
            verdict: "differs",
            object: "load balancer",
            attribute: what,
            observed: before === "" ? "-" : before,
            desired: after,
        }),
    );
}

/** The object is not there, and is created in the run that takes over. */
export function missing(object: string, desired = "will be created"): Difference {
    return difference({ verdict: "note", object, attribute: "", observed: "-", desired });
}

/** The object carries the Service's name and is no longer desired: nothing removes it after the takeover. */
export function unmanaged(object: string, attribute = ""): Difference {
    return difference({ verdict: "note", object, attribute, observed: "there", desired: "stays, unmanaged" });
}

/** The object is there and cannot become the Service's. */
export function refused(object: string, attribute: string, observed: string, desired: string): Difference {
    return difference({ verdict: "refused", object, attribute, observed, desired });
}
