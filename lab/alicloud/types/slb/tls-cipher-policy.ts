import type { Client } from "../../sdk/client";
import { failed, isNotFound, notFound, notFoundText, placed } from "../../sdk/errors";
import type { Arguments } from "../../sdk/flatten";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import { output, required, text, texts } from "../../terraform/shorthand";
import type { ResourceType } from "../type";
import { goText, listOf, need, valueOf } from "../values";

const file = "resource_alicloud_slb_tls_cipher_policy.go";
const service = "service_alicloud_slb.go";

const schema: SchemaMap = {
    ciphers: texts(required),
    status: text(output),
    tls_cipher_policy_name: text(required),
    tls_versions: texts(required),
};

const parameters = (data: ResourceData, client: Client): Arguments => ({
    Ciphers: data.list("ciphers") as string[],
    RegionId: client.region,
    Name: data.text("tls_cipher_policy_name"),
    TLSVersions: data.list("tls_versions") as string[],
});

async function describe(client: Client, id: string): Promise<Answer> {
    const action = "ListTLSCipherPolicies";
    let answer: Answer;
    try {
        answer = await client.callPatiently(
            action,
            { RegionId: client.region, TLSCipherPolicyId: id },
            { autoRetry: true },
        );
    } catch (error) {
        throw failed(error, `${service}:1048`, id, action);
    }
    const first = listOf(need(answer, "$.TLSCipherPolicies", `${service}:1052`, id))[0];
    if (first !== undefined && goText(first["InstanceId"]) === id) return first;
    throw notFound(
        notFoundText("SLB", id),
        `${service}:${first === undefined ? 1055 : 1058}`,
        `Response: ${goText(answer)}`,
    );
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const answer = await client.callPatiently("CreateTLSCipherPolicy", parameters(data, client), {
        limit: data.timeout("create"),
        fail: { place: `${file}:69`, subject: "alicloud_slb_tls_cipher_policy" },
    });
    data.id = goText(answer["TLSCipherPolicyId"]);
    await read(data, client);
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
        throw placed(error, `${file}:86`);
    }
    data.set("ciphers", valueOf(object["Ciphers"]));
    data.set("status", valueOf(object["Status"]));
    data.set("tls_cipher_policy_name", valueOf(object["Name"]));
    data.set("tls_versions", valueOf(object["TLSVersions"]));
}

async function update(data: ResourceData, client: Client): Promise<void> {
    if (data.hasChanges("ciphers", "tls_cipher_policy_name", "tls_versions")) {
        await client.callPatiently(
            "SetTLSCipherPolicyAttribute",
            { TLSCipherPolicyId: data.id, ...parameters(data, client) },
            { limit: data.timeout("update"), fail: { place: `${file}:131`, subject: data.id } },
        );
    }
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    await client.callPatiently(
        "DeleteTLSCipherPolicy",
        { TLSCipherPolicyId: data.id, RegionId: client.region },
        { limit: data.timeout("delete"), fail: { place: `${file}:160`, subject: data.id } },
    );
}

export const tlsCipherPolicy: ResourceType = {
    token: "alicloud:slb/tlsCipherPolicy:TlsCipherPolicy",
    schema,
    create,
    read,
    update,
    delete: remove,
};
