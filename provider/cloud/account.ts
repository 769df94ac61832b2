import type { Account } from "../schema/account";
import { parseWriteQuotas, rateOf, WRITE_QUOTAS_VARIABLE } from "../quotas";
import type { Cloud } from "./http/cloud";
import { type CloudOptions, createCloud } from "./http/client";
import { keySource, keysOfEnvironment, accountOfRole } from "./http/credentials";
import { defined } from "../schema/defined";

/**
 * Opens the cloud for an account. The environment provides what the account leaves out.
 *
 * @throws Error if the environment names write quotas that cannot be read
 */
export function openAccount({ region, profile, assumeRole, endpoints }: Account): Cloud {
    const quotas = parseWriteQuotas(process.env[WRITE_QUOTAS_VARIABLE]);
    const keys = keysOfEnvironment(process.env);
    // Temporary keys differ in every process, but they come from the same source.
    const own = keys === undefined || keys.securityToken !== undefined ? "" : keys.accessKeyId;
    return createCloud({
        ...defined({ region, profile, assumeRole, endpoints }),
        rate: (product, action) => rateOf(quotas, product, action),
        quotaOwner: [own, profile ?? "", assumeRole?.roleArn ?? ""].join(" "),
    });
}

/** Identity that signs calls, as far as it is known without a call. */
export interface Principal {
    /** Id of the account, absent if only the cloud can say it. */
    readonly accountId?: string;
    /** Access key id, absent for temporary keys, which differ in every run. */
    readonly keyId?: string;
}

/**
 * Returns the identity that signs the calls of an account.
 *
 * @throws CredentialsError if there are no credentials.
 */
export async function principalOf(
    account: Account,
    env: NonNullable<CloudOptions["env"]> = process.env,
): Promise<Principal> {
    const oidcRole =
        keysOfEnvironment(env) === undefined && account.profile === undefined && env["ALIBABA_CLOUD_OIDC_TOKEN_FILE"];
    const roleArn = account.assumeRole?.roleArn ?? (oidcRole ? env["ALIBABA_CLOUD_ROLE_ARN"] : undefined);
    const accountId = accountOfRole(roleArn ?? "");
    if (accountId !== undefined) return { accountId };
    const { accessKeyId, securityToken } = await keySource(env, undefined, account.profile)();
    return securityToken === undefined ? { keyId: accessKeyId } : {};
}

/**
 * The id of the account that calls are signed for. Everybody may ask. Source: STS API 2015-04-01, GetCallerIdentity.
 *
 * @throws CloudError if the cloud cannot be reached.
 */
export const callerAccountId = async (cloud: Cloud): Promise<string> =>
    String((await cloud.call("sts", "GetCallerIdentity"))["AccountId"]);
