import type Credential from "@alicloud/credentials";
import type { AssumeRole } from "../../schema/account";
import type { Json } from "./answer";
import { defined } from "../../schema/defined";

/** A key pair, with a token where it is temporary. */
export interface Keys {
    readonly accessKeyId: string;
    readonly accessKeySecret: string;
    readonly securityToken?: string;
}

/** Returns the present keys. Temporary keys are renewed by the source before they expire. */
export type KeySource = () => Promise<Keys>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of the environment's key pair in the order of the alicloud plugin: both act as the same user. */
const KEY_NAMES = [
    ["ALICLOUD_ACCESS_KEY", "ALICLOUD_SECRET_KEY", "ALICLOUD_SECURITY_TOKEN"],
    ["ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET", "ALIBABA_CLOUD_SECURITY_TOKEN"],
    ["ALIBABACLOUD_ACCESS_KEY_ID", "ALIBABACLOUD_ACCESS_KEY_SECRET", "ALIBABACLOUD_SECURITY_TOKEN"],
] as const;

/** The environment's key pair, or undefined where none is complete. */
export function keysOfEnvironment(env: Environment): Keys | undefined {
    for (const [id, secret, token] of KEY_NAMES) {
        const accessKeyId = env[id];
        const accessKeySecret = env[secret];
        if (accessKeyId && accessKeySecret)
            return { accessKeyId, accessKeySecret, ...(env[token] ? { securityToken: env[token] } : {}) };
    }
    return undefined;
}

/** No source gave a key pair. */
export class CredentialsError extends Error {
    readonly remedy =
        "set ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET, or give the runner an ECS RAM " +
        "role or an RRSA (OIDC) role, or name a profile of ~/.aliyun/config.json in ALIBABA_CLOUD_PROFILE";
    constructor() {
        super();
        this.name = "CredentialsError";
        this.message =
            "No Alibaba Cloud credentials were found: not in the environment, not by OIDC, not in a profile, not as " +
            `an ECS RAM role.\n  remedy: ${this.remedy}`;
    }
}

/**
 * Standard chain: explicit keys, else the environment's key pair, else OIDC (RRSA), the CLI's profile, the profile
 * file, the ECS RAM role and the credentials URI, as in `@alicloud/credentials`. Also reads `ALICLOUD_ECS_ROLE_NAME`
 * and `ALICLOUD_PROFILE`, like the alicloud plugin.
 *
 * @param profile name of the CLI's profile, where there is no key pair. Default: the chain's choice.
 */
export function keySource(env: Environment, explicit?: Keys, profile?: string): KeySource {
    const fixed = explicit ?? keysOfEnvironment(env);
    if (fixed) return () => Promise.resolve(fixed);
    let chain: Promise<Credential> | undefined;
    return async () => {
        chain ??= openChain(env, profile);
        try {
            const { accessKeyId, accessKeySecret, securityToken } = await (await chain).getCredential();
            if (!accessKeyId || !accessKeySecret) throw new CredentialsError();
            return { accessKeyId, accessKeySecret, ...(securityToken ? { securityToken } : {}) };
        } catch {
            // After a failure of all members, the library's chain retries only the last, but a new chain tries every
            // member again. Its message is dropped because it may quote a profile file, keys and all.
            chain = undefined;
            throw new CredentialsError();
        }
    };
}

async function openChain(env: Environment, named: string | undefined): Promise<Credential> {
    const library = await import("@alicloud/credentials");
    // The CommonJS default export arrives nested under Node's own import().
    const Client = ((library.default as unknown as { default?: typeof Credential }).default ??
        library.default) as typeof Credential;
    const roleName = env["ALICLOUD_ECS_ROLE_NAME"];
    if (roleName && named === undefined) return new Client(new library.Config({ type: "ecs_ram_role", roleName }));
    const profile = named ?? (env["ALIBABA_CLOUD_PROFILE"] ? undefined : env["ALICLOUD_PROFILE"]);
    if (profile)
        return new Client(null, library.CLIProfileCredentialsProvider.builder().withProfileName(profile).build());
    return new Client();
}

/** Milliseconds before its end at which a session is renewed: no call has keys that expire on the way. */
const RENEW_BEFORE_MS = 5 * 60_000;

/** Sessions of this process: each dynamic operation opens a client, which would assume the role again. */
const sessions = new Map<string, Promise<ReturnType<typeof sessionOf>>>();

/**
 * Keys of an assumed role. Source: STS API 2015-04-01, AssumeRole.
 *
 * @param session name that distinguishes sessions of a role: its user and its place.
 */
export function roleKeys(
    role: AssumeRole,
    session: string,
    now: () => number,
    call: (params: Readonly<Record<string, string>>) => Promise<Json>,
): KeySource {
    const key = JSON.stringify([session, role]);
    return async () => {
        const known = sessions.get(key);
        const session = await known?.catch(() => undefined);
        if (session !== undefined && session.endsAt - now() > RENEW_BEFORE_MS) return session.keys;
        // Another caller may have opened the next session meanwhile.
        const next = sessions.get(key);
        const opening = next === undefined || next === known ? call(paramsOf(role)).then(sessionOf) : next;
        sessions.set(key, opening);
        return (await opening).keys;
    };
}

const paramsOf = ({ roleArn, sessionName, externalId, policy }: AssumeRole): Record<string, string> => ({
    RoleArn: roleArn,
    RoleSessionName: sessionName ?? "ack-loadbalancer",
    ...defined({ ExternalId: externalId, Policy: policy }),
});

function sessionOf(answer: Json) {
    const { AccessKeyId, AccessKeySecret, SecurityToken, Expiration } = answer["Credentials"] as Record<string, string>;
    return {
        keys: {
            accessKeyId: AccessKeyId ?? "",
            accessKeySecret: AccessKeySecret ?? "",
            ...defined({ securityToken: SecurityToken }),
        },
        endsAt: Date.parse(Expiration ?? ""),
    };
}

/** Returns the account that a role belongs to, or undefined if the text names none. */
export function accountOfRole(roleArn: string): string | undefined {
    return /^acs:ram::(\d+):role\//.exec(roleArn)?.[1];
}
