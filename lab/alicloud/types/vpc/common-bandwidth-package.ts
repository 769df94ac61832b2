import type { Client } from "../../sdk/client";
import { failed, isNotFound, notFound, notFoundText, placed } from "../../sdk/errors";
import type { Arguments } from "../../sdk/flatten";
import { waitFor } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import type { ValueMap } from "../../terraform/value";
import { either, fixed, flag, map, optional, output, required, text, texts, whole } from "../../terraform/shorthand";
import { between, lengthBetween, oneOf } from "../../terraform/validators";
import { tagArguments, tagMap } from "../tags";
import type { ResourceType } from "../type";
import { goText, goTextVerb, listOf, need, objectOf, valueOf } from "../values";
import { callVpc, isp, token, writeTags } from "./common";

const file = "resource_alicloud_common_bandwidth_package.go";
const service = "service_alicloud_cbwp_v2.go";

const schema: SchemaMap = {
    bandwidth: text(required),
    bandwidth_package_name: text({ ...either, conflictsWith: ["name"] }),
    create_time: text(output),
    deletion_protection: flag(optional),
    description: text({ ...optional, validate: lengthBetween(2, 256) }),
    force: text(optional),
    internet_charge_type: text({
        ...fixed(optional),
        default: "PayByTraffic",
        keepsDefault: true,
        validate: oneOf("PayBy95", "PayByBandwidth", "PayByTraffic", "PayByDominantTraffic", "PayByOld95"),
    }),
    isp,
    payment_type: text(output),
    ratio: whole({ ...fixed(either), validate: between(0, 100) }),
    region_id: text(output),
    resource_group_id: text(either),
    security_protection_types: texts(fixed(optional)),
    status: text(output),
    tags: map(optional),
    zone: text(optional),
    name: text({
        ...either,
        deprecated:
            "Field 'name' has been deprecated since provider version 1.120.0. New field 'bandwidth_package_name' instead.",
    }),
};

const passing = [
    "BandwidthPackageOperation.conflict",
    "OperationConflict",
    "LastTokenProcessing",
    "IncorrectStatus",
    "SystemBusy",
    "ServiceUnavailable",
];

async function describe(client: Client, id: string): Promise<Answer> {
    const answer = await callVpc(
        client,
        "DescribeCommonBandwidthPackages",
        { BandwidthPackageId: id, RegionId: client.region },
        { limit: 60, source: service, line: 46, subject: id },
    );
    const found = listOf(need(answer, "$.CommonBandwidthPackages.CommonBandwidthPackage[*]", `${service}:51`, id))[0];
    if (found === undefined)
        throw notFound(notFoundText("CommonBandwidthPackage", id), `${service}:55`, goTextVerb(answer));
    return found;
}

async function statusOf(client: Client, id: string): Promise<string> {
    try {
        return goText((await describe(client, id))["Status"]);
    } catch (error) {
        if (isNotFound(error)) return "";
        throw placed(error, `${service}:100`);
    }
}

const waitUntilAvailable = (data: ResourceData, client: Client, line: number, limit: number): Promise<void> =>
    waitFor(client.clock, data.id, `${file}:${line}`, {
        target: ["Available"],
        limit,
        delay: 5,
        look: () => statusOf(client, data.id),
    });

