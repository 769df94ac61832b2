import * as pulumi from "@pulumi/pulumi";
import type { FormerTags, ObservedService } from "../plan";
import type { ObservedLoadBalancer, ReuseRequest } from "../model/observed";
import type { RetakenService } from "../deploy/handlers/contract";
import type { RunOrigin } from "../deploy/identity";
import { delegate } from "./delegate";

/** Arguments of {@link ServiceContract}. */
export interface ServiceContractArgs {
    /** `namespace/name` of the Service. */
    readonly service: string;
    /** Whose settings these are, for people. Default: Service and its name. */
    readonly subject?: string;
    /** Create-only settings as the Service states them. */
    readonly requested: Readonly<Record<string, pulumi.Input<string>>>;
    /** What holds where the Service states nothing, from the creation of its instance on: it is no request, so that nothing is refused when it changes. Default: nothing. */
    readonly initial?: Readonly<Record<string, pulumi.Input<string>>>;
    /** The settings that ask for the value of a field of `requested`, where that is not the field alone. Default: each is asked for by its own name. */
    readonly askedBy?: Readonly<Record<string, readonly string[]>>;
    /** What can change only at the price of an outage, as the Service states it; policies compare it with what it was. Default: nothing is compared. */
    readonly disruptive?: Readonly<Record<string, string>>;
    /** What cannot work, with cause and remedy: the run is refused for it. Default nothing. */
    readonly problems?: pulumi.Input<readonly string[] | undefined>;
    /** The same for a Service that is new to the stack: one that the stack serves already is not refused for it. Default nothing. */
    readonly firstProblems?: pulumi.Input<readonly string[] | undefined>;
    /** Where the run reads and writes; what differs from the first run is refused. Default: nothing is compared. */
    readonly origin?: pulumi.Input<
        Omit<RunOrigin, "cluster"> & { readonly cluster?: pulumi.Input<RunOrigin["cluster"] | undefined> }
    >;
    /** Create-only settings that may change this time, at the price of a new instance. Default none. */
    readonly allowReplacement?: readonly string[];
    /** The Service as it is in the cluster. Default: it is not there yet, or nothing is known of it. */
    readonly live?: pulumi.Input<ObservedService | undefined>;
    /** A Service that is taken over, where the Cloud Controller Manager has taken it back since. Default: it has not. */
    readonly retaken?: pulumi.Input<RetakenService | undefined>;
    /** Whether the Service has an address, so that what it asked for is established. Default true. */
    readonly bound?: pulumi.Input<boolean>;
    /** An instance that is there already: what the Service wants of it, and what the cloud says of it. Default: the Service gets one of its own. */
    readonly reuse?: pulumi.Input<
        { readonly request: ReuseRequest; readonly found?: ObservedLoadBalancer } | undefined
    >;
}

const provider = delegate("contract", { check: true, diff: true, create: true, update: true });

/** Refuses, at preview, every change that the cloud cannot make to a living instance, and the use of an instance that must not be used. The other resources of a Service depend on it. */
export class ServiceContract extends pulumi.dynamic.Resource {
    /** Create-only settings as they are requested, with what holds from the creation of the instance on. */
    declare public readonly requested: pulumi.Output<Readonly<Record<string, string>>>;
    /** What the tags that the Service sets on a reused instance were before; undefined where there are none. */
    declare public readonly formerTags: pulumi.Output<FormerTags | undefined>;

    constructor(name: string, args: ServiceContractArgs, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { ...args, formerTags: undefined }, opts, "ack-loadbalancer", "ServiceContract");
    }
}
