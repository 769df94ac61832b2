import type { Client } from "../../sdk/client";
import { failed, isNotFound, isOneOf, PluginPanic, placed } from "../../sdk/errors";
import type { Argument, Arguments } from "../../sdk/flatten";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { TfSet, ValueMap } from "../../terraform/value";
import type { ResourceType } from "../type";
import { goText } from "../values";
import { call, givenArguments, givenTags, moveToGroup, waitForJob, writeTags } from "./common";
import { describe, file, read, waitUntilActive } from "./describe-load-balancer";
import { loadBalancerSchema } from "./load-balancer-schema";

const textsOf = (value: unknown): string[] => (value as TfSet).list() as string[];

function zoneArguments(data: ResourceData, isNew: boolean): Argument[] {
    return ((data.get("zone_mappings") as TfSet).list() as ValueMap[]).map((zone) => ({
        VSwitchId: zone["vswitch_id"] as string,
        ZoneId: zone["zone_id"] as string,
        AllocationId: zone["allocation_id"] as string,
        PrivateIPv4Address: zone["private_ipv4_address"] === "" ? undefined : (zone["private_ipv4_address"] as string),
        ...(isNew
            ? {
                  Ipv6Address: zone["ipv6_address"] as string,
                  Ipv6LocalAddresses: textsOf(zone["ipv6_local_addresses"]),
                  Ipv4LocalAddresses: textsOf(zone["ipv4_local_addresses"]),
              }
            : {}),
    }));
}

/**
 * Returns the arguments of protection. They come from the blocks, or from the flat attributes where there are no
 * blocks.
 */
function protectionArguments(data: ResourceData): Arguments {
    const block = (kind: string): ValueMap | undefined =>
        (data.given(`${kind}_protection_config`) as ValueMap[] | undefined)?.[0];
    const notEmpty = (value: unknown): string | undefined => (value === "" ? undefined : (value as string));
    const deletion = block("deletion");
    const modification = block("modification");
    const ofDeletion: Arguments =
        deletion === undefined
            ? {
                  Enabled: data.present("deletion_protection_enabled") as boolean | undefined,
                  Reason: data.given("deletion_protection_reason") as string | undefined,
              }
            : { Enabled: deletion["enabled"] as boolean, Reason: notEmpty(deletion["reason"]) };
    const ofModification: Arguments =
        modification === undefined
            ? {
                  Status: data.given("modification_protection_status") as string,
                  Reason: data.given("modification_protection_reason") as string,
              }
            : { Status: notEmpty(modification["status"]), Reason: notEmpty(modification["reason"]) };
    return { DeletionProtectionConfig: ofDeletion, ModificationProtectionConfig: ofModification };
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const payment = data.given("payment_type") as string | undefined;
    const answer = await call(
        client,
        "CreateLoadBalancer",
        {
            AddressType: data.text("address_type"),
            VpcId: data.text("vpc_id"),
            ZoneMappings: zoneArguments(data, true),
            ...givenArguments(data, {
                load_balancer_type: "LoadBalancerType",
                load_balancer_name: "LoadBalancerName",
                address_ip_version: "AddressIpVersion",
                bandwidth_package_id: "BandwidthPackageId",
                resource_group_id: "ResourceGroupId",
            }),
            LoadBalancerBillingConfig: { PayType: payment === "PayAsYouGo" ? "PostPay" : payment },
            ...protectionArguments(data),
            ...givenTags(data),
        },
        { limit: data.timeout("create"), fail: { place: `${file}:380`, subject: "alicloud_nlb_load_balancer" } },
    );
    data.id = goText(answer["LoadbalancerId"]);
    await waitUntilActive(data, client, 388, data.timeout("create"), 0);
    await update(data, client);
}

/** Makes one change to an existing load balancer. */
function change(
    data: ResourceData,
    client: Client,
    action: string,
    parameters: Arguments,
    line: number,
    also: string[] = [],
): Promise<Answer> {
    return call(
        client,
        action,
        { LoadBalancerId: data.id, ...parameters },
        { limit: data.timeout("update"), also, fail: { place: `${file}:${line}`, subject: data.id } },
    );
}

const waitForChange = (data: ResourceData, client: Client, answer: Answer, line: number): Promise<void> =>
    waitForJob(data, client, answer, { place: `${file}:${line}`, limit: data.timeout("update"), delay: 5 });

async function writeIpv6Type(data: ResourceData, client: Client): Promise<void> {
    const target = data.text("ipv6_address_type");
    let current: unknown;
    try {
        current = (await describe(client, data.id))["Ipv6AddressType"];
    } catch (error) {
        throw placed(error, `${file}:520`);
    }
    if (typeof current !== "string") throw new PluginPanic("interface conversion: interface {} is nil, not string");
    const action = (
        { Intranet: "DisableLoadBalancerIpv6Internet", Internet: "EnableLoadBalancerIpv6Internet" } as Record<
            string,
            string
        >
    )[target];
    if (current !== target && action !== undefined)
        await change(data, client, action, {}, 549, ["IncorrectStatus.Ipv6Gateway"]);
}

