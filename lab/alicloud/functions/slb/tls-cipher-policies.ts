import { flag, list, optional, output, text, texts, whole } from "../../terraform/shorthand";
import { plainOneOf } from "../../terraform/validators";
import type { FunctionType } from "../../types/type";
import { goText, listOf, numberOf, valueOf } from "../../types/values";
import { copied, filterOf, filterSchema, finish, givenArguments, listAll } from "../common";

export const slbTlsCipherPolicies: FunctionType = {
    token: "alicloud:slb/getTlsCipherPolicies:getTlsCipherPolicies",
    schema: {
        ...filterSchema,
        include_listener: flag(optional),
        status: text({ ...optional, validate: plainOneOf("configuring", "normal") }),
        tls_cipher_policy_name: text(optional),
        policies: list(
            {
                ciphers: texts(output),
                create_time: text(output),
                relate_listeners: list(
                    { load_balancer_id: text(output), port: whole(output), protocol: text(output) },
                    output,
                ),
                status: text(output),
                id: text(output),
                tls_cipher_policy_id: text(output),
                tls_cipher_policy_name: text(output),
                tls_versions: texts(output),
            },
            output,
        ),
    },
    async read(data, client) {
        const { found } = await listAll(
            data,
            client,
            {
                product: "slb",
                action: "ListTLSCipherPolicies",
                list: "$.TLSCipherPolicies",
                source: "alicloud_slb_tls_cipher_policies",
                lines: [163, 167],
                pages: "token",
            },
            {
                IncludeListener: data.present("include_listener") as boolean | undefined,
                ...givenArguments(data, { tls_cipher_policy_name: "Name" }),
            },
        );
        const isWanted = filterOf(data);
        const status = data.given("status");
        const policies = found.filter(
            (policy) =>
                isWanted(policy["InstanceId"], policy["Name"]) && (status === undefined || status === policy["Status"]),
        );
        finish(
            data,
            policies.map((policy) => goText(policy["InstanceId"])),
            {
                policies: policies.map((policy) => ({
                    ...copied(policy, {
                        ciphers: "Ciphers",
                        status: "Status",
                        id: "InstanceId",
                        tls_cipher_policy_id: "InstanceId",
                        tls_cipher_policy_name: "Name",
                        tls_versions: "TLSVersions",
                    }),
                    create_time: goText(policy["CreateTime"]),
                    relate_listeners: listOf(policy["RelateListeners"]).map((listener) => ({
                        load_balancer_id: valueOf(listener["LoadBalancerId"]),
                        port: numberOf(listener["Port"]),
                        protocol: valueOf(listener["Protocol"]),
                    })),
                })),
                names: policies.map((policy) => valueOf(policy["Name"])),
            },
        );
    },
};
