/** The operations, done in a lab. */
import {
    applyYaml,
    countByAction,
    scaleDeployment,
    type Session,
    waitForDeployment,
    waitForEndpoints,
} from "../../lab";
import { deploymentYaml, type ServiceSpec, Stack, startWorld } from "../../test/support/world";
import * as ccm from "./ccm";
import * as ccmNlb from "./ccm-nlb";
import type { Measurement } from "./report";

/** Form of this package's signatures. The alicloud plugin's CLB calls have the older forms. */
const OWN_FORM = "V3";

/** Nodes of the lab at first, and backends of every group in Cluster and Local mode. */
const NODES = 3;

/** More backends than fit into one call of this package (20) and of CCM (40). */
const MANY = 45;

/** Backends of a large NLB, and the number that fits into a call. */
const LARGE = 200;
const SERVERS_PER_CALL = 40;

const ENI = "service.beta.kubernetes.io/backend-type";

/** The annotations of the measured operations, by kind of load balancer. */
interface Kind {
    /** Before the name of each operation. */
    readonly prefix: string;
    readonly name: string;
    readonly base: Partial<ServiceSpec>;
    readonly listener: Readonly<Record<string, string>>;
    /** Gives port 80 another protocol. */
    readonly protocol: Readonly<Record<string, string>>;
    readonly prices: Omit<typeof ccm, "Size">;
}

const CERTIFICATE = "cert-bench";

const CLB: Kind = {
    prefix: "",
    name: "p",
    base: { annotations: { scheduler: "wrr" } },
    listener: { "health-check-interval": "3" },
    protocol: { "protocol-port": "http:80" },
    prices: ccm,
};

