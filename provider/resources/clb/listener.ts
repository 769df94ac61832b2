import * as pulumi from "@pulumi/pulumi";
import type { ClbProtocol } from "../../schema/protocols";
import { delegate } from "../delegate";
import type { AccountReference } from "../../deploy/handlers/place";

/** Arguments of {@link ListenerOptions}. */
export interface ListenerOptionsArgs {
    readonly loadBalancerId: pulumi.Input<string>;
    readonly port: number;
    readonly protocol: ClbProtocol;
    /** Attributes in the names of the SLB API, for example `HealthCheckSwitch`. */
    readonly options: Readonly<Record<string, string>>;
    /** Values to go back to when an attribute is no longer asked for. */
    readonly defaults: Readonly<Record<string, string>>;
    /** Whether the listener takes traffic, as the plugin lets it; one that was stopped is started again. */
    readonly status: "running";
    /** Changes with what the plugin writes of the listener, where that may overwrite an option: the options are then looked at again. Default: none. */
    readonly revision?: pulumi.Input<string>;
    /** Region of the instance. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("clb/listener", { create: true, read: true, update: true, delete: true });

/** Listener attributes that the alicloud plugin cannot say, or not take back, and that the listener takes traffic. It never touches one that the plugin manages. */
export class ListenerOptions extends pulumi.dynamic.Resource {
    constructor(name: string, args: ListenerOptionsArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            provider,
            name,
            { ...args },
            { ...opts, replaceOnChanges: ["loadBalancerId", "port", "protocol", ...(opts?.replaceOnChanges ?? [])] },
            "ack-loadbalancer",
            "ListenerOptions",
        );
    }
}
