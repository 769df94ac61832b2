import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import {
    applyYaml,
    countByAction,
    REPOSITORY,
    type Result,
    type RunOptions,
    Session,
    type SessionOptions,
    startLab,
    waitForDeployment,
} from "../../lab";

/** State of the simulated cloud that the tests read. */
export interface CloudState {
    readonly slb: {
        readonly loadBalancers: readonly CloudInstance[];
        readonly listeners: readonly CloudListener[];
        readonly vServerGroups: readonly {
            id: string;
            loadBalancerId: string;
            name: string;
            backends: readonly CloudBackend[];
        }[];
        readonly domainExtensions: readonly {
            loadBalancerId: string;
            listenerPort: number;
            domain: string;
            certificateId: string;
        }[];
        readonly acls: readonly {
            id: string;
            name: string;
            ipVersion: string;
            entries: Record<string, unknown> | readonly unknown[];
        }[];
    };
    readonly nlb: {
        readonly loadBalancers: readonly NlbInstance[];
        readonly listeners: readonly NlbCloudListener[];
        readonly serverGroups: readonly NlbGroup[];
    };
    readonly ecs: { readonly securityGroups: readonly CloudSecurityGroup[] };
}

/** An NLB in the simulated cloud. */
export interface NlbInstance {
    readonly id: string;
    readonly name: string;
    readonly addressType: string;
    readonly addressIpVersion: string;
    readonly ipv6AddressType: string;
    readonly zones: readonly {
        zoneId: string;
        vSwitchId: string;
        privateAddress: string;
        allocationId: string;
        publicAddress: string;
    }[];
    readonly bandwidthPackageId: string;
    readonly crossZoneEnabled: boolean;
    readonly deletionProtection: { enabled: boolean };
    readonly modificationProtection: { status: string };
    readonly securityGroupIds: readonly string[];
    readonly dnsName: string;
    readonly tags: Record<string, string>;
}

/** A listener of an NLB in the simulated cloud. */
export interface NlbCloudListener {
    readonly id: string;
    readonly loadBalancerId: string;
    readonly protocol: string;
    readonly port: number;
    readonly startPort?: number;
    readonly endPort?: number;
    readonly serverGroupId: string;
    readonly description: string;
    readonly idleTimeout: number;
    readonly securityPolicyId: string;
    readonly certificateIds: readonly string[];
    readonly additionalCertificateIds: readonly string[];
    readonly caEnabled: boolean;
    readonly caCertificateIds: readonly string[];
    readonly alpnEnabled: boolean;
    readonly alpnPolicy: string;
    readonly proxyProtocolEnabled: boolean;
    readonly proxyProtocolV2Config: Readonly<Record<string, boolean>>;
    readonly cps?: number;
}

/** A server group of an NLB in the simulated cloud. */
export interface NlbGroup {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly protocol: string;
    readonly vpcId: string;
    readonly anyPortEnabled: boolean;
    readonly ipVersionAffinityMode: string;
    readonly connectionDrainEnabled: boolean;
    readonly connectionDrainTimeout: number;
    readonly scheduler: string;
    readonly preserveClientIpEnabled: boolean;
    readonly healthCheck: Record<string, unknown>;
    readonly servers: readonly {
        serverId: string;
        serverType: string;
        serverIp: string;
        port: number;
        weight: number;
        description: string;
    }[];
    readonly tags: Record<string, string>;
}

/** A security group in the simulated cloud. */
export interface CloudSecurityGroup {
    readonly id: string;
    readonly name: string;
    readonly permissions: readonly {
        policy: string;
        priority: string;
        sourceCidrIp: string;
        ipv6SourceCidrIp: string;
    }[];
}

/** An instance in the simulated cloud. */
export interface CloudInstance {
    readonly id: string;
    readonly name: string;
    readonly address: string;
    readonly addressType: string;
    readonly addressIpVersion: string;
    readonly vSwitchId: string;
    readonly masterZoneId: string;
    readonly slaveZoneId: string;
    readonly resourceGroupId: string;
    readonly instanceChargeType: string;
    readonly spec: string;
    readonly internetChargeType: string;
    readonly bandwidth: number;
    readonly deleteProtection: string;
    readonly modificationProtectionStatus: string;
    readonly tags: Record<string, string>;
}

/** A listener in the simulated cloud. */
export interface CloudListener {
    readonly loadBalancerId: string;
    readonly port: number;
    readonly protocol: string;
    readonly status: string;
    readonly attributes: Record<string, string | number | boolean>;
    readonly aclIds: readonly string[];
}

/** A backend in the simulated cloud. */
export interface CloudBackend {
    readonly serverId: string;
    readonly port: number;
    readonly weight: number;
    readonly type: string;
    readonly serverIp: string;
    readonly description: string;
}

