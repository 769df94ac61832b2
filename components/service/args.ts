/** Arguments that describe a Service. */
import type * as pulumi from "@pulumi/pulumi";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import type { Settings } from "../../provider/schema/settings";
import { ANY } from "../../provider/service/annotations/unknown-names";
import { SERVICE_FIELDS } from "../../provider/service/fields";
import { anyOf, type NamesOf } from "../run/arguments";

/** Port of a {@link ServiceArgs}. */
export interface ServicePortArgs {
    readonly name?: string;
    readonly port: number;
    /** Default TCP. */
    readonly protocol?: "TCP" | "UDP";
    /** Default: `port`. */
    readonly targetPort?: number | string;
    /** Default: chosen by the cluster. */
    readonly nodePort?: number;
}

/** Service described in code instead of YAML. */
export interface ServiceArgs {
    /** Default "default". May be the name of a Namespace of the same program. */
    readonly namespace?: pulumi.Input<string>;
    readonly name: pulumi.Input<string>;
    /** Default none. */
    readonly labels?: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
    /** Labels of the pods. If they come from a Deployment of the same program, the run waits for its pods. */
    readonly selector: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
    readonly ports: readonly ServicePortArgs[];
    /** Default "Cluster". */
    readonly externalTrafficPolicy?: "Cluster" | "Local";
}

/** Settings that refer to other resources and may be their outputs. */
export interface ReferenceArgs {
    /** vSwitch of an internal instance. Same as the annotation vswitch-id. */
    readonly vswitchId?: pulumi.Input<string>;
    /** Certificate of the HTTPS listeners. Same as the annotation cert-id. */
    readonly certId?: pulumi.Input<string>;
    /** Access control list of the listeners. Same as the annotation acl-id. */
    readonly aclId?: pulumi.Input<string>;
    /** vSwitches of an NLB by zone id. Same as the annotation zone-maps. */
    readonly zoneVswitches?: Readonly<Record<string, pulumi.Input<string>>>;
    /** Security groups of an NLB. Same as the annotation security-group-ids. */
    readonly securityGroupIds?: readonly pulumi.Input<string>[];
    /** Internet Shared Bandwidth package of an NLB. Same as the annotation bandwidth-package-id. */
    readonly bandwidthPackageId?: pulumi.Input<string>;
    /** Resource group of the instance. Same as the annotation resource-group-id. */
    readonly resourceGroupId?: pulumi.Input<string>;
}

/**
 * Source of a Service: YAML text, an object (or a document that `readManifests` has read), or a description in code.
 *
 * In an object, `metadata.namespace`, `metadata.name`, `metadata.labels` and `spec.selector` may be Outputs.
 */
export interface ServiceSource {
    /** Service as YAML text or as an object. */
    readonly manifest?: string | object;
    /** Service described in code, instead of a manifest. */
    readonly service?: ServiceArgs;
    /** Same as annotations, which they must not contradict. */
    readonly settings?: Settings;
    /** Default: according to `spec.loadBalancerClass`, which it must not contradict. Without a class it is `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    /** Settings that refer to other resources. */
    readonly references?: ReferenceArgs;
}

/** Names in a {@link ServiceArgs}: any field of a Kubernetes Service spec is accepted. */
export const SERVICE_NAMES = { namespace: ANY, name: ANY, labels: ANY, ...SERVICE_FIELDS.spec };

export const REFERENCE_NAMES: NamesOf<ReferenceArgs> = {
    ...anyOf("vswitchId", "certId", "aclId", "resourceGroupId"),
    ...anyOf("zoneVswitches", "securityGroupIds", "bandwidthPackageId"),
};
