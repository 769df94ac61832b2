import type { Client } from "../../sdk/client";
import {
    failed,
    isNotFound,
    isOneOf,
    notFound,
    notFoundText,
    placed,
    providerSource,
    sdkSource,
} from "../../sdk/errors";
import { retry } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import { fixed, flag, optional, required, text, whole } from "../../terraform/shorthand";
import { plainBetween } from "../../terraform/validators";
import type { ResourceType } from "../type";
import { numberOf, textOf } from "../values";
import { isGoneUnlessProtected } from "./describe-load-balancer";

const file = "resource_alicloud_slb_domain_extension.go";
const service = "service_alicloud_slb.go";
const processing = "DomainExtensionProcessing";

const schema: SchemaMap = {
    load_balancer_id: text(fixed(required)),
    frontend_port: whole({ ...fixed(required), validate: plainBetween(1, 65535) }),
    domain: text(fixed(required)),
    server_certificate_id: text(required),
    delete_protection_validation: flag({ ...optional, default: false }),
};

async function describe(client: Client, id: string): Promise<Answer> {
    const action = "DescribeDomainExtensionAttribute";
    const isPassing = (error: unknown): boolean =>
        isOneOf(error, "AliyunGoClientFailure", "ServiceUnavailable", "Throttling");
    let answer: Answer;
    try {
        answer = await retry(client.clock, { limit: 300, when: isPassing, pauses: [10, 10] }, () =>
            client.typed(action, { DomainExtensionId: id }),
        );
    } catch (error) {
        if (isOneOf(error, "InvalidParameter.DomainExtensionId", "InvalidParameter"))
            throw notFound(error, `${service}:653`, sdkSource);
        throw failed(error, `${service}:655`, id, action);
    }
    if (textOf(answer["DomainExtensionId"]) !== id)
        throw notFound(notFoundText("SLBDomainExtension", id), `${service}:659`, providerSource);
    return answer;
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const action = "CreateDomainExtension";
    try {
        const answer = await retry(client.clock, { limit: 180, when: (error) => isOneOf(error, processing) }, () =>
            client.typed(action, {
                LoadBalancerId: data.text("load_balancer_id"),
                ListenerPort: data.number("frontend_port"),
                Domain: data.text("domain"),
                ServerCertificateId: data.text("server_certificate_id"),
            }),
        );
        data.id = textOf(answer["DomainExtensionId"]);
    } catch (error) {
        throw failed(error, `${file}:80`, "alicloud_slb_domain_extension", action);
    }
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
        throw placed(error, `${file}:97`);
    }
    data.set("load_balancer_id", textOf(object["LoadBalancerId"]));
    data.set("domain", textOf(object["Domain"]));
    data.set("server_certificate_id", textOf(object["ServerCertificateId"]));
    data.set("frontend_port", numberOf(object["ListenerPort"]));
}

async function update(data: ResourceData, client: Client): Promise<void> {
    if (data.hasChange("server_certificate_id")) {
        const action = "SetDomainExtensionAttribute";
        try {
            await retry(
                client.clock,
                { limit: 180, when: (error) => isOneOf(error, "BackendServer.configuring", processing) },
                () =>
                    client.typed(action, {
                        DomainExtensionId: data.id,
                        ServerCertificateId: data.text("server_certificate_id"),
                    }),
            );
        } catch (error) {
            throw failed(error, `${file}:129`, "alicloud_slb_domain_extension", action);
        }
    }
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const id = data.text("load_balancer_id");
    const gone =
        data.flag("delete_protection_validation") &&
        (await isGoneUnlessProtected(client, {
            loadBalancerId: id,
            file,
            lines: [147, 150],
            refusal:
                `Current domain extension's SLB Instance ${id} has enabled DeleteProtection. ` +
                "Please set delete_protection_validation to false to delete the resource.",
        }));
    if (gone) return;
    const action = "DeleteDomainExtension";
    try {
        await retry(client.clock, { limit: 300, when: (error) => isOneOf(error, processing, "InternalError") }, () =>
            client.typed(action, { DomainExtensionId: data.id }),
        );
    } catch (error) {
        if (isOneOf(error, "InvalidParameter.DomainExtensionId")) return;
        throw placed(error, `${file}:174`, `Datasource ${data.id} ${action} Failed!!! ${sdkSource}`);
    }
    try {
        await waitGone(client, data.id);
    } catch (error) {
        throw placed(error, `${file}:177`);
    }
}

/** Looks without a pause until the extension is gone. */
async function waitGone(client: Client, id: string): Promise<void> {
    const end = client.clock.now() + 500;
    while (client.clock.now() < end) {
        try {
            await describe(client, id);
        } catch (error) {
            if (isNotFound(error)) return;
            throw placed(error, `${service}:675`);
        }
    }
    throw placed(
        undefined,
        `${service}:679`,
        `Resource ${id} WaitForSlbDomainExtension Timeout In 500 Seconds. ` +
            `Got: Null Expected: Deleted !!! ${providerSource}`,
    );
}

export const domainExtension: ResourceType = {
    token: "alicloud:slb/domainExtension:DomainExtension",
    schema,
    create,
    read,
    update,
    delete: remove,
};