/** Flags of every run: not interactive, no colours. */
export const PLAIN = ["--non-interactive", "--color", "never"];

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";

/** A Service for a folder of manifests. */
export interface ServiceSpec {
    readonly name: string;
    readonly policy?: "Cluster" | "Local";
    /** By suffix; a key with a slash is taken whole. */
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ports?: readonly {
        readonly port: number;
        readonly protocol?: string;
        readonly targetPort?: number | string;
    }[];
    readonly selector?: string;
    readonly type?: string;
    readonly sourceRanges?: readonly string[];
    /** `spec.loadBalancerClass`; default none. */
    readonly loadBalancerClass?: string;
}

/** A Service of type LoadBalancer as YAML. */
export function serviceYaml(spec: ServiceSpec): string {
    const annotations = Object.entries(spec.annotations ?? {}).map(
        ([key, value]) => `    ${key.includes("/") ? key : PREFIX + key}: ${JSON.stringify(value)}\n`,
    );
    const ports = (spec.ports ?? [{ port: 80 }]).map(
        ({ port, protocol = "TCP", targetPort = 8080 }) =>
            `    - name: ${protocol.toLowerCase()}-${port}\n      port: ${port}\n      protocol: ${protocol}\n      targetPort: ${targetPort}\n`,
    );
    return (
        `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${spec.name}\n  namespace: default\n${annotations.length > 0 ? `  annotations:\n${annotations.join("")}` : ""}` +
        `spec:\n  type: ${spec.type ?? "LoadBalancer"}\n${spec.type === "ClusterIP" ? "" : `  externalTrafficPolicy: ${spec.policy ?? "Cluster"}\n`}  selector:\n    app: ${spec.selector ?? "shop"}\n` +
        `${spec.loadBalancerClass === undefined ? "" : `  loadBalancerClass: ${spec.loadBalancerClass}\n`}` +
        `${spec.sourceRanges === undefined ? "" : `  loadBalancerSourceRanges: ${JSON.stringify(spec.sourceRanges)}\n`}  ports:\n${ports.join("")}`
    );
}

/** A Deployment whose pods the Services of the tests select. */
export function deploymentYaml(name: string, replicas: number): string {
    return (
        `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${name}\n  namespace: default\nspec:\n  replicas: ${replicas}\n  selector:\n    matchLabels:\n      app: ${name}\n` +
        `  template:\n    metadata:\n      labels:\n        app: ${name}\n    spec:\n      automountServiceAccountToken: false\n      containers:\n        - name: app\n          image: app:1\n`
    );
}

async function startNodes(options: SessionOptions): Promise<Session> {
    const lab = await startLab({ clusterId: "c-test" });
    for (const name of ["node-1", "node-2", "node-3"]) {
        await lab.addNode({ name });
    }
    return new Session(lab, options);
}

/** A lab with three nodes and four pods of `shop`; the scheduler decides which node has two of them. */
export async function startWorld(options: SessionOptions = {}): Promise<Session> {
    const session = await startNodes(options);
    await applyYaml(session.lab.cluster, deploymentYaml("shop", 4));
    await waitForDeployment(session.lab.cluster, "default", "shop");
    return session;
}

/** A lab with three nodes, and of the pods of `shop` two on the first one and one on each of the others. */
export async function startPlacedWorld(): Promise<Session> {
    const session = await startNodes({});
    for (const [node, replicas] of Object.entries({ "node-1": 2, "node-2": 1, "node-3": 1 })) {
        const name = `shop-${node}`;
        await applyYaml(session.lab.cluster, placedDeploymentYaml(name, replicas, node));
        await waitForDeployment(session.lab.cluster, "default", name);
    }
    return session;
}

const placedDeploymentYaml = (name: string, replicas: number, nodeName: string): string =>
    JSON.stringify({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name, namespace: "default" },
        spec: {
            replicas,
            selector: { matchLabels: { part: name } },
            template: {
                metadata: { labels: { app: "shop", part: name } },
                spec: { nodeName, automountServiceAccountToken: false, containers: [{ name: "app", image: "app:1" }] },
            },
        },
    });

/** A stack of the root project, with a separate folder of manifests. */
export class Stack {
    readonly manifests: string;

    private constructor(
        readonly session: Session,
        readonly name: string,
    ) {
        this.manifests = path.join(session.lab.dir, `manifests-${name}`);
        fs.mkdirSync(this.manifests, { recursive: true });
    }

    static async create(session: Session, name: string, services: readonly ServiceSpec[]): Promise<Stack> {
        const stack = new Stack(session, `${name}-${process.pid}`);
        stack.write(services);
        stack.succeed(await stack.command("stack", "init", stack.name));
        await stack.config("manifests", stack.manifests);
        return stack;
    }

