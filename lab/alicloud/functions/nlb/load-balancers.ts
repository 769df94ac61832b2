import type { Answer } from "../../sdk/tea";
import type { ValueMap } from "../../terraform/value";
import { flag, list, map, optional, output, text, texts } from "../../terraform/shorthand";
import { plainOneOf } from "../../terraform/validators";
import { tagMap } from "../../types/tags";
import type { FunctionType } from "../../types/type";
import { goText, listOf, valueOf } from "../../types/values";
import { copied, filterOf, filterSchema, finish, givenArguments, listAll, tagFilter } from "../common";

const fields = {
    id: "LoadBalancerId",
    address_ip_version: "AddressIpVersion",
    address_type: "AddressType",
    bandwidth_package_id: "BandwidthPackageId",
    create_time: "CreateTime",
    cross_zone_enabled: "CrossZoneEnabled",
    dns_name: "DNSName",
    ipv6_address_type: "Ipv6AddressType",
    load_balancer_business_status: "LoadBalancerBusinessStatus",
    load_balancer_id: "LoadBalancerId",
    load_balancer_name: "LoadBalancerName",
    load_balancer_type: "LoadBalancerType",
    resource_group_id: "ResourceGroupId",
    status: "LoadBalancerStatus",
    vpc_id: "VpcId",
    security_group_ids: "SecurityGroupIds",
};

function balancerOf(found: Answer): ValueMap {
    const tags = tagMap(found["Tags"]);
    return {
        ...copied(found, fields),
        ...(Object.keys(tags).length > 0 ? { tags } : {}),
        zone_mappings: listOf(found["ZoneMappings"]).map((zone) => ({
            vswitch_id: valueOf(zone["VSwitchId"]),
            zone_id: valueOf(zone["ZoneId"]),
            ...copied(listOf(zone["LoadBalancerAddresses"])[0] ?? {}, {
                allocation_id: "AllocationId",
                eni_id: "EniId",
                ipv6_address: "Ipv6Address",
                private_ipv4_address: "PrivateIPv4Address",
                public_ipv4_address: "PublicIPv4Address",
            }),
        })),
        operation_locks: listOf(found["OperationLocks"]).map((lock) =>
            copied(lock, { lock_type: "LockType", lock_reason: "LockReason" }),
        ),
    };
}

export const nlbLoadBalancers: FunctionType = {
    token: "alicloud:nlb/getLoadBalancers:getLoadBalancers",
    schema: {
        ...filterSchema,
        address_ip_version: text({ ...optional, validate: plainOneOf("Ipv4", "DualStack") }),
        address_type: text({ ...optional, validate: plainOneOf("Internet", "Intranet") }),
        dns_name: text(optional),
        ipv6_address_type: text({ ...optional, validate: plainOneOf("Internet", "Intranet") }),
        load_balancer_business_status: text({ ...optional, validate: plainOneOf("Abnormal", "Normal") }),
        resource_group_id: text(optional),
        zone_id: text(optional),
        vpc_ids: texts(optional),
        load_balancer_names: texts(optional),
        status: text({
            ...optional,
            validate: plainOneOf("Inactive", "Active", "Provisioning", "Configuring", "Deleting", "Deleted"),
        }),
        tags: map(optional),
        balancers: list(
            {
                id: text(output),
                address_ip_version: text(output),
                address_type: text(output),
                bandwidth_package_id: text(output),
                create_time: text(output),
                cross_zone_enabled: flag(output),
                dns_name: text(output),
                ipv6_address_type: text(output),
                load_balancer_business_status: text(output),
                load_balancer_id: text(output),
                load_balancer_name: text(output),
                load_balancer_type: text(output),
                resource_group_id: text(output),
                security_group_ids: texts(output),
                status: text(output),
                tags: map(optional),
                vpc_id: text(output),
                zone_mappings: list(
                    {
                        allocation_id: text(output),
                        eni_id: text(output),
                        ipv6_address: text(output),
                        private_ipv4_address: text(output),
                        public_ipv4_address: text(output),
                        vswitch_id: text(output),
                        zone_id: text(output),
                    },
                    output,
                ),
                operation_locks: list({ lock_type: text(output), lock_reason: text(output) }, output),
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
                action: "ListLoadBalancers",
                list: "$.LoadBalancers",
                source: "alicloud_nlb_load_balancers",
                lines: [309, 313],
                pages: "token",
            },
            {
                ...givenArguments(data, {
                    address_ip_version: "AddressIpVersion",
                    address_type: "AddressType",
                    dns_name: "DNSName",
                    vpc_ids: "VpcIds",
                    zone_id: "ZoneId",
                    load_balancer_names: "LoadBalancerNames",
                    ipv6_address_type: "Ipv6AddressType",
                    load_balancer_business_status: "LoadBalancerBusinessStatus",
                    resource_group_id: "ResourceGroupId",
                    status: "LoadBalancerStatus",
                }),
                ...tagFilter(data),
                MaxResults: 50,
            },
        );
        const isWanted = filterOf(data);
        const balancers = found.filter((balancer) =>
            isWanted(balancer["LoadBalancerId"], balancer["LoadBalancerName"]),
        );
        finish(
            data,
            balancers.map((balancer) => goText(balancer["LoadBalancerId"])),
            {
                balancers: balancers.map(balancerOf),
                names: balancers.map((balancer) => valueOf(balancer["LoadBalancerName"])),
            },
        );
    },
};
