import * as pulumi from "@pulumi/pulumi";
import * as sweep from "../../provider/resources/sweep";
import { CLUSTER_TAG, OWNER_TAG } from "../../provider/schema/names";
import { nlbProtocol } from "../../provider/schema/protocols";
import { diagnoseHook } from "../run/failures";
import { type AccountHooks, announcedListeners, byAccount, canSweep, inputText } from "../service/hooks";

/**
 * The hooks of NLB resources in an account, which make an interrupted create repeatable: the alicloud plugin uses a new
 * idempotency token for each try.
 */
export const nlbHooks = byAccount(makeHooks);

function makeHooks({ account, cloud, hook, errorHook }: AccountHooks) {
    // Instances of this run are empty, and no sweep looks into them.
    const fresh = new Set<string>();
    const tag = (inputs: Record<string, unknown> | undefined, key: string) => inputText(inputs?.["tags"], key);
    const onError = [diagnoseHook()];
    // After a run with `--refresh` the engine would not create an instance in status CreateFailed again.
    const removeFailed = async ({ newInputs, errors }: pulumi.ErrorHookArgs): Promise<boolean> => {
        if (!(errors[0] ?? "").includes("IncorrectStatus.loadbalancer")) return false;
        const description = inputText(newInputs, "listenerDescription");
        const done = await sweep.failedNlb(
            cloud(),
            inputText(newInputs, "loadBalancerId"),
            ({ [OWNER_TAG]: owner, [CLUSTER_TAG]: cluster }) =>
                owner !== undefined && cluster !== undefined && description.endsWith(`.${cluster}`),
        );
        if (done !== undefined) await pulumi.log.warn(done);
        return false;
    };
    return {
        // What needs no sweeping.
        other: { onError },
        loadBalancer: {
            onError,
            beforeCreate: [
                hook("sweep-network-load-balancer", ({ newInputs }) =>
                    sweep.nlbLoadBalancer(cloud(), {
                        name: inputText(newInputs, "loadBalancerName"),
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
                    sweep.nlbServerGroups(cloud(), {
                        names: [inputText(newInputs, "serverGroupName")],
                        tags: {
                            [OWNER_TAG]: tag(newInputs, OWNER_TAG),
                            [CLUSTER_TAG]: tag(newInputs, CLUSTER_TAG),
                        },
                    }),
                ),
            ],
        },
        listener: {
            onError: [...onError, errorHook("failed-instance", removeFailed)],
            beforeCreate: [
                hook(
                    "sweep-network-listener",
                    async ({ newInputs }) => {
                        const id = inputText(newInputs, "loadBalancerId");
                        const listener = {
                            protocol: nlbProtocol(inputText(newInputs, "listenerProtocol")),
                            port: Number(newInputs?.["startPort"] ?? newInputs?.["listenerPort"]),
                            ...(newInputs?.["endPort"] === undefined ? {} : { endPort: Number(newInputs["endPort"]) }),
                            description: inputText(newInputs, "listenerDescription"),
                            serverGroupId: inputText(newInputs, "serverGroupId"),
                        };
                        const announced = announcedListeners(account, id);
                        const isPreview = pulumi.runtime.isDryRun();
                        if (
                            !fresh.has(id) &&
                            canSweep(announced, newInputs?.["loadBalancerId"], newInputs?.["listenerDescription"])
                        )
                            await sweep.nlbListener(cloud(), id, listener, announced, isPreview);
                    },
                    { onDryRun: true },
                ),
            ],
        },
    };
}
