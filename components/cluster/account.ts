import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { keysOfEnvironment, regionOf } from "../../provider/cloud";
import { errorMessage } from "../../provider/net";
import { parseWriteQuotas, WRITE_QUOTAS_VARIABLE } from "../../provider/quotas";
import type { Account, AssumeRole } from "../../provider/schema/account";
import { defined, unlessEmpty, unlessThrown } from "../../provider/schema/defined";
import { requirePlain } from "../run/outputs";

/**
 * Returns the account of a component's own calls and of its alicloud provider.
 *
 * The program's values come first, then the stack's configuration of the alicloud provider. The region may be left to
 * the environment.
 *
 * @throws RunError if the region is an Output, or if the alicloud provider would use other keys
 */
export function resolveAccount(account?: Account, region?: string, subject = "Cluster"): Account {
    requirePlain(subject, { region });
    const config = new pulumi.Config("alicloud");
    const found = {
        region: region ?? account?.region ?? config.get("region"),
        profile: account?.profile ?? config.get("profile"),
        assumeRole: account?.assumeRole ?? roleOf(config.getObject("assumeRole")),
        endpoints: account?.endpoints,
    };
    refuseOtherKeys(config.get("accessKey"), found.profile);
    refuseWrongQuotas(process.env[WRITE_QUOTAS_VARIABLE]);
    return defined(found);
}

/** Returns the given region, else that of the environment, or undefined if there is none. */
export function knownRegion(region: string | undefined): string | undefined {
    return unlessThrown(() => regionOf(region, process.env));
}

/** Region of Pulumi's default alicloud provider. */
export function defaultRegion(): string | undefined {
    return knownRegion(new pulumi.Config("alicloud").get("region"));
}

/** Refuses keys in the stack's configuration: only the alicloud provider would use them. */
function refuseOtherKeys(configured: string | undefined, profile: string | undefined): void {
    const keys = keysOfEnvironment(process.env);
    if (configured !== undefined && configured !== keys?.accessKeyId)
        throw new pulumi.RunError(
            "alicloud:accessKey of the stack's configuration is not the key of the environment, " +
                "and the alicloud provider and this package would act in different accounts. " +
                "Remedy: pulumi config rm alicloud:accessKey and alicloud:secretKey, " +
                "and give the keys in the environment " +
                "(ALIBABA_CLOUD_ACCESS_KEY_ID, ALIBABA_CLOUD_ACCESS_KEY_SECRET), or a profile or role (account).",
        );
    if (profile !== undefined && keys !== undefined)
        throw new pulumi.RunError(
            `the profile ${profile} is named, but the environment has a key pair, ` +
                "which the alicloud provider puts before profiles. Remedy: unset the key pair " +
                "(ALIBABA_CLOUD_ACCESS_KEY_ID, ALICLOUD_ACCESS_KEY), or leave the profile out.",
        );
}

/**
 * Refuses malformed write quotas once, before anything is registered. Otherwise each dynamic provider call would fail.
 */
function refuseWrongQuotas(text: string | undefined): void {
    try {
        parseWriteQuotas(text);
    } catch (error) {
        throw new pulumi.RunError(errorMessage(error));
    }
}

function roleOf(configured: unknown): AssumeRole | undefined {
    return typeof configured === "object" && configured !== null && "roleArn" in configured
        ? (configured as AssumeRole)
        : undefined;
}

/** Builds `region` and `account` of a dynamic resource. Default: the environment of the run. */
export function placeArgs({ region, ...account }: Account): { region?: string; account?: Omit<Account, "region"> } {
    return defined({ region, account: unlessEmpty(account) });
}

/** Text that identifies an account and its region. */
export function accountKey(account: Account): string {
    const { region = "", ...rest } = account;
    return Object.keys(rest).length === 0 ? region : `${region} ${JSON.stringify(rest)}`;
}

/** Short digest for resource names, the same in every run. */
export function accountDigest(account: Account): string {
    return createHash("sha256").update(accountKey(account)).digest("hex").slice(0, 8);
}

/** Returns the differences between the inputs of an alicloud provider and a component's account and region. */
export function otherAccount(account: Account, inputs: Readonly<Record<string, string>>): string[] {
    const env = process.env;
    const own: Readonly<Record<string, string | undefined>> = {
        region: knownRegion(account.region),
        accessKey: keysOfEnvironment(env)?.accessKeyId,
        profile: account.profile ?? env["ALICLOUD_PROFILE"],
        assumeRole: account.assumeRole?.roleArn,
        ecsRoleName: env["ALICLOUD_ECS_ROLE_NAME"],
    };
    const role = inputs["assumeRole"];
    const given: Readonly<Record<string, string | undefined>> = {
        ...inputs,
        region: inputs["region"] ?? defaultRegion(),
        assumeRole: role === undefined ? undefined : (JSON.parse(role) as { roleArn?: string }).roleArn,
    };
    return [...Object.keys(own), "assumeRoleWithOidc", "credentialsUri", "sharedCredentialsFile"]
        .filter((name) => given[name] !== own[name] && (given[name] !== undefined || name === "assumeRole"))
        .map((name) => {
            // Key ids are kept out of logs.
            const isKey = name === "accessKey";
            return (
                `the alicloud provider that it is given has ${name} ${isKey ? "another" : (given[name] ?? "none")}, ` +
                `but the component itself acts with ${isKey ? "the environment's key pair" : (own[name] ?? "none")}. ` +
                "Remedy: say region, profile or role in account of the Cluster, " +
                "which makes the provider, and leave the provider out."
            );
        });
}
