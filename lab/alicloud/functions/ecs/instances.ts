import type { Client } from "../../sdk/client";
import { PluginPanic } from "../../sdk/errors";
import type { Arguments } from "../../sdk/flatten";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import type { ValueMap } from "../../terraform/value";
import { either, fixed, flag, list, map, optional, output, text, texts, whole } from "../../terraform/shorthand";
import { plainOneOf } from "../../terraform/validators";
import { tagMap } from "../../types/tags";
import type { FunctionType } from "../../types/type";
import { listOf, numberOf, objectOf, textOf } from "../../types/values";
import { filterOf, filterSchema, finish, listingFailed, pageArguments, patientlyTyped, tagFilter } from "../common";

const source = "alicloud_instances";

async function call(client: Client, action: string, parameters: Arguments, line: number): Promise<Answer> {
    try {
        return await patientlyTyped(client, action, parameters, "ecs");
    } catch (error) {
        throw listingFailed(error, `data_source_${source}.go:${line}`, source, action);
    }
}

async function listInstances(data: ResourceData, client: Client): Promise<{ found: Answer[]; total: number }> {
    const ids = data.list("ids") as string[];
    const parameters: Arguments = {
        Status: data.text("status"),
        InstanceIds: ids.length > 0 ? JSON.stringify(ids) : undefined,
        VpcId: data.text("vpc_id"),
        VSwitchId: data.text("vswitch_id"),
        ResourceGroupId: data.text("resource_group_id"),
        ZoneId: data.text("availability_zone"),
        InstanceName: data.text("instance_name"),
        ...tagFilter(data),
        ...pageArguments(data, 100),
    };
    const found: Answer[] = [];
    for (;;) {
        const answer = await call(client, "DescribeInstances", parameters, 311);
        const page = listOf(objectOf(answer["Instances"])["Instance"]);
        found.push(...page);
        const isLast = data.number("page_number") > 0 || page.length < Math.max(1, Number(parameters["PageSize"]));
        if (isLast) return { found, total: numberOf(answer["TotalCount"]) };
        parameters["PageNumber"] = Number(parameters["PageNumber"]) + 1;
    }
}

/** Role names by instance. Instances without an entry are left out of the results. */
async function listRoles(data: ResourceData, client: Client, ids: readonly string[]): Promise<Map<string, string>> {
    const roles = new Map<string, string>();
    for (let start = 0; start < ids.length; start += 100) {
        for (let PageNumber = 1; ; PageNumber++) {
            const answer = await call(
                client,
                "DescribeInstanceRamRole",
                {
                    InstanceIds: JSON.stringify(ids.slice(start, start + 100)),
                    RamRoleName: data.text("ram_role_name"),
                    PageSize: 50,
                    PageNumber,
                },
                404,
            );
            const page = listOf(objectOf(answer["InstanceRamRoleSets"])["InstanceRamRoleSet"]);
            for (const role of page) roles.set(textOf(role["InstanceId"]), textOf(role["RamRoleName"]));
            if (page.length < 50) break;
        }
    }
    return roles;
}

async function listDisks(client: Client): Promise<Map<string, ValueMap[]>> {
    const disks = new Map<string, ValueMap[]>();
    for (let PageNumber = 1; ; PageNumber++) {
        const answer = await call(client, "DescribeDisks", { PageSize: 100, PageNumber }, 537);
        const page = listOf(objectOf(answer["Disks"])["Disk"]);
        for (const disk of page) {
            const id = textOf(disk["InstanceId"]);
            disks.set(id, [
                ...(disks.get(id) ?? []),
                {
                    device: textOf(disk["Device"]),
                    size: numberOf(disk["Size"]),
                    category: textOf(disk["Category"]),
                    type: textOf(disk["Type"]),
                    disk_id: textOf(disk["DiskId"]),
                    disk_name: textOf(disk["DiskName"]),
                },
            ]);
        }
        if (page.length < 100) return disks;
    }
}

const firstAddress = (value: unknown): string | undefined => {
    const addresses = objectOf(value)["IpAddress"];
    return Array.isArray(addresses) && addresses.length > 0 ? String(addresses[0]) : undefined;
};

