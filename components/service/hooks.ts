/** Resource hooks of both load balancer types. */
import * as pulumi from "@pulumi/pulumi";
import { type Cloud, openAccount } from "../../provider/cloud";
import type { ClusterEvent } from "../../provider/cluster/event";
import { ClusterError } from "../../provider/cluster";
import * as claims from "../../provider/resources/handlers/claim";
import type { RetakenService } from "../../provider/resources/contract/inputs";
import type { Account } from "../../provider/schema/account";
import { once } from "../../provider/schema/defined";
import type { ObservedListener } from "../../provider/schema/observed";
import { STACK_ANNOTATION } from "../../provider/service/controller";
import { ownershipPatch } from "../../provider/service/fields";
import type { ObjectMeta } from "../../provider/service/objects";
import { accountKey } from "../cluster/account";
import type { Cluster } from "../cluster/cluster";
import { isKnownOutput, promiseOf } from "../run/outputs";
import { errorHook, type EventSubject, perRun, resourceHook, runFacts } from "../run/run";

type ServiceKey = claims.ServiceKey;

/** Hooks of an account and region, whose names are unique in a run. */
export interface AccountHooks {
    readonly account: Account;
    cloud(): Cloud;
    hook(...args: Parameters<typeof resourceHook>): pulumi.ResourceHook;
    errorHook(name: string, callback: pulumi.ErrorHookFunction): pulumi.ErrorHook;
}

/** Creates hooks once per account and region, as hook names are global in a run. Empty if hooks are not supported. */
export function byAccount<Hooks extends object>(
    make: (hooks: AccountHooks) => Hooks,
): (account: Account) => Partial<Hooks> {
    const hooksOf = per(accountKey, (account: Account) => {
        const key = accountKey(account);
        const nameOf = (name: string) => `ack-loadbalancer-${name}${key === "" ? "" : `-${key}`}`;
        return make({
            account,
            cloud: () => openAccount(account),
            hook: (name, ...rest) => resourceHook(nameOf(name), ...rest),
            errorHook: (name, callback) => errorHook(nameOf(name), callback),
        });
    });
    return (account) => hooksOf(account) ?? {};
}

/** Returns an input of a resource as text, empty if it is absent. */
export const inputText = (inputs: unknown, key: string): string =>
    String((inputs as Readonly<Record<string, unknown>> | undefined)?.[key] ?? "");

/**
 * Returns the observed listeners of a reused instance that may be replaced, or undefined for an instance that is not
 * reused.
 *
 * @param added listeners to add. Default: none, which leaves the instance as it is.
 */
export function announcedListeners(
    account: Account,
    loadBalancerId: string,
    added?: readonly ObservedListener[],
): readonly ObservedListener[] | undefined {
    const key = `${accountKey(account)} ${loadBalancerId}`;
    const { announcedListeners: all } = runFacts();
    if (added !== undefined) all.set(key, [...(all.get(key) ?? []), ...added]);
    return all.get(key);
}

/**
 * True if the place of a new listener can be read. A preview has read a reused instance, and cannot read an instance
 * that is yet to be made.
 */
export const canSweep = (announced: readonly ObservedListener[] | undefined, ...place: unknown[]): boolean =>
    !pulumi.runtime.isDryRun() || (announced === undefined && !pulumi.containsUnknowns(place));

/** Returns a function that creates hooks once per run for each key. It returns undefined if hooks are not supported. */
function per<Subject, Hooks extends object>(
    keyOf: (subject: Subject) => string,
    make: (subject: Subject) => Hooks,
): (subject: Subject) => Hooks | undefined {
    const made = perRun(() => new Map<string, Hooks>());
    return (subject) => (hooksSupported() ? once(made(), keyOf(subject), () => make(subject)) : undefined);
}

/** Objects of one cluster share its name. */
const keyOfCluster = ({ name }: Cluster): string => name;

/** Hooks of an applied Service: delete remains of an interrupted run, take field ownership, record events. */
export const appliedServiceHooks = per(keyOfCluster, (cluster): pulumi.ResourceHookBinding => {
    const sweep = resourceHook(
        `ack-loadbalancer-sweep-service-${cluster.name}`,
        async (args) => {
            const { namespace, name } = args.newInputs?.["metadata"] as { namespace: string; name: string };
            if (!pulumi.containsUnknowns([namespace, name]))
                await sweepService(cluster, { namespace, name, stack: stackMark() });
        },
        { onDryRun: true },
    );
    const own = resourceHook(`ack-loadbalancer-own-service-${cluster.name}`, ({ newOutputs }) =>
        ownFields(cluster, newOutputs),
    );
    const changed = resourceHook(`ack-loadbalancer-service-changed-${cluster.name}`, async (args) => {
        const event = annotationsChanged(args.oldInputs, args.newInputs);
        if (event !== undefined) await record(cluster, args.newOutputs?.["metadata"] as ServiceKey, event);
    });
    return { beforeCreate: [sweep], afterCreate: [own], afterUpdate: [changed] };
});

