/** The cloud and the cluster in which a Service lives. */
import * as fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Fault, SeedCall, StatedCloud } from "../../lab/cloud";
import { CLASS_ANNOTATION } from "../../provider/service/controller";
import type { NodeObject } from "../../provider/service/objects";
import { CloudConsole, type CloudState } from "../parity/cloud";
import { ClusterServer, kubeconfigFor } from "../parity/kubernetes";
import { Bindings } from "./bindings";
import { canonical, differences } from "./canonical";
import { EDGE_NODE, MOST_PODS, nameOf, serviceOf, slicesOf, type Version } from "./service";

export const NODES = ["node-1", "node-2", "node-3"] as const;
export const ACLS = ["acl-1", "acl-2"] as const;
export const SECURITY_GROUPS = ["sg-1", "sg-2"] as const;
export const BANDWIDTH_PACKAGES = ["cbwp-1", "cbwp-2"] as const;
/** vSwitches by zone. */
export const ZONES = {
    "cn-hangzhou-a": ["vsw-na", "vsw-na2"],
    "cn-hangzhou-b": ["vsw-nb"],
    "cn-hangzhou-c": ["vsw-nc"],
} as const;

const NODE_OBJECTS: readonly NodeObject[] = [...NODES, EDGE_NODE].map((name, index) => ({
    metadata: {
        name,
        labels: {
            "kubernetes.io/hostname": name,
            ...(name === EDGE_NODE && { "alibabacloud.com/is-edge-worker": "true" }),
        },
    },
    spec: name === EDGE_NODE ? {} : { providerID: `cn-hangzhou.i-${name}` },
    status: {
        conditions: [{ type: "Ready", status: "True" }],
        addresses: [{ type: "InternalIP", address: `192.168.0.${index + 1}` }],
    },
}));

/** The node whose state changes. */
export const CHANGING = "node-2";
/** States of a node, by number: as at first, cordoned, not ready, excluded from load balancers, gone. */
export const NODE_STATES: readonly ((node: NodeObject) => NodeObject | undefined)[] = [
    (node) => node,
    (node) => ({ ...node, spec: { ...node.spec, unschedulable: true } }),
    (node) => ({ ...node, status: { ...node.status, conditions: [{ type: "Ready", status: "False" }] } }),
    ({ metadata, ...node }) => ({ ...node, metadata: { ...metadata, labels: { ...metadata.labels, ...EXCLUDED } } }),
    () => undefined,
];
const EXCLUDED = { "node.kubernetes.io/exclude-from-external-load-balancers": "" };

/** Objects that others made. */
const SEED = {
    vSwitches: [
        { id: "vsw-a", zoneId: "cn-hangzhou-b", cidr: "192.168.0.0/24" },
        ...Object.entries(ZONES).flatMap(([zoneId, ids], zone) =>
            // With room for the addresses that Services name, far from those that the cloud takes.
            ids.map((id, index) => ({ id, zoneId, cidr: `10.${zone}.${16 * index}.0/20` })),
        ),
    ],
    securityGroups: SECURITY_GROUPS.map((id) => ({ id })),
    // For the Services of a program, each of which has an elastic address of its own.
    eips: Array.from({ length: 24 }, (_, index) => ({ id: `eip-${100 + index}` })),
    bandwidthPackages: BANDWIDTH_PACKAGES.map((id) => ({ id })),
    instances: NODES.map((node) => ({ id: `i-${node}`, vSwitchId: "vsw-a" })),
    // Those of the pods, by the address that a version gives them.
    networkInterfaces: Array.from({ length: 2 * MOST_PODS }, (_, index) => ({
        id: `eni-${index + 1}`,
        vSwitchId: "vsw-a",
        vpcId: "vpc-lab",
        privateIps: [`10.1.0.${index + 1}`],
    })),
    certificates: ["cert-1", "cert-2", "cert-3", "cert-4"].map((id) => ({ id, name: id })),
};
const SEED_CALLS = ACLS.map((id): SeedCall => ({ action: "CreateAccessControlList", id, params: { AclName: id } }));

/** Namespace whose UID identifies the cluster. */
const SYSTEM = {
    path: "/api/v1/namespaces/kube-system",
    namespace: { metadata: { name: "kube-system", uid: "2f1c6a0e-4d1b-4a57-9f0c-1f5a3c9d7e10" } },
};

/** A mutating call of a program. */
export interface Call {
    readonly product: string;
    readonly action: string;
}

/** A mutating call with its parameters. */
export interface Write extends Call {
    readonly params: Readonly<Record<string, string>>;
}

/** Name of the fault that hits the call. */
export const HIT = "hit";

