import * as pulumi from "@pulumi/pulumi";
import { disruptiveFields } from "../../provider/builder";
import { ServiceContract } from "../../provider/resources";
import { CCM_LABELS, ccmMarks, ignoredByCcm } from "../../provider/kubernetes/service/controller";
import type { RetakenService } from "../../provider/deploy/handlers/contract";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import {
    addressReleases,
    describeMove,
    INTERRUPTION_REMEDY,
    interruptions,
    type ObservedService,
    type StackIdentity,
} from "../../provider/plan";
import { noteContract } from "./all-checked";
import { bindingsFailure } from "./binding";
import { type AnyContext, childName, type LiveService } from "./context";
import { checkEdge } from "./edge";
import { allowReplacementOf, hooksSupported, retakeHook } from "./hooks";
import { firstProblemsOf } from "./first-problems";
import { identityFailure, originOf } from "./identity";
import type { Reuse } from "./reuse";
import { perRun, resourceHook } from "./run";
import { defined } from "../../provider/schema/defined";

/** What a contract is about. */
export interface ContractBase {
    /** The create-only settings; those that refer to resources as what they turn out to be. */
    readonly requested: Readonly<Record<string, pulumi.Input<string>>>;
    /** What holds where the Service states nothing, from the creation of its instance on. */
    readonly initial: Readonly<Record<string, pulumi.Input<string>>>;
    /** The settings that ask for the value of a create-only one, where that is not itself alone. */
    readonly askedBy: Readonly<Record<string, readonly string[]>>;
    /** Those that may change this time. */
    readonly allowReplacement: readonly string[];
    /** Undefined for a Service that uses no existing instance. */
    readonly reuse: pulumi.Output<Reuse> | undefined;
}

/** Refuses changes that a living instance cannot follow, before anything else of the Service is looked at. */
export function createContract(
    context: AnyContext,
    { requested, initial, askedBy, allowReplacement, reuse }: ContractBase,
): ServiceContract {
    const contract = new ServiceContract(
        childName(context),
        {
            service: context.subject,
            problems: problemsOf(context, reuse),
            firstProblems: firstProblemsOf(context),
            origin: originOf(context.cluster, context.account),
            requested,
            ...(Object.keys(initial).length === 0 ? {} : { initial }),
            ...(Object.keys(askedBy).length === 0 ? {} : { askedBy }),
            disruptive: disruptiveFields(context.service, context.cluster.facts),
            ...(allowReplacement.length === 0 ? {} : { allowReplacement: [...allowReplacement] }),
            ...defined({ reuse: reuse?.apply(readable) }),
            ...liveFacts(context, allowReplacement),
        },
        {
            parent: context.parent,
            // What the component waits for, everything of it waits for: its other children depend on the contract.
            ...defined({ dependsOn: context.dependsOn }),
            ...(hooksSupported()
                ? {
                      hooks: {
                          beforeUpdate: [
                              interruptionHook(),
                              ...(context.adoption === undefined ? [] : [retakeHook(context.cluster)]),
                          ],
                      },
                  }
                : {}),
        },
    );
    noteContract(context, contract);
    return contract;
}

/** What cannot work: a cluster or a cloud that cannot be read, pods at the edge, and providers of another cluster or account. Each is named once. */
function problemsOf(
    context: AnyContext,
    reuse: pulumi.Output<Reuse> | undefined,
): pulumi.Output<readonly string[] | undefined> {
    return pulumi
        .all([
            identityFailure(context.cluster),
            bindingsFailure(context),
            checkEdge(context),
            reuse?.apply(({ failure }) => failure),
            context.wrongProviders,
            context.wrongValues,
            context.cluster.idProblem,
        ])
        .apply((found) => {
            const problems = new Set(found.flat().filter((problem) => problem !== undefined));
            return problems.size === 0 ? undefined : [...problems];
        });
}

/** What was read of an instance; what could not be read is a problem of its own. */
function readable({ failure, clusterUid: _, ...reuse }: Reuse): Pick<Reuse, "request" | "found"> | undefined {
    return failure === undefined ? reuse : undefined;
}

