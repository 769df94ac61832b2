import { createHash } from "node:crypto";
import { callerAccountId, openAccount, principalOf } from "../alicloud";
import { compareIdentity, type IdentityComparison, type MoveTo, type StackIdentity } from "../plan";
import type { Account } from "../schema/account";

/** Where a run reads and writes, as the program has found it. */
export interface RunOrigin {
    /** The cluster; absent if nothing of a cluster is needed. */
    readonly cluster?: { readonly uid?: string; readonly server: string };
    readonly account: Account;
    readonly moveTo?: MoveTo;
    /** Whether the cloud may be asked for the account that is not remembered yet. A preview does not ask. */
    readonly asks?: boolean;
}

/** Accounts of key pairs that this process has asked for. */
const asked = new Map<string, Promise<string>>();

/**
 * Compares where a run reads and writes with what is remembered. The cloud is asked once for each new access key, and never for one that is remembered.
 *
 * @param asksCloud false if the run is refused already: then nothing is asked, and the account is not compared.
 */
export async function compareOrigin(
    recorded: StackIdentity,
    origin: RunOrigin,
    asksCloud: boolean,
): Promise<IdentityComparison> {
    const { cluster, account, moveTo } = origin;
    const found = asksCloud ? await findAccount(recorded, origin) : { identity: {}, refused: [] };
    const compared = compareIdentity(
        recorded,
        {
            ...(cluster?.uid === undefined ? {} : { cluster: cluster.uid }),
            ...(cluster === undefined ? {} : { server: cluster.server }),
            ...(account.region === undefined ? {} : { region: account.region }),
            ...found.identity,
        },
        moveTo,
    );
    return { ...compared, refused: [...compared.refused, ...found.refused] };
}

async function findAccount(
    recorded: StackIdentity,
    { account, asks }: RunOrigin,
): Promise<{ readonly identity: Pick<StackIdentity, "account" | "key">; readonly refused: readonly string[] }> {
    try {
        const { accountId, keyId } = await principalOf(account);
        if (accountId !== undefined) {
            return { identity: { account: accountId }, refused: [] };
        }
        const key = keyId === undefined ? undefined : createHash("sha256").update(keyId).digest("hex").slice(0, 16);
        if (recorded.account === undefined ? asks !== true : key !== undefined && key === recorded.key) {
            return { identity: {}, refused: [] };
        }
        const found = await ask(account, keyId);
        return { identity: { account: found, ...(key === undefined ? {} : { key }) }, refused: [] };
    } catch (error) {
        if (recorded.account === undefined) {
            return { identity: {}, refused: [] };
        }
        const cause = error instanceof Error ? error.message : String(error);
        return {
            identity: {},
            refused: [
                `it belongs to the Alibaba Cloud account ${recorded.account}, and the account of this run cannot be found out: ${cause}`,
            ],
        };
    }
}

function ask(account: Account, keyId: string | undefined): Promise<string> {
    const name = JSON.stringify([keyId, account]);
    const asking = asked.get(name) ?? callerAccountId(openAccount(account));
    asked.set(name, asking);
    return asking;
}