/** A simulated cloud, and a cluster of objects in memory. */
export class World {
    readonly #bindings = new Bindings();
    readonly #cluster = new ClusterServer((method, url, body) =>
        url.pathname === SYSTEM.path ? SYSTEM.namespace : this.#bindings.answer(method, url, body),
    );
    readonly #url = process.env["LAB_CLOUD"] ?? "";
    readonly #cloud = new CloudConsole(this.#url);

    /** Writes the kubeconfig that the environment names. */
    async start(): Promise<void> {
        fs.writeFileSync(process.env["KUBECONFIG"] ?? "", kubeconfigFor(await this.#cluster.start()));
    }

    /** Empties cloud and cluster, and makes the objects of others. @param calls make more of them */
    async prepare(calls: readonly SeedCall[] = []): Promise<void> {
        this.#cluster.reset();
        this.#bindings.clear();
        await this.#cloud.fail([]);
        await this.#cloud.seed({ ...SEED, calls: [...SEED_CALLS, ...calls] });
        this.#cluster.objects.nodes = [...NODE_OBJECTS];
    }

    /** Makes a version of the Service what the cluster has: nothing once it is deleted. */
    publish(version: Version | "none"): void {
        if (version === "none") return;
        const key = `default/${nameOf(version)}`;
        if (version.away === "deleted") {
            this.#cluster.removeService(key);
            return;
        }
        this.#cluster.objects.services.set(key, serviceOf(version));
        this.#cluster.objects.endpointSlices.set(key, slicesOf(version));
    }

    /** Returns the Services that have left and stay in the cluster, with what runs wrote to them and did not take back. */
    marked(services: readonly Version[]): string[] {
        return services.flatMap((version) => {
            // The class keeps other controllers away until the Service is handed back.
            const { [CLASS_ANNOTATION]: _, ...written } = this.#cluster.writtenTo(`default/${nameOf(version)}`);
            const isFree = version.away !== "stays" || Object.keys(written).length === 0;
            return isFree ? [] : [`${nameOf(version)}: left with ${JSON.stringify(written)}`];
        });
    }

    /** Sets the state of the node that changes, by its number in {@link NODE_STATES}. */
    setNode(state: number): void {
        this.#cluster.objects.nodes = NODE_OBJECTS.flatMap((node) =>
            node.metadata.name === CHANGING ? (NODE_STATES[state]?.(node) ?? []) : [node],
        );
    }

    /** Lets the sync controller carry out the bindings of the cluster, if it has any. */
    sync(): Promise<void> {
        return this.#bindings.carryOut(this.#cluster.objects);
    }

    /** Makes calls fail. Without faults all work again. */
    fail(faults: readonly Fault[]): Promise<void> {
        return this.#cloud.fail(faults);
    }

    /** Edits the cloud as another tool would. Reports whether the cloud took the edit. */
    edit(action: string, params: Readonly<Record<string, string>>, product: "Slb" | "Nlb" | "Ecs"): Promise<boolean> {
        return this.#cloud.act(action, params, product);
    }

    /** The state of the cloud with ids and times. */
    exactState(): Promise<CloudState> {
        return this.#cloud.state();
    }

    /** The state of the cloud, all of it. */
    whole(): Promise<StatedCloud> {
        return this.#get("_state");
    }

    /** The state of the cloud, to compare with that of another run. */
    async state(): Promise<Canonical> {
        return canonical(await this.#get<Record<string, unknown>>("_state"));
    }

    /** Returns lines for what is otherwise than in an earlier state. */
    async changesSince(expected: Canonical): Promise<string[]> {
        return differences(await this.state(), expected);
    }

    /** Number of the last call of a program. */
    async lastCall(): Promise<number> {
        return (await this.#calls("")).at(-1)?.n ?? 0;
    }

    /** The mutating calls of programs after number `since`, in order. */
    async mutating(since: number): Promise<Call[]> {
        const calls = await this.#calls(`&mutating=true&since=${since}`);
        return calls.map(({ product, action }) => ({ product, action }));
    }

    /** The mutating calls that the cloud carried out, with their parameters. */
    async writes(since: number): Promise<Write[]> {
        const calls = await this.#get<(Write & { code: string })[]>(`_calls?origin=api&mutating=true&since=${since}`);
        return calls.filter(({ code }) => code === "OK");
    }

    /** Reports whether the fault has hit its call. */
    async isHit(): Promise<boolean> {
        const faults = await this.#get<{ fault: Fault; lastHit?: number }[]>("_faults");
        return faults.some(({ fault, lastHit }) => fault.id === HIT && lastHit !== undefined);
    }

    /** Waits for the call that is held. @param isOver whether it cannot come any more */
    async untilHit(isOver: () => boolean): Promise<void> {
        await until("the call under way", async () => isOver() || (await this.isHit()));
    }

    /** Lets it go on, and waits for its end. */
    async release(): Promise<void> {
        await this.fail([]);
        await until("the call over", async () => (await this.#calls("")).some(({ fault }) => fault === HIT));
    }

    #calls(query: string): Promise<(Call & { n: number; fault?: string })[]> {
        return this.#get(`_calls?origin=api${query}`);
    }

    async #get<T>(path: string): Promise<T> {
        return (await (await fetch(`${this.#url}/${path}`)).json()) as T;
    }
}

/** The state of the cloud, to compare. */
export type Canonical = ReturnType<typeof canonical>;

/** Milliseconds between two looks, and until what is waited for has to be. */
const POLL = 25;
const LIMIT = 300_000;

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (let waited = 0; waited < LIMIT; waited += POLL) {
        if (await isSo()) return;
        await pause(POLL);
    }
    throw new Error(`not within ${LIMIT / 1000} s: ${what}`);
}
