import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import type { LoadBalancerRelease } from "../../provider/resources";
import type { ClbLoadBalancer } from "../../provider/model/clb";

/** A load balancer that a program makes for several Services, as far as one of them uses it. */
export interface SharedInstance {
    /** Name that tells it from others of the program. */
    readonly name: string;
    readonly model: ClbLoadBalancer;
    readonly loadBalancer: slb.ApplicationLoadBalancer;
    readonly release: LoadBalancerRelease;
    readonly address: pulumi.Output<string>;
}

/** What a shared instance is called where an existing one has its id. Its own id would change with it, and be known too late. */
export function sharedName({ name }: Pick<SharedInstance, "name">): string {
    return `shared:${name}`;
}