async function writeAttributes(data: ResourceData, client: Client): Promise<void> {
    const changes: Arguments = {};
    if (!data.isNewResource && data.hasChange("load_balancer_name"))
        changes["LoadBalancerName"] = data.text("load_balancer_name");
    const isSwitchedOff = data.isNewResource && data.present("cross_zone_enabled") === false;
    if (data.hasChange("cross_zone_enabled") || isSwitchedOff)
        changes["CrossZoneEnabled"] = data.flag("cross_zone_enabled");
    if (data.hasChange("cps")) changes["Cps"] = data.number("cps");
    if (Object.keys(changes).length === 0) return;
    await change(data, client, "UpdateLoadBalancerAttribute", changes, 629);
    await waitUntilActive(data, client, 633, data.timeout("update"), 5);
}

async function writeProtection(data: ResourceData, client: Client): Promise<void> {
    const fields: [string, string, string][] = [
        ["deletion", "enabled", "DeletionProtectionEnabled"],
        ["deletion", "reason", "DeletionProtectionReason"],
        ["modification", "status", "ModificationProtectionStatus"],
        ["modification", "reason", "ModificationProtectionReason"],
    ];
    const changes: Arguments = {};
    let isChanged = false;
    for (const [kind, field, name] of fields) {
        if (!data.hasChange(`${kind}_protection_config.0.${field}`)) continue;
        isChanged = true;
        const block = data.list(`${kind}_protection_config`)[0] as ValueMap | undefined;
        if (block !== undefined) changes[name] = block[field] as string;
    }
    for (const [kind, field, name] of fields) {
        const attribute = `${kind}_protection_${field}`;
        if (!data.hasChange(attribute)) continue;
        isChanged = true;
        const value = field === "enabled" ? data.present(attribute) : data.given(attribute);
        if (value !== undefined) changes[name] = value as string;
    }
    if (isChanged) await change(data, client, "UpdateLoadBalancerProtection", changes, 766);
}

async function writeSecurityGroups(data: ResourceData, client: Client): Promise<void> {
    const [before, after] = data.change("security_group_ids") as [TfSet, TfSet];
    for (const [action, ids] of [
        ["LoadBalancerLeaveSecurityGroup", textsOf(before.difference(after))],
        ["LoadBalancerJoinSecurityGroup", textsOf(after.difference(before))],
    ] as const) {
        if (ids.length === 0) continue;
        const answer = await change(data, client, action, { SecurityGroupIds: ids }, 842, ["SystemBusy"]);
        await waitForChange(data, client, answer, 846);
    }
}

async function update(data: ResourceData, client: Client): Promise<void> {
    data.partial(true);
    if (data.hasChange("ipv6_address_type")) await writeIpv6Type(data, client);
    if (!data.isNewResource && data.hasChange("address_type")) {
        await waitForChange(
            data,
            client,
            await change(
                data,
                client,
                "UpdateLoadBalancerAddressTypeConfig",
                { AddressType: data.text("address_type") },
                581,
            ),
            585,
        );
    }
    await writeAttributes(data, client);
    if (!data.isNewResource) {
        if (data.hasChange("zone_mappings")) {
            await change(data, client, "UpdateLoadBalancerZones", { ZoneMappings: zoneArguments(data, false) }, 677);
            await waitUntilActive(data, client, 681, data.timeout("update"), 5);
        }
        await writeProtection(data, client);
        await moveToGroup(data, client, "loadbalancer", `${file}:796`);
    }
    await writeTags(data, client, "loadbalancer", `${file}:802`);
    if (data.hasChange("security_group_ids")) await writeSecurityGroups(data, client);
    data.partial(false);
    await waitUntilActive(data, client, 855, data.timeout("update"), 5);
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const action = "DeleteLoadBalancer";
    let answer: Answer;
    try {
        answer = await call(client, action, { LoadBalancerId: data.id }, { limit: data.timeout("delete") });
    } catch (error) {
        if (isNotFound(error) || isOneOf(error, "ResourceNotFound.loadBalancer")) return;
        throw failed(error, `${file}:893`, data.id, action);
    }
    await waitForJob(data, client, answer, { place: `${file}:899`, limit: data.timeout("delete"), delay: 30 });
}

export const nlbLoadBalancer: ResourceType = {
    token: "alicloud:nlb/loadBalancer:LoadBalancer",
    schema: loadBalancerSchema,
    timeouts: { create: 300, update: 300, delete: 660 },
    create,
    read,
    update,
    delete: remove,
};
