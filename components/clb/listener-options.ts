import { createHash } from "node:crypto";
import type * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { listenerOptions, optionDefaults } from "../../provider/service/annotations";
import { ListenerOptions } from "../../provider/resources";
import { type ClbListener, isLayer4 } from "../../provider/clb/listener";
import { type Context, childName, accountArgs } from "../service/context";
import { noteCheckPort } from "../service/hooks";
import type { InstanceHandle } from "../service/resources";
import { defined } from "../../provider/schema/defined";

/**
 * Default host of a health check: the backend's own address. Source: SLB API, CreateLoadBalancerHTTPListener,
 * HealthCheckDomain.
 */
const OWN_ADDRESS = "$_ip";

/**
 * Defaults of the cloud, restored when an option is removed. Draining has no default time: switching it off is
 * enough.
 */
export const OPTION_DEFAULTS: Readonly<Record<string, string>> = {
    HealthCheckSwitch: "on",
    HealthCheckDomain: OWN_ADDRESS,
    HealthCheckMethod: "head",
    ConnectionDrain: "off",
    ...optionDefaults("clb"),
};

/**
 * Attributes that the plugin's listener must leave to {@link createListenerOptions}.
 *
 * The plugin can set a health check domain and port, but cannot remove them or set them to the backend's own.
 */
export const LEFT_TO_OPTIONS: readonly string[] = ["healthCheckDomain", "healthCheckConnectPort"];

/**
 * Listener attributes that the plugin cannot set, by the API's names. Includes defaults: an edit in the console shows
 * as drift.
 */
export function ownListenerOptions(model: Omit<ClbListener, "key" | "serverGroup">): Record<string, string> {
    const { healthCheck, drainTimeout } = model;
    const layer4 = isLayer4(model);
    return {
        ...(layer4
            ? {
                  HealthCheckSwitch: healthCheck.enabled ? "on" : "off",
                  ConnectionDrain: drainTimeout === undefined ? "off" : "on",
              }
            : {}),
        ...defined({ ConnectionDrainTimeout: drainTimeout?.toString() }),
        ...(layer4 && healthCheck.method !== undefined ? { HealthCheckMethod: healthCheck.method } : {}),
        ...(healthCheck.enabled && healthCheck.type === "http"
            ? { HealthCheckDomain: healthCheck.domain ?? OWN_ADDRESS }
            : {}),
        ...listenerOptions("clb", model.attributes),
    };
}

/** Sets what the plugin cannot: the options, and that the listener takes traffic. */
export function createListenerOptions(
    context: Context,
    instance: InstanceHandle,
    model: ClbListener,
    listener: slb.Listener,
    references: readonly pulumi.Input<unknown>[],
): ListenerOptions {
    const options = ownListenerOptions(model);
    const name = childName(context, model.key);
    if (options["HealthCheckConnectPort"] !== undefined) noteCheckPort(name, options["HealthCheckConnectPort"]);
    return new ListenerOptions(
        name,
        {
            loadBalancerId: instance.id,
            port: model.port,
            protocol: model.protocol,
            options,
            defaults: OPTION_DEFAULTS,
            status: "running",
            revision: isRepeated(options) ? revision(model, references) : undefined,
            ...accountArgs(context),
        },
        {
            parent: context.parent,
            dependsOn: listener,
            deletedWith: listener,
            // A replaced listener keeps its id, so nothing else shows that its options are lost. Defaults return by
            // themselves, and a record with replaceWith cannot be moved between stacks (pulumi state move does not
            // rewrite it).
            replaceWith: isDefault(options) ? undefined : [listener],
        },
    );
}

/** True if a new listener has all of the options without being told. */
function isDefault(options: Readonly<Record<string, string>>): boolean {
    return Object.entries(options).every(([name, value]) => OPTION_DEFAULTS[name] === value);
}

/** True if the plugin may overwrite one of the options with the value it read last. */
function isRepeated({ HealthCheckDomain, HealthCheckConnectPort }: Readonly<Record<string, string>>): boolean {
    const isOwnPort =
        HealthCheckConnectPort === undefined || HealthCheckConnectPort === OPTION_DEFAULTS["HealthCheckConnectPort"];
    return HealthCheckDomain !== undefined || !isOwnPort;
}

/**
 * Revision that changes whenever the plugin writes the listener: each write repeats the domain it read last, perhaps
 * an old one.
 */
function revision(model: ClbListener, references: readonly pulumi.Input<unknown>[]): pulumi.Output<string> {
    return pulumi.all([...references]).apply((known) =>
        createHash("sha256")
            .update(JSON.stringify([model, known]))
            .digest("hex")
            .slice(0, 12),
    );
}
