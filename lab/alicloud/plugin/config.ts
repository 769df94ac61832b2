/** CheckConfig, DiffConfig and Configure. */
import {
    isMap,
    unknownProperty,
    sameProperty,
    withoutSecrets,
    type Property,
    type PropertyMap,
} from "../bridge/properties";
import { terraformName } from "../bridge/names";
import { Client } from "../sdk/client";
import { sortedJson } from "../sdk/flatten";
import type { Settings } from "../sdk/settings";
import { oneOf, plainOneOf } from "../terraform/validators";
import { readProfile } from "./profile";
import { regions } from "./regions";

const keys = new Set([
    "accessKey",
    "secretKey",
    "securityToken",
    "ecsRoleName",
    "region",
    "otsInstanceName",
    "logEndpoint",
    "mnsEndpoint",
    "accountId",
    "accountType",
    "assumeRole",
    "signVersion",
    "assumeRoleWithOidc",
    "fc",
    "endpoints",
    "sharedCredentialsFile",
    "profile",
    "skipRegionValidation",
    "configurationSource",
    "protocol",
    "clientReadTimeout",
    "clientConnectTimeout",
    "sourceIp",
    "securityTransport",
    "secureTransport",
    "credentialsUri",
    "maxRetryTimeout",
    "features",
    "version",
]);

export interface CheckedConfig {
    /** Absent when something is wrong. */
    readonly inputs?: PropertyMap;
    readonly failures: string[];
}

/** Turns all values into texts. It fills in no defaults. */
export function checkConfig(news: PropertyMap): CheckedConfig {
    const values = withoutSecrets(news) as PropertyMap;
    const failures: string[] = [];
    const inputs: PropertyMap = {};
    for (const [name, value] of Object.entries(values)) {
        if (value === null || value === undefined) continue;
        if (!keys.has(name)) failures.push(`: invalid or unknown key: ${terraformName(name, undefined)}`);
        inputs[name] = asText(value);
    }
    const checkValue = (name: string, key: string, validator: ReturnType<typeof oneOf>): void => {
        const value = inputs[name];
        if (typeof value === "string" && value !== unknownProperty) failures.push(...validator(value, key));
    };
    checkValue("protocol", "protocol", plainOneOf("HTTP", "HTTPS"));
    checkValue("accountType", "account_type", oneOf("Domestic", "International"));
    if (failures.length > 0)
        return { failures: failures.map((text) => `could not validate provider configuration: ${text}`) };
    return { inputs, failures };
}

function asText(value: Property): string {
    if (typeof value !== "string") return typeof value === "object" ? sortedJson(value) : String(value);
    if (!/^[[{]/.test(value)) return value;
    try {
        return sortedJson(JSON.parse(value));
    } catch {
        return value;
    }
}

/** Returns the changed keys, or `undefined` when they are unknown. */
export function diffConfig(olds: PropertyMap, news: PropertyMap): string[] | undefined {
    if (Object.values(news).some((value) => value === unknownProperty)) return undefined;
    const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])];
    const changed = names
        .filter((name) => !sameProperty(withoutSecrets(olds[name]), withoutSecrets(news[name])))
        .sort();
    return changed.length === 0 ? undefined : changed;
}

const environment = (...names: string[]): string =>
    names.map((name) => process.env[name] ?? "").find((value) => value !== "") ?? "";

