import * as fs from "node:fs";
import * as path from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { Cluster, ServiceLoadBalancer } from "../../components";
import type { ServiceObject } from "../../provider/service/objects";
import { CloudConsole, type CloudState } from "../parity/cloud";
import { Engine, type Program, type Stack } from "../parity/engine";
import { ClusterServer, kubeconfigFor } from "../parity/kubernetes";
import { ACLS, clbLifecycles } from "./clb";
import { CERTIFICATES, NODE_OBJECTS, NODES, type Revision } from "./revision";
import { BANDWIDTH_PACKAGES, nlbLifecycles, SECURITY_GROUPS, ZONES } from "./nlb";

/** Options of a run. */
export interface WalkOptions {
    /** Scratch folder, which the environment speaks of. */
    readonly dir: string;
    readonly lives: number;
    readonly seed: number;
    /** Only the lifecycle with this number. */
    readonly only?: number;
    readonly verbose: boolean;
    /** The kind of load balancer. */
    readonly kind: "clb" | "nlb";
}

/** Ignores promises of a refused program that fail later and do not concern the next program. */
function ignoreStragglers(): void {
    process.on("unhandledRejection", () => undefined);
    process.on("uncaughtException", () => undefined);
}

/** Runs random lifecycles, prints failures, and returns their number. */
export async function walk(options: WalkOptions): Promise<number> {
    ignoreStragglers();
    const cluster = new ClusterServer();
    fs.writeFileSync(
        process.env["KUBECONFIG"] ?? path.join(options.dir, "kubeconfig"),
        kubeconfigFor(await cluster.start()),
    );
    const engine = new Engine(path.join(options.dir, "project"));
    const cloud = new CloudConsole(process.env["LAB_CLOUD"] ?? "");
    const counts = { good: 0, refused: 0, wrong: 0 };
    try {
        for (const [index, life] of fc
            .sample(options.kind === "nlb" ? nlbLifecycles : clbLifecycles, {
                numRuns: options.lives,
                seed: options.seed,
            })
            .entries()) {
            if (options.only !== undefined && options.only !== index) continue;
            const { verdict, why } = await runLifecycle({ engine, cluster, cloud }, life);
            counts[verdict]++;
            if (verdict === "wrong" || options.verbose) {
                const revisions = life.map(({ service }) => [service.metadata.annotations, service.spec?.ports]);
                process.stdout.write(`life ${index}: ${verdict} ${why}\n${JSON.stringify(revisions, undefined, 1)}\n`);
            }
        }
    } finally {
        engine.close();
    }
    process.stdout.write(
        `walk: ${counts.good} good, ${counts.refused} refused before anything was touched, ` +
            `${counts.wrong} wrong (seed ${options.seed})\n`,
    );
    return counts.wrong;
}

/** The result of a step or of a lifecycle: its first failure. */
interface Finding {
    readonly verdict: "good" | "refused" | "wrong";
    readonly why: string;
}

const GOOD: Finding = { verdict: "good", why: "" };
const wrong = (why: string): Finding => ({ verdict: "wrong", why });

interface Environment {
    readonly engine: Engine;
    readonly cluster: ClusterServer;
    readonly cloud: CloudConsole;
}

/** Runs a lifecycle. A refused revision is skipped, and a refused first revision refuses the lifecycle. */
async function runLifecycle({ engine, cluster, cloud }: Environment, life: readonly Revision[]): Promise<Finding> {
    cluster.reset();
    await cloud.seed({
        vSwitches: [
            { id: "vsw-a", zoneId: "cn-hangzhou-b", cidr: "192.168.0.0/24" },
            ...Object.entries(ZONES).flatMap(([zoneId, ids], zone) =>
                ids.map((id, index) => ({ id, zoneId, cidr: `10.${zone}.${index}.0/24` })),
            ),
        ],
        securityGroups: SECURITY_GROUPS.map((id) => ({ id })),
        bandwidthPackages: BANDWIDTH_PACKAGES.map((id) => ({ id })),
        instances: NODES.map((node) => ({ id: `i-${node}`, vSwitchId: "vsw-a" })),
        certificates: [...CERTIFICATES, "cert-3", "cert-4"].map((id) => ({ id, name: id })),
        calls: ACLS.map((id) => ({ action: "CreateAccessControlList", id, params: { AclName: id } })),
    });
    cluster.objects.nodes = [...NODE_OBJECTS];
    const stack = await engine.stack();
    for (const [index, { service, endpointSlices }] of life.entries()) {
        cluster.objects.services.set("default/web", service);
        cluster.objects.endpointSlices.set("default/web", [...endpointSlices]);
        const finding = await step(stack, cloud, [service]);
        if (finding.verdict === "wrong" || (finding.verdict === "refused" && index === 0))
            return { ...finding, why: `step ${index + 1}: ${finding.why}` };
    }
    const end = await stack.up(programOf([]), false);
    if (!end.ok) return wrong(`destroy: ${end.errors.join("\n")}`);
    const left = traces(await cloud.state());
    return left.length === 0 ? GOOD : wrong(`left behind: ${left.join(", ")}`);
}

/** Returns the objects that a destroyed stack leaves behind. */
function traces({ loadBalancers, listeners, vServerGroups, domainExtensions, network }: CloudState): string[] {
    return [
        ...[...network.loadBalancers, ...network.listeners, ...network.serverGroups].map(({ id }) => id),
        ...loadBalancers.map(({ id }) => id),
        ...listeners.map(({ loadBalancerId, port }) => `${loadBalancerId}:${port}`),
        ...vServerGroups.map(({ name }) => name),
        ...domainExtensions.map(({ domain }) => domain),
    ];
}

async function step(stack: Stack, cloud: CloudConsole, services: readonly ServiceObject[]): Promise<Finding> {
    const before = await cloud.state();
    const outcome = await stack.up(programOf(services), false);
    const after = await cloud.state();
    if (!outcome.ok) {
        const why = outcome.errors.join("\n");
        if (!outcome.errors.some((text) => /error\[|cannot change from/.test(text))) return wrong(why);
        return isDeepStrictEqual(before, after) ? { verdict: "refused", why } : wrong(`half applied: ${why}`);
    }
    const again = await stack.up(programOf(services), true);
    if (!again.ok) return wrong(`refresh: ${again.errors.join("\n")}`);
    if (again.changes > 0) return wrong(`a refresh finds ${again.changes} changes`);
    return isDeepStrictEqual(after, await cloud.state()) ? GOOD : wrong("a second run changes the cloud");
}

function programOf(services: readonly ServiceObject[]): Program {
    return async () => {
        const cluster = new Cluster({ clusterId: "c-walk", networkPlugin: "flannel", vpcId: "vpc-lab" });
        for (const manifest of services) {
            new ServiceLoadBalancer(`${manifest.metadata.namespace}/${manifest.metadata.name}`, {
                manifest,
                cluster,
                follow: true,
            });
        }
    };
}
