import { randomBytes } from "node:crypto";
import { ApiError, type JsonObject } from "./core";
import type { KeyPair } from "./wire";
import { World } from "./world";

/** An account's key pair. */
interface AccountKeys extends KeyPair {
    readonly accountId: string;
}

/** Another account or region of a cloud. */
export interface Place {
    /** Default: the first account. */
    readonly accountId?: string;
    /** Default: the first region. */
    readonly region?: string;
    /** A key pair of the account. */
    readonly keys?: KeyPair;
}

/**
 * Accounts and regions of a cloud, each with its own objects.
 *
 * At first there is an account with a region, which answers for every region that is asked for. Others are declared.
 */
export class Places {
    private readonly keys = new Map<string, AccountKeys>();
    private readonly worlds = new Map<string, World>();

    constructor(
        private readonly first: World,
        keys: KeyPair,
    ) {
        this.keys.set(keys.accessKeyId, { ...keys, accountId: first.accountId });
    }

    /** Declares an account or a region, and returns its world, which is empty at first. */
    declare({ accountId = this.first.accountId, region = this.first.region, keys }: Place): World {
        if (keys !== undefined) this.keys.set(keys.accessKeyId, { ...keys, accountId });
        if (accountId === this.first.accountId && region === this.first.region) return this.first;
        const name = `${accountId}/${region}`;
        const world = this.worlds.get(name) ?? new World(region, accountId);
        world.rules.strict = this.first.rules.strict;
        this.worlds.set(name, world);
        return world;
    }

    /** The key pair of an id, to check a signature with. */
    readonly keyPair = (accessKeyId: string): KeyPair | undefined => this.keys.get(accessKeyId);

    /** Returns the world of a call that was signed with a key pair. */
    of(keys: KeyPair, regionId: string | undefined): World {
        const accountId = this.keys.get(keys.accessKeyId)?.accountId ?? this.first.accountId;
        const declared = this.worlds.get(`${accountId}/${regionId ?? this.first.region}`);
        return declared ?? (accountId === this.first.accountId ? this.first : this.declare({ accountId }));
    }

    /** Temporary keys of the account that a role belongs to. Source: STS API 2015-04-01, AssumeRole. */
    assume(roleArn: string, now: number): JsonObject {
        const accountId = /^acs:ram::(\d+):role\//.exec(roleArn)?.[1];
        if (accountId === undefined || ![...this.keys.values()].some((keys) => keys.accountId === accountId))
            throw new ApiError("EntityNotExist.Role", "The role not exists.", 404);
        const keys = {
            accessKeyId: `STS.${randomBytes(12).toString("hex")}`,
            accessKeySecret: randomBytes(16).toString("hex"),
        };
        this.keys.set(keys.accessKeyId, { ...keys, accountId });
        return {
            AssumedRoleUser: { Arn: `${roleArn.replace(":role/", ":assumed-role/")}/lab` },
            Credentials: {
                AccessKeyId: keys.accessKeyId,
                AccessKeySecret: keys.accessKeySecret,
                SecurityToken: randomBytes(24).toString("base64"),
                Expiration: new Date(now + 3_600_000).toISOString(),
            },
        };
    }
}
