import { predictSlices, type ClusterView } from "../../provider/backends";
import type { ClusterIdentity, NodeObject, PodObject, ServiceObject } from "../../provider/service/objects";
import type { Service } from "../../provider/service/service";
import { Cluster, type ServiceView } from "../service/cluster";
import type { ClusterArgs } from "../service/cluster-args";
import { defined } from "../../provider/schema/defined";

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
    /** Names of nodes; `a` is the ECS instance `i-a`. Default: none. */
    readonly nodes?: readonly string[];
    /** Ready pods. Default: none. */
    readonly pods?: readonly FakePod[];
    /** Services that are there already, as the API server gives them. Default: none. */
    readonly services?: readonly ServiceObject[];
}

/** A cluster for unit tests: nothing is read and nothing is connected to. */
export class FakeCluster extends Cluster {
    readonly #content: FakeContent;

    constructor(args: ClusterArgs, content: FakeContent = {}) {
        super(args);
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
            predicted: live === undefined,
            nodes: await this.nodes(),
            endpointSlices: predictSlices(service, selected.map(podOf)),
        };
    }

    override sweep(): Promise<void> {
        return Promise.resolve();
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