function instanceOf(found: Answer): ValueMap {
    const network = objectOf(found["VpcAttributes"]);
    const eip = textOf(objectOf(found["EipAddress"])["IpAddress"]);
    const copy = (field: string): string => textOf(found[field]);
    const privateAddress = firstAddress(found["InnerIpAddress"]) ?? firstAddress(network["PrivateIpAddress"]);
    if (privateAddress === undefined) throw new PluginPanic("runtime error: index out of range [0] with length 0");
    return {
        id: copy("InstanceId"),
        region_id: copy("RegionId"),
        availability_zone: copy("ZoneId"),
        status: copy("Status"),
        name: copy("InstanceName"),
        instance_type: copy("InstanceType"),
        vpc_id: textOf(network["VpcId"]),
        vswitch_id: textOf(network["VSwitchId"]),
        image_id: copy("ImageId"),
        description: copy("Description"),
        security_groups: (objectOf(found["SecurityGroupIds"])["SecurityGroupId"] ?? []) as string[],
        resource_group_id: copy("ResourceGroupId"),
        eip,
        key_name: copy("KeyPairName"),
        spot_strategy: copy("SpotStrategy"),
        creation_time: copy("CreationTime"),
        instance_charge_type: copy("InstanceChargeType"),
        internet_charge_type: copy("InternetChargeType"),
        internet_max_bandwidth_out: numberOf(found["InternetMaxBandwidthOut"]),
        tags: tagMap(objectOf(found["Tags"])["Tag"]),
        private_ip: privateAddress,
        public_ip: firstAddress(found["PublicIpAddress"]) ?? eip,
    };
}

const instanceSchema: SchemaMap = {
    id: text(output),
    region_id: text(output),
    availability_zone: text(output),
    resource_group_id: text(output),
    status: text(output),
    name: text(output),
    instance_type: text(output),
    vpc_id: text(output),
    vswitch_id: text(output),
    image_id: text(output),
    private_ip: text(output),
    public_ip: text(output),
    eip: text(output),
    description: text(output),
    security_groups: texts(output),
    key_name: text(output),
    creation_time: text(output),
    instance_charge_type: text(output),
    internet_charge_type: text(output),
    internet_max_bandwidth_out: whole(output),
    ram_role_name: text(output),
    spot_strategy: text(output),
    disk_device_mappings: list(
        {
            device: text(output),
            size: whole(output),
            category: text(output),
            type: text(output),
            disk_id: text(output),
            disk_name: text(output),
        },
        output,
    ),
    tags: map(output),
};

export const ecsInstances: FunctionType = {
    token: "alicloud:ecs/getInstances:getInstances",
    schema: {
        ...filterSchema,
        ids: texts({ ...either, minItems: 1 }),
        instance_name: text(optional),
        image_id: text(optional),
        resource_group_id: text(optional),
        status: text({ ...optional, validate: plainOneOf("Running", "Stopped", "Creating", "Starting", "Stopping") }),
        vpc_id: text(optional),
        vswitch_id: text(optional),
        availability_zone: text(optional),
        ram_role_name: text(optional),
        tags: map(fixed(optional)),
        page_number: whole(optional),
        page_size: whole(optional),
        instances: list(instanceSchema, output),
        total_count: whole(output),
        enable_details: flag({ ...optional, default: true }),
    },
    async read(data, client) {
        const { found, total } = await listInstances(data, client);
        const isWanted = filterOf(data);
        const image = data.given("image_id");
        const listed = found.filter(
            (one) =>
                isWanted(one["InstanceId"], textOf(one["InstanceName"])) &&
                (image === undefined || image === one["ImageId"]),
        );
        let instances: ValueMap[];
        if (data.flag("enable_details")) {
            const ids = listed
                .filter((one) => one["InstanceNetworkType"] !== "classic")
                .map((one) => textOf(one["InstanceId"]));
            const roles = await listRoles(data, client, ids);
            const disks = await listDisks(client);
            instances = listed
                .filter((one) => roles.has(textOf(one["InstanceId"])))
                .map((one) => {
                    const id = textOf(one["InstanceId"]);
                    return {
                        ...instanceOf(one),
                        ram_role_name: roles.get(id)!,
                        disk_device_mappings: disks.get(id) ?? [],
                    };
                });
        } else instances = listed.map(instanceOf);
        finish(
            data,
            instances.map((one) => String(one["id"])),
            { instances, names: instances.map((one) => one["name"]), total_count: total },
        );
    },
};
