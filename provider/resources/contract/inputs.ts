/** Facts that a program gives to the contract of a Service, and what the contract records. */
import type { FormerTags } from "../../plan/reuse/changes";
import type { ObservedService } from "../../plan/controller";
import type * as identities from "../../plan/identity";
import type { ObservedLoadBalancer } from "../../plan/observed";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { ImmutableFields } from "../../schema/settings";
import type { ReuseRequest } from "../../service/reuse";
import type { RunOrigin } from "./origin";

/** Service managed again by another controller. */
export interface RetakenService {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly loadBalancerType: LoadBalancerType;
    /** Marks of the other controller, for people. */
    readonly marks: readonly string[];
}

export interface ContractInputs {
    /** `namespace/name`. */
    readonly service: string;
    /** Owner of the settings, for people. Default: the Service. */
    readonly subject?: string;
    /** Immutable settings requested by the Service. */
    readonly requested: ImmutableFields;
    /**
     * Values of settings the Service does not request, from the creation of its instance on. `check` adds them to
     * `requested` as they were established. Default none.
     */
    readonly initial?: ImmutableFields;
    /** Settings that request the value of a field of `requested`. If absent, the setting of the field's name. */
    readonly askedBy?: Readonly<Record<string, readonly string[]>>;
    /**
     * Immutable settings of the last successful run. `check` writes them, and policies compare them with
     * `requested`.
     */
    readonly established?: ImmutableFields;
    /** Settings whose change causes an outage. They are never refused. */
    readonly disruptive?: Readonly<Record<string, string>>;
    /** Disruptive settings of the last run, and the addresses of an NLB as it has them. `check` writes them. */
    readonly disruptiveBefore?: Readonly<Record<string, string>>;
    /** Problems found by the program. Never stored. */
    readonly problems?: readonly string[];
    /** Problems of a Service new to the stack. Never stored. */
    readonly firstProblems?: readonly string[];
    /** Cluster and account of the run. Never stored. */
    readonly origin?: RunOrigin;
    /** Cluster, account and region of the Service. Written by `check`. */
    readonly identity?: identities.StackIdentity;
    /** Former identity, if the run moves the Service on purpose. Written by `check`. */
    readonly movedFrom?: identities.StackIdentity;
    /** Settings whose change is allowed, with a new instance and address. */
    readonly allowReplacement?: readonly string[];
    /** True if the claim exists only to hand the Service back, by the deletion of the claim. Default false. */
    readonly handsBack?: boolean;
    /** Service in the cluster, absent if it does not exist or could not be read. */
    readonly live?: ObservedService;
    /** Claimed Service managed again by the Cloud Controller Manager. `check` keeps it if the stack has it. */
    readonly retaken?: RetakenService;
    /** True if the Service has, or once had, an address. Until then nothing is established. */
    readonly bound?: boolean;
    /** Mark of the instance made for the Service, by which it is found. Absent if unknown. Never stored. */
    readonly mark?: string;
    /** Request for a user-managed instance. `found` is absent if the instance does not exist. */
    readonly reuse?: { readonly request: ReuseRequest; readonly found?: ObservedLoadBalancer };
    /**
     * Former values of the tags set by the Service on that instance. `check` writes them before the tags are
     * set.
     */
    readonly formerTags?: FormerTags;
    /** Newest version of this package to run for the Service. Written by `check`. */
    readonly version?: string;
}
