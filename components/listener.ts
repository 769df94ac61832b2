import * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import { ListenerOptions, type ServerGroupBackends } from "../provider/dynamic";
import type { Listener } from "../provider/model/listener";
import { type Context, childName, regionArg } from "./context";
import { sweepHooks } from "./hooks";
import type { PlacedGroup } from "./servergroup";

/** Health check domain that means the backend's own address; the plugin refuses it although the API knows it. */
const OWN_ADDRESS = "$_ip";

/** Bandwidth of a listener: not limited beside the instance's. Source: SLB API, CreateLoadBalancerTCPListener. */
const UNLIMITED = -1;

/** A listener in the making: its model and its resource. */
export interface PlacedListener {
    readonly model: Listener;
    readonly resource: slb.Listener;
}

/** The listeners, by key. Each waits for the backends of its group, so that it never answers before someone can. */
export function createListeners(
    context: Context,
    loadBalancer: slb.ApplicationLoadBalancer,
    groups: Readonly<Record<string, PlacedGroup>>,
    backends: Readonly<Record<string, ServerGroupBackends>>,
): Record<string, PlacedListener> {
    return Object.fromEntries(
        context.desired.listeners.map((model) => {
            const resource = new slb.Listener(
                childName(context, model.key),
                { loadBalancerId: loadBalancer.id, serverGroupId: groups[model.serverGroup]?.resource.id, ...attributes(model) },
                { parent: context.parent, deletedWith: loadBalancer, ...listenerResourceOptions(context, model, backends[model.serverGroup]) },
            );
            return [model.key, { model, resource }];
        }),
    );
}

function listenerResourceOptions(context: Context, model: Listener, members: pulumi.Resource | undefined): pulumi.CustomResourceOptions {
    const binding = sweepHooks(context.region).listener;
    return {
        // The port is taken until the old listener is gone.
        deleteBeforeReplace: true,
        ...(members === undefined ? {} : { dependsOn: members }),
        ...(binding === undefined ? {} : { hooks: binding }),
        ...(model.healthCheck.domain === OWN_ADDRESS ? { ignoreChanges: ["healthCheckDomain"] } : {}),
    };
}

type Attributes = Omit<slb.ListenerArgs, "loadBalancerId" | "serverGroupId">;

function attributes(model: Listener): Attributes {
    const layer7 = model.protocol === "http" || model.protocol === "https";
    return {
        frontendPort: model.port,
        protocol: model.protocol,
        description: model.description,
        scheduler: model.scheduler,
        // The cloud gives http listeners no bandwidth of their own.
        ...(model.protocol === "http" ? {} : { bandwidth: UNLIMITED }),
        ...(layer7 ? { stickySession: "off", healthCheck: model.healthCheck.enabled ? "on" : "off" } : {}),
        ...(layer7 && !model.healthCheck.enabled ? {} : healthCheckAttributes(model)),
    };
}

function healthCheckAttributes(model: Listener): Partial<Attributes> {
    const check = model.healthCheck;
    return {
        healthCheckInterval: check.interval,
        healthCheckTimeout: check.timeout,
        healthyThreshold: check.healthyThreshold,
        unhealthyThreshold: check.unhealthyThreshold,
        ...(model.protocol === "tcp" ? { healthCheckType: check.type } : {}),
        ...(check.uri === undefined ? {} : { healthCheckUri: check.uri }),
        ...(check.httpCode === undefined ? {} : { healthCheckHttpCode: check.httpCode }),
        ...(check.domain === undefined || check.domain === OWN_ADDRESS ? {} : { healthCheckDomain: check.domain }),
        ...(check.method === undefined ? {} : { healthCheckMethod: check.method }),
    };
}

/** What the plugin cannot say of a listener, set beside it, by the listener's key. No resource where there is nothing to set. */
export function createListenerOptions(
    context: Context,
    loadBalancer: slb.ApplicationLoadBalancer,
    listeners: Readonly<Record<string, PlacedListener>>,
): Record<string, ListenerOptions> {
    return Object.fromEntries(
        Object.entries(listeners).flatMap(([key, { model, resource }]) => {
            const { options, defaults } = extraOptions(model);
            if (Object.keys(options).length === 0) {
                return [];
            }
            const extra = new ListenerOptions(
                childName(context, key),
                { loadBalancerId: loadBalancer.id, port: model.port, protocol: model.protocol, options, defaults, ...regionArg(context) },
                // A replaced listener keeps its id, so nothing else would tell that its options are gone.
                { parent: context.parent, dependsOn: resource, deletedWith: resource, replaceWith: [resource] },
            );
            return [[key, extra]];
        }),
    );
}

function extraOptions(model: Listener): { options: Record<string, string>; defaults: Record<string, string> } {
    const options: Record<string, string> = {};
    const layer4 = model.protocol === "tcp" || model.protocol === "udp";
    if (layer4 && !model.healthCheck.enabled) {
        options["HealthCheckSwitch"] = "off";
    }
    if (model.healthCheck.domain === OWN_ADDRESS) {
        options["HealthCheckDomain"] = OWN_ADDRESS;
    }
    return { options, defaults: { HealthCheckSwitch: "on", HealthCheckDomain: "" } };
}
