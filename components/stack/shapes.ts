/** What the keys of the configuration must hold. */
import { z } from "zod";
import { parseJsonObject } from "../../provider/net";
import { IMMUTABLE_FIELD_RULES, type MoveTo } from "../../provider/plan";
import type { Account } from "../../provider/schema/account";
import type { AdoptArgs } from "../adoption";

/** What a key must hold, in words and by an example. JSON may hold anything, and a text in place of a list would be searched for parts of names. */
export interface Shape<Value> {
    readonly schema: z.ZodType<Value>;
    readonly words: string;
    readonly example: string;
}

export const listOf = (example: string): Shape<readonly string[]> => ({
    schema: z.array(z.string()),
    words: "a list of texts",
    example,
});

/** A Service: its namespace and its name. */
const SERVICE = z.string().regex(/^[^/]+\/[^/]+$/);

export const SERVICES: Shape<readonly string[]> = {
    schema: z.array(SERVICE),
    words: "a list of Services, each as namespace/name",
    example: '["shop/web"]',
};

/** Settings that are fixed when an instance is made. */
const REPLACEABLE = Object.keys(IMMUTABLE_FIELD_RULES);

export const SETTINGS: Shape<Readonly<Record<string, readonly string[]>>> = {
    schema: z.record(SERVICE, z.array(z.enum(REPLACEABLE))),
    words: `a map of lists of settings by Service (namespace/name), each one of ${REPLACEABLE.join(", ")}`,
    example: '{"shop/web": ["addressType"]}',
};

/** Settings of one Service. `pulumi config set --path 'adopt["shop/web"]' '{}'` stores the text `{}`, which means the same. */
const ADOPT_ARGS = z.preprocess(
    (value) => (typeof value === "string" ? (parseJsonObject(value) ?? value) : value),
    z.strictObject({ loadBalancerId: z.string().optional(), allowChanges: z.boolean().optional() }),
);

export const ADOPT: Shape<Readonly<Record<string, AdoptArgs>>> = {
    schema: z.record(SERVICE, ADOPT_ARGS),
    words: "a map of settings by Service (namespace/name), which are loadBalancerId and allowChanges",
    example: '{"shop/web": {"loadBalancerId": "lb-…"}}',
};

/** An id of digits: `pulumi config set --path` stores it as a number. */
const DIGITS = z.preprocess((value) => (Number.isSafeInteger(value) ? String(value) : value), z.string());

export const MOVE_TO: Shape<MoveTo> = {
    schema: z.strictObject({
        cluster: z.string().optional(),
        account: DIGITS.optional(),
        region: z.string().optional(),
    }),
    words: "a map of cluster (UID of the namespace kube-system), account (its id) and region",
    example: '{"region": "cn-shanghai"}',
};

export const ACCOUNT: Shape<Account> = {
    schema: z.strictObject({
        region: z.string().optional(),
        profile: z.string().optional(),
        assumeRole: z
            .strictObject({
                roleArn: z.string(),
                sessionName: z.string().optional(),
                externalId: DIGITS.optional(),
                policy: z.string().optional(),
            })
            .optional(),
        endpoints: z
            .partialRecord(z.enum(["slb", "nlb", "vpc", "ecs", "tag", "sts", "quotas", "cas"]), z.string())
            .optional(),
    }),
    words: "a map of region, profile, assumeRole (roleArn, sessionName, externalId, policy) and endpoints by product",
    example: '{"assumeRole": {"roleArn": "acs:ram::…:role/…"}}',
};

export const NODE_PORTS: Shape<{ readonly from: number; readonly to: number }> = {
    schema: z.strictObject({ from: z.int(), to: z.int() }),
    words: "a map of from and to, both whole numbers",
    example: '{"from": 30000, "to": 32767}',
};

export const wordOf = <Word extends string>(words: readonly [Word, ...Word[]]): Shape<Word> => ({
    schema: z.enum(words),
    words: `one of ${words.join(", ")}`,
    example: words[0],
});
