import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { setListener } from "../../provider/clb/listener";
import * as sweep from "../../provider/resources/sweep";
import { once } from "../../provider/schema/defined";
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

/** Objects that this run has made: they are empty, and no sweep looks into them. */
interface Fresh {
    readonly instances: Set<string>;
    /** Instances with the ports of their listeners. */
    readonly listeners: Set<string>;
}

function makeHooks(hooks: AccountHooks) {
    const { cloud, hook } = hooks;
    const fresh: Fresh = { instances: new Set(), listeners: new Set() };
    return {
        loadBalancer: loadBalancerHooks(hooks, fresh),
        serverGroup: serverGroupHooks(hooks, fresh),
        acl: {
            onError: [diagnoseHook()],
            beforeCreate: [hook("sweep-acl", (args) => sweep.acl(cloud(), inputText(args.newInputs, "name")))],
        },
        listener: listenerHooks(hooks, fresh),
        domainExtension: domainExtensionHooks(hooks, fresh),
    };
}

const portOf = (inputs: unknown): string =>
    `${inputText(inputs, "loadBalancerId")} ${inputText(inputs, "frontendPort")}`;

const listenerOf = ({ newInputs }: Pick<pulumi.ResourceHookArgs, "newInputs">) => ({
    port: Number(newInputs?.["frontendPort"]),
    protocol: clbProtocol(inputText(newInputs, "protocol")),
});

/** Errors of the plugin about an object that a creation has made: with its id, or of a listener's start. */
const OF_MADE = /Resource (?:rsp|lb)-[\w-]+|StartLoadBalancerListener Failed/;

/**
 * Tries a creation again, unless it has made its object. The engine would update that object, which the plugin cannot
 * do with what it has told of it. The next run completes it.
 */
function retrying(
    { errorHook }: AccountHooks,
    noun: string,
    remove: (args: pulumi.ErrorHookArgs) => Promise<void> = async () => {},
) {
    const isMade = ({ errors }: pulumi.ErrorHookArgs): boolean => OF_MADE.test(errors[0] ?? "");
    return errorHook(`retry-${noun}`, (args) =>
        args.failedOperation === "create" && isMade(args) ? explainFailure(args) : retryThrottled(args, remove),
    );
}

const loadBalancerHooks = ({ cloud, hook }: AccountHooks, { instances }: Fresh) => ({
    onError: [diagnoseHook()],
    beforeCreate: [
        hook("sweep-load-balancer", (args) => {
            const owner =
                inputText(args.newInputs?.["tags"], OWNER_TAG) ||
                (ownerInReason(inputText(args.newInputs, "modificationProtectionReason")) ?? "");
            return sweep.clbLoadBalancer(cloud(), {
                name: inputText(args.newInputs, "loadBalancerName"),
                owner,
                replaced: runFacts().replaceable.get(owner),
            });
        }),
    ],
    beforeUpdate: [
        hook("tag-load-balancer", async (args) => {
            const tags = (args.newInputs?.["tags"] ?? {}) as Record<string, string>;
            if (isSecondTry(args)) await sweep.ensureTagged(cloud(), args.id, tags);
        }),
    ],
    afterCreate: [hook("note-load-balancer", (args) => void instances.add(args.id))],
});

function serverGroupHooks(hooks: AccountHooks, { instances }: Fresh) {
    const { cloud, hook } = hooks;
    // Ports with the same nodePort have groups of the same name. A group that this run created is not searched again.
    const swept = new Map<string, Promise<void>>();
    return {
        onError: [retrying(hooks, "server-group")],
        beforeCreate: [
            hook("sweep-server-group", async (args) => {
                const id = inputText(args.newInputs, "loadBalancerId");
                const name = inputText(args.newInputs, "name");
                if (!instances.has(id))
                    await once(swept, `${id} ${name}`, () => sweep.clbServerGroup(cloud(), id, name));
            }),
        ],
    };
}

function listenerHooks(hooks: AccountHooks, { instances, listeners }: Fresh) {
    const { account, cloud, hook } = hooks;
    const sweepListener = async (args: Pick<pulumi.ResourceHookArgs, "newInputs">): Promise<void> => {
        const { newInputs } = args;
        const id = inputText(newInputs, "loadBalancerId");
        const description = inputText(newInputs, "description");
        const listener = { ...listenerOf(args), description, serverGroupId: inputText(newInputs, "serverGroupId") };
        const announced = announcedListeners(account, id);
        const isPreview = pulumi.runtime.isDryRun();
        if (canSweep(announced, newInputs?.["loadBalancerId"], newInputs?.["description"]))
            await sweep.clbListener(cloud(), id, listener, announced, undefined, isPreview);
    };
    const set = (args: Pick<pulumi.ResourceHookArgs, "newInputs">, attributes: Readonly<Record<string, string>>) => {
        const listener = { loadBalancerId: inputText(args.newInputs, "loadBalancerId"), ...listenerOf(args) };
        return setListener(cloud(), listener, attributes);
    };
    return {
        onError: [retrying(hooks, "listener", sweepListener)],
        beforeCreate: [
            hook(
                "sweep-listener",
                async (args) => {
                    if (!instances.has(inputText(args.newInputs, "loadBalancerId"))) await sweepListener(args);
                },
                { onDryRun: true },
            ),
        ],
        afterCreate: [hook("note-listener", (args) => void listeners.add(portOf(args.newInputs)))],
        afterUpdate: [
            hook("start-listener", async (args) => {
                const id = inputText(args.newInputs, "loadBalancerId");
                if (isSecondTry(args)) await sweep.ensureStarted(cloud(), id, listenerOf(args));
            }),
            // The API omits a check port equal to the backend's port, so the plugin keeps the last port and repeats it
            // with every change.
            hook("restore-check-port", async (args) => {
                const repeated = inputText(args.newOutputs, "healthCheckConnectPort");
                const HealthCheckConnectPort = runFacts().checkPorts.get(args.name) ?? repeated;
                if (["", "0", HealthCheckConnectPort].includes(repeated)) return;
                await set(args, { HealthCheckConnectPort });
            }),
            // After a refresh the plugin has the path "/" for a listener without a path, and sees no change to it.
            hook("set-check-path", async (args) => {
                const [was, is] = [args.oldInputs, args.newInputs].map((one) => inputText(one, "healthCheckType"));
                const HealthCheckURI = inputText(args.newInputs, "healthCheckUri");
                if (was !== "http" && is === "http" && HealthCheckURI === "/") await set(args, { HealthCheckURI });
            }),
        ],
    };
}

const domainExtensionHooks = (hooks: AccountHooks, { listeners }: Fresh) => ({
    onError: [retrying(hooks, "domain-extension")],
    beforeCreate: [
        hooks.hook("sweep-domain-extension", async ({ newInputs }) => {
            const domain = {
                port: Number(newInputs?.["frontendPort"]),
                domain: inputText(newInputs, "domain"),
                certId: inputText(newInputs, "serverCertificateId"),
            };
            const id = inputText(newInputs, "loadBalancerId");
            if (!listeners.has(portOf(newInputs))) await sweep.domainExtension(hooks.cloud(), id, domain);
        }),
    ],
});
