import { CLB_PROTOCOLS, type ClbProtocol } from "../../schema/protocols";
import { list, number, object, oneOf, optional, readAnswer, requiredNumber, text } from "../http/answer";
import type { Cloud } from "../http/client";
import type { Json } from "../http/json";
import { isNotFound } from "../http/error";
import { tokenPages } from "../http/page";
import { defined } from "../../schema/defined";

/** Parameters of a listener by the API's own names: `HealthCheckInterval`, `XForwardedFor_proto`, … */
export type ListenerAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Attributes that the API reports under another name than the one they are set by. Source: SLB API, DescribeLoadBalancerTCPListenerAttribute. */
const REPORTED_AS: Readonly<Record<string, string>> = { HealthCheckSwitch: "HealthCheck" };

/** An attribute of an answer by the name that it is set by; empty if the cloud leaves it out. */
export function listenerSetting(listener: Readonly<Record<string, unknown>>, name: string): string {
    return String(listener[name] ?? listener[REPORTED_AS[name] ?? ""] ?? "");
}

/** The listener's attributes by the API's own names, or undefined if there is none (DescribeLoadBalancer…ListenerAttribute). */
export async function describeListener(
    cloud: Cloud,
    loadBalancerId: string,
    protocol: ClbProtocol,
    port: number,
): Promise<Json | undefined> {
    try {
        return await cloud.call("slb", `DescribeLoadBalancer${protocol.toUpperCase()}ListenerAttribute`, {
            LoadBalancerId: loadBalancerId,
            ListenerPort: port,
        });
    } catch (error) {
        if (isNotFound(error, "listener")) return undefined;
        throw error;
    }
}

/** A listener as the list of all shows it. */
export interface ListedListener {
    readonly protocol: ClbProtocol;
    readonly port: number;
    readonly description?: string;
    readonly serverGroupId?: string;
    /** Port of the HTTPS listener that it redirects to. */
    readonly forwardPort?: number;
}

/** Most listeners in one answer. */
const PAGE_SIZE = 100;

/** All listeners of a load balancer, or undefined if there is no such instance (DescribeLoadBalancerListeners, every page). */
export async function listListeners(cloud: Cloud, loadBalancerId: string): Promise<ListedListener[] | undefined> {
    const action = "DescribeLoadBalancerListeners";
    try {
        const pages = await tokenPages(action, (NextToken) =>
            cloud.call("slb", action, { LoadBalancerId: [loadBalancerId], MaxResults: PAGE_SIZE, NextToken }),
        );
        return pages.flatMap((page) => readAnswer(action, LISTENERS, page).Listeners ?? []).map(toListed);
    } catch (error) {
        if (isNotFound(error, "loadBalancer")) return undefined;
        throw error;
    }
}

const LISTENERS = object({
    Listeners: list(
        object({
            ListenerProtocol: oneOf(...CLB_PROTOCOLS),
            ListenerPort: requiredNumber,
            Description: text,
            VServerGroupId: text,
            HTTPListenerConfig: optional(object({ ListenerForward: text, ForwardPort: number })),
        }),
    ),
});

type Listed = NonNullable<ReturnType<typeof LISTENERS.parse>["Listeners"]>[number];

function toListed(item: Listed): ListedListener {
    const { ListenerProtocol, ListenerPort, Description, VServerGroupId, HTTPListenerConfig } = item;
    const forwardPort = HTTPListenerConfig?.ListenerForward === "on" ? HTTPListenerConfig.ForwardPort : undefined;
    return {
        protocol: ListenerProtocol,
        port: ListenerPort,
        ...defined({ description: Description, serverGroupId: VServerGroupId, forwardPort }),
    };
}

/** Changes attributes in place; those not given stay (SetLoadBalancer…ListenerAttribute). */
export async function setListener(
    cloud: Cloud,
    loadBalancerId: string,
    protocol: ClbProtocol,
    port: number,
    attributes: ListenerAttributes,
): Promise<void> {
    await cloud.call("slb", `SetLoadBalancer${protocol.toUpperCase()}ListenerAttribute`, {
        LoadBalancerId: loadBalancerId,
        ListenerPort: port,
        ...attributes,
    });
}

/** Lets a listener take traffic (StartLoadBalancerListener). */
export async function startListener(
    cloud: Cloud,
    loadBalancerId: string,
    protocol: ClbProtocol,
    port: number,
): Promise<void> {
    await cloud.call("slb", "StartLoadBalancerListener", key(loadBalancerId, protocol, port));
}

/** Deletes a listener; one that is gone already is fine (DeleteLoadBalancerListener). */
export async function deleteListener(
    cloud: Cloud,
    loadBalancerId: string,
    protocol: ClbProtocol,
    port: number,
): Promise<void> {
    try {
        await cloud.call("slb", "DeleteLoadBalancerListener", key(loadBalancerId, protocol, port));
    } catch (error) {
        if (!isNotFound(error, "listener")) throw error;
    }
}

function key(loadBalancerId: string, protocol: ClbProtocol, port: number): Record<string, unknown> {
    return { LoadBalancerId: loadBalancerId, ListenerProtocol: protocol, ListenerPort: port };
}