async function create(data: ResourceData, client: Client): Promise<void> {
    const action = "CreateCommonBandwidthPackage";
    const given = (name: string): string | undefined => data.given(name) as string | undefined;
    const tags = Object.entries((data.given("tags") ?? {}) as ValueMap).map(([key, value]): [string, string] => [
        key,
        String(value),
    ]);
    const answer = await callVpc(
        client,
        action,
        {
            RegionId: client.region,
            ClientToken: token(action),
            Bandwidth: data.text("bandwidth"),
            Description: given("description"),
            ResourceGroupId: given("resource_group_id"),
            Ratio: data.present("ratio") as number | undefined,
            SecurityProtectionTypes: given("security_protection_types"),
            ISP: given("isp"),
            InternetChargeType: given("internet_charge_type"),
            Zone: given("zone"),
            Name:
                given("bandwidth_package_name") ??
                given("name") ??
                (data.hasChange("name") ? data.text("name") : undefined),
            ...tagArguments(tags),
        },
        {
            limit: data.timeout("create"),
            source: file,
            line: 180,
            subject: "alicloud_common_bandwidth_package",
            also: passing,
        },
    );
    data.id = goText(answer["BandwidthPackageId"]);
    await waitUntilAvailable(data, client, 188, data.timeout("create"));
    await update(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    let object: Answer;
    try {
        object = await describe(client, data.id);
    } catch (error) {
        if (data.isNewResource || !isNotFound(error)) throw placed(error, `${file}:205`);
        data.id = "";
        return;
    }
    const fields = {
        bandwidth: "Bandwidth",
        bandwidth_package_name: "Name",
        create_time: "CreationTime",
        deletion_protection: "DeletionProtection",
        description: "Description",
        internet_charge_type: "InternetChargeType",
        isp: "ISP",
        ratio: "Ratio",
        region_id: "RegionId",
        resource_group_id: "ResourceGroupId",
        status: "Status",
    };
    for (const [attribute, field] of Object.entries(fields)) data.set(attribute, valueOf(object[field]));
    data.set(
        "security_protection_types",
        valueOf(objectOf(object["SecurityProtectionTypes"])["SecurityProtectionType"]),
    );
    const charge = goText(object["InstanceChargeType"]);
    data.set(
        "payment_type",
        ({ PrePaid: "Subscription", PostPaid: "PayAsYouGo" } as Record<string, string>)[charge] ?? charge,
    );
    data.set("tags", tagMap(objectOf((await readTags(data, client))["TagResources"])["TagResource"]));
    data.set("name", data.text("bandwidth_package_name"));
}

async function readTags(data: ResourceData, client: Client): Promise<Answer> {
    try {
        return await callVpc(
            client,
            "ListTagResources",
            { "ResourceId.1": data.id, RegionId: client.region, ResourceType: "COMMONBANDWIDTHPACKAGE" },
            { limit: 60, source: service, line: 87, subject: data.id },
        );
    } catch (error) {
        if (isNotFound(error)) return {};
        throw placed(error, `${file}:226`);
    }
}

async function update(data: ResourceData, client: Client): Promise<void> {
    data.partial(true);
    const RegionId = client.region;
    const limit = data.timeout("update");
    const settings = (line: number) => ({ limit, source: file, line, subject: data.id });
    if (!data.isNewResource) {
        const changes: Arguments = {};
        if (data.hasChange("description")) changes["Description"] = data.text("description");
        for (const name of ["name", "bandwidth_package_name"])
            if (data.hasChange(name)) changes["Name"] = data.text(name);
        if (Object.keys(changes).length > 0) {
            await callVpc(
                client,
                "ModifyCommonBandwidthPackageAttribute",
                { BandwidthPackageId: data.id, RegionId, ...changes },
                settings(280),
            );
        }
        if (data.hasChange("bandwidth")) {
            await callVpc(
                client,
                "ModifyCommonBandwidthPackageSpec",
                { BandwidthPackageId: data.id, RegionId, Bandwidth: data.text("bandwidth") },
                { ...settings(308), also: passing },
            );
            await waitUntilAvailable(data, client, 313, limit);
        }
        if (data.given("resource_group_id") !== undefined && data.hasChange("resource_group_id")) {
            await callVpc(
                client,
                "MoveResourceGroup",
                {
                    ResourceId: data.id,
                    RegionId,
                    NewResourceGroupId: data.text("resource_group_id"),
                    ResourceType: "bandwidthpackage",
                },
                settings(342),
            );
        }
    }
    if (data.hasChange("deletion_protection")) {
        await callVpc(
            client,
            "DeletionProtection",
            {
                InstanceId: data.id,
                RegionId,
                ClientToken: token("DeletionProtection"),
                ProtectionEnable: data.flag("deletion_protection"),
                Type: "CBWP",
            },
            settings(372),
        );
    }
    await writeTags(data, client, {
        resourceType: "COMMONBANDWIDTHPACKAGE",
        service,
        lines: [166, 199],
        place: `${file}:379`,
    });
    data.partial(false);
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    // Packages paid by the 95th percentile cannot be deleted; they only leave the state.
    if (data.text("internet_charge_type") === "PayBy95") return;
    const action = "DeleteCommonBandwidthPackage";
    try {
        await client.callPatiently(
            action,
            { BandwidthPackageId: data.id, RegionId: client.region, Force: data.given("force") as string | undefined },
            { product: "vpc", autoRetry: true, limit: data.timeout("delete"), pauses: [3, 5], also: passing },
        );
    } catch (error) {
        if (isNotFound(error)) return;
        throw failed(error, `${file}:428`, data.id, action);
    }
    await waitFor(client.clock, data.id, `${file}:434`, {
        target: [""],
        limit: data.timeout("delete"),
        delay: 15,
        look: () => statusOf(client, data.id),
    });
}

export const commonBandwidthPackage: ResourceType = {
    token: "alicloud:vpc/commonBandwithPackage:CommonBandwithPackage",
    schema,
    timeouts: { create: 300, update: 300, delete: 300 },
    create,
    read,
    update,
    delete: remove,
};
