import * as pulumi from "@pulumi/pulumi";
import { checkEdgeNodes, clusterIdsOf, type ClusterView, regionsOf } from "../../provider/backends";
import { formatSentences, isError } from "../../provider/diagnostics";
import { observeService, otherStack } from "../../provider/plan/controller";
import { describeMove, otherClusterId, otherRegion } from "../../provider/plan/identity";
import * as interruption from "../../provider/plan/interruptions";
import type { ContractInputs, RetakenService } from "../../provider/resources/contract/inputs";
import { type ResourceArgs, ServiceContract } from "../../provider/resources";
import type { Account } from "../../provider/schema/account";
import { defined, unlessEmpty } from "../../provider/schema/defined";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import { defaultLoadBalancerName } from "../../provider/schema/names";
import { ccmMarks, isLeftToCcm, STACK_ANNOTATION } from "../../provider/service/controller";
import type { ClusterIdentity } from "../../provider/service/objects";
import { knownRegion } from "../cluster/account";
import { bindingsFailure } from "./backends";
import type { Cluster } from "../cluster/cluster";
import { orFailure } from "../run/failures";
import { logAbout } from "../run/outputs";
import { hooksSupported, retakeHook, stackMark } from "./hooks";
import type { LiveService } from "./read-service";
import { childName, type Component } from "./component";
import type { ContractTerms, LoadBalancerSpec } from "./plan";
import { noteContract, perRun, resourceHook, runFacts } from "../run/run";
import { type ComponentService, needsClaim } from "./service";

/** Inputs of a contract that are not its Service's. */
interface ContractOptions extends Pick<LoadBalancerSpec<never>, "allowReplacement" | "adoption" | "reuse"> {
    readonly terms: ContractTerms;
    /** True if another cluster, account or region than the recorded origin is allowed. */
    readonly moves: boolean;
    /** True if another tool applies the Service. */
    readonly follow: boolean;
    readonly handBack: boolean;
    /** Problems of given providers and of the values of Outputs. */
    readonly problems: pulumi.Output<readonly (string | undefined)[]>;
}

export const termInputs = ({ requested, initial = {}, askedBy = {} }: ContractTerms) => ({
    requested,
    initial: unlessEmpty(initial),
    askedBy: unlessEmpty(askedBy),
});

/** Creates the contract, which refuses impossible changes before any other resource of the Service. */
export function createContract(
    component: Component,
    service: ComponentService,
    { terms, allowReplacement, moves, follow, handBack, adoption, reuse, problems }: ContractOptions,
): ServiceContract {
    const { cluster, independent, dependsOn } = service;
    const { subject, account, parent } = component;
    const nodes = readNodes(service);
    const adopted = adoption !== undefined;
    const retake = adopted ? retakeHook(cluster) : undefined;
    const contract = new ServiceContract(
        childName(component),
        {
            service: subject,
            problems: collectProblems([
                readIdentity(cluster).apply(({ failure }) => failure),
                bindingsFailure(service),
                checkEdge(component, service, nodes),
                reuse?.apply(({ failure }) => failure),
                follow ? refuseOwn(service) : undefined,
                follow ? refuseAbsent(component, service) : undefined,
                problems,
            ]),
            firstProblems: firstProblemsOf(component, service, nodes),
            origin: originOf(cluster, account, { moves }),
            ...termInputs(terms),
            disruptive: interruption.disruptiveFields(service.service, cluster.facts),
            allowReplacement: unlessEmpty(allowReplacement),
            handsBack: (handBack && !needsClaim(service, follow)) || undefined,
            // A read error is among the problems instead.
            reuse: reuse?.apply(({ failure, request, found }) =>
                failure === undefined ? { request, ...defined({ found }) } : undefined,
            ),
            ...liveInputs(service, adopted, allowReplacement),
            mark: service.live.apply(({ live }) => live?.metadata.uid && defaultLoadBalancerName(live.metadata.uid)),
        },
        {
            parent,
            // The other children depend on the contract, so they wait too.
            dependsOn,
            hooks: hooksSupported()
                ? { beforeUpdate: [interruptionHook(), ...(retake === undefined ? [] : [retake])] }
                : undefined,
        },
    );
    noteContract(independent, contract);
    return contract;
}

