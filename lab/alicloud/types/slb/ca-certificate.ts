import type { Client } from "../../sdk/client";
import { failed, isNotFound, isOneOf, notFound, notFoundText, PluginPanic, placed } from "../../sdk/errors";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import { either, fixed, map, optional, required, text } from "../../terraform/shorthand";
import { tagMap } from "../tags";
import type { ResourceType } from "../type";
import { goText, listOf, need, objectOf, valueOf } from "../values";
import { writeTags } from "./tags";

const file = "resource_alicloud_slb_ca_certificate.go";
const service = "service_alicloud_slb.go";

const schema: SchemaMap = {
    ca_certificate: text(fixed(required)),
    ca_certificate_name: text({ ...either, conflictsWith: ["name"] }),
    name: text({
        ...either,
        conflictsWith: ["ca_certificate_name"],
        deprecated:
            "Field 'name' has been deprecated from provider version 1.123.1. New field 'ca_certificate_name' instead",
    }),
    resource_group_id: text(fixed(either)),
    tags: map(optional),
};

async function describe(client: Client, id: string): Promise<Answer> {
    const action = "DescribeCACertificates";
    let answer: Answer;
    try {
        answer = await client.callPatiently(
            action,
            { RegionId: client.region, CACertificateId: id },
            { autoRetry: true },
        );
    } catch (error) {
        throw failed(error, `${service}:1009`, id, action);
    }
    const first = listOf(need(answer, "$.CACertificates.CACertificate", `${service}:1013`, id))[0];
    if (first === undefined) throw notFound(notFoundText("SLB", id), `${service}:1016`, `Response: ${goText(answer)}`);
    const found = first["CACertificateId"];
    if (typeof found !== "string") throw new PluginPanic("interface conversion: interface {} is nil, not string");
    if (found !== id) throw notFound(notFoundText("SLB", id), `${service}:1019`, `Response: ${goText(answer)}`);
    return first;
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const answer = await client.callPatiently(
        "UploadCACertificate",
        {
            CACertificate: data.text("ca_certificate"),
            CACertificateName: (data.given("ca_certificate_name") ?? data.given("name")) as string,
            RegionId: client.region,
            ResourceGroupId: data.given("resource_group_id") as string,
        },
        { limit: data.timeout("create"), fail: { place: `${file}:87`, subject: "alicloud_slb_ca_certificate" } },
    );
    data.id = goText(answer["CACertificateId"]);
    await update(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    let object: Answer;
    try {
        object = await describe(client, data.id);
    } catch (error) {
        if (isNotFound(error)) {
            data.id = "";
            return;
        }
        throw placed(error, `${file}:104`);
    }
    data.set("ca_certificate_name", valueOf(object["CACertificateName"]));
    data.set("name", valueOf(object["CACertificateName"]));
    data.set("resource_group_id", valueOf(object["ResourceGroupId"]));
    if (typeof object["Tags"] === "object" && object["Tags"] !== null)
        data.set("tags", tagMap(objectOf(object["Tags"])["Tag"]));
}

async function update(data: ResourceData, client: Client): Promise<void> {
    data.partial(true);
    if (data.hasChange("tags")) {
        try {
            await writeTags(data, client, "certificate");
        } catch (error) {
            throw placed(error, `${file}:123`);
        }
    }
    const name = ["ca_certificate_name", "name"].find((attribute) => !data.isNewResource && data.hasChange(attribute));
    if (name !== undefined) {
        await client.callPatiently(
            "SetCACertificateName",
            { CACertificateId: data.id, CACertificateName: data.text(name), RegionId: client.region },
            { limit: data.timeout("update"), fail: { place: `${file}:155`, subject: data.id } },
        );
        data.done("name", "ca_certificate_name");
    }
    data.partial(false);
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const action = "DeleteCACertificate";
    try {
        await client.callPatiently(
            action,
            { CACertificateId: data.id, RegionId: client.region },
            {
                limit: data.timeout("delete"),
                pauses: [3, 5],
                also: [
                    "BackendServer.configuring",
                    "OperationBusy",
                    "ServiceIsConfiguring",
                    "ServiceIsStopping",
                    "SystemBusy",
                ],
            },
        );
    } catch (error) {
        if (!isOneOf(error, "CACertificateId.NotFound")) throw failed(error, `${file}:190`, data.id, action);
    }
}

export const caCertificate: ResourceType = {
    token: "alicloud:slb/caCertificate:CaCertificate",
    schema,
    timeouts: { delete: 300 },
    create,
    read,
    update,
    delete: remove,
};
