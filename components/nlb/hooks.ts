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

function makeHooks(hooks: AccountHooks) {
    const { cloud, hook } = hooks;
    // Instances of this run are empty, and no sweep looks into them.
    const fresh = new Set<string>();
    const onError = [diagnoseHook()];
    return {
        // What needs no sweeping.
        other: { onError },
        loadBalancer: loadBalancerHooks(hooks, fresh),
        serverGroup: {
            onError,
            beforeCreate: [
                hook("sweep-network-server-group", ({ newInputs }) =>
                    sweep.nlbServerGroups(cloud(), {
                        names: [inputText(newInputs, "serverGroupName")],
                        tags: {
                            [OWNER_TAG]: tagIn(newInputs, OWNER_TAG),
                            [CLUSTER_TAG]: tagIn(newInputs, CLUSTER_TAG),
                        },
                    }),
                ),
            ],
        },
        listener: listenerHooks(hooks, fresh),
    };
}

const tagIn = (inputs: Record<string, unknown> | undefined, key: string): string => inputText(inputs?.["tags"], key);

const loadBalancerHooks = ({ cloud, hook }: AccountHooks, fresh: Set<string>) => ({
    onError: [diagnoseHook()],
    beforeCreate: [
        hook("sweep-network-load-balancer", ({ newInputs }) =>
            sweep.nlbLoadBalancer(cloud(), {
                name: inputText(newInputs, "loadBalancerName"),
                owner: tagIn(newInputs, OWNER_TAG),
            }),
        ),
    ],
    afterCreate: [hook("note-network-load-balancer", (args) => void fresh.add(args.id))],
    beforeUpdate: [
        hook("remove-failed-network-load-balancer", async ({ id, newInputs, oldOutputs }) => {
            // Made completely, as far as the state knows: nothing to look for, and no call.
            if (oldOutputs?.["status"] === "Active") return;
            const owner = tagIn(newInputs, OWNER_TAG);
            const done = await sweep.failedNlb(cloud(), id, (tags) => tags[OWNER_TAG] === owner);
            if (done !== undefined) throw new Error(done);
        }),
    ],
});

function listenerHooks({ account, cloud, hook, errorHook }: AccountHooks, fresh: ReadonlySet<string>) {
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
    const sweepListener = async ({ newInputs }: pulumi.ResourceHookArgs): Promise<void> => {
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
        if (!fresh.has(id) && canSweep(announced, newInputs?.["loadBalancerId"], newInputs?.["listenerDescription"]))
            await sweep.nlbListener(cloud(), id, listener, announced, isPreview);
    };
    return {
        onError: [diagnoseHook(), errorHook("failed-instance", removeFailed)],
        beforeCreate: [hook("sweep-network-listener", sweepListener, { onDryRun: true })],
    };
}
