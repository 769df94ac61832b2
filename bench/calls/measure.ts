/** The operations, done in a lab. */
import { applyYaml, countByAction, scaleDeployment, type Session, waitForDeployment, waitForEndpoints } from "../../lab";
import { deploymentYaml, type ServiceSpec, Stack, startWorld } from "../../test/e2e/world";
import * as ccm from "./ccm";
import type { Measurement } from "./report";

/** How this package signs; the alicloud plugin's CLB calls have the older forms. */
const OWN_FORM = "V3";

/** Nodes of the lab at first, and backends of every group in Cluster and Local mode. */
const NODES = 3;

/** More backends than fit into one call, of ours (20) and of CCM (40). */
const MANY = 45;

const ENI = "service.beta.kubernetes.io/backend-type";

/** Measures every operation, one lab for all. `report` gets each result as it comes. */
export async function measureAll(report: (measurement: Measurement) => void): Promise<Measurement[]> {
    const session = await startWorld();
    const stacks: Stack[] = [];
    const results: Measurement[] = [];
    const bench = new Bench(session, stacks, (measurement) => {
        results.push(measurement);
        report(measurement);
    });
    try {
        await bench.life(1, 4);
        await bench.life(3, 5);
        await bench.pods();
        await bench.many();
    } finally {
        for (const stack of stacks) {
            await stack.clear();
        }
        await session.lab.stop();
    }
    return results;
}

class Bench {
    constructor(
        readonly session: Session,
        readonly stacks: Stack[],
        readonly done: (measurement: Measurement) => void,
    ) {}

    /** From creation to deletion, with one change after the other. */
    async life(ports: number, pods: number): Promise<void> {
        const size = { ports, members: NODES };
        const what = `P = ${ports}, N = ${NODES}`;
        const numbers = Array.from({ length: ports }, (_, n) => ({ port: 80 + n }));
        const service = (annotations: Record<string, string>): ServiceSpec => ({
            name: `p${ports}`,
            policy: "Local",
            ports: numbers,
            annotations: { scheduler: "wrr", ...annotations },
        });
        const stack = await this.stack(`p${ports}`, service({}));
        const up = async (annotations: Record<string, string>) => {
            stack.write([service(annotations)]);
            stack.succeed(await stack.up());
        };
        await this.measure(`create, ${what}`, "none", ccm.create(size), () => up({}));
        await this.measure(`nothing to do, ${what}`, "zero", ccm.resync(size), () => up({}));
        await this.scale(pods + 1, `p${ports}`);
        await this.measure(`one pod more, Local mode (a weight changes), ${what}`, "ccm", ccm.membership(size), () => up({}));
        const listener = { "health-check-interval": "3" };
        await this.measure(`one listener annotation, ${what}`, "ccm", ccm.listenerAnnotation(size), () => up(listener));
        const instance = { ...listener, name: `bench-${ports}` };
        await this.measure(`one instance annotation (name), ${what}`, "ccm", ccm.instanceAnnotation(size), () => up(instance));
        await this.measure(`protocol of one port, ${what}`, "ccm", ccm.protocolChange(size), () => up({ ...instance, "protocol-port": "http:80" }));
        await this.measure(`delete, ${what}`, "ccm", ccm.remove(size), async () => stack.succeed(await stack.destroy()));
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
        await this.measure("one pod more, pods as backends, P = 1, N = 3", "ccm", ccm.podMembership(size), async () => stack.succeed(await stack.up()));
        stack.succeed(await stack.destroy());
    }

    /** More backends than one call takes. */
    async many(): Promise<void> {
        await Promise.all(Array.from({ length: MANY - NODES }, (_, n) => this.session.lab.addNode({ name: `node-${NODES + n + 1}` })));
        const stack = await this.stack("many", { name: "many" });
        await this.measure(`create, P = 1, N = ${MANY}`, "none", ccm.create({ ports: 1, members: MANY }), async () => stack.succeed(await stack.up()));
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
        const pods = await this.session.lab.cluster.get<{ items: { metadata: { name: string }; status: { podIP: string } }[] }>(
            "/api/v1/namespaces/default/pods?labelSelector=app%3Dpods",
        );
        await this.session.cloud("/_seed", { networkInterfaces: pods.items.map(({ metadata, status }) => ({ id: `eni-${metadata.name}`, privateIps: [status.podIP] })) });
    }

    private async measure(operation: string, goal: Measurement["goal"], price: number, run: () => Promise<unknown>): Promise<void> {
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
        });
    }
}