    /** Replaces the folder's manifests. */
    write(services: readonly ServiceSpec[]): void {
        this.writeText(services.map(serviceYaml).join("---\n"));
    }

    /** Replaces the folder's manifests by a text. */
    writeText(text: string): void {
        fs.writeFileSync(path.join(this.manifests, "services.yaml"), text);
    }

    async config(key: string, value: string): Promise<void> {
        this.succeed(await this.command("config", "set", key, value, "--stack", this.name));
    }

    preview(...flags: string[]): Promise<Result> {
        return this.run("preview", flags);
    }

    up(...flags: string[]): Promise<Result> {
        return this.run("up", ["--yes", "--skip-preview", ...flags]);
    }

    destroy(): Promise<Result> {
        return this.run("destroy", ["--yes", "--skip-preview"]);
    }

    /** An operation on the stack. */
    run(operation: string, flags: readonly string[], options: RunOptions = {}): Promise<Result> {
        return this.session.run("pulumi", [operation, "--stack", this.name, ...flags, ...PLAIN], options);
    }

    /** Command line of an operation, for those that are to be interrupted. */
    commandLine(operation: string, ...flags: string[]): string[] {
        return [operation, "--stack", this.name, ...flags, ...PLAIN];
    }

    /** Destroys and removes the stack. */
    async remove(): Promise<void> {
        this.succeed(await this.destroy());
        this.succeed(await this.command("stack", "rm", "--yes", this.name));
        fs.rmSync(path.join(REPOSITORY, `Pulumi.${this.name}.yaml`), { force: true });
    }

    /** Restores the lab to its state before the stack, whatever happened, for the next test. */
    async clear(): Promise<void> {
        await this.command("cancel", "--yes", "--stack", this.name);
        await this.destroy();
        await this.command("stack", "rm", "--yes", "--force", this.name);
        fs.rmSync(path.join(REPOSITORY, `Pulumi.${this.name}.yaml`), { force: true });
        await this.session.run("kubectl", [
            "delete",
            "services",
            "--all",
            "--selector",
            "component!=apiserver",
            "--namespace",
            "default",
        ]);
        await this.session.cloud("/_faults", undefined, "DELETE");
        for (const { id } of (await stateOf(this.session)).slb.loadBalancers) {
            await this.session.cloud("/_console", {
                action: "SetLoadBalancerDeleteProtection",
                params: { LoadBalancerId: id, DeleteProtection: "off" },
                as: "other",
            });
            await this.session.cloud("/_console", {
                action: "DeleteLoadBalancer",
                params: { LoadBalancerId: id },
                as: "other",
            });
        }
        const { nlb } = await stateOf(this.session);
        const network = (action: string, params: object) =>
            this.session.cloud("/_console", { product: "Nlb", action, params, as: "api" });
        for (const { id } of nlb.loadBalancers) {
            await network("UpdateLoadBalancerProtection", { LoadBalancerId: id, DeletionProtectionEnabled: "false" });
            await network("DeleteLoadBalancer", { LoadBalancerId: id });
        }
        for (const { id } of nlb.serverGroups) {
            await network("DeleteServerGroup", { ServerGroupId: id });
        }
    }

    readonly succeed = succeed;
    readonly fail = fail;

    command(...args: string[]): Promise<Result> {
        return this.session.run("pulumi", [...args, "--non-interactive"]);
    }
}

/** What an operation succeeded in printing; fails the test with all of it otherwise. */
export function succeed(result: Result): string {
    assert.equal(result.code, 0, result.text);
    return result.text;
}

/** What an operation that has to fail printed. */
export function fail(result: Result): string {
    assert.notEqual(result.code, 0, result.text);
    return result.text;
}

/** Runs an operation and gives the API calls that it made, by action. */
export async function callsOf(session: Session, operation: () => Promise<unknown>): Promise<Record<string, number>> {
    const since = await session.lastCall();
    await operation();
    return countByAction(await session.calls(since));
}

/** Calls of an operation that change something in the cloud, by action. */
export async function writesOf(session: Session, operation: () => Promise<unknown>): Promise<Record<string, number>> {
    const since = await session.lastCall();
    await operation();
    return countByAction((await session.calls(since)).filter(({ mutating }) => mutating));
}

/** The cloud's state. */
export function stateOf(session: Session): Promise<CloudState> {
    return session.cloud<CloudState>("/_state");
}

/** Whether there is no load balancer, group or listener left. */
export function assertEmpty(state: CloudState): void {
    assert.deepEqual([state.slb.loadBalancers, state.slb.listeners, state.slb.vServerGroups], [[], [], []]);
    assert.deepEqual([state.nlb.loadBalancers, state.nlb.listeners, state.nlb.serverGroups], [[], [], []]);
}
