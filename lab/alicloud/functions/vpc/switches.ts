import { flag, list, map, optional, output, text, whole } from "../../terraform/shorthand";
import { plainOneOf } from "../../terraform/validators";
import type { FunctionType } from "../../types/type";
import { goText, objectOf, textOf, valueOf } from "../../types/values";
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

export const vpcSwitches: FunctionType = {
    token: "alicloud:vpc/getSwitches:getSwitches",
    schema: {
        ...filterSchema,
        cidr_block: text(optional),
        dry_run: flag(optional),
        is_default: flag(optional),
        resource_group_id: text(optional),
        route_table_id: text(optional),
        status: text({ ...optional, validate: plainOneOf("Available", "Pending") }),
        tags: map(optional),
        vswitch_name: text(optional),
        vswitch_owner_id: whole(optional),
        vpc_id: text(optional),
        zone_id: text(optional),
        vswitches: list(
            {
                creation_time: text(output),
                available_ip_address_count: whole(output),
                cidr_block: text(output),
                description: text(output),
                is_default: flag(output),
                enable_ipv6: flag(output),
                resource_group_id: text(output),
                route_table_id: text(output),
                status: text(output),
                tags: map(output),
                id: text(output),
                vswitch_id: text(output),
                vswitch_name: text(output),
                name: text(output),
                vpc_id: text(output),
                zone_id: text(output),
                ipv6_cidr_block: text(output),
            },
            output,
        ),
    },
    async read(data, client) {
        const { found } = await listAll(
            data,
            client,
            {
                product: "vpc",
                action: "DescribeVSwitches",
                list: "$.VSwitches.VSwitch",
                source: "alicloud_vswitches",
                lines: [227, 233],
                once: true,
                pages: "number",
            },
            {
                DryRun: data.present("dry_run") as boolean | undefined,
                IsDefault: data.present("is_default") as boolean | undefined,
                ...givenArguments(data, {
                    resource_group_id: "ResourceGroupId",
                    route_table_id: "RouteTableId",
                    vswitch_name: "VSwitchName",
                    vswitch_owner_id: "VSwitchOwnerId",
                    vpc_id: "VpcId",
                    zone_id: "ZoneId",
                }),
                ...tagFilter(data),
                ...pageArguments(data, 50),
            },
        );
        const isWanted = filterOf(data);
        const [block, status] = [data.given("cidr_block") as string | undefined, data.given("status")];
        const switches = found.filter(
            (one) =>
                isWanted(one["VSwitchId"], one["VSwitchName"]) &&
                (block === undefined || block.trim() === one["CidrBlock"]) &&
                (status === undefined || status === one["Status"]),
        );
        finish(
            data,
            switches.map((one) => goText(one["VSwitchId"])),
            {
                vswitches: switches.map((one) => ({
                    ...copied(one, {
                        creation_time: "CreationTime",
                        available_ip_address_count: "AvailableIpAddressCount",
                        cidr_block: "CidrBlock",
                        description: "Description",
                        is_default: "IsDefault",
                        resource_group_id: "ResourceGroupId",
                        status: "Status",
                        id: "VSwitchId",
                        vswitch_id: "VSwitchId",
                        vswitch_name: "VSwitchName",
                        name: "VSwitchName",
                        vpc_id: "VpcId",
                        zone_id: "ZoneId",
                    }),
                    route_table_id: valueOf(objectOf(one["RouteTable"])["RouteTableId"]),
                    enable_ipv6: textOf(one["Ipv6CidrBlock"]) !== "",
                    ipv6_cidr_block: textOf(one["Ipv6CidrBlock"]),
                    tags: nestedTags(one),
                })),
                names: switches.map((one) => valueOf(one["VSwitchName"])),
            },
        );
    },
};
