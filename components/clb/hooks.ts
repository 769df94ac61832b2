import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { setListener } from "../../provider/clb/listener";
import * as sweep from "../../provider/resources/sweep";
import { OWNER_TAG, ownerInReason } from "../../provider/schema/names";
import { clbProtocol } from "../../provider/schema/protocols";
import { diagnoseHook, explainFailure, retryThrottled } from "../run/failures";
import { type AccountHooks, announcedListeners, byAccount, canSweep, inputText } from "../service/hooks";
import { runFacts } from "../run/run";

/**
 * The hooks of CLB resources in an account, which make an interrupted create repeatable.
 *
 * CLB calls take no idempotency token, and the engine repeats a create whose end it did not see. Each hook runs only
 * when the engine is about to create: it finds the half-made object by its deterministic name, and removes it if it
 * carries no traffic. There are no delete hooks: they would make `pulumi destroy` need the program.
 */
export const clbHooks = byAccount(makeHooks);

/**
 * True for the engine's second try at an object whose creation failed: an update without changes. Other updates cost
 * no call.
 */
const isSecondTry = ({ oldInputs, newInputs }: pulumi.ResourceHookArgs): boolean =>
    isDeepStrictEqual(oldInputs, newInputs);

function makeHooks({ account, cloud, hook, errorHook }: AccountHooks) {
    // Instances and listeners of this run are empty, and no sweep looks into them.
    const fresh = new Set<string>();
    const freshListeners = new Set<string>();
    const portOf = (inputs: unknown): string =>
        `${inputText(inputs, "loadBalancerId")} ${inputText(inputs, "frontendPort")}`;
    // Ports with the same nodePort have groups of the same name. A group that this run created is not searched again.
    const swept = new Map<string, Promise<void>>();
    const sweepGroup = (id: string, name: string): Promise<void> => {
        const key = `${id} ${name}`;
        const running = swept.get(key) ?? sweep.clbServerGroup(cloud(), id, name);
        swept.set(key, running);
        return running;
    };
    const onError = [diagnoseHook()];
    const listenerOf = ({ newInputs }: Pick<pulumi.ResourceHookArgs, "newInputs">) => ({
        port: Number(newInputs?.["frontendPort"]),
        protocol: clbProtocol(inputText(newInputs, "protocol")),
    });
    // The plugin's error has the id of an object that the creation has made. The engine would update the object, which
    // the plugin cannot do with what it has told of it. The next run completes it.
    const isMade = ({ errors }: pulumi.ErrorHookArgs): boolean => /Resource (?:rsp|lb)-[\w-]+/.test(errors[0] ?? "");
    const retry = (noun: string, remove: (args: pulumi.ErrorHookArgs) => Promise<void> = async () => {}) =>
        errorHook(`retry-${noun}`, (args) =>
            args.failedOperation === "create" && isMade(args) ? explainFailure(args) : retryThrottled(args, remove),
        );
    const sweepListener = async (args: Pick<pulumi.ResourceHookArgs, "newInputs">): Promise<void> => {
        const { newInputs } = args;
        const id = inputText(newInputs, "loadBalancerId");
        const listener = {
            ...listenerOf(args),
            description: inputText(newInputs, "description"),
            serverGroupId: inputText(newInputs, "serverGroupId"),
        };
        const announced = announcedListeners(account, id);
        const isPreview = pulumi.runtime.isDryRun();
        if (canSweep(announced, newInputs?.["loadBalancerId"], newInputs?.["description"]))
            await sweep.clbListener(cloud(), id, listener, announced, undefined, isPreview);
    };
    return {
        loadBalancer: {
            onError,
            beforeCreate: [
                hook("sweep-load-balancer", (args) =>
                    sweep.clbLoadBalancer(cloud(), {
                        name: inputText(args.newInputs, "loadBalancerName"),
                        owner:
                            inputText(args.newInputs?.["tags"], OWNER_TAG) ||
                            (ownerInReason(inputText(args.newInputs, "modificationProtectionReason")) ?? ""),
                        replaced: runFacts().replaceableAddresses,
                    }),
                ),
            ],
            beforeUpdate: [
                hook("tag-load-balancer", async (args) => {
                    const tags = (args.newInputs?.["tags"] ?? {}) as Record<string, string>;
                    if (isSecondTry(args)) await sweep.ensureTagged(cloud(), args.id, tags);
                }),
            ],
            afterCreate: [hook("note-load-balancer", (args) => void fresh.add(args.id))],
        },
        serverGroup: {
            onError: [retry("server-group")],
            beforeCreate: [
                hook("sweep-server-group", async (args) => {
                    const id = inputText(args.newInputs, "loadBalancerId");
                    if (!fresh.has(id)) await sweepGroup(id, inputText(args.newInputs, "name"));
                }),
            ],
        },
        acl: {
            onError,
            beforeCreate: [hook("sweep-acl", (args) => sweep.acl(cloud(), inputText(args.newInputs, "name")))],
        },
        listener: {
            onError: [retry("listener", sweepListener)],
            beforeCreate: [
                hook(
                    "sweep-listener",
                    async (args) => {
                        if (!fresh.has(inputText(args.newInputs, "loadBalancerId"))) await sweepListener(args);
                    },
                    { onDryRun: true },
                ),
            ],
            afterCreate: [hook("note-listener", (args) => void freshListeners.add(portOf(args.newInputs)))],
            afterUpdate: [
                hook("start-listener", async (args) => {
                    const id = inputText(args.newInputs, "loadBalancerId");
                    if (isSecondTry(args)) await sweep.ensureStarted(cloud(), id, listenerOf(args));
                }),
                // The API omits a check port equal to the backend's port, so the plugin keeps the last port and repeats
                // it with every change.
                hook("restore-check-port", async (args) => {
                    const repeated = inputText(args.newOutputs, "healthCheckConnectPort");
                    const HealthCheckConnectPort = runFacts().checkPorts.get(args.name) ?? repeated;
                    if (!["", "0", HealthCheckConnectPort].includes(repeated)) {
                        const { protocol, port } = listenerOf(args);
                        const id = inputText(args.newInputs, "loadBalancerId");
                        await setListener(cloud(), { loadBalancerId: id, protocol, port }, { HealthCheckConnectPort });
                    }
                }),
            ],
        },
        domainExtension: {
            onError: [retry("domain-extension", async () => {})],
            beforeCreate: [
                hook("sweep-domain-extension", async (args) => {
                    const domain = {
                        port: Number(args.newInputs?.["frontendPort"]),
                        domain: inputText(args.newInputs, "domain"),
                        certId: inputText(args.newInputs, "serverCertificateId"),
                    };
                    const id = inputText(args.newInputs, "loadBalancerId");
                    if (!freshListeners.has(portOf(args.newInputs))) await sweep.domainExtension(cloud(), id, domain);
                }),
            ],
        },
    };
}
