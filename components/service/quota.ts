/** Hooks that let the alicloud plugin's writes wait for the account's quotas, which its calls and those of this package share. */
import type * as pulumi from "@pulumi/pulumi";
import { awaitQuota, quotaWait } from "../../provider/alicloud";
import { actionFor, MEMBER_WRITES, PLUGIN_WRITES, type WrittenNoun } from "../../provider/quotas";
import type { Account } from "../../provider/schema/account";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import { hookSuffix } from "./hooks";
import { GivenOutputs } from "./outputs";
import { resourceHook } from "./run";

const PRODUCTS = { clb: "slb", nlb: "nlb" } as const;

/** The hooks of one kind of object. */
export interface QuotaHooks {
    readonly beforeCreate: pulumi.ResourceHook;
    readonly beforeUpdate: pulumi.ResourceHook;
}

/**
 * Hooks for the objects of the plugin: before one is made or changed they wait until the quota of each action that the plugin is going to call has room, and count the call.
 * There are none for deletions: `pulumi destroy` would need the program for them.
 */
export function quotaHooks(account: Account, type: LoadBalancerType): Record<WrittenNoun, QuotaHooks> {
    const outputs = new GivenOutputs(account);
    const before = (noun: WrittenNoun, operation: "create" | "update"): pulumi.ResourceHook =>
        resourceHook(
            `ack-loadbalancer-quota-${type}-${noun}-${operation}${hookSuffix(account)}`,
            async ({ newInputs }) => {
                const protocol = (newInputs as { protocol?: unknown } | undefined)?.protocol;
                const actions = PLUGIN_WRITES[type][noun][operation].map((action) =>
                    actionFor(action, typeof protocol === "string" ? protocol : ""),
                );
                const settled = outputs.settled(account);
                await Promise.all(actions.map((action) => awaitQuota(settled, PRODUCTS[type], action)));
            },
        );
    const hooks = (noun: WrittenNoun): QuotaHooks => ({
        beforeCreate: before(noun, "create"),
        beforeUpdate: before(noun, "update"),
    });
    return { instance: hooks("instance"), listener: hooks("listener"), group: hooks("group") };
}

/** Protocols of listeners that have actions of their own. */
const PROTOCOLS = ["tcp", "udp", "http", "https"];

const ACTIONS = (["clb", "nlb"] as const).flatMap((type) => {
    const { instance, listener, group } = PLUGIN_WRITES[type];
    const writes = [instance, listener, group].flatMap(({ create, update }) => [...create, ...update]);
    return [...new Set([...writes, ...Object.values(MEMBER_WRITES[type])])]
        .flatMap((action) => (action.includes("*") ? PROTOCOLS.map((protocol) => actionFor(action, protocol)) : action))
        .map((action) => ({ product: PRODUCTS[type], action }));
});

/** Actions whose quota processes of this machine have used up at the moment; none as long as the account or its region is not known. */
export function usedUpQuotas(account: Account): string[] {
    try {
        const settled = new GivenOutputs(account).settled(account);
        return ACTIONS.flatMap(({ product, action }) => (quotaWait(settled, product, action) > 0 ? [action] : []));
    } catch {
        return [];
    }
}
