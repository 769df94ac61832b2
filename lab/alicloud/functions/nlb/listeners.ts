import { flag, list, optional, output, text, texts, whole, either } from "../../terraform/shorthand";
import { plainOneOf } from "../../terraform/validators";
import type { FunctionType } from "../../types/type";
import { goText } from "../../types/values";
import { copied, filterOf, finish, givenArguments, listAll } from "../common";

const fields = {
    id: "ListenerId",
    alpn_enabled: "AlpnEnabled",
    alpn_policy: "AlpnPolicy",
    ca_certificate_ids: "CaCertificateIds",
    ca_enabled: "CaEnabled",
    certificate_ids: "CertificateIds",
    cps: "Cps",
    end_port: "EndPort",
    idle_timeout: "IdleTimeout",
    listener_description: "ListenerDescription",
    listener_id: "ListenerId",
    listener_port: "ListenerPort",
    listener_protocol: "ListenerProtocol",
    load_balancer_id: "LoadBalancerId",
    mss: "Mss",
    proxy_protocol_enabled: "ProxyProtocolEnabled",
    sec_sensor_enabled: "SecSensorEnabled",
    security_policy_id: "SecurityPolicyId",
    server_group_id: "ServerGroupId",
    start_port: "StartPort",
    status: "ListenerStatus",
};

export const nlbListeners: FunctionType = {
    token: "alicloud:nlb/getListeners:getListeners",
    schema: {
        listener_protocol: text({ ...optional, validate: plainOneOf("TCP", "UDP", "TCPSSL") }),
        load_balancer_ids: texts(optional),
        ids: texts(either),
        output_file: text(optional),
        listeners: list(
            {
                id: text(output),
                alpn_enabled: flag(output),
                alpn_policy: text(output),
                ca_certificate_ids: texts(output),
                ca_enabled: flag(output),
                certificate_ids: texts(output),
                cps: whole(output),
                end_port: text(output),
                idle_timeout: whole(output),
                listener_description: text(output),
                listener_id: text(output),
                listener_port: whole(output),
                listener_protocol: text(output),
                load_balancer_id: text(output),
                mss: whole(output),
                proxy_protocol_enabled: flag(output),
                sec_sensor_enabled: flag(output),
                security_policy_id: text(output),
                server_group_id: text(output),
                start_port: text(output),
                status: text(output),
            },
            output,
        ),
    },
    async read(data, client) {
        const { found } = await listAll(
            data,
            client,
            {
                product: "nlb",
                action: "ListListeners",
                list: "$.Listeners",
                source: "alicloud_nlb_listeners",
                lines: [189, 193],
                pages: "token",
            },
            {
                ...givenArguments(data, {
                    listener_protocol: "ListenerProtocol",
                    load_balancer_ids: "LoadBalancerIds",
                }),
                MaxResults: 50,
            },
        );
        const isWanted = filterOf(data);
        const listeners = found.filter((listener) => isWanted(listener["ListenerId"]));
        finish(
            data,
            listeners.map((listener) => goText(listener["ListenerId"])),
            { listeners: listeners.map((listener) => copied(listener, fields)) },
        );
    },
};