/** Refuses to follow a Service that this stack applies: the Service would leave the stack, which deletes it. */
const refuseOwn = ({ live }: ComponentService): pulumi.Output<string | undefined> =>
    live.apply(({ live: found }) =>
        found?.metadata.annotations?.[STACK_ANNOTATION] === stackMark()
            ? "this stack applies it, and a run that only follows it would delete it from the cluster. " +
              "Remedy: do not follow it; to let another tool apply it, hand it back (handBack), and adopt it."
            : undefined,
    );

/** Collects the problems other than refused changes, each once: read errors, pods at the edge, wrong providers. */
function collectProblems(
    sources: readonly pulumi.Input<string | undefined | readonly (string | undefined)[]>[],
): pulumi.Output<readonly string[] | undefined> {
    return pulumi
        .all([...sources])
        .apply((found) => unlessEmpty([...new Set(found.flat().filter((problem) => problem !== undefined))]));
}

/**
 * Hook that warns of interruptions and moves, also in a preview. All Services share it, as hook names are global in a
 * run.
 */
const interruptionHook = perRun(() =>
    resourceHook(
        "ack-loadbalancer-interruptions",
        async ({ newInputs }) => {
            const contract = newInputs as unknown as ContractInputs;
            for (const text of warningsOf(contract)) await pulumi.log.warn(`Service ${contract.service}: ${text}`);
        },
        { onDryRun: true },
    ),
);

/** Returns warnings of a change: a move, addresses that cannot be obtained again, and interruptions of traffic. */
function warningsOf(contract: ContractInputs): string[] {
    const { movedFrom, identity, established = {}, requested, disruptive = {}, disruptiveBefore = {}, live } = contract;
    const moved = movedFrom !== undefined && identity !== undefined ? [`${describeMove(movedFrom, identity)}.`] : [];
    const released = interruption.addressReleases({
        established,
        requested,
        before: disruptiveBefore,
        after: disruptive,
        addresses: live?.addresses ?? [],
    });
    const found = interruption.interruptions(disruptiveBefore, disruptive).map((text) => `  ${text}.\n`);
    return [
        ...moved,
        ...released.map(formatSentences),
        ...(found.length === 0
            ? []
            : [`this change interrupts traffic.\n${found.join("")}Remedy: ${interruption.INTERRUPTION_REMEDY}.`]),
    ];
}

/** Describes the live Service. The former controller of an adopted Service is CCM. */
function liveInputs(
    { live: found, service }: ComponentService,
    adopted: boolean,
    allowReplacement: readonly string[],
): Pick<ResourceArgs<"contract">, "live" | "retaken" | "bound"> {
    const observed = found.apply(({ live }) => {
        const facts = observeService(live);
        const uid = live?.metadata.uid;
        if (uid !== undefined && facts.addresses.length > 0 && allowReplacement.length > 0)
            runFacts().replaceable.set(defaultLoadBalancerName(uid), facts.addresses);
        return facts;
    });
    const bound = observed.apply(({ addresses }) => addresses.length > 0);
    if (adopted) return { retaken: found.apply((one) => retakenBy(one, service.loadBalancerType)), bound };
    // Without facts the input is left out of the preview.
    const live = observed.apply((facts) => (Object.values(facts).some(unlessEmpty) ? facts : undefined));
    return { live, bound };
}

