/** Fakes for the unit tests of programs: with them a program runs without a cluster, a cloud or the Pulumi engine. */
import type * as pulumi from "@pulumi/pulumi";
import { type ClusterView, predictSlices } from "../../provider/backends";
import { defined } from "../../provider/schema/defined";
import type { ClusterIdentity, NodeObject, PodObject, ServiceObject } from "../../provider/service/objects";
import type { Service } from "../../provider/service/service";
import type { ClusterArgs } from "../cluster/args";
import { Cluster } from "../cluster/cluster";
import { ClusterReads, type ServiceView } from "../cluster/reads";

/** A resource that a program has registered. */
export interface RegisteredResource {
    /** For example `alicloud:slb/listener:Listener`. */
    readonly type: string;
    readonly name: string;
    readonly inputs: Readonly<Record<string, unknown>>;
}

/** Mocks for `pulumi.runtime.setMocks`, and what was registered with them. */
export interface LoadBalancerMocks extends pulumi.runtime.Mocks {
    readonly registered: readonly RegisteredResource[];
}

/** The address that every fake CLB has, of the range for documentation (RFC 5737). */
export const FAKE_ADDRESS = "203.0.113.7";

/** The DNS name that every fake NLB has. */
export const FAKE_DNS_NAME = "nlb-fake.cn-hangzhou.nlb.aliyuncs.com";

/**
 * Answers of the API server, the cloud and the dynamic providers: nodePorts (30000 + port), a UID, an address. Ids are
 * the name of the resource with `-id`.
 *
 * @param others for resources of the program's own. An undefined answer is replaced by the inputs.
 */
export function loadBalancerMocks(others: Partial<pulumi.runtime.Mocks> = {}): LoadBalancerMocks {
    const registered: RegisteredResource[] = [];
    return {
        registered,
        newResource: (args) => {
            const inputs = args.inputs as Record<string, unknown>;
            registered.push({ type: args.type, name: args.name, inputs });
            const state = outputsOf(args.type, inputs);
            return state === undefined && others.newResource !== undefined
                ? others.newResource(args)
                : { id: `${args.name}-id`, state: { ...inputs, ...state } };
        },
        call: (args) => others.call?.(args) ?? {},
    };
}

/** Returns the outputs of a resource of this package beyond its inputs, or undefined for others. */
function outputsOf(type: string, inputs: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
    if (type.startsWith("pulumi-nodejs:dynamic/ack-loadbalancer:")) {
        const [candidate] = (inputs["candidates"] ?? []) as readonly string[];
        return { ...defined({ chosen: candidate }), vpc: "vpc-fake" };
    }
    switch (type) {
        case "kubernetes:core/v1:Service":
            return serviceOutputs(inputs as unknown as ServiceInputs);
        case "alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer":
            return { address: FAKE_ADDRESS };
        case "alicloud:nlb/loadBalancer:LoadBalancer":
            return { dnsName: FAKE_DNS_NAME };
        default:
            return undefined;
    }
}

interface ServiceInputs {
    readonly metadata: object;
    readonly spec: { readonly ports?: readonly { readonly port: number; readonly nodePort?: number }[] };
}

function serviceOutputs({ metadata, spec }: ServiceInputs): Record<string, unknown> {
    return {
        metadata: { ...metadata, uid: "00000000-0000-4000-8000-000000000000" },
        spec: { ...spec, ports: (spec.ports ?? []).map((port) => ({ nodePort: 30000 + port.port, ...port })) },
    };
}

/** A pod of a fake cluster. */
export interface FakePod {
    readonly ip: string;
    /** Name of its node. */
    readonly node: string;
    /** Labels, which selectors find it by. */
    readonly labels: Readonly<Record<string, string>>;
    readonly namespace?: string;
    readonly containerPort?: number;
}

/** Content of a fake cluster. */
export interface FakeContent {
    /** Names of nodes, where `a` is the ECS instance `i-a`. Default: none. */
    readonly nodes?: readonly string[];
    /** Ready pods. Default: none. */
    readonly pods?: readonly FakePod[];
    /** Services that are there already, as the API server gives them. Default: none. */
    readonly services?: readonly ServiceObject[];
}

/** A cluster for unit tests: nothing is read and nothing is connected to. */
export class FakeCluster extends Cluster {
    override readonly reads: ClusterReads;

    constructor(args: ClusterArgs, content: FakeContent = {}) {
        super(args);
        this.reads = new FakeReads(this, content);
    }
}

class FakeReads extends ClusterReads {
    readonly #content: FakeContent;

    constructor({ name, connection }: Cluster, content: FakeContent) {
        super(name, connection);
        this.#content = content;
    }

    override identity(): Promise<ClusterIdentity> {
        return Promise.resolve({ uid: "00000000-0000-0000-0000-000000000000", server: "https://fake.invalid" });
    }

    override service(namespace: string, name: string): Promise<ServiceObject | undefined> {
        const found = (this.#content.services ?? []).find(
            ({ metadata }) => (metadata.namespace ?? "default") === namespace && metadata.name === name,
        );
        return Promise.resolve(found);
    }

    override hasNamespace(): Promise<boolean | undefined> {
        return Promise.resolve(true);
    }

    override servesBindings(): Promise<boolean> {
        return Promise.resolve(true);
    }

    override nodes(): Promise<readonly NodeObject[]> {
        return Promise.resolve((this.#content.nodes ?? []).map(nodeOf));
    }

    override edgeView(service: Service): Promise<ClusterView> {
        return this.view(service);
    }

    override async view(service: Service): Promise<ServiceView> {
        const { pods = [] } = this.#content;
        const live = await this.service(service.namespace, service.name);
        const selected = pods.filter(
            ({ namespace = "default", labels }) =>
                namespace === service.namespace &&
                Object.entries(service.selector).every(([key, value]) => labels[key] === value),
        );
        return {
            ...defined({ live }),
            nodes: await this.nodes(),
            endpointSlices: predictSlices(service, selected.map(podOf)),
        };
    }
}

function nodeOf(name: string): NodeObject {
    return {
        metadata: { name },
        spec: { providerID: `cn-hangzhou.i-${name}` },
        status: { conditions: [{ type: "Ready", status: "True" }] },
    };
}

function podOf({ ip, node, labels, namespace = "default", containerPort = 8080 }: FakePod): PodObject {
    return {
        metadata: { name: `pod-${ip}`, namespace, labels },
        spec: { nodeName: node, containers: [{ name: "app", ports: [{ containerPort }] }] },
        status: {
            phase: "Running",
            podIP: ip,
            podIPs: [{ ip }],
            conditions: [{ type: "Ready", status: "True" }],
        },
    };
}