/**
 * Deletes the remains of an interrupted run before a Service is created, and refuses any other Service of its name.
 *
 * A preview deletes nothing, lets the stack's own Service be replaced, and reads no cluster that is yet to be made.
 */
async function sweepService({ connection, reads }: Cluster, identity: claims.ServiceIdentity): Promise<void> {
    if (!pulumi.runtime.isDryRun()) return claims.sweepService(await reads.reader(), identity);
    const { kubeconfig } = connection;
    if (pulumi.Output.isInstance(kubeconfig) && !(await isKnownOutput(kubeconfig))) return;
    const found = await reads.service(identity.namespace, identity.name);
    if (found?.metadata.annotations?.[STACK_ANNOTATION] === identity.stack) return;
    const preview = { getService: () => Promise.resolve(found), deleteService: () => Promise.resolve() };
    await claims.sweepService(preview, identity);
}

/** Moves the fields of a created Service to the field manager of its updates. Best effort: updates do it too. */
async function ownFields({ reads }: Cluster, outputs: unknown): Promise<void> {
    const found = ownershipPatch(outputs);
    if (found === undefined) return;
    const reader = await reads.reader();
    await reader.patchService(found.namespace, found.name, found.patch).catch((error: unknown) => {
        if (!(error instanceof ClusterError)) throw error;
        return pulumi.log.debug(
            `the fields of Service ${found.namespace}/${found.name} were not handed over: ${error.message}`,
        );
    });
}

/** Records an event of a Service, or nothing if that fails. */
async function record({ reads }: Cluster, service: ServiceKey, event: ClusterEvent): Promise<void> {
    return (await reads.reader()).recordServiceEvent(service, event);
}

/**
 * Returns hooks that record an event once a resource of a Service was created or updated, as the Cloud Controller
 * Manager does. Source: CCM, events on the Service.
 */
const recording = (
    noun: string,
    describe: (args: pulumi.ResourceHookArgs, subject: EventSubject) => ClusterEvent | undefined,
) =>
    per(keyOfCluster, (cluster): pulumi.ResourceHookBinding => {
        const hook = resourceHook(`ack-loadbalancer-${noun}-event-${cluster.name}`, async (args) => {
            const noted = runFacts().subjects.get(args.name);
            if (noted === undefined) return;
            const subject = await promiseOf(noted);
            const event = describe(args, subject);
            if (event !== undefined) await record(cluster, subject, event);
        });
        return { afterCreate: [hook], afterUpdate: [hook] };
    });

/** Hooks of a Service's status: it is written once everything else of the Service is done. */
export const statusHooks = recording("status", (_args, { loadBalancerId }) => ({
    type: "Normal",
    reason: "EnsuredLoadBalancer",
    message: `Ensured load balancer [${loadBalancerId}]`,
}));

/** Hooks of the release of a Service's instance, which records that the instance is preserved. */
export const releaseHooks = recording("release", ({ newInputs }, { loadBalancerId }) =>
    newInputs?.["preserve"] === true
        ? {
              type: "Warning",
              reason: "PreservedOnDelete",
              message: `The lb [${loadBalancerId}] will be preserved after the service is deleted.`,
          }
        : undefined,
);

/** Returns the hook that claims a Service again if CCM has taken it back. A preview only warns. */
export const retakeHook = per(keyOfCluster, (cluster) =>
    resourceHook(
        `ack-loadbalancer-retake-service-${cluster.name}`,
        async ({ newInputs }) => {
            const { retaken } = (newInputs ?? {}) as { retaken?: RetakenService };
            if (retaken === undefined) return;
            const { namespace, name, loadBalancerType, marks } = retaken;
            await pulumi.log.warn(
                `Service ${namespace}/${name}: the Cloud Controller Manager has taken it back ` +
                    `since this stack took it over: ${marks.join(", ")}. This run takes it over again.`,
            );
            if (!pulumi.runtime.isDryRun())
                await claims.claimService(await cluster.reads.reader(), retaken, loadBalancerType);
        },
        { onDryRun: true },
    ),
);

/** Value of the stack annotation on applied Services. */
export function stackMark(): string {
    return `${pulumi.getProject()}/${pulumi.getStack()}`;
}

/** False for the mock monitor of Pulumi's unit tests, where registering a hook is an unhandled rejection. */
export function hooksSupported(): boolean {
    const monitor: unknown = pulumi.runtime.getMonitor();
    return typeof monitor === "object" && monitor !== null && "registerResourceHook" in monitor;
}

type Inputs = Readonly<Record<string, unknown>> | undefined;

/** Returns the event of an applied Service with other annotations, or undefined if they are equal. */
function annotationsChanged(before: Inputs, after: Inputs): ClusterEvent | undefined {
    const annotationsOf = (service: Inputs) => (service?.["metadata"] as ObjectMeta | undefined)?.annotations ?? {};
    const [old, now] = [annotationsOf(before), annotationsOf(after)];
    const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((key) => old[key] !== now[key]);
    if (changed.length === 0) return undefined;
    return {
        type: "Normal",
        reason: "AnnotationChanged",
        message: `The Service is updated, because its annotations have changed: ${changed.sort().join(", ")}`,
    };
}
