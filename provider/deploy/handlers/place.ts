import { type Cloud, openAccount } from "../../alicloud";
import type { Account } from "../../schema/account";
import { defined } from "../../schema/defined";

/** How an account is reached, beside the region, which has an input of its own. References only. */
export type AccountReference = Omit<Account, "region">;

/** Where in the cloud an object is; what is absent comes from the environment of the run. */
export interface Place {
    readonly region?: string;
    readonly account?: AccountReference;
}

/** Opens the cloud where an object is. */
export function openPlace({ region, account }: Place): Cloud {
    return openAccount({ ...account, ...defined({ region }) });
}