/** Describes a Service that the Cloud Controller Manager manages again, else undefined. */
function retakenBy({ live }: LiveService, loadBalancerType: LoadBalancerType): RetakenService | undefined {
    if (live === undefined || !isLeftToCcm(live)) return undefined;
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

/** Nodes of the cluster, with endpoints if some node is at the edge. */
interface SeenNodes {
    /** Hides the view from the SDK, which searches the value of each Output for unknowns. */
    readonly view?: () => ClusterView;
    /** Read error. */
    readonly failure?: string;
}

/** Reads the nodes after the component's dependencies, like the Service. */
function readNodes({ known, live, cluster }: ComponentService): pulumi.Output<SeenNodes> {
    return pulumi
        .all([known, live])
        .apply(([service]) => orFailure(cluster.reads.edgeView(service).then((view) => ({ view: () => view }))));
}

/**
 * Returns the problems of a Service that is new to the stack: its nodes are of another ACK cluster or region than the
 * program states, or another stack applies it.
 */
function firstProblemsOf(
    { name, subject, account }: Component,
    { live, cluster }: ComponentService,
    seen: pulumi.Output<SeenNodes>,
): pulumi.Output<readonly string[] | undefined> {
    return pulumi.all([live, seen, cluster.ids.clusterId]).apply(([found, { view }, clusterId]) => {
        const nodes = view?.().nodes ?? [];
        return unlessEmpty(
            [
                otherClusterId(clusterId, clusterIdsOf(nodes)),
                otherRegion(knownRegion(account.region), regionsOf(nodes)),
                otherStack(
                    {
                        applying: found.live?.metadata.annotations?.[STACK_ANNOTATION],
                        serves: (found.live?.status?.loadBalancer?.ingress ?? []).length > 0,
                        component: name === subject ? undefined : name,
                    },
                    stackMark(),
                ),
            ].filter((problem) => problem !== undefined),
        );
    });
}

/** Refuses to follow a Service that is not in the cluster. A dependency may be about to create it in a preview. */
const refuseAbsent = (
    { subject }: Component,
    { live, dependsOn }: ComponentService,
): pulumi.Output<string | undefined> =>
    live.apply(({ live: found, failure }) =>
        found !== undefined || failure !== undefined || (pulumi.runtime.isDryRun() && dependsOn !== undefined)
            ? undefined
            : `Service ${subject} is not in the cluster. ` +
              "Remedy: apply it first, or let this stack apply it (without follow).",
    );

/** Logs warnings about nodes and pods at the edge. Returns errors for the contract, read errors too, or undefined. */
function checkEdge(
    { subject, parent }: Component,
    { live, known, cluster }: ComponentService,
    seen: pulumi.Output<SeenNodes>,
): pulumi.Output<readonly string[] | undefined> {
    return pulumi.all([live, known, seen]).apply(([{ failure }, service, { view, failure: unseen }]) => {
        const problem = failure ?? unseen;
        if (view === undefined || problem !== undefined) return problem === undefined ? undefined : [problem];
        const diagnostics = checkEdgeNodes(service, cluster.facts, view());
        for (const diagnostic of diagnostics) {
            if (diagnostic.severity === "warning") {
                logAbout(parent, pulumi.log.warn, `Service ${subject}: ${formatSentences(diagnostic)}`);
            } else if (diagnostic.severity === "info") {
                logAbout(parent, pulumi.log.info, `Service ${subject}: ${diagnostic.cause}`);
            }
        }
        return unlessEmpty(diagnostics.filter(isError).map(formatSentences));
    });
}

/**
 * Identity of cluster and account, for the contract to compare with that of the first run.
 *
 * @param options.moves true if another identity is allowed
 * @param options.ofCluster true if the cluster is read too. Default true
 */
export function originOf(
    cluster: Cluster,
    account: Account,
    { moves, ofCluster = true }: { readonly moves: boolean; readonly ofCluster?: boolean },
): NonNullable<ResourceArgs<"contract">["origin"]> {
    return {
        // The error of a cluster that cannot be read is among the problems.
        ...(ofCluster && {
            cluster: readIdentity(cluster).apply(({ identity }) => identity),
            ...defined({ discovered: cluster.discovered }),
        }),
        // Stored explicitly, because the region may come from the environment.
        account: { ...account, ...defined({ region: knownRegion(account.region) }) },
        ...(moves ? { moves } : {}),
        asks: !pulumi.runtime.isDryRun(),
    };
}

const readIdentity = (
    cluster: Cluster,
): pulumi.Output<{ readonly identity?: ClusterIdentity; readonly failure?: string }> =>
    pulumi
        .output(cluster.connection.kubeconfig)
        .apply(() => orFailure(cluster.reads.identity().then((identity) => ({ identity }))));
