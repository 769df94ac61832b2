import type { AssumeRole } from "../../schema/account";
import type { Keys, KeySource } from "./credentials";
import type { Json } from "./answer";
import { defined } from "../../schema/defined";

/** Milliseconds before its end at which a session is renewed: no call has keys that expire on the way. */
const RENEW_BEFORE_MS = 5 * 60_000;

interface Session {
    readonly keys: Keys;
    readonly endsAt: number;
}

/** Sessions of this process: each dynamic operation opens a client, which would assume the role again. */
const sessions = new Map<string, Promise<Session>>();

/**
 * Keys of an assumed role. Source: STS API 2015-04-01, AssumeRole.
 *
 * @param session what tells sessions of one role apart: who assumes it, and where.
 */
export function roleKeys(
    role: AssumeRole,
    session: string,
    now: () => number,
    call: (params: Readonly<Record<string, string>>) => Promise<Json>,
): KeySource {
    const key = JSON.stringify([session, role]);
    return async () => {
        const known = await sessions.get(key)?.catch(() => undefined);
        if (known !== undefined && known.endsAt - now() > RENEW_BEFORE_MS) return known.keys;
        const opening = call(paramsOf(role)).then(sessionOf);
        sessions.set(key, opening);
        return (await opening).keys;
    };
}

const paramsOf = ({ roleArn, sessionName, externalId, policy }: AssumeRole): Record<string, string> => ({
    RoleArn: roleArn,
    RoleSessionName: sessionName ?? "ack-loadbalancer",
    ...defined({ ExternalId: externalId, Policy: policy }),
});

function sessionOf(answer: Json): Session {
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

/** The account that a role belongs to; undefined if the text names none. */
export function accountOfRole(roleArn: string): string | undefined {
    return /^acs:ram::(\d+):role\//.exec(roleArn)?.[1];
}
