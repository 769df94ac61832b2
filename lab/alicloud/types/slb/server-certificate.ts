import type { Client } from "../../sdk/client";
import { failed, isNotFound, isOneOf, notFound, notFoundText, placed, providerSource } from "../../sdk/errors";
import { retry } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap, Suppressor } from "../../terraform/schema";
import { either, fixed, map, optional, text } from "../../terraform/shorthand";
import type { ResourceType } from "../type";
import { listOf, objectOf, textOf } from "../values";
import { readTags, writeTagsTyped } from "./tags";

const file = "resource_alicloud_slb_server_certificate.go";
const service = "service_alicloud_slb.go";

/** A certificate of the certificate service needs no texts of its own. */
const isFromService: Suppressor = (_key, _before, _after, data) => data.given("alicloud_certificate_id") !== undefined;

const schema: SchemaMap = {
    name: text(optional),
    server_certificate: text({ ...fixed(optional), suppress: isFromService }),
    private_key: text({ ...fixed(optional), suppress: isFromService }),
    alicloud_certificate_region_id: text(fixed(optional)),
    alicloud_certifacte_id: text({
        ...fixed(optional),
        deprecated:
            "Field 'alicloud_certifacte_id' has been deprecated from provider version 1.68.0. Use 'alicloud_certificate_id' replaces it.",
    }),
    alicloud_certificate_id: text(fixed(optional)),
    alicloud_certifacte_name: text({
        ...fixed(optional),
        deprecated:
            "Field 'alicloud_certifacte_name' has been deprecated from provider version 1.68.0. Use 'alicloud_certificate_name' replaces it.",
    }),
    alicloud_certificate_name: text(fixed(optional)),
    resource_group_id: text(fixed(either)),
    tags: map(optional),
};

async function describe(client: Client, id: string): Promise<Answer> {
    const action = "DescribeServerCertificates";
    let answer: Answer;
    try {
        answer = await client.typed(action, { ServerCertificateId: id });
    } catch (error) {
        throw failed(error, `${service}:579`, id, action);
    }
    const first = listOf(objectOf(answer["ServerCertificates"])["ServerCertificate"])[0];
    if (first === undefined || textOf(first["ServerCertificateId"]) !== id) {
        throw notFound(notFoundText("SlbServerCertificate", id), `${service}:585`, providerSource);
    }
    return first;
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const given = (name: string): string | undefined => data.given(name) as string | undefined;
    const [certificate, key, serviceId] = [
        given("server_certificate") ?? "",
        given("private_key") ?? "",
        given("alicloud_certificate_id") ?? "",
    ];
    if (serviceId === "" && certificate.trim() === "") {
        throw placed(
            new Error(
                "UploadServerCertificate got an error, as server_certificate should be not null when alicloud_certificate_id is null.",
            ),
            `${file}:115`,
        );
    }
    if (serviceId === "" && key.trim() === "") {
        throw placed(
            new Error(
                "UploadServerCertificate got an error, as either private_key or private_file  should be not null when alicloud_certificate_id is null.",
            ),
            `${file}:119`,
        );
    }
    const action = "UploadServerCertificate";
    try {
        const answer = await client.typed(action, {
            ServerCertificateName: given("name"),
            ServerCertificate: certificate,
            PrivateKey: key,
            AliCloudCertificateRegionId: given("alicloud_certificate_region_id"),
            AliCloudCertificateId: serviceId,
            AliCloudCertificateName: given("alicloud_certificate_name"),
            ResourceGroupId: given("resource_group_id"),
        });
        data.id = textOf(answer["ServerCertificateId"]);
    } catch (error) {
        throw failed(error, `${file}:127`, data.id, action);
    }
    await update(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    try {
        data.set("tags", await readTags(client, data.id, "certificate"));
    } catch (error) {
        throw placed(error, `${file}:141`);
    }
    let object: Answer;
    try {
        object = await describe(client, data.id);
    } catch (error) {
        if (isNotFound(error)) {
            data.id = "";
            return;
        }
        throw placed(error, `${file}:151`);
    }
    data.set("name", textOf(object["ServerCertificateName"]));
    const copy = (attribute: string, field: string): void => {
        if (textOf(object[field]) !== "") data.set(attribute, textOf(object[field]));
    };
    copy("alicloud_certificate_id", "AliCloudCertificateId");
    copy("alicloud_certificate_name", "AliCloudCertificateName");
    copy("resource_group_id", "ResourceGroupId");
}

async function update(data: ResourceData, client: Client): Promise<void> {
    try {
        await writeTagsTyped(data, client, "certificate");
    } catch (error) {
        throw placed(error, `${file}:183`);
    }
    if (!data.isNewResource && data.hasChange("name")) {
        const action = "SetServerCertificateName";
        try {
            await client.typed(action, { ServerCertificateId: data.id, ServerCertificateName: data.text("name") });
        } catch (error) {
            throw failed(error, `${file}:198`, data.id, action);
        }
    }
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const action = "DeleteServerCertificate";
    try {
        await retry(
            client.clock,
            { limit: 180, when: (error) => isOneOf(error, "CertificateAndPrivateKeyIsRefered") },
            () => client.typed(action, { ServerCertificateId: data.id }),
        );
    } catch (error) {
        if (isOneOf(error, "ServerCertificateId.NotFound")) return;
        throw failed(error, `${file}:231`, data.id, action);
    }
    try {
        // A certificate that is still there is not waited for.
        await describe(client, data.id);
    } catch (error) {
        if (!isNotFound(error)) throw placed(placed(error, `${service}:601`), `${file}:234`);
    }
}

export const serverCertificate: ResourceType = {
    token: "alicloud:slb/serverCertificate:ServerCertificate",
    schema,
    create,
    read,
    update,
    delete: remove,
};
