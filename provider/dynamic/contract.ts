import * as pulumi from "@pulumi/pulumi";

/** Arguments of {@link ServiceContract}. */
export interface ServiceContractArgs {
    /** `namespace/name` of the Service. */
    readonly service: string;
    /** Create-only settings as the Service states them. */
    readonly requested: Readonly<Record<string, pulumi.Input<string>>>;
    /** What cannot work, with cause and remedy: the run is refused for it. Default nothing. */
    readonly problems?: pulumi.Input<readonly string[] | undefined>;
    /** Create-only settings that may change this time, at the price of a new instance. Default none. */
    readonly allowReplacement?: readonly string[];
}

const provider: pulumi.dynamic.ResourceProvider = {
    check: async (olds, news) => require("ack-loadbalancer/dynamic/contract").check(olds, news),
    diff: async (id, olds, news) => require("ack-loadbalancer/dynamic/contract").diff(id, olds, news),
    create: async (inputs) => require("ack-loadbalancer/dynamic/contract").create(inputs),
    update: async (id, olds, news) => require("ack-loadbalancer/dynamic/contract").update(id, olds, news),
};

/** Refuses, at preview, every change that the cloud cannot make to a living instance. The other resources of a Service depend on it. */
export class ServiceContract extends pulumi.dynamic.Resource {
    constructor(name: string, args: ServiceContractArgs, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { ...args }, opts, "ack-loadbalancer", "ServiceContract");
    }
}