/** What the contract's inputs say of a change. */
interface ContractInputs {
    readonly established?: Readonly<Record<string, string>>;
    readonly requested?: Readonly<Record<string, string>>;
    readonly disruptive?: Readonly<Record<string, string>>;
    readonly disruptiveBefore?: Readonly<Record<string, string>>;
    readonly live?: ObservedService;
}

/** An address that is released cannot be had again: that is said with the address. */
async function warnOfReleases(name: string, inputs: ContractInputs): Promise<void> {
    const { established = {}, requested = {}, disruptive = {}, disruptiveBefore = {}, live } = inputs;
    const released = addressReleases({
        established,
        requested,
        before: disruptiveBefore,
        after: disruptive,
        addresses: live?.addresses ?? [],
    });
    for (const { cause, remedy } of released) await pulumi.log.warn(`Service ${name}: ${cause}. Remedy: ${remedy}.`);
}

/** The hook that tells, at preview already, what a change interrupts and where a stack moves; one for all Services, because hook names are global in a run. */
const interruptionHook = perRun(() =>
    resourceHook(
        "ack-loadbalancer-interruptions",
        async ({ oldInputs, newInputs }) => {
            const { service, movedFrom, identity } = newInputs as {
                service: string;
                movedFrom?: StackIdentity;
                identity?: StackIdentity;
            };
            if (movedFrom !== undefined && identity !== undefined) {
                await pulumi.log.warn(`Service ${service}: ${describeMove(movedFrom, identity)}.`);
            }
            await warnOfReleases(service, newInputs as ContractInputs);
            const factsOf = (inputs: Record<string, unknown> | undefined) =>
                inputs?.["disruptive"] as Record<string, string> | undefined;
            const found = interruptions(factsOf(oldInputs), factsOf(newInputs));
            if (found.length > 0) {
                await pulumi.log.warn(
                    `Service ${service}: this change interrupts traffic.\n${found.map((text) => `  ${text}.`).join("\n")}\nRemedy: ${INTERRUPTION_REMEDY}.`,
                );
            }
        },
        { onDryRun: true },
    ),
);

/** What the cluster says of the Service at the moment: who serves it, and whether it has an address. Who has served one that is taken over is known. */
function liveFacts(
    { live: found, adoption, service }: AnyContext,
    allowReplacement: readonly string[],
): {
    live?: pulumi.Output<ObservedService | undefined>;
    retaken?: pulumi.Output<RetakenService | undefined>;
    bound: pulumi.Output<boolean>;
} {
    const observed = found.apply(({ live: service }): ObservedService => {
        const { labels = {}, finalizers = [] } = service?.metadata ?? {};
        const addresses = (service?.status?.loadBalancer?.ingress ?? []).flatMap(
            ({ ip, hostname }) => ip ?? hostname ?? [],
        );
        if (allowReplacement.length > 0) {
            allowReplacementOf(addresses);
        }
        return {
            labels: Object.fromEntries(Object.entries(labels).filter(([label]) => CCM_LABELS.includes(label))),
            finalizers,
            addresses,
        };
    });
    // A Service of which nothing is to be said is not spelled out in the preview.
    const live = observed.apply((facts) =>
        Object.values(facts).every((some: object) => Object.keys(some).length === 0) ? undefined : facts,
    );
    const bound = observed.apply(({ addresses }) => addresses.length > 0);
    if (adoption === undefined) return { live, bound };
    return { retaken: found.apply((one) => retakenBy(one, service.loadBalancerType)), bound };
}

/** A Service that is in the hands of the Cloud Controller Manager. */
function retakenBy({ live }: LiveService, loadBalancerType: LoadBalancerType): RetakenService | undefined {
    if (live === undefined || ignoredByCcm(live)) return undefined;
    const { namespace = "default", name, uid = "" } = live.metadata;
    const marks = ccmMarks(live.metadata);
    return {
        namespace,
        name,
        uid,
        loadBalancerType,
        marks: marks.length > 0 ? marks : ["nothing on it names another controller"],
    };
}
