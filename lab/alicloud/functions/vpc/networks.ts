import type { Client } from "../../sdk/client";
import { failed, placed } from "../../sdk/errors";
import type { Answer } from "../../sdk/tea";
import type { Value, ValueMap } from "../../terraform/value";
import { flag, list, map, optional, output, text, texts, whole } from "../../terraform/shorthand";
import { plainOneOf } from "../../terraform/validators";
import type { FunctionType } from "../../types/type";
import { goText, listOf, need, numberOf, objectOf, valueOf } from "../../types/values";
import {
    copied,
    filterOf,
    filterSchema,
    finish,
    givenArguments,
    listAll,
    nestedTags,
    pageArguments,
    tagFilter,
} from "../common";

const pageSize = 50;

/** The system route table of a VPC, nothing when there is none. */
async function routeTableOf(client: Client, VpcId: string): Promise<unknown> {
    const action = "DescribeRouteTableList";
    for (let PageNumber = 1; ; PageNumber++) {
        let answer: Answer;
        try {
            answer = await client.callPatiently(
                action,
                { RegionId: client.region, VpcId, PageSize: pageSize, PageNumber },
                { product: "vpc", autoRetry: true, pauses: [3, 5] },
            );
        } catch (error) {
            throw placed(
                failed(error, "service_alicloud_vpc.go:765", VpcId, action),
                "data_source_alicloud_vpcs.go:342",
            );
        }
        const tables = listOf(
            need(answer, "$.RouterTableList.RouterTableListType", "service_alicloud_vpc.go:769", VpcId),
        );
        const system = tables.find((table) => table["RouteTableType"] === "System");
        if (system !== undefined || tables.length < pageSize) return system?.["RouteTableId"];
    }
}

const nested = (network: Answer, outer: string, inner: string): Value => valueOf(objectOf(network[outer])[inner]);

function networkOf(network: Answer): ValueMap {
    return {
        ...copied(network, {
            region_id: "RegionId",
            creation_time: "CreationTime",
            cidr_block: "CidrBlock",
            description: "Description",
            dhcp_options_set_id: "DhcpOptionsSetId",
            dhcp_options_set_status: "DhcpOptionsSetStatus",
            dns_hostname_status: "DnsHostnameStatus",
            ipv6_cidr_block: "Ipv6CidrBlock",
            is_default: "IsDefault",
            resource_group_id: "ResourceGroupId",
            router_id: "VRouterId",
            vrouter_id: "VRouterId",
            status: "Status",
            id: "VpcId",
            vpc_id: "VpcId",
            vpc_name: "VpcName",
        }),
        secondary_cidr_blocks: nested(network, "SecondaryCidrBlocks", "SecondaryCidrBlock"),
        user_cidrs: nested(network, "UserCidrs", "UserCidr"),
        vswitch_ids: nested(network, "VSwitchIds", "VSwitchId"),
        tags: nestedTags(network),
    };
}

export const vpcNetworks: FunctionType = {
    token: "alicloud:vpc/getNetworks:getNetworks",
    schema: {
        ...filterSchema,
        cidr_block: text(optional),
        vswitch_id: text(optional),
        dhcp_options_set_id: text(optional),
        dry_run: flag(optional),
        is_default: flag(optional),
        resource_group_id: text(optional),
        status: text({ ...optional, validate: plainOneOf("Available", "Pending") }),
        tags: map(optional),
        vpc_name: text(optional),
        vpc_owner_id: whole(optional),
        page_number: whole(optional),
        page_size: whole({ ...optional, default: pageSize }),
        vpcs: list(
            {
                region_id: text(output),
                creation_time: text(output),
                cidr_block: text(output),
                description: text(output),
                dhcp_options_set_id: text(output),
                dhcp_options_set_status: text(output),
                dns_hostname_status: text(output),
                ipv6_cidr_block: text(output),
                is_default: flag(output),
                resource_group_id: text(output),
                route_table_id: text(output),
                router_id: text(output),
                vrouter_id: text(output),
                secondary_cidr_blocks: texts(output),
                status: text(output),
                tags: map(output),
                user_cidrs: texts(output),
                vswitch_ids: texts(output),
                id: text(output),
                vpc_id: text(output),
                vpc_name: text(output),
            },
            output,
        ),
        enable_details: flag({ ...optional, default: true }),
        total_count: whole(output),
    },
    async read(data, client) {
        const { found, last } = await listAll(
            data,
            client,
            {
                product: "vpc",
                action: "DescribeVpcs",
                list: "$.Vpcs.Vpc",
                source: "alicloud_vpcs",
                lines: [262, 268],
                once: true,
                pages: "number",
            },
            {
                DryRun: data.present("dry_run") as boolean | undefined,
                IsDefault: data.present("is_default") as boolean | undefined,
                ...givenArguments(data, {
                    dhcp_options_set_id: "DhcpOptionsSetId",
                    resource_group_id: "ResourceGroupId",
                    vpc_name: "VpcName",
                    vpc_owner_id: "VpcOwnerId",
                }),
                ...tagFilter(data),
                ...pageArguments(data, pageSize),
            },
        );
        const isWanted = filterOf(data);
        const [block, vswitch, status] = [data.given("cidr_block"), data.given("vswitch_id"), data.given("status")];
        const networks =
            data.number("page_number") > 0
                ? found
                : found.filter((network) => {
                      const switches = objectOf(network["VSwitchIds"])["VSwitchId"];
                      return (
                          (block === undefined || block === network["CidrBlock"]) &&
                          (status === undefined || status === network["Status"]) &&
                          (vswitch === undefined || (Array.isArray(switches) && switches.includes(vswitch))) &&
                          isWanted(network["VpcId"], network["VpcName"])
                      );
                  });
        const vpcs: ValueMap[] = [];
        for (const network of networks) {
            const table = data.flag("enable_details")
                ? { route_table_id: valueOf(await routeTableOf(client, goText(network["VpcId"]))) }
                : {};
            vpcs.push({ ...networkOf(network), ...table });
        }
        finish(
            data,
            networks.map((network) => goText(network["VpcId"])),
            {
                vpcs,
                names: networks.map((network) => valueOf(network["VpcName"])),
                total_count: numberOf(last["TotalCount"]),
            },
        );
    },
};
