/** Listeners of a CLB, with their certificates and further domains. */
import type { ObservedDomainExtension } from "../../schema/observed";
import { CLB_PROTOCOLS, type ClbProtocol } from "../../schema/protocols";
import { defined } from "../../schema/defined";
import {
    converted,
    fields,
    type Json,
    list,
    number,
    object,
    literalOf,
    optional,
    type Read,
    readAnswer,
    requiredNumber,
    requiredText,
    text,
} from "../../cloud/http/answer";
import type { Cloud } from "../../cloud/http/client";
import { ignoreNotFound } from "../../cloud/http/error";
import { tokenItems } from "../../cloud/http/page";

/**
 * Attributes by the name that sets them, where the API reports another name. Source: SLB API,
 * DescribeLoadBalancerTCPListenerAttribute.
 */
const REPORTED_AS: Readonly<Record<string, string>> = { HealthCheckSwitch: "HealthCheck" };

/** Returns an attribute of an answer by the name that sets it; empty if the answer omits it. */
export function listenerSetting(listener: Json, name: string): string {
    return String(listener[name] ?? listener[REPORTED_AS[name] ?? ""] ?? "");
}

/**
 * Returns a listener's attributes by the API's names; undefined if it does not exist
 * (DescribeLoadBalancer…ListenerAttribute).
 */
export function describeListener(
    cloud: Cloud,
    loadBalancerId: string,
    protocol: ClbProtocol,
    port: number,
): Promise<Json | undefined> {
    const params = { LoadBalancerId: loadBalancerId, ListenerPort: port };
    return ignoreNotFound(
        "listener",
        cloud.call("slb", `DescribeLoadBalancer${protocol.toUpperCase()}ListenerAttribute`, params),
    );
}

const LISTENERS = object({
    Listeners: list(
        fields({
            protocol: ["ListenerProtocol", literalOf(...CLB_PROTOCOLS)],
            port: ["ListenerPort", requiredNumber],
            description: ["Description", text],
            serverGroupId: ["VServerGroupId", text],
            /** Port of the HTTPS listener that it redirects to. */
            forwardPort: [
                "HTTPListenerConfig",
                converted(optional(object({ ListenerForward: text, ForwardPort: number })), (config) =>
                    config?.ListenerForward === "on" ? config.ForwardPort : undefined,
                ),
            ],
        }),
    ),
});

type ListedListener = NonNullable<Read<typeof LISTENERS>["Listeners"]>[number];

const PAGE_SIZE = 100;

/** Returns all listeners of a load balancer; undefined if it does not exist (DescribeLoadBalancerListeners). */
export function listListeners(cloud: Cloud, loadBalancerId: string): Promise<ListedListener[] | undefined> {
    const action = "DescribeLoadBalancerListeners";
    const params = { LoadBalancerId: [loadBalancerId], MaxResults: PAGE_SIZE };
    const listeners = tokenItems(
        action,
        (NextToken) => cloud.call("slb", action, { ...params, NextToken }),
        (page) => readAnswer(action, LISTENERS, page).Listeners ?? [],
    );
    return ignoreNotFound("loadBalancer", listeners);
}

/**
 * Changes attributes in place; those not given stay (SetLoadBalancer…ListenerAttribute).
 *
 * @param attributes by the API's names: `HealthCheckInterval`, `XForwardedFor_proto`, …
 */
export async function setListener(
    cloud: Cloud,
    loadBalancerId: string,
    protocol: ClbProtocol,
    port: number,
    attributes: Readonly<Record<string, string | number | boolean | undefined>>,
): Promise<void> {
    await cloud.call("slb", `SetLoadBalancer${protocol.toUpperCase()}ListenerAttribute`, {
        LoadBalancerId: loadBalancerId,
        ListenerPort: port,
        ...attributes,
    });
}

/** Starts a listener (StartLoadBalancerListener). */
export async function startListener(
    cloud: Cloud,
    loadBalancerId: string,
    protocol: ClbProtocol,
    port: number,
): Promise<void> {
    await cloud.call("slb", "StartLoadBalancerListener", key(loadBalancerId, protocol, port));
}

/** Deletes a listener, if it exists (DeleteLoadBalancerListener). */
export async function deleteListener(
    cloud: Cloud,
    loadBalancerId: string,
    protocol: ClbProtocol,
    port: number,
): Promise<void> {
    const call = cloud.call("slb", "DeleteLoadBalancerListener", key(loadBalancerId, protocol, port));
    await ignoreNotFound("listener", call);
}

function key(loadBalancerId: string, protocol: ClbProtocol, port: number): Record<string, unknown> {
    return { LoadBalancerId: loadBalancerId, ListenerProtocol: protocol, ListenerPort: port };
}

const DOMAIN_EXTENSIONS = object({
    DomainExtensions: list(
        fields({
            id: ["DomainExtensionId", requiredText],
            domain: ["Domain", requiredText],
            certId: ["ServerCertificateId", requiredText],
        }),
        "DomainExtension",
    ),
});

/** Returns the further domains of an HTTPS listener (DescribeDomainExtensions; one answer holds all). */
export async function describeDomainExtensions(
    cloud: Cloud,
    loadBalancerId: string,
    port: number,
): Promise<ObservedDomainExtension[]> {
    const action = "DescribeDomainExtensions";
    const answer = await cloud.call("slb", action, { LoadBalancerId: loadBalancerId, ListenerPort: port });
    return readAnswer(action, DOMAIN_EXTENSIONS, answer).DomainExtensions ?? [];
}

/** Deletes a further domain of a listener (DeleteDomainExtension). */
export async function deleteDomainExtension(cloud: Cloud, id: string): Promise<void> {
    await cloud.call("slb", "DeleteDomainExtension", { DomainExtensionId: id });
}

const CERTIFICATES = object({
    ServerCertificates: list(object({ ServerCertificateId: text, ExpireTimeStamp: number }), "ServerCertificate"),
});

/**
 * Returns the server certificate with this id; undefined if there is none (DescribeServerCertificates).
 *
 * `expiresAt` is in milliseconds since 1970; absent if the cloud does not report it.
 */
export async function describeServerCertificate(
    cloud: Cloud,
    id: string,
): Promise<{ readonly id: string; readonly expiresAt?: number } | undefined> {
    const action = "DescribeServerCertificates";
    const answer = await ignoreNotFound("certificate", cloud.call("slb", action, { ServerCertificateId: id }));
    const { ServerCertificates = [] } = answer === undefined ? {} : readAnswer(action, CERTIFICATES, answer);
    const found = ServerCertificates.find(({ ServerCertificateId }) => ServerCertificateId === id);
    return found && { id, ...defined({ expiresAt: found.ExpireTimeStamp }) };
}
