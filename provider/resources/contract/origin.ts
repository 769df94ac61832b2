/** Cluster and account of a run, against those of the run before. */
import { createHash } from "node:crypto";
import { callerAccountId, openAccount, principalOf } from "../../cloud";
import { contradictions } from "../../cluster/discovery";
import { formatSentences } from "../../diagnostics";
import { errorMessage } from "../../net";
import * as identities from "../../plan/identity";
import type { Account } from "../../schema/account";
import { defined, once } from "../../schema/defined";
import { isUnknown } from "../handlers/handler";

/** Cluster and account of a run, as observed by the program. */
export interface RunOrigin {
    /** Absent if nothing of a cluster is needed. */
    readonly cluster?: { readonly uid?: string; readonly server: string };
    readonly account: Account;
    /** True if another cluster, account or region than the recorded origin is allowed. Default false. */
    readonly moves?: boolean;
    /** Facts reported by the cluster about itself, absent if they were not read. */
    readonly discovered?: identities.DiscoveredFacts;
    /**
     * True if the cloud may be called for an account not recorded yet. A preview calls it only if the cluster names the
     * required account.
     */
    readonly asks?: boolean;
}

/** Accounts asked for by this process, by key pair. */
const asked = new Map<string, Promise<string>>();

/**
 * Compares cluster and account of a run with the recorded identity. Makes a call for each new access key, none for a
 * recorded key. A cluster created by this run is compared once it exists.
 *
 * @param asksCloud false if the run is refused already. Then no call is made, and the account is not compared.
 */
export async function compareOrigin(
    recorded: identities.StackIdentity = {},
    origin: RunOrigin | undefined,
    asksCloud: boolean,
): Promise<identities.IdentityComparison> {
    if (origin === undefined || isUnknown(origin.account)) return { refused: [], identity: recorded };
    const { account, moves, discovered } = origin;
    const cluster = isUnknown(origin.cluster) ? undefined : origin.cluster;
    const { problem, ...found } = asksCloud ? await findAccount(recorded, origin) : {};
    const place = defined({ cluster: cluster?.uid, server: cluster?.server, region: account.region });
    const now = { ...place, ...found, ...defined({ facts: discovered?.facts }) };
    const compared = identities.compareIdentity(recorded, now, moves);
    const refused = [...compared.refused, ...(problem === undefined ? [] : [problem])];
    return { ...compared, refused: [...refused, ...refusedByCluster(recorded, compared, discovered)] };
}

/**
 * Returns refusals if the account or a fact of the cluster differs from the recorded identity. A stack in a move
 * accepts the new facts.
 */
function refusedByCluster(
    recorded: identities.StackIdentity,
    { identity: { account }, movedFrom }: identities.IdentityComparison,
    discovered: identities.DiscoveredFacts | undefined,
): string[] {
    if (discovered === undefined) return [];
    const { accountId } = discovered;
    const foreign = contradictions({}, defined({ accountId }), defined({ accountId: account }));
    const isNew = Object.keys(recorded).length === 0 || movedFrom !== undefined;
    return [...foreign.map(formatSentences), ...(isNew ? [] : identities.changedFacts(recorded.facts, discovered))];
}

/** Returns the account of a run, or a reason to refuse the run without it, or nothing if it is not needed. */
async function findAccount(
    recorded: identities.StackIdentity,
    { account, asks, discovered }: RunOrigin,
): Promise<Pick<identities.StackIdentity, "account" | "key"> & { readonly problem?: string }> {
    try {
        const { accountId, keyId } = await principalOf(account);
        if (accountId !== undefined) return { account: accountId };
        const key = keyId === undefined ? undefined : createHash("sha256").update(keyId).digest("hex").slice(0, 16);
        const mayAsk = asks === true || discovered?.accountId !== undefined;
        if (recorded.account === undefined ? !mayAsk : key !== undefined && key === recorded.key) return {};
        const name = JSON.stringify([keyId, account]);
        const asking = once(asked, name, () => callerAccountId(openAccount(account)));
        return defined({ account: await asking, key });
    } catch (error) {
        if (recorded.account === undefined) return {};
        const problem =
            `it belongs to the Alibaba Cloud account ${recorded.account}, and the account of this run ` +
            `cannot be found out: ${errorMessage(error)}`;
        return { problem };
    }
}