/** Works out the settings, and makes the one call that the real plugin makes when the account type is not given. */
export async function configure(args: PropertyMap): Promise<Settings> {
    const given = (name: string): string => {
        const value = withoutSecrets(args[name]);
        return value === undefined || value === null || value === unknownProperty ? "" : asText(value);
    };
    // A key pair comes before a profile.
    const profile = readProfile(
        given("profile") || environment("ALICLOUD_PROFILE", "ALIBABA_CLOUD_PROFILE"),
        given("sharedCredentialsFile"),
    );
    const region =
        given("region") || environment("ALICLOUD_REGION", "ALIBABA_CLOUD_REGION") || profile?.region || "cn-beijing";
    const skips = given("skipRegionValidation") || environment("ALICLOUD_SKIP_REGION_VALIDATION");
    const isChecked = args["region"] !== unknownProperty && skips !== "true";
    if (isChecked && !regions.has(region)) {
        throw new Error(
            `Invalid Alibaba Cloud region: ${region}. ` +
                "You can skip checking this region by setting provider parameter 'skip_region_validation'.",
        );
    }
    const settings: Settings = {
        accessKey:
            given("accessKey") ||
            environment("ALICLOUD_ACCESS_KEY", "ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABACLOUD_ACCESS_KEY_ID") ||
            (profile?.accessKey ?? ""),
        secretKey:
            given("secretKey") ||
            environment("ALICLOUD_SECRET_KEY", "ALIBABA_CLOUD_ACCESS_KEY_SECRET", "ALIBABACLOUD_ACCESS_KEY_SECRET") ||
            (profile?.secretKey ?? ""),
        securityToken:
            given("securityToken") ||
            environment("ALICLOUD_SECURITY_TOKEN", "ALIBABA_CLOUD_SECURITY_TOKEN", "ALIBABACLOUD_SECURITY_TOKEN"),
        region,
        protocol: given("protocol") === "HTTP" ? "http" : "https",
        accountType: given("accountType") || environment("ALIBABA_CLOUD_ACCOUNT_TYPE"),
        endpoints: parseEndpoints(given("endpoints")),
        readTimeoutSeconds: Number(given("clientReadTimeout") || environment("CLIENT_READ_TIMEOUT") || 60000) / 1000,
    };
    if (settings.accessKey === "" || settings.secretKey === "") {
        throw new Error(
            "configuring Terraform Alibaba Cloud Provider: " +
                "no valid credential sources for Terraform Alibaba Cloud Provider found.\n\n" +
                "Please see https://registry.terraform.io/providers/aliyun/alicloud/latest/docs#authentication\n" +
                "for more information about providing credentials.",
        );
    }
    const role = given("assumeRole");
    const used = role === "" ? settings : await assumeRole(settings, JSON.parse(role) as AssumeRole);
    if (used.accountType === "") await askAccountType(used);
    return used;
}

interface AssumeRole {
    readonly roleArn: string;
    readonly sessionName?: string;
    readonly externalId?: string;
    readonly policy?: string;
    readonly sessionExpiration?: number;
}

/**
 * Settings with the keys of a role's session. Not recorded: follows the provider's reference of `assume_role` and the
 * STS API.
 */
async function assumeRole(settings: Settings, role: AssumeRole): Promise<Settings> {
    const answer = await new Client(settings).call(
        "AssumeRole",
        {
            RoleArn: role.roleArn,
            RoleSessionName: role.sessionName ?? "terraform",
            DurationSeconds: role.sessionExpiration ?? 3600,
            ...(role.externalId === undefined ? {} : { ExternalId: role.externalId }),
            ...(role.policy === undefined ? {} : { Policy: role.policy }),
        },
        { product: "sts" },
    );
    const { AccessKeyId, AccessKeySecret, SecurityToken } = answer["Credentials"] as Readonly<Record<string, string>>;
    return {
        ...settings,
        accessKey: AccessKeyId ?? "",
        secretKey: AccessKeySecret ?? "",
        securityToken: SecurityToken ?? "",
    };
}

function parseEndpoints(json: string): Record<string, string> {
    if (json === "") return {};
    const parsed = JSON.parse(json) as Property;
    const result: Record<string, string> = {};
    for (const entry of Array.isArray(parsed) ? parsed : [parsed]) {
        if (!isMap(entry)) continue;
        for (const [name, value] of Object.entries(entry))
            if (typeof value === "string" && value !== "") result[name.toLowerCase()] = value;
    }
    return result;
}

/** Refuses an international account. Any other trouble leaves the account type open. */
async function askAccountType(settings: Settings): Promise<void> {
    try {
        await new Client(settings).callPatiently(
            "QueryAvailableInstances",
            {
                PageSize: 50,
                PageNum: 1,
                ProductCode: "vipcloudfw",
                ProductType: "vipcloudfw",
                SubscriptionType: "Subscription",
            },
            { product: "bssopenapi", autoRetry: true, limit: 30 },
        );
        settings.accountType = "Domestic";
    } catch {
        settings.accountType = "";
    }
}
