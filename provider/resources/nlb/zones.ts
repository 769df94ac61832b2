import * as pulumi from "@pulumi/pulumi";
import { delegate } from "../delegate";
import type { AccountReference } from "../../deploy/handlers/place";

/** Where an NLB stands in one zone. */
export interface ZoneArgs {
    readonly vswitchId: pulumi.Input<string>;
    /** Address of the vSwitch; absent: the cloud chooses. */
    readonly privateIpv4?: string;
    /** Elastic IP address; absent: the cloud allocates one where the load balancer is public. */
    readonly allocationId?: string;
}

/** Arguments of {@link LoadBalancerZones}. */
export interface LoadBalancerZonesArgs {
    readonly loadBalancerId: pulumi.Input<string>;
    /** The zones, by zone id. A map, so that a change reads as one line. */
    readonly zones: Readonly<Record<string, ZoneArgs>>;
    /** Changes with the addresses that the load balancer has: elastic ones are bound when it becomes public. */
    readonly addressType: string;
    /** This run is a preview: the cloud is asked whether it would make the change. Default false. */
    readonly preview?: boolean;
    /** Region of the instance. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("nlb/zones", { check: true, create: true, read: true, update: true });

/** Zones of a living NLB with their vSwitches and addresses. The alicloud plugin sees nothing that changes inside one. */
export class LoadBalancerZones extends pulumi.dynamic.Resource {
    constructor(name: string, args: LoadBalancerZonesArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            provider,
            name,
            { ...args },
            { ...opts, replaceOnChanges: ["loadBalancerId", ...(opts?.replaceOnChanges ?? [])] },
            "ack-loadbalancer",
            "LoadBalancerZones",
        );
    }
}
