import type { Client } from "../../sdk/client";
import { failed, isOneOf } from "../../sdk/errors";
import { waitFor } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { Value, ValueMap } from "../../terraform/value";
import { readable } from "../readable";
import { tagMap } from "../tags";
import { goText, listOf, objectOf, valueOf } from "../values";
import { call, missing, service, stateOf } from "./common";

export const file = "resource_alicloud_nlb_load_balancer.go";

export async function describe(client: Client, id: string): Promise<Answer> {
    const action = "GetLoadBalancerAttribute";
    try {
        return await call(client, action, { LoadBalancerId: id });
    } catch (error) {
        if (isOneOf(error, "ResourceNotFound.loadBalancer"))
            throw missing("LoadBalancer", id, `${service}:795`, undefined);
        throw failed(error, `${service}:797`, id, action);
    }
}

export const waitUntilActive = (
    data: ResourceData,
    client: Client,
    line: number,
    limit: number,
    delay: number,
): Promise<void> =>
    waitFor(client.clock, data.id, `${file}:${line}`, {
        target: ["Active"],
        limit,
        delay,
        look: () => stateOf(() => describe(client, data.id), "LoadBalancerStatus", 810),
    });

const plainFields = {
    address_ip_version: "AddressIpVersion",
    address_type: "AddressType",
    bandwidth_package_id: "BandwidthPackageId",
    cps: "Cps",
    create_time: "CreateTime",
    cross_zone_enabled: "CrossZoneEnabled",
    dns_name: "DNSName",
    ipv6_address_type: "Ipv6AddressType",
    load_balancer_business_status: "LoadBalancerBusinessStatus",
    load_balancer_name: "LoadBalancerName",
    load_balancer_type: "LoadBalancerType",
    region_id: "RegionId",
    resource_group_id: "ResourceGroupId",
    status: "LoadBalancerStatus",
    vpc_id: "VpcId",
};

export async function read(data: ResourceData, client: Client): Promise<void> {
    const object = await readable(data, `${file}:405`, () => describe(client, data.id));
    if (object === undefined) return;
    for (const [attribute, field] of Object.entries(plainFields)) data.set(attribute, valueOf(object[field]));
    const payment = goText(objectOf(object["LoadBalancerBillingConfig"])["PayType"]);
    data.set("payment_type", payment === "PostPay" ? "PayAsYouGo" : payment);
    setProtection(data, "deletion", objectOf(object["DeletionProtectionConfig"]), {
        enabled: "Enabled",
        reason: "Reason",
    });
    setProtection(data, "modification", objectOf(object["ModificationProtectionConfig"]), {
        status: "Status",
        reason: "Reason",
    });
    data.set("security_group_ids", valueOf(object["SecurityGroupIds"] ?? []));
    data.set("tags", tagMap(object["Tags"]));
    data.set("zone_mappings", listOf(object["ZoneMappings"]).map(zoneOf));
}

/** A kind of protection is kept twice: as a block and flat. */
function setProtection(
    data: ResourceData,
    kind: "deletion" | "modification",
    found: Answer,
    fields: Readonly<Record<string, string>>,
): void {
    if (Object.keys(found).length === 0) {
        data.set(`${kind}_protection_config`, []);
        return;
    }
    const block: ValueMap = { enabled_time: valueOf(found["EnabledTime"]) };
    for (const [attribute, field] of Object.entries(fields)) {
        block[attribute] = valueOf(found[field]);
        data.set(`${kind}_protection_${attribute}`, valueOf(found[field]));
    }
    data.set(`${kind}_protection_config`, [block]);
}

function zoneOf(zone: Answer): Value {
    const address = listOf(zone["LoadBalancerAddresses"])[0] ?? {};
    return {
        status: valueOf(zone["Status"]),
        vswitch_id: valueOf(zone["VSwitchId"]),
        zone_id: valueOf(zone["ZoneId"]),
        allocation_id: valueOf(address["AllocationId"]),
        eni_id: valueOf(address["EniId"]),
        ipv6_address: valueOf(address["Ipv6Address"]),
        private_ipv4_address: valueOf(address["PrivateIPv4Address"]),
        public_ipv4_address: valueOf(address["PublicIPv4Address"]),
        ipv4_local_addresses: valueOf(address["Ipv4LocalAddresses"]),
        ipv6_local_addresses: valueOf(address["Ipv6LocalAddresses"]),
    };
}
