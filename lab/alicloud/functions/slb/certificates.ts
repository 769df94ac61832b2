import type { Client } from "../../sdk/client";
import type { Answer } from "../../sdk/tea";
import type { ValueMap } from "../../terraform/value";
import { either, flag, list, map, optional, output, text, texts, whole } from "../../terraform/shorthand";
import { readTags } from "../../types/slb/tags";
import type { FunctionType } from "../../types/type";
import { goText, listOf, numberOf, objectOf, textOf, valueOf } from "../../types/values";
import {
    callTyped,
    copied,
    filterOf,
    filterSchema,
    finish,
    givenArguments,
    listAll,
    nestedTags,
    tagFilter,
} from "../common";

const source = "alicloud_slb_server_certificates";

/** Certificates whose tags cannot be read are listed without tags. */
async function tagsOf(client: Client, id: string): Promise<ValueMap | undefined> {
    try {
        return await readTags(client, id, "certificate");
    } catch {
        return undefined;
    }
}

async function certificateOf(client: Client, found: Answer): Promise<ValueMap> {
    const copy = (field: string): string => textOf(found[field]);
    return {
        id: copy("ServerCertificateId"),
        name: copy("ServerCertificateName"),
        fingerprint: copy("Fingerprint"),
        common_name: copy("CommonName"),
        subject_alternative_names: valueOf(objectOf(found["SubjectAlternativeNames"])["SubjectAlternativeName"]),
        expired_time: copy("ExpireTime"),
        expired_timestamp: numberOf(found["ExpireTimeStamp"]),
        created_time: copy("CreateTime"),
        created_timestamp: numberOf(found["CreateTimeStamp"]),
        alicloud_certificate_id: copy("AliCloudCertificateId"),
        alicloud_certificate_name: copy("AliCloudCertificateName"),
        is_alicloud_certificate: numberOf(found["IsAliCloudCertificate"]) === 1,
        resource_group_id: copy("ResourceGroupId"),
        tags: await tagsOf(client, copy("ServerCertificateId")),
    };
}

export const slbServerCertificates: FunctionType = {
    token: "alicloud:slb/getServerCertificates:getServerCertificates",
    schema: {
        ...filterSchema,
        ids: texts({ ...either, minItems: 1 }),
        tags: map(optional),
        resource_group_id: text(optional),
        certificates: list(
            {
                id: text(output),
                name: text(output),
                fingerprint: text(output),
                common_name: text(output),
                subject_alternative_names: texts(output),
                expired_time: text(output),
                expired_timestamp: whole(output),
                created_time: text(output),
                created_timestamp: whole(output),
                alicloud_certificate_id: text(output),
                alicloud_certificate_name: text(output),
                is_alicloud_certificate: flag(output),
                resource_group_id: text(optional),
                tags: map(optional),
            },
            output,
        ),
    },
    async read(data, client) {
        const answer = await callTyped(client, source, "DescribeServerCertificates", tagFilter(data), 154);
        const isWanted = filterOf(data);
        const certificates: ValueMap[] = [];
        for (const found of listOf(objectOf(answer["ServerCertificates"])["ServerCertificate"])) {
            if (isWanted(textOf(found["ServerCertificateId"]), textOf(found["ServerCertificateName"])))
                certificates.push(await certificateOf(client, found));
        }
        finish(
            data,
            certificates.map((certificate) => String(certificate["id"])),
            { certificates, names: certificates.map((certificate) => certificate["name"]) },
        );
    },
};

export const slbCaCertificates: FunctionType = {
    token: "alicloud:slb/getCaCertificates:getCaCertificates",
    schema: {
        ...filterSchema,
        resource_group_id: text(optional),
        tags: map(optional),
        certificates: list(
            {
                id: text(output),
                ca_certificate_id: text(output),
                ca_certificate_name: text(output),
                name: text(output),
                common_name: text(output),
                created_timestamp: whole(output),
                expired_time: text(output),
                expired_timestamp: whole(output),
                fingerprint: text(output),
                resource_group_id: text(output),
                tags: map(output),
            },
            output,
        ),
    },
    async read(data, client) {
        const { found } = await listAll(
            data,
            client,
            {
                product: "slb",
                action: "DescribeCACertificates",
                list: "$.CACertificates.CACertificate",
                source: "alicloud_slb_ca_certificates",
                lines: [155, 159],
            },
            { ...givenArguments(data, { resource_group_id: "ResourceGroupId" }), ...tagFilter(data) },
        );
        const isWanted = filterOf(data);
        const certificates = found.filter((certificate) =>
            isWanted(certificate["CACertificateId"], certificate["CACertificateName"]),
        );
        finish(
            data,
            certificates.map((certificate) => goText(certificate["CACertificateId"])),
            {
                certificates: certificates.map((certificate) => ({
                    ...copied(certificate, {
                        id: "CACertificateId",
                        ca_certificate_id: "CACertificateId",
                        ca_certificate_name: "CACertificateName",
                        name: "CACertificateName",
                        common_name: "CommonName",
                        expired_time: "ExpireTime",
                        fingerprint: "Fingerprint",
                        resource_group_id: "ResourceGroupId",
                    }),
                    created_timestamp: numberOf(certificate["CreateTimeStamp"]),
                    expired_timestamp: numberOf(certificate["ExpireTimeStamp"]),
                    tags: nestedTags(certificate),
                })),
                names: certificates.map((certificate) => valueOf(certificate["CACertificateName"])),
            },
        );
    },
};
