import { randomUUID } from "node:crypto";
import type { Client } from "../../sdk/client";
import {
    failed,
    isNotFound,
    isOneOf,
    notFound,
    notFoundText,
    placed,
    providerSource,
    rethrowAt,
    sdkSource,
} from "../../sdk/errors";
import type { Arguments } from "../../sdk/flatten";
import { waitFor } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { ResourceType } from "../type";
import { goText, numberOf, valueOf } from "../values";
import { loadBalancerSchema } from "./load-balancer-schema";
import { readTags, writeTags } from "./tags";

const file = "resource_alicloud_slb_load_balancer.go";
const service = "service_alicloud_slb.go";

const translated = (value: unknown, table: Readonly<Record<string, string>>): unknown => table[String(value)] ?? value;
const chargeToCloud = { PayByBandwidth: "paybybandwidth", PayByTraffic: "paybytraffic" };
const chargeFromCloud = { paybybandwidth: "PayByBandwidth", paybytraffic: "PayByTraffic" };
const paymentToCloud = { PayAsYouGo: "PayOnDemand", Subscription: "PrePay" };
const paymentFromCloud = { PayOnDemand: "PayAsYouGo", PrePay: "Subscription" };

/** Describes a load balancer (form C). It throws a not-found error if there is none. */
export async function describeBalancer(client: Client, id: string): Promise<Answer> {
    try {
        return await client.callPatiently(
            "DescribeLoadBalancerAttribute",
            { RegionId: client.region, LoadBalancerId: id },
            { autoRetry: true },
        );
    } catch (error) {
        if (isOneOf(error, "InvalidLoadBalancerId.NotFound"))
            throw notFound(notFoundText("SLB:LoadBalancer", id), `${service}:955`, `${providerSource}RequestId: <nil>`);
        throw failed(error, `${service}:957`, id, "DescribeLoadBalancerAttribute");
    }
}

async function statusOf(client: Client, id: string): Promise<string | undefined> {
    try {
        return goText((await describeBalancer(client, id))["LoadBalancerStatus"]);
    } catch (error) {
        if (isNotFound(error)) return undefined;
        throw placed(error, `${service}:975`);
    }
}

/** Returns the VPC of a vSwitch, which must be the requested vSwitch. */
async function vpcOf(client: Client, vswitchId: string): Promise<unknown> {
    const vpcService = "service_alicloud_vpc.go";
    let answer: Answer;
    try {
        answer = await client.call(
            "DescribeVSwitchAttributes",
            { RegionId: client.region, VSwitchId: vswitchId },
            { product: "vpc", autoRetry: true },
        );
    } catch (error) {
        if (isOneOf(error, "InvalidVswitchID.NotFound")) throw notFound(error, `${vpcService}:168`, sdkSource);
        throw failed(error, `${vpcService}:170`, vswitchId, "DescribeVSwitchAttributes");
    }
    const found = answer["VSwitchId"];
    if (typeof found === "string" && found !== vswitchId)
        throw notFound(notFoundText("vswitch", vswitchId), `${vpcService}:174`, providerSource);
    return answer["VpcId"];
}

/** Parameters of a prepaid period: months up to nine, years above. */
function periodArguments(data: ResourceData): Arguments {
    const period = (data.given("period") as number | undefined) ?? 1;
    const isYears = period > 9;
    return {
        Duration: isYears ? Math.trunc(period / 12) : period,
        PricingCycle: isYears ? "Year" : "Month",
        AutoPay: true,
    };
}

