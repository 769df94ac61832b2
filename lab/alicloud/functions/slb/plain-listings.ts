/** Functions that make one call of form A and hand over what matches. */
import type { Arguments } from "../../sdk/flatten";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import type { ValueMap } from "../../terraform/value";
import { either, list, optional, output, required, text, texts, whole } from "../../terraform/shorthand";
import type { FunctionType } from "../../types/type";
import { listOf, objectOf, textOf } from "../../types/values";
import { callTyped, copiedTyped, filterOf, filterSchema, finish } from "../common";

interface PlainListing {
    readonly token: string;
    readonly source: string;
    readonly action: string;
    /** The line that passes on a failed call. */
    readonly line: number;
    /** The names around the list in the answer. */
    readonly list: readonly [string, string];
    /** Fields with which `ids` and `name_regex` are compared. */
    readonly id: string;
    readonly name?: string;
    readonly arguments: SchemaMap;
    readonly parameters: (data: ResourceData) => Arguments;
    /** The result's attribute, the attributes of its members and the fields they come from. */
    readonly result: string;
    readonly members: SchemaMap;
    readonly fields: Readonly<Record<string, string>>;
}

const ids = texts({ ...either, minItems: 1 });
const { output_file } = filterSchema as { output_file: SchemaMap[string] };

function plainListing(listing: PlainListing): FunctionType {
    return {
        token: listing.token,
        schema: { output_file, ...listing.arguments, [listing.result]: list(listing.members, output) },
        async read(data, client) {
            const answer = await callTyped(
                client,
                listing.source,
                listing.action,
                listing.parameters(data),
                listing.line,
            );
            const isWanted = filterOf(data);
            const wantedInstances =
                "instance_ids" in data.schema
                    ? (data.given("instance_ids") as string[] | undefined)?.map((id) => id.trim())
                    : undefined;
            const [outer, inner] = listing.list;
            const found = listOf(objectOf(answer[outer])[inner]).filter((one) => {
                const id = textOf(one[listing.id]);
                return (
                    isWanted(id, listing.name === undefined ? "" : textOf(one[listing.name])) &&
                    (wantedInstances?.includes(id) ?? true)
                );
            });
            const members: ValueMap[] = found.map((one) => copiedTyped(one, listing.fields, listing.members));
            finish(
                data,
                found.map((one) => textOf(one[listing.id])),
                {
                    [listing.result]: members,
                    ...(listing.name === undefined ? {} : { names: found.map((one) => textOf(one[listing.name!])) }),
                },
            );
        },
    };
}

const ofListener = { load_balancer_id: text(required), frontend_port: whole(required) };
const listenerParameters = (data: ResourceData): Arguments => ({
    LoadBalancerId: data.text("load_balancer_id"),
    ListenerPort: data.number("frontend_port"),
});
const balancerParameters = (data: ResourceData): Arguments => ({ LoadBalancerId: data.text("load_balancer_id") });

export const slbRules = plainListing({
    token: "alicloud:slb/getRules:getRules",
    source: "alicloud_slb_rules",
    action: "DescribeRules",
    line: 102,
    list: ["Rules", "Rule"],
    id: "RuleId",
    name: "RuleName",
    arguments: { ...filterSchema, ...ofListener, ids },
    parameters: listenerParameters,
    result: "slb_rules",
    members: {
        id: text(output),
        name: text(output),
        domain: text(output),
        url: text(output),
        server_group_id: text(output),
    },
    fields: { id: "RuleId", name: "RuleName", domain: "Domain", url: "Url", server_group_id: "VServerGroupId" },
});

export const slbDomainExtensions = plainListing({
    token: "alicloud:slb/getDomainExtensions:getDomainExtensions",
    source: "alicloud_slb_domain_extensions",
    action: "DescribeDomainExtensions",
    line: 79,
    list: ["DomainExtensions", "DomainExtension"],
    id: "DomainExtensionId",
    arguments: { ...ofListener, ids },
    parameters: listenerParameters,
    result: "extensions",
    members: { id: text(output), domain: text(output), server_certificate_id: text(output) },
    fields: { id: "DomainExtensionId", domain: "Domain", server_certificate_id: "ServerCertificateId" },
});

export const slbBackendServers = plainListing({
    token: "alicloud:slb/getBackendServers:getBackendServers",
    source: "alicloud_slb_backend_servers",
    action: "DescribeLoadBalancerAttribute",
    line: 74,
    list: ["BackendServers", "BackendServer"],
    id: "ServerId",
    arguments: { load_balancer_id: text(required), ids },
    parameters: balancerParameters,
    result: "backend_servers",
    members: { id: text(output), weight: whole(output), server_type: text(output) },
    fields: { id: "ServerId", weight: "Weight", server_type: "Type" },
});

export const slbAttachments = plainListing({
    token: "alicloud:slb/getAttachments:getAttachments",
    source: "alicloud_slb_attachments",
    action: "DescribeLoadBalancerAttribute",
    line: 65,
    list: ["BackendServers", "BackendServer"],
    id: "ServerId",
    arguments: { load_balancer_id: text(required), instance_ids: texts({ ...optional, minItems: 1 }) },
    parameters: balancerParameters,
    result: "slb_attachments",
    members: { instance_id: text(output), weight: whole(output) },
    fields: { instance_id: "ServerId", weight: "Weight" },
});
