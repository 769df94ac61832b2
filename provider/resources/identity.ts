import { createHash } from "node:crypto";
import { callerAccountId, openAccount, principalOf } from "../cloud";
import { formatSentences } from "../diagnostics";
import { contradictions } from "../cluster/discovery";
import {
    changedFacts,
    compareIdentity,
    type DiscoveredFacts,
    type IdentityComparison,
    type StackIdentity,
} from "../plan/identity";
import type { Account } from "../schema/account";
import { defined } from "../schema/defined";

/** Cluster and account of a run, as observed by the program. */
export interface RunOrigin {
    /** The cluster; absent if nothing of a cluster is needed. */
    readonly cluster?: { readonly uid?: string; readonly server: string };
    readonly account: Account;
    /** True if another cluster, account or region than the recorded one is allowed. Default false. */
    readonly moves?: boolean;
    /** Facts that the cluster reports about itself; absent if they were not read. */
    readonly discovered?: DiscoveredFacts;
    /**
     * True if the cloud may be called to get an account that is not recorded yet. A preview calls it only if the
     * cluster names the required account.
     */
    readonly asks?: boolean;
}

/** Accounts of key pairs that this process has asked for. */
const asked = new Map<string, Promise<string>>();

/**
 * Compares cluster and account of a run with the recorded ones. Makes one call for each new access key, none for a
 * recorded one.
 *
 * @param asksCloud false if the run is refused already: then nothing is asked, and the account is not compared.
 */
export async function compareOrigin(
    recorded: StackIdentity,
    origin: RunOrigin,
    asksCloud: boolean,
): Promise<IdentityComparison> {
    const { cluster, account, moves, discovered } = origin;
    const found = asksCloud ? await findAccount(recorded, origin) : UNKNOWN;
    const compared = compareIdentity(
        recorded,
        {
            ...defined({ cluster: cluster?.uid, server: cluster?.server, region: account.region }),
            ...found.identity,
            ...defined({ facts: discovered?.facts }),
        },
        moves,
    );
    return {
        ...compared,
        refused: [...compared.refused, ...found.refused, ...refusedByCluster(recorded, compared, discovered)],
    };
}

/**
 * Returns the reasons of the cluster to refuse the run: another account than the cluster's, or changed facts. A stack
 * that moves accepts the new facts.
 */
function refusedByCluster(
    recorded: StackIdentity,
    { identity: { account }, movedFrom }: IdentityComparison,
    discovered: DiscoveredFacts | undefined,
): string[] {
    if (discovered === undefined) return [];
    const { accountId } = discovered;
    const foreign = contradictions(
        {},
        accountId === undefined ? {} : { accountId },
        account === undefined ? {} : { accountId: account },
    );
    const isNew = Object.keys(recorded).length === 0 || movedFrom !== undefined;
    return [...foreign.map(formatSentences), ...(isNew ? [] : changedFacts(recorded.facts, discovered))];
}

/** Account of a run, or the reason why it must be refused without. */
interface FoundAccount {
    readonly identity: Pick<StackIdentity, "account" | "key">;
    readonly refused: readonly string[];
}

const UNKNOWN: FoundAccount = { identity: {}, refused: [] };

async function findAccount(recorded: StackIdentity, { account, asks, discovered }: RunOrigin): Promise<FoundAccount> {
    try {
        const { accountId, keyId } = await principalOf(account);
        if (accountId !== undefined) return { identity: { account: accountId }, refused: [] };
        const key = keyId === undefined ? undefined : createHash("sha256").update(keyId).digest("hex").slice(0, 16);
        const mayAsk = asks === true || discovered?.accountId !== undefined;
        if (recorded.account === undefined ? !mayAsk : key !== undefined && key === recorded.key) return UNKNOWN;
        return { identity: defined({ account: await ask(account, keyId), key }), refused: [] };
    } catch (error) {
        if (recorded.account === undefined) return UNKNOWN;
        const cause = error instanceof Error ? error.message : String(error);
        const problem =
            `it belongs to the Alibaba Cloud account ${recorded.account}, and the account of this run ` +
            `cannot be found out: ${cause}`;
        return { identity: {}, refused: [problem] };
    }
}

function ask(account: Account, keyId: string | undefined): Promise<string> {
    const name = JSON.stringify([keyId, account]);
    const asking = asked.get(name) ?? callerAccountId(openAccount(account));
    asked.set(name, asking);
    return asking;
}
