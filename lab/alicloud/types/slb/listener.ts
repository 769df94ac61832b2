import type { Client } from "../../sdk/client";
import { asError, failed, isNotFound, isOneOf, placed, sdkSource } from "../../sdk/errors";
import { retry } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { ResourceType } from "../type";
import { isGoneUnlessProtected } from "./describe-load-balancer";
import {
    addForwardParameters,
    addWebParameters,
    certificateOf,
    commonParameters,
    file,
    isWeb,
    missingCertificate,
} from "./listener-arguments";
import {
    busyCodes,
    describeListener,
    findListener,
    idText,
    setFromDescription,
    waitForListener,
    type ListenerId,
} from "./listener-read";
import { listenerSchema } from "./listener-schema";
import { updateParameters } from "./listener-update";

/** Seconds to wait for a listener to start or stop, and to disappear. */
const stateLimit = 120;
const deleteLimit = 500;

const fromInputs = (data: ResourceData): ListenerId => ({
    loadBalancerId: data.text("load_balancer_id"),
    protocol: data.text("protocol"),
    port: data.number("frontend_port"),
});

const at = (line: number): string => `${file}:${line}`;

async function passOn<T>(line: number, operation: () => Promise<T> | T): Promise<T> {
    try {
        return await operation();
    } catch (error) {
        throw placed(asError(error), at(line));
    }
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const { loadBalancerId, protocol, port } = fromInputs(data);
    const forwards = data.given("listener_forward") === "on";
    const parameters = commonParameters(data, client);
    if (isWeb(protocol)) {
        if (forwards) addForwardParameters(data, parameters);
        else await passOn(406, () => addWebParameters(data, parameters));
        if (protocol === "https") {
            const certificate = certificateOf(data);
            if (certificate === "") throw missingCertificate(417);
            parameters["ServerCertificateId"] = certificate;
            const authority = data.given("ca_certificate_id");
            if (authority !== undefined) parameters["CACertificateId"] = String(authority);
        }
    }
    const action = `CreateLoadBalancer${protocol.toUpperCase()}Listener`;
    try {
        await client.common(action, parameters);
    } catch (error) {
        throw failed(error, at(430), "alicloud_slb_listener", action);
    }
    data.id = idText({ loadBalancerId, protocol, port });
    await passOn(436, () => waitForListener(client, data.id, "stopped", stateLimit));
    try {
        await retry(client.clock, { limit: 300, when: (error) => isOneOf(error, "ServiceIsConfiguring") }, () =>
            client.typed("StartLoadBalancerListener", {
                LoadBalancerId: loadBalancerId,
                ListenerPort: port,
                ListenerProtocol: protocol,
            }),
        );
    } catch (error) {
        throw failed(error, at(460), "alicloud_slb_listener", "StartLoadBalancerListener");
    }
    await passOn(464, () => waitForListener(client, data.id, "running", stateLimit));
    if (forwards) await read(data, client);
    else await update(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    let listener: ListenerId;
    try {
        listener = await findListener(data, client);
    } catch (error) {
        if (isNotFound(error)) {
            data.id = "";
            return;
        }
        throw placed(error, at(482));
    }
    data.set("protocol", listener.protocol);
    data.set("load_balancer_id", listener.loadBalancerId);
    data.set("frontend_port", listener.port);
    data.id = idText(listener);
    const isBusy = (error: unknown): boolean => isOneOf(error, ...busyCodes);
    let description: Answer;
    try {
        description = await retry(client.clock, { limit: 300, when: isBusy }, () => describeListener(client, data.id));
    } catch (error) {
        if (isNotFound(error)) {
            data.id = "";
            return;
        }
        throw placed(error, at(isBusy(error) ? 497 : 499));
    }
    setFromDescription(data, listener.protocol, description);
}

async function update(data: ResourceData, client: Client): Promise<void> {
    data.id = idText(fromInputs(data));
    const parameters = await updateParameters(data, client);
    if (parameters !== undefined) {
        const action = `SetLoadBalancer${data.text("protocol").toUpperCase()}ListenerAttribute`;
        try {
            await retry(
                client.clock,
                { limit: 300, when: (error) => isOneOf(error, "OperationFailed.ListenerStatusNotSupport") },
                () => client.common(action, parameters),
            );
        } catch (error) {
            if (isOneOf(error, "The specified VServerGroupId does not exist")) {
                throw placed(
                    error,
                    at(789),
                    `Resource ${data.id} ${action} Failed!!! Listener and server group ` +
                        `should belong to the same load balancer, please check it.${sdkSource}`,
                );
            }
            throw failed(error, at(792), data.id, action);
        }
    }
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    let listener: ListenerId;
    try {
        listener = await findListener(data, client);
    } catch (error) {
        if (isNotFound(error)) return;
        throw placed(error, at(811));
    }
    const gone =
        data.present("delete_protection_validation") === true &&
        (await isGoneUnlessProtected(client, {
            loadBalancerId: listener.loadBalancerId,
            file,
            lines: [819, 822],
            refusal:
                `Current listener's SLB Instance ${listener.loadBalancerId} has enabled DeleteProtection. ` +
                "Please set delete_protection_validation to false to delete the listener resource.",
        }));
    if (gone) return;
    try {
        await retry(client.clock, { limit: 300, when: (error) => isOneOf(error, ...busyCodes) }, () =>
            client.typed("DeleteLoadBalancerListener", {
                LoadBalancerId: listener.loadBalancerId,
                ListenerPort: listener.port,
                ListenerProtocol: listener.protocol,
            }),
        );
    } catch (error) {
        throw failed(error, at(845), data.id, "DeleteLoadBalancerListener");
    }
    await passOn(847, () => waitForListener(client, data.id, undefined, deleteLimit));
}

export const listener: ResourceType = {
    token: "alicloud:slb/listener:Listener",
    schema: listenerSchema,
    create,
    read,
    update,
    delete: remove,
};
