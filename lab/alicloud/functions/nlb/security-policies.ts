import { list, map, optional, output, text, texts } from "../../terraform/shorthand";
import { plainOneOf } from "../../terraform/validators";
import { tagMap } from "../../types/tags";
import type { FunctionType } from "../../types/type";
import { goText, valueOf } from "../../types/values";
import { copied, filterOf, filterSchema, finish, givenArguments, listAll, tagFilter } from "../common";

const split = (value: unknown): string[] => String(value ?? "").split(",");

export const nlbSecurityPolicies: FunctionType = {
    token: "alicloud:nlb/getSecurityPolicies:getSecurityPolicies",
    schema: {
        ...filterSchema,
        resource_group_id: text(optional),
        security_policy_names: texts(optional),
        status: text({ ...optional, validate: plainOneOf("Available", "Configuring") }),
        tags: map(optional),
        policies: list(
            {
                ciphers: texts(output),
                status: text(output),
                id: text(output),
                security_policy_name: text(output),
                resource_group_id: text(output),
                tls_versions: texts(output),
                tags: map(output),
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
                action: "ListSecurityPolicy",
                list: "$.SecurityPolicies",
                source: "alicloud_nlb_security_policies",
                lines: [158, 165],
                pages: "token",
            },
            {
                ...givenArguments(data, {
                    resource_group_id: "ResourceGroupId",
                    security_policy_names: "SecurityPolicyNames",
                }),
                ...tagFilter(data),
                MaxResults: 50,
            },
        );
        const isWanted = filterOf(data);
        const status = data.given("status");
        const policies = found.filter(
            (policy) =>
                isWanted(policy["SecurityPolicyId"], policy["SecurityPolicyName"]) &&
                (status === undefined || status === policy["SecurityPolicyStatus"]),
        );
        finish(
            data,
            policies.map((policy) => goText(policy["SecurityPolicyId"])),
            {
                policies: policies.map((policy) => ({
                    ...copied(policy, {
                        status: "SecurityPolicyStatus",
                        security_policy_name: "SecurityPolicyName",
                        resource_group_id: "ResourceGroupId",
                        id: "SecurityPolicyId",
                    }),
                    ciphers: split(policy["Ciphers"]),
                    tls_versions: split(policy["TlsVersion"]),
                    tags: tagMap(policy["Tags"]),
                })),
                names: policies.map((policy) => valueOf(policy["SecurityPolicyName"])),
            },
        );
    },
};