async function createArguments(data: ResourceData, client: Client): Promise<Arguments> {
    const given = (name: string): string => data.given(name) as string;
    const result: Arguments = {
        Address: given("address"),
        AddressIPVersion: given("address_ip_version"),
        AddressType: given("address_type"),
        Bandwidth: given("bandwidth"),
        DeleteProtection: given("delete_protection"),
        InternetChargeType:
            data.given("internet_charge_type") === undefined
                ? undefined
                : (translated(given("internet_charge_type"), chargeToCloud) as string),
        LoadBalancerName: given("load_balancer_name") ?? given("name"),
        LoadBalancerSpec: given("load_balancer_spec") ?? given("specification"),
        MasterZoneId: given("master_zone_id"),
        ModificationProtectionReason: given("modification_protection_reason"),
        ModificationProtectionStatus: given("modification_protection_status"),
        PayType:
            data.given("payment_type") === undefined
                ? undefined
                : (translated(given("payment_type"), paymentToCloud) as string),
        InstanceChargeType: given("instance_charge_type"),
        ResourceGroupId: given("resource_group_id"),
        SlaveZoneId: given("slave_zone_id"),
        RegionId: client.region,
    };
    if (result["PayType"] === "PrePay") Object.assign(result, periodArguments(data));
    const vswitchId = data.text("vswitch_id").trim();
    if (vswitchId !== "") {
        result["VpcId"] = (await vpcOf(client, vswitchId).catch(rethrowAt(`${file}:311`))) as string;
        result["VSwitchId"] = vswitchId;
    }
    result["ClientToken"] = `TF-CreateLoadBalancer-${randomUUID()}`;
    return result;
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const answer = await client.callPatiently("CreateLoadBalancer", await createArguments(data, client), {
        autoRetry: true,
        limit: data.timeout("create"),
        pauses: [3, 10],
        also: ["OperationFailed.TokenIsProcessing"],
        fail: { place: `${file}:331`, subject: "alicloud_slb_load_balancer" },
    });
    data.id = goText(answer["LoadBalancerId"]);
    await waitFor(client.clock, data.id, `${file}:337`, {
        target: ["active"],
        limit: data.timeout("create"),
        delay: 5,
        look: () => statusOf(client, data.id),
    });
    await update(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    let object: Answer;
    try {
        object = await describeBalancer(client, data.id);
    } catch (error) {
        if (isNotFound(error)) {
            data.id = "";
            return;
        }
        throw placed(error, `${file}:352`);
    }
    const copy = (attribute: string, field: string): void => data.set(attribute, valueOf(object[field]));
    copy("address", "Address");
    copy("address_ip_version", "AddressIPVersion");
    copy("address_type", "AddressType");
    data.set("bandwidth", numberOf(object["Bandwidth"]));
    copy("delete_protection", "DeleteProtection");
    data.set("internet_charge_type", valueOf(translated(object["InternetChargeType"], chargeFromCloud)));
    copy("load_balancer_name", "LoadBalancerName");
    copy("name", "LoadBalancerName");
    copy("load_balancer_spec", "LoadBalancerSpec");
    copy("specification", "LoadBalancerSpec");
    copy("master_zone_id", "MasterZoneId");
    copy("modification_protection_reason", "ModificationProtectionReason");
    copy("modification_protection_status", "ModificationProtectionStatus");
    data.set("payment_type", valueOf(translated(object["PayType"], paymentFromCloud)));
    copy("instance_charge_type", "InstanceChargeType");
    copy("resource_group_id", "ResourceGroupId");
    copy("slave_zone_id", "SlaveZoneId");
    copy("status", "LoadBalancerStatus");
    copy("vswitch_id", "VSwitchId");
    data.set("tags", await readTags(client, data.id, "instance").catch(rethrowAt(`${file}:376`)));
}

async function update(data: ResourceData, client: Client): Promise<void> {
    data.partial(true);
    if (data.hasChange("tags")) await writeTags(data, client, "instance").catch(rethrowAt(`${file}:390`));
    const call = async (
        action: string,
        line: number,
        parameters: Arguments,
        ...attributes: string[]
    ): Promise<void> => {
        await client.callPatiently(
            action,
            { LoadBalancerId: data.id, ...parameters },
            { limit: data.timeout("update"), fail: { place: `${file}:${line}`, subject: data.id } },
        );
        data.done(...attributes);
    };
    if (data.hasChange("status"))
        await call("SetLoadBalancerStatus", 414, { LoadBalancerStatus: data.text("status") }, "status");
    if (!data.isNewResource) await updateExisting(data, client, call);
    data.partial(false);
    await read(data, client);
}

type Call = (action: string, line: number, parameters: Arguments, ...attributes: string[]) => Promise<void>;

async function updateExisting(data: ResourceData, client: Client, call: Call): Promise<void> {
    const RegionId = client.region;
    if (data.hasChange("delete_protection")) {
        await call(
            "SetLoadBalancerDeleteProtection",
            439,
            { DeleteProtection: data.text("delete_protection"), RegionId },
            "delete_protection",
        );
    }
    const name = ["load_balancer_name", "name"].find((attribute) => data.hasChange(attribute));
    if (name !== undefined)
        await call(
            "SetLoadBalancerName",
            471,
            { LoadBalancerName: data.text(name), RegionId },
            "name",
            "load_balancer_name",
        );
    if (data.hasChange("instance_charge_type")) {
        await call(
            "ModifyLoadBalancerInstanceChargeType",
            501,
            { InstanceChargeType: data.text("instance_charge_type"), RegionId },
            "instance_charge_type",
        );
    }
    const specification = ["load_balancer_spec", "specification"].find((attribute) => data.hasChange(attribute));
    if (specification !== undefined) {
        await call(
            "ModifyLoadBalancerInstanceSpec",
            533,
            { LoadBalancerSpec: data.text(specification), RegionId },
            "specification",
            "load_balancer_spec",
        );
    }
    if (data.hasChanges("modification_protection_status", "modification_protection_reason")) {
        await call(
            "SetLoadBalancerModificationProtection",
            567,
            {
                ModificationProtectionStatus: data.text("modification_protection_status"),
                RegionId,
                ModificationProtectionReason: data.hasChange("modification_protection_reason")
                    ? data.text("modification_protection_reason")
                    : undefined,
            },
            "modification_protection_status",
            "modification_protection_reason",
        );
    }
    if (data.hasChanges("bandwidth", "internet_charge_type")) {
        await call(
            "ModifyLoadBalancerInternetSpec",
            601,
            {
                Bandwidth: data.hasChange("bandwidth") ? data.number("bandwidth") : undefined,
                InternetChargeType: data.hasChange("internet_charge_type")
                    ? data.text("internet_charge_type")
                    : undefined,
                RegionId,
            },
            "bandwidth",
            "internet_charge_type",
        );
    }
    if (data.hasChange("payment_type")) {
        const PayType = translated(data.text("payment_type"), paymentToCloud) as string;
        await call(
            "ModifyLoadBalancerPayType",
            644,
            { PayType, RegionId, ...(PayType === "PrePay" ? periodArguments(data) : {}) },
            "payment_type",
        );
    }
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    // Prepaid instances cannot be deleted, and only leave the state.
    if (data.text("payment_type") === "Subscription" || data.text("instance_charge_type") === "Prepaid") return;
    try {
        await client.callPatiently(
            "DeleteLoadBalancer",
            { LoadBalancerId: data.id, RegionId: client.region },
            { limit: data.timeout("delete") },
        );
    } catch (error) {
        if (isOneOf(error, "InvalidLoadBalancerId.NotFound")) return;
        throw failed(error, `${file}:683`, data.id, "DeleteLoadBalancer");
    }
    await waitFor(client.clock, data.id, `${file}:687`, {
        target: [],
        limit: data.timeout("delete"),
        delay: 5,
        look: () => statusOf(client, data.id),
    });
}

const operations = {
    schema: loadBalancerSchema,
    timeouts: { create: 300, delete: 540 },
    create,
    read,
    update,
    delete: remove,
};

export const applicationLoadBalancer: ResourceType = {
    token: "alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer",
    ...operations,
};

/** The older name of the same thing. */
export const loadBalancer: ResourceType = { token: "alicloud:slb/loadBalancer:LoadBalancer", ...operations };
