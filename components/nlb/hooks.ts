import * as pulumi from "@pulumi/pulumi";
import * as sweep from "../../provider/resources/sweep/nlb";
import type { Account } from "../../provider/schema/account";
import { type Cloud, openAccount } from "../../provider/cloud";
import { CLUSTER_TAG, OWNER_TAG } from "../../provider/schema/names";
import { nlbProtocol } from "../../provider/schema/protocols";
import { diagnoseHook } from "../service/explain";
import { announcedListeners, byAccount, hookSuffix } from "../service/hooks";
import { errorHook, resourceHook } from "../service/run";

/**
 * Hooks that make an interrupted create of an NLB repeatable: the alicloud plugin uses a new idempotency token for
 * each try.
 */
export interface NlbSweepHooks {
    /** For what needs no sweeping: errors are explained, as with all others. */
    readonly other: pulumi.ResourceHookBinding;
    readonly loadBalancer: pulumi.ResourceHookBinding;
    readonly serverGroup: pulumi.ResourceHookBinding;
    readonly listener: pulumi.ResourceHookBinding;
}

/** The hooks of NLB resources in an account. */
export const nlbSweepHooks = byAccount(makeHooks);

function makeHooks(account: Account): NlbSweepHooks {
    const cloud = () => openAccount(account);
    // Instances made in this run are empty: what would be looked for in them cannot be there.
    const fresh = new Set<string>();
    const suffix = hookSuffix(account);
    const hook = (name: string, run: pulumi.ResourceHookFunction) =>
        resourceHook(`ack-loadbalancer-${name}${suffix}`, run);
    const text = (inputs: Record<string, unknown> | undefined, key: string) => String(inputs?.[key] ?? "");
    const tag = (inputs: Record<string, unknown> | undefined, key: string) =>
        text(inputs?.["tags"] as Record<string, unknown> | undefined, key);
    const onError = [diagnoseHook()];
    return {
        other: { onError },
        loadBalancer: {
            onError,
            beforeCreate: [
                hook("sweep-network-load-balancer", ({ newInputs }) =>
                    sweep.nlbLoadBalancer(cloud(), {
                        name: text(newInputs, "loadBalancerName"),
                        owner: tag(newInputs, OWNER_TAG),
                    }),
                ),
            ],
            afterCreate: [hook("note-network-load-balancer", (args) => void fresh.add(args.id))],
            beforeUpdate: [
                hook("remove-failed-network-load-balancer", async ({ id, newInputs, oldOutputs }) => {
                    // Made completely, as far as the state knows: nothing to look for, and no call.
                    if (oldOutputs?.["status"] === "Active") return;
                    const owner = tag(newInputs, OWNER_TAG);
                    const done = await sweep.failedNlb(cloud(), id, (tags) => tags[OWNER_TAG] === owner);
                    if (done !== undefined) throw new Error(done);
                }),
            ],
        },
        serverGroup: {
            onError,
            beforeCreate: [
                hook("sweep-network-server-group", ({ newInputs }) =>
                    sweep.nlbServerGroup(
                        cloud(),
                        text(newInputs, "serverGroupName"),
                        tag(newInputs, OWNER_TAG),
                        tag(newInputs, CLUSTER_TAG),
                    ),
                ),
            ],
        },
        listener: {
            onError: [...onError, failedInstanceHook(`ack-loadbalancer-failed-instance${suffix}`, cloud)],
            beforeCreate: [
                hook("sweep-network-listener", async ({ newInputs }) => {
                    const id = text(newInputs, "loadBalancerId");
                    const listener = {
                        protocol: nlbProtocol(text(newInputs, "listenerProtocol")),
                        port: Number(newInputs?.["startPort"] ?? newInputs?.["listenerPort"]),
                        ...(newInputs?.["endPort"] === undefined ? {} : { endPort: Number(newInputs["endPort"]) }),
                        description: text(newInputs, "listenerDescription"),
                        serverGroupId: text(newInputs, "serverGroupId"),
                    };
                    await (fresh.has(id)
                        ? undefined
                        : sweep.nlbListener(cloud(), id, listener, announcedListeners(account, id)));
                }),
            ],
        },
    };
}

/**
 * Deletes an NLB in status CreateFailed when its listener fails: after a run with `--refresh` the engine would not
 * create it again.
 */
function failedInstanceHook(name: string, cloud: () => Cloud): pulumi.ErrorHook {
    return errorHook(name, async ({ newInputs, errors }) => {
        if (!(errors[0] ?? "").includes("IncorrectStatus.loadbalancer")) return false;
        const description = String(newInputs?.["listenerDescription"]);
        const done = await sweep.failedNlb(
            cloud(),
            String(newInputs?.["loadBalancerId"]),
            ({ [OWNER_TAG]: owner, [CLUSTER_TAG]: cluster }) =>
                owner !== undefined && cluster !== undefined && description.endsWith(`.${cluster}`),
        );
        if (done !== undefined) await pulumi.log.warn(done);
        return false;
    });
}
