import type { Client } from "../../sdk/client";
import { isNotFound, notFound, notFoundText, placed } from "../../sdk/errors";
import type { Arguments } from "../../sdk/flatten";
import { waitFor } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import { tagMap } from "../tags";
import type { ResourceType } from "../type";
import { callVpc, token, writeTags, type Sending } from "../vpc/common";
import { goText, goTextVerb, listOf, need, objectOf, valueOf } from "../values";
import { eipAddressSchema } from "./eip-address-schema";

const file = "resource_alicloud_eip_address.go";
const service = "service_alicloud_eip_v2.go";

const call = (
    client: Client,
    action: string,
    body: Arguments,
    sending: Omit<Sending, "source"> & { source?: string },
): Promise<Answer> => callVpc(client, action, body, { source: file, ...sending });

async function describe(client: Client, id: string): Promise<Answer> {
    const answer = await call(
        client,
        "DescribeEipAddresses",
        {},
        { query: { AllocationId: id, RegionId: client.region }, limit: 60, line: 47, subject: id, source: service },
    );
    const found = listOf(need(answer, "$.EipAddresses.EipAddress[*]", `${service}:52`, id))[0];
    if (found === undefined) throw notFound(notFoundText("Address", id), `${service}:56`, goTextVerb(answer));
    return found;
}

async function statusOf(client: Client, id: string): Promise<string | undefined> {
    try {
        return goText((await describe(client, id))["Status"]);
    } catch (error) {
        if (isNotFound(error)) return undefined;
        throw placed(error, `${service}:101`);
    }
}

const waitUntilUsable = (data: ResourceData, client: Client, line: number, limit: number): Promise<void> =>
    waitFor(client.clock, data.id, `${file}:${line}`, {
        target: ["Available", "InUse"],
        limit,
        delay: 5,
        look: () => statusOf(client, data.id),
    });

const passing = ["OperationConflict", "LastTokenProcessing", "IncorrectStatus", "SystemBusy", "ServiceUnavailable"];

const chargeToCloud = (type: unknown): string | undefined =>
    (({ Subscription: "PrePaid", PayAsYouGo: "PostPaid" }) as Record<string, string>)[String(type)] ??
    (type as string | undefined);
const chargeFromCloud = (type: unknown): unknown =>
    (({ PrePaid: "Subscription", PostPaid: "PayAsYouGo" }) as Record<string, string>)[String(type)] ?? type;