const NLB: Kind = {
    prefix: "NLB: ",
    name: "n",
    base: {
        loadBalancerClass: "alibabacloud.com/nlb",
        annotations: { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" },
    },
    listener: { "idle-timeout": "60" },
    protocol: { "protocol-port": "tcpssl:80", "cert-id": CERTIFICATE },
    prices: ccmNlb,
};

/** Measures every operation in the same lab. `report` gets each result as it comes. */
export async function measureAll(report: (measurement: Measurement) => void): Promise<Measurement[]> {
    const session = await startWorld();
    const stacks: Stack[] = [];
    const results: Measurement[] = [];
    const bench = new Bench(session, stacks, (measurement) => {
        results.push(measurement);
        report(measurement);
    });
    try {
        await session.cloud("/_seed", { certificates: [{ id: CERTIFICATE }] });
        // Each pod more stays for those that follow.
        await bench.life(CLB, 1, 4);
        await bench.life(CLB, 3, 5);
        await bench.life(NLB, 1, 6);
        await bench.life(NLB, 3, 7);
        await bench.pods();
        await bench.many();
        await bench.large();
    } finally {
        for (const stack of stacks) {
            await stack.clear();
        }
        await session.lab.stop();
    }
    return results;
}

class Bench {
    /** Nodes of the cluster. */
    private nodeCount = NODES;

    constructor(
        readonly session: Session,
        readonly stacks: Stack[],
        readonly done: (measurement: Measurement) => void,
    ) {}

    /** Measures a life from creation to deletion with successive changes. */
    async life({ prefix, name, base, listener, protocol, prices }: Kind, ports: number, pods: number): Promise<void> {
        const size = { ports, members: NODES };
        const numbers = Array.from({ length: ports }, (_, n) => ({ port: 80 + n }));
        const service = (annotations: Record<string, string>): ServiceSpec => ({
            ...base,
            name: `${name}${ports}`,
            policy: "Local",
            ports: numbers,
            annotations: { ...base.annotations, ...annotations },
        });
        const stack = await this.stack(`${name}${ports}`, service({}));
        const up = async (annotations: Record<string, string>) => {
            stack.write([service(annotations)]);
            stack.succeed(await stack.up());
        };
        const measure = (
            operation: string,
            goal: Measurement["goal"],
            price: keyof typeof prices,
            run: () => Promise<unknown>,
        ) => this.measure(`${prefix}${operation}, P = ${ports}, N = ${NODES}`, goal, prices[price](size), run);
        await measure("create", "none", "create", () => up({}));
        await measure("nothing to do", "zero", "resync", () => up({}));
        await this.scale(pods + 1, `${name}${ports}`);
        await measure("one pod more, Local mode (a weight changes)", "ccm", "membership", () => up({}));
        await measure("one listener annotation", "ccm", "listenerAnnotation", () => up(listener));
        const instance = { ...listener, name: `bench-${ports}` };
        await measure("one instance annotation (name)", "ccm", "instanceAnnotation", () => up(instance));
        await measure("protocol of one port", "ccm", "protocolChange", () => up({ ...instance, ...protocol }));
        await measure("delete", "ccm", "remove", async () => stack.succeed(await stack.destroy()));
    }

    /** Pods as backends. */
    async pods(): Promise<void> {
        const { cluster } = this.session.lab;
        await applyYaml(cluster, deploymentYaml("pods", 3));
        await waitForDeployment(cluster, "default", "pods");
        await this.seedInterfaces();
        const stack = await this.stack("pods", { name: "pods", selector: "pods", annotations: { [ENI]: "eni" } });
        stack.succeed(await stack.up());
        await scaleDeployment(cluster, "default", "pods", 4);
        await waitForDeployment(cluster, "default", "pods");
        await waitForEndpoints(cluster, "default", "pods", 4);
        await this.seedInterfaces();
        const size = { ports: 1, members: 4 };
        await this.measure("one pod more, pods as backends, P = 1, N = 3", "ccm", ccm.podMembership(size), async () =>
            stack.succeed(await stack.up()),
        );
        stack.succeed(await stack.destroy());
    }

    /** Measures a Service with more backends than fit into a call. */
    async many(): Promise<void> {
        await this.nodes(MANY);
        const stack = await this.stack("many", { name: "many" });
        await this.measure(`create, P = 1, N = ${MANY}`, "none", ccm.create({ ports: 1, members: MANY }), async () =>
            stack.succeed(await stack.up()),
        );
    }

    /**
     * Measures an NLB with more backends than a hand-written program could give it in a minute, and then with another
     * backend.
     */
    async large(): Promise<void> {
        await this.nodes(LARGE);
        const stack = await this.stack("large", { ...NLB.base, name: "large" });
        const limits = (added: number) => ({
            AddServersToServerGroup: Math.ceil(added / SERVERS_PER_CALL),
            RemoveServersFromServerGroup: 0,
            UpdateServerGroupServersAttribute: 0,
        });
        const up = async () => stack.succeed(await stack.up());
        await this.measure(
            `NLB: create, P = 1, N = ${LARGE}`,
            "none",
            ccmNlb.create({ ports: 1, members: LARGE }),
            up,
            limits(LARGE),
        );
        await this.nodes(LARGE + 1);
        await this.measure(
            `NLB: one node more, P = 1, N = ${LARGE}`,
            "ccm",
            ccmNlb.membership({ ports: 1, members: LARGE }),
            up,
            limits(1),
        );
    }

    /** Brings the cluster to this many nodes. */
    private async nodes(count: number): Promise<void> {
        const added = Array.from({ length: count - this.nodeCount }, (_, n) => `node-${this.nodeCount + n + 1}`);
        this.nodeCount = count;
        await Promise.all(added.map((name) => this.session.lab.addNode({ name })));
    }

    private async stack(name: string, service: ServiceSpec): Promise<Stack> {
        const stack = await Stack.create(this.session, `bench-${name}`, [service]);
        this.stacks.push(stack);
        return stack;
    }

    private async scale(pods: number, service: string): Promise<void> {
        const { cluster } = this.session.lab;
        await scaleDeployment(cluster, "default", "shop", pods);
        await waitForDeployment(cluster, "default", "shop");
        await waitForEndpoints(cluster, "default", service, pods);
    }

    /** Gives every pod a network interface of the VPC, as Terway does. */
    private async seedInterfaces(): Promise<void> {
        const pods = await this.session.lab.cluster.get<{
            items: { metadata: { name: string }; status: { podIP: string } }[];
        }>("/api/v1/namespaces/default/pods?labelSelector=app%3Dpods");
        await this.session.cloud("/_seed", {
            networkInterfaces: pods.items.map(({ metadata, status }) => ({
                id: `eni-${metadata.name}`,
                privateIps: [status.podIP],
            })),
        });
    }

    private async measure(
        operation: string,
        goal: Measurement["goal"],
        price: number,
        run: () => Promise<unknown>,
        limits?: Measurement["limits"],
    ): Promise<void> {
        const since = await this.session.lastCall();
        await run();
        const calls = await this.session.calls(since);
        this.done({
            operation,
            goal,
            calls: calls.length,
            writes: calls.filter(({ mutating }) => mutating).length,
            plugin: calls.filter(({ form }) => form !== OWN_FORM).length,
            actions: countByAction(calls),
            ccm: price,
            ...(limits === undefined ? {} : { limits }),
        });
    }
}
