import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { type Cloud, keysOfEnvironment, openAccount, regionOf } from "../../provider/alicloud";
import { parseWriteQuotas, WRITE_QUOTAS_VARIABLE } from "../../provider/quotas";
import type { Account, AssumeRole } from "../../provider/schema/account";
import { GivenOutputs, isOutput, placeholderFor, requirePlain } from "./outputs";
import { defined } from "../../provider/schema/defined";

/**
 * The account that a component's own calls and its alicloud provider use: what the program says, else what the stack's configuration says to the alicloud provider that
 * Pulumi makes by default. The region that neither names is the environment's.
 */
export function resolveAccount(account: Account | undefined, region: string | undefined): Account {
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

/** A region that is named, else that of the environment; undefined if neither is. */
export function knownRegion(region: string | undefined): string | undefined {
    try {
        return regionOf(region, process.env);
    } catch {
        return undefined;
    }
}

/** The region of Pulumi's default provider; undefined if nothing names one. */
export function defaultRegion(): string | undefined {
    return knownRegion(new pulumi.Config("alicloud").get("region"));
}

/** The region that a component is given, with a placeholder if that is an Output. */
export function givenRegion(component: string, region: pulumi.Input<string> | undefined): string | undefined {
    requirePlain(component, { region: isOutput(region) ? undefined : region });
    return region === undefined ? undefined : placeholderFor(component, "region", region);
}

/** Keys in the stack's configuration reach the alicloud provider alone, which puts them before all others. */
function refuseOtherKeys(configured: string | undefined, profile: string | undefined): void {
    const keys = keysOfEnvironment(process.env);
    if (configured !== undefined && configured !== keys?.accessKeyId) {
        throw new pulumi.RunError(
            "alicloud:accessKey of the stack's configuration is not the key of the environment, so that the alicloud provider and this package would act in different accounts. " +
                "Remedy: pulumi config rm alicloud:accessKey and alicloud:secretKey, and give the keys in the environment (ALIBABA_CLOUD_ACCESS_KEY_ID, ALIBABA_CLOUD_ACCESS_KEY_SECRET), or a profile or role (account).",
        );
    }
    if (profile !== undefined && keys !== undefined) {
        throw new pulumi.RunError(
            `the profile ${profile} is named, but the environment has a key pair, which the alicloud provider puts before profiles. Remedy: unset the key pair (ALIBABA_CLOUD_ACCESS_KEY_ID, ALICLOUD_ACCESS_KEY), or leave the profile out.`,
        );
    }
}

/** Said once, before anything is registered, and not by every call of a dynamic provider. */
function refuseWrongQuotas(text: string | undefined): void {
    try {
        parseWriteQuotas(text);
    } catch (error) {
        throw new pulumi.RunError(error instanceof Error ? error.message : String(error));
    }
}

function roleOf(configured: unknown): AssumeRole | undefined {
    return typeof configured === "object" && configured !== null && "roleArn" in configured
        ? (configured as AssumeRole)
        : undefined;
}

/** `region` and `account` as arguments of a dynamic resource; what is absent comes from the environment of the run. */
export function placeArgs({ region, ...account }: Account): { region?: string; account?: Omit<Account, "region"> } {
    return {
        ...defined({ region }),
        ...(Object.keys(account).length === 0 ? {} : { account }),
    };
}

/** A text by which accounts are told apart. */
export function accountKey(account: Account): string {
    const { region = "", ...rest } = account;
    return Object.keys(rest).length === 0 ? region : `${region} ${JSON.stringify(rest)}`;
}

/** A short text for names of resources, the same in every run. */
export function accountDigest(account: Account): string {
    return createHash("sha256").update(accountKey(account)).digest("hex").slice(0, 8);
}

/** The cloud of an account, for calls that follow the registration of a resource with its region: that may be an Output. */
export function cloudOf(account: Account): () => Cloud {
    const outputs = new GivenOutputs(account);
    return () => openAccount(outputs.settled(account));
}
