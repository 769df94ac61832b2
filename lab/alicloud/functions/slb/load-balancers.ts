import type { Client } from "../../sdk/client";
import { placed, PluginPanic } from "../../sdk/errors";
import type { Answer } from "../../sdk/tea";
import type { ValueMap } from "../../terraform/value";
import { describeBalancer } from "../../types/slb/load-balancer";
import type { FunctionType } from "../../types/type";
import { goText, listOf, numberOf, valueOf } from "../../types/values";
import { copied, filterOf, finish, givenArguments, listAll, nestedTags, pageArguments, tagFilter } from "../common";
import { loadBalancersSchema } from "./load-balancers-schema";

const source = "alicloud_slb_load_balancers";

const translated = (value: unknown, table: Readonly<Record<string, string>>): string | undefined =>
    value === undefined ? undefined : (table[String(value)] ?? String(value));
const chargeToCloud = { PayByBandwidth: "paybybandwidth", PayByTraffic: "paybytraffic" };
const chargeFromCloud = { paybybandwidth: "PayByBandwidth", paybytraffic: "PayByTraffic" };
const paymentToCloud = { PayAsYouGo: "PayOnDemand", Subscription: "PrePay" };
const paymentFromCloud = { PayOnDemand: "PayAsYouGo", PrePay: "Subscription" };

function balancerOf(found: Answer): ValueMap {
    return {
        ...copied(found, {
            address: "Address",
            address_ip_version: "AddressIPVersion",
            address_type: "AddressType",
            id: "LoadBalancerId",
            load_balancer_id: "LoadBalancerId",
            load_balancer_name: "LoadBalancerName",
            master_zone_id: "MasterZoneId",
            modification_protection_reason: "ModificationProtectionReason",
            modification_protection_status: "ModificationProtectionStatus",
            network_type: "NetworkType",
            region_id_alias: "RegionIdAlias",
            resource_group_id: "ResourceGroupId",
            slave_zone_id: "SlaveZoneId",
            status: "LoadBalancerStatus",
            vswitch_id: "VSwitchId",
            vpc_id: "VpcId",
        }),
        create_time_stamp: numberOf(found["CreateTimeStamp"]),
        payment_type: translated(found["PayType"], paymentFromCloud),
        tags: nestedTags(found),
    };
}

/** The older form of a result. */
function slbOf(found: Answer): ValueMap {
    return {
        ...copied(found, {
            id: "LoadBalancerId",
            region_id: "RegionIdAlias",
            master_availability_zone: "MasterZoneId",
            slave_availability_zone: "SlaveZoneId",
            status: "LoadBalancerStatus",
            name: "LoadBalancerName",
            network_type: "NetworkType",
            vpc_id: "VpcId",
            vswitch_id: "VSwitchId",
            address: "Address",
            creation_time: "CreationTime",
        }),
        internet: found["NetworkType"] === "internet",
        tags: nestedTags(found),
    };
}

/** The members of a nested list; an answer without the object around it ends the plugin. */
function members(answer: Answer, outer: string, inner: string): Answer[] {
    const object = answer[outer];
    if (object === null || typeof object !== "object")
        throw new PluginPanic("interface conversion: interface {} is nil, not map[string]interface {}");
    return listOf((object as Answer)[inner]);
}

async function detailsOf(client: Client, id: string): Promise<ValueMap> {
    let answer: Answer;
    try {
        answer = await describeBalancer(client, id);
    } catch (error) {
        throw placed(error, `data_source_${source}.go:599`);
    }
    return {
        ...copied(answer, {
            auto_release_time: "AutoReleaseTime",
            bandwidth: "Bandwidth",
            delete_protection: "DeleteProtection",
            end_time: "EndTime",
            end_time_stamp: "EndTimeStamp",
            load_balancer_spec: "LoadBalancerSpec",
            renewal_cyc_unit: "RenewalCycUnit",
            renewal_duration: "RenewalDuration",
            renewal_status: "RenewalStatus",
        }),
        internet_charge_type: translated(answer["InternetChargeType"], chargeFromCloud),
        backend_servers: members(answer, "BackendServers", "BackendServer").map((server) => ({
            ...copied(server, { description: "Description", server_id: "ServerId", type: "Type" }),
            weight: numberOf(server["Weight"]),
        })),
        listener_ports_and_protocal: members(answer, "ListenerPortsAndProtocal", "ListenerPortAndProtocal").map(
            (listener) => ({
                listener_port: numberOf(listener["ListenerPort"]),
                listener_protocal: valueOf(listener["ListenerProtocal"]),
            }),
        ),
        listener_ports_and_protocol: members(answer, "ListenerPortsAndProtocol", "ListenerPortAndProtocol").map(
            (listener) => ({
                ...copied(listener, {
                    description: "Description",
                    listener_forward: "ListenerForward",
                    listener_protocol: "ListenerProtocol",
                }),
                forward_port: numberOf(listener["ForwardPort"]),
                listener_port: numberOf(listener["ListenerPort"]),
            }),
        ),
    };
}

const read: FunctionType["read"] = async (data, client) => {
    const { found, last } = await listAll(
        data,
        client,
        {
            product: "slb",
            action: "DescribeLoadBalancers",
            list: "$.LoadBalancers.LoadBalancer",
            source,
            lines: [501, 505],
            pages: "number",
        },
        {
            ...givenArguments(data, {
                address: "Address",
                address_ip_version: "AddressIPVersion",
                address_type: "AddressType",
                load_balancer_name: "LoadBalancerName",
                master_zone_id: "MasterZoneId",
                network_type: "NetworkType",
                resource_group_id: "ResourceGroupId",
                server_id: "ServerId",
                server_intranet_address: "ServerIntranetAddress",
                slave_zone_id: "SlaveZoneId",
                status: "LoadBalancerStatus",
                vswitch_id: "VSwitchId",
                vpc_id: "VpcId",
            }),
            InternetChargeType: translated(data.given("internet_charge_type"), chargeToCloud),
            PayType: translated(data.given("payment_type"), paymentToCloud),
            ...tagFilter(data),
            ...pageArguments(data, 50),
        },
    );
    const isWanted = filterOf(data);
    const isPage = data.number("page_number") > 0;
    const balancers = found.filter(
        (balancer) => isPage || isWanted(balancer["LoadBalancerId"], balancer["LoadBalancerName"]),
    );
    const results: ValueMap[] = [];
    for (const balancer of balancers) {
        const details = data.flag("enable_details") ? await detailsOf(client, goText(balancer["LoadBalancerId"])) : {};
        results.push({ ...balancerOf(balancer), ...details });
    }
    finish(
        data,
        balancers.map((balancer) => goText(balancer["LoadBalancerId"])),
        {
            balancers: results,
            slbs: balancers.map(slbOf),
            names: balancers.map((balancer) => valueOf(balancer["LoadBalancerName"])),
            total_count: numberOf(last["TotalCount"]),
        },
    );
};

export const slbApplicationLoadBalancers: FunctionType = {
    token: "alicloud:slb/getApplicationLoadBalancers:getApplicationLoadBalancers",
    schema: loadBalancersSchema,
    read,
};

/** The older name of the same thing. */
export const slbLoadBalancers: FunctionType = {
    token: "alicloud:slb/getLoadBalancers:getLoadBalancers",
    schema: loadBalancersSchema,
    read,
};
