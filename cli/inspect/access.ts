/** Access of commands to the cloud. */

import { type Cloud, openAccount } from "../../provider/cloud";
import type { Account } from "../../provider/schema/account";

/** The client of the cloud, or the reason why there is none. */
export type CloudAccess = { readonly cloud: Cloud } | { readonly failure: unknown };

/** Opens the cloud of an account; without a region there is none. */
export function openCloud(account: Account): CloudAccess {
    try {
        return { cloud: openAccount(account) };
    } catch (failure) {
        return { failure };
    }
}
