import * as pulumi from "@pulumi/pulumi";

/** Arguments of {@link ServerGroupOptions}. */
export interface ServerGroupOptionsArgs {
    /** Id of the NLB server group. */
    readonly serverGroupId: pulumi.Input<string>;
    /** Attributes in the names of the NLB API: `ConnectionDrainTimeout`, `IpVersionAffinityMode`. */
    readonly options: Readonly<Record<string, string>>;
    /** Region of the group. Default: from the environment. */
    readonly region?: string;
}

const provider: pulumi.dynamic.ResourceProvider = {
    create: async (inputs) => require("ack-loadbalancer/dynamic/servergroup").create(inputs),
    read: async (id, props) => require("ack-loadbalancer/dynamic/servergroup").read(id, props),
    update: async (id, olds, news) => require("ack-loadbalancer/dynamic/servergroup").update(id, olds, news),
};

/** Attributes of an NLB server group that the alicloud plugin cannot say, or not in their whole range. */
export class ServerGroupOptions extends pulumi.dynamic.Resource {
    constructor(name: string, args: ServerGroupOptionsArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            provider,
            name,
            { ...args },
            { ...opts, replaceOnChanges: ["serverGroupId", ...(opts?.replaceOnChanges ?? [])] },
            "ack-loadbalancer",
            "ServerGroupOptions",
        );
    }
}