async function create(data: ResourceData, client: Client): Promise<void> {
    const action = "AllocateEipAddress";
    const given = (name: string): string | undefined => data.given(name) as string | undefined;
    const body: Arguments = {
        RegionId: client.region,
        ClientToken: token(action),
        Bandwidth: given("bandwidth"),
        ResourceGroupId: given("resource_group_id"),
        IpAddress: given("ip_address"),
        Description: given("description"),
        Name: given("address_name") ?? given("name"),
        Netmode: given("netmode"),
        SecurityProtectionTypes: given("security_protection_types"),
        ISP: given("isp"),
        Period: given("period"),
        ActivityId: given("activity_id"),
        AutoPay: data.present("auto_pay") as boolean | undefined,
        PricingCycle: given("pricing_cycle"),
        PublicIpAddressPoolId: given("public_ip_address_pool_id"),
        Zone: given("zone"),
        InternetChargeType: given("internet_charge_type"),
        InstanceChargeType: chargeToCloud(given("payment_type") ?? given("instance_charge_type")),
    };
    if (body["InstanceChargeType"] === "PrePaid") {
        const period = (data.given("period") as number | undefined) ?? 1;
        body["Period"] = period > 9 ? Math.trunc(period / 12) : period;
        body["PricingCycle"] = given("pricing_cycle") ?? (period > 9 ? "Year" : "Month");
        body["AutoPay"] = (data.present("auto_pay") as boolean | undefined) ?? true;
    }
    const answer = await call(client, action, body, {
        query: { InstanceId: data.text("allocation_id") },
        limit: data.timeout("create"),
        line: 289,
        subject: "alicloud_eip_address",
        also: [...passing, "FrequentPurchase.EIP"],
    });
    data.id = goText(answer["AllocationId"]);
    await waitUntilUsable(data, client, 297, data.timeout("create"));
    await update(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    let object: Answer;
    try {
        object = await describe(client, data.id);
    } catch (error) {
        if (data.isNewResource || !isNotFound(error)) throw placed(error, `${file}:314`);
        data.id = "";
        return;
    }
    const setGiven = (attribute: string, value: unknown): void => {
        if (value !== undefined && value !== null) data.set(attribute, valueOf(value));
    };
    const fields = {
        address_name: "Name",
        create_time: "AllocationTime",
        deletion_protection: "DeletionProtection",
        description: "Description",
        high_definition_monitor_log_status: "HDMonitorStatus",
        internet_charge_type: "InternetChargeType",
        ip_address: "IpAddress",
        isp: "ISP",
        mode: "Mode",
        netmode: "Netmode",
        public_ip_address_pool_id: "PublicIpAddressPoolId",
        resource_group_id: "ResourceGroupId",
        status: "Status",
        zone: "Zone",
    };
    for (const [attribute, field] of Object.entries(fields)) setGiven(attribute, object[field]);
    setGiven("bandwidth", "EipBandwidth" in object ? object["EipBandwidth"] : object["Bandwidth"]);
    setGiven("payment_type", chargeFromCloud(object["ChargeType"]));
    data.set(
        "security_protection_types",
        valueOf(objectOf(object["SecurityProtectionTypes"])["SecurityProtectionType"]),
    );
    data.set("tags", tagMap(objectOf(object["Tags"])["Tag"]));
    let chargeType = object["ChargeType"];
    if (data.text("high_definition_monitor_log_status") === "ON") {
        const log = await describeLog(data, client);
        setGiven("log_project", log["LogProject"]);
        setGiven("log_store", log["LogStore"]);
        chargeType = log["ChargeType"];
    }
    data.set("allocation_id", data.id);
    data.set("name", data.text("address_name"));
    data.set("instance_charge_type", valueOf(chargeType));
}

async function describeLog(data: ResourceData, client: Client): Promise<Answer> {
    try {
        return await call(
            client,
            "DescribeHighDefinitionMonitorLogAttribute",
            {},
            {
                query: { InstanceId: data.id, RegionId: client.region },
                limit: 60,
                line: 88,
                subject: data.id,
                source: service,
            },
        );
    } catch (error) {
        throw placed(error, `${file}:383`);
    }
}

async function update(data: ResourceData, client: Client): Promise<void> {
    data.partial(true);
    const RegionId = client.region;
    const limit = data.timeout("update");
    const changed = (...pairs: [string, string][]): Arguments =>
        Object.fromEntries(
            pairs
                .filter(([attribute]) => data.hasChange(attribute))
                .map(([attribute, name]) => [name, data.get(attribute) as string]),
        );
    const some = (values: Arguments): boolean => Object.keys(values).length > 0;
    const settings = (line: number) => ({ limit, line, subject: data.id });

    const attributes = data.isNewResource
        ? {}
        : changed(
              ["bandwidth", "Bandwidth"],
              ["description", "Description"],
              ["name", "Name"],
              ["address_name", "Name"],
          );
    if (some(attributes)) {
        await call(
            client,
            "ModifyEipAddressAttribute",
            { RegionId, ...attributes },
            {
                ...settings(453),
                query: { AllocationId: data.id },
                autoRetry: false,
                also: [...passing, "IncorrectEipStatus", "IncorrectStatus.ResourceStatus", "VPC_TASK_CONFLICT"],
            },
        );
        await waitUntilUsable(data, client, 458, limit);
    }
    const log = changed(
        ["log_project", "LogProject"],
        ["log_store", "LogStore"],
        ["high_definition_monitor_log_status", "Status"],
    );
    if (some(log)) {
        await call(
            client,
            "SetHighDefinitionMonitorLogStatus",
            { RegionId, ...log, InstanceType: "EIP" },
            {
                ...settings(499),
                query: { InstanceId: data.id },
                autoRetry: false,
                also: [
                    ...passing,
                    "IncorrectEipStatus",
                    "IncorrectInstanceStatus",
                    "InvalidBindingStatus",
                    "IncorrectStatus.NatGateway",
                    "InvalidStatus.EcsStatusNotSupport",
                    "InvalidStatus.InstanceHasBandWidth",
                    "InvalidStatus.EniStatusNotSupport",
                    "TaskConflict",
                ],
            },
        );
    }
    if (!data.isNewResource && data.given("resource_group_id") !== undefined && data.hasChange("resource_group_id")) {
        await call(
            client,
            "MoveResourceGroup",
            { RegionId, NewResourceGroupId: data.text("resource_group_id"), ResourceType: "EIP" },
            { ...settings(530), query: { ResourceId: data.id }, autoRetry: false },
        );
    }
    if (data.hasChange("deletion_protection")) {
        await call(
            client,
            "DeletionProtection",
            {
                RegionId,
                ClientToken: token("DeletionProtection"),
                ProtectionEnable: data.flag("deletion_protection"),
                Type: "EIP",
            },
            { ...settings(562), query: { InstanceId: data.id } },
        );
    }
    if (data.hasChange("mode")) {
        await call(
            client,
            "ModifyEipForwardMode",
            { RegionId, ClientToken: token("ModifyEipForwardMode"), Mode: data.text("mode") },
            { ...settings(592), query: { InstanceId: data.id } },
        );
    }
    await writeTags(data, client, { resourceType: "EIP", service, lines: [160, 193], place: `${file}:599` });
    data.partial(false);
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    // Prepaid addresses cannot be released; they only leave the state.
    if (data.text("payment_type") === "Subscription") return;
    await call(
        client,
        "ReleaseEipAddress",
        { RegionId: client.region },
        {
            query: { AllocationId: data.id },
            limit: data.timeout("delete"),
            line: 640,
            subject: data.id,
            autoRetry: false,
            also: [...passing, "IncorrectEipStatus", "TaskConflict.AssociateGlobalAccelerationInstance"],
        },
    );
    await waitFor(client.clock, data.id, `${file}:646`, {
        target: [],
        limit: data.timeout("delete"),
        delay: 5,
        look: () => statusOf(client, data.id),
    });
}

export const eipAddress: ResourceType = {
    token: "alicloud:ecs/eipAddress:EipAddress",
    schema: eipAddressSchema,
    timeouts: { create: 540, update: 540, delete: 540 },
    create,
    read,
    update,
    delete: remove,
};
