/** The annotation that chooses between CLB and NLB, where `spec.loadBalancerClass` does not. */

import { oneOf } from "../codecs";
import { type Entry, undocumented } from "../row";

export const loadBalancerType: Entry<"type"> = {
    type: oneOf("clb", "nlb"),
    defaultNote: "as `spec.loadBalancerClass` says",
    since: "v2.5.0",
    onChange: "create-only",
    api: "which load balancer is made",
    noLegacyKey: true,
    doc: "The kind of load balancer. It must not contradict `spec.loadBalancerClass`. The Cloud Controller Manager regards it only with its feature gate LoadBalancerTypeAnnotation.",
    ...undocumented("type"),
};
