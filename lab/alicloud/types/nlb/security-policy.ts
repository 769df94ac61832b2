import type { Client } from "../../sdk/client";
import { isNotFound, placed } from "../../sdk/errors";
import { waitFor } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import type { Value } from "../../terraform/value";
import { either, map, output, optional, required, text, texts } from "../../terraform/shorthand";
import { matches } from "../../terraform/validators";
import { tagMap } from "../tags";
import type { ResourceType } from "../type";
import { goText, valueOf } from "../values";
import { call, givenArguments, moveToGroup, needSome, readable, service, writeTags } from "./common";

const file = "resource_alicloud_nlb_security_policy.go";

const schema: SchemaMap = {
    ciphers: texts(required),
    resource_group_id: text(either),
    security_policy_name: text({
        ...either,
        validate: matches(
            /^[a-zA-Z0-9-._]{1,200}$/,
            "The name of the security policy. The name must be 1 to 200 characters in length, " +
                "and can contain letters, digits, periods (.), underscores (_), and hyphens (-).",
        ),
    }),
    status: text(output),
    tags: map(optional),
    tls_versions: texts(required),
};

async function describe(client: Client, id: string): Promise<Answer> {
    const answer = await call(
        client,
        "ListSecurityPolicy",
        { "SecurityPolicyIds.1": id },
        { token: false, fail: { place: `${service}:327`, subject: id } },
    );
    return needSome(answer, "SecurityPolicies", "SecurityPolicy", id, [332, 336])[0]!;
}

/** A field of the policy, nothing when it is gone. */
async function look(client: Client, id: string, field: string): Promise<string | undefined> {
    try {
        return goText((await describe(client, id))[field]);
    } catch (error) {
        if (isNotFound(error)) return undefined;
        throw placed(error, `${service}:349`);
    }
}

const waitUntilAvailable = (data: ResourceData, client: Client, line: number, limit: number): Promise<void> =>
    waitFor(client.clock, data.id, `${file}:${line}`, {
        target: ["Available"],
        limit,
        delay: 5,
        look: () => look(client, data.id, "SecurityPolicyStatus"),
    });

const suites = (data: ResourceData) => givenArguments(data, { ciphers: "Ciphers", tls_versions: "TlsVersions" });

async function create(data: ResourceData, client: Client): Promise<void> {
    const action = "CreateSecurityPolicy";
    const answer = await call(
        client,
        action,
        {
            ...givenArguments(data, {
                security_policy_name: "SecurityPolicyName",
                resource_group_id: "ResourceGroupId",
            }),
            ...suites(data),
        },
        { limit: data.timeout("create"), fail: { place: `${file}:107`, subject: "alicloud_nlb_security_policy" } },
    );
    if (goText(answer["Success"]) === "false")
        throw placed(new Error(`${action} failed, response: ${goText(answer)}`), `${file}:110`);
    data.id = goText(answer["SecurityPolicyId"]);
    await waitUntilAvailable(data, client, 118, data.timeout("create"));
    await update(data, client);
}

/** The API gives lists as one text with commas. */
const split = (value: unknown): Value =>
    typeof value === "string" ? (value === "" ? [] : value.split(",")) : undefined;

async function read(data: ResourceData, client: Client): Promise<void> {
    const object = await readable(data, `${file}:135`, () => describe(client, data.id));
    if (object === undefined) return;
    data.set("resource_group_id", valueOf(object["ResourceGroupId"]));
    data.set("security_policy_name", valueOf(object["SecurityPolicyName"]));
    data.set("status", valueOf(object["SecurityPolicyStatus"]));
    data.set("tags", tagMap(object["Tags"]));
    data.set("ciphers", split(object["Ciphers"]));
    data.set("tls_versions", split(object["TlsVersion"]));
}

async function update(data: ResourceData, client: Client): Promise<void> {
    data.partial(true);
    if (!data.isNewResource) {
        if (data.hasChanges("security_policy_name", "ciphers", "tls_versions")) {
            const SecurityPolicyName = data.hasChange("security_policy_name")
                ? data.text("security_policy_name")
                : undefined;
            await call(
                client,
                "UpdateSecurityPolicyAttribute",
                { SecurityPolicyId: data.id, SecurityPolicyName, ...suites(data) },
                { limit: data.timeout("update"), fail: { place: `${file}:207`, subject: data.id } },
            );
            await waitUntilAvailable(data, client, 212, data.timeout("update"));
            data.done("security_policy_name");
        }
        await moveToGroup(data, client, "securitypolicy", `${file}:246`);
    }
    await writeTags(data, client, "securitypolicy", `${file}:254`);
    data.done("tags");
    data.partial(false);
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    await call(
        client,
        "DeleteSecurityPolicy",
        { SecurityPolicyId: data.id },
        { limit: data.timeout("delete"), fail: { place: `${file}:293`, subject: data.id } },
    );
    await waitFor(client.clock, data.id, `${file}:299`, {
        target: [],
        limit: data.timeout("delete"),
        delay: 5,
        look: () => look(client, data.id, "SecurityPolicyId"),
    });
}

export const nlbSecurityPolicy: ResourceType = {
    token: "alicloud:nlb/securityPolicy:SecurityPolicy",
    schema,
    timeouts: { create: 300, update: 300, delete: 300 },
    create,
    read,
    update,
    delete: remove,
};
