/** How commands that only look reach cloud and cluster. */

import { openAccount } from "../alicloud";
import type { Account } from "../schema/account";
import type { CloudAccess } from "./doctor/cloud";

/** The cloud of an account, or why it cannot be opened: without a region there is none. */
export function openCloud(account: Account): CloudAccess {
    try {
        return { cloud: openAccount(account) };
    } catch (failure) {
        return { failure };
    }
}
