import * as fs from "node:fs";
import * as path from "node:path";
import type { EndpointSliceObject, ServiceObject } from "../../provider/cluster";

/** A node as a case describes it. */
export interface CaseNode {
    readonly name: string;
    readonly providerID: string;
    readonly instanceId: string | null;
    readonly labels: Readonly<Record<string, string>>;
    /** `"missing"`: conditions, but none of type Ready; `"none"`: no conditions at all. */
    readonly ready: boolean | "Unknown" | "missing" | "none";
    readonly internalIP: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** A pod as a case describes it; only cases about readiness gates have any. */
export interface CasePod {
    readonly name: string;
    readonly namespace: string;
    readonly ip: string;
    readonly node: string;
    readonly conditions: Readonly<Record<string, string>>;
}

/** A member of a server group. */
export interface RecordedBackend {
    readonly serverId: string;
    readonly serverIp?: string;
    readonly port: number;
    readonly weight: number;
    readonly type: string;
    readonly description: string;
}

export interface RecordedLoadBalancer {
    /** `lb#1`, or the id of one that was there before. */
    readonly ref: string;
    readonly product: string;
    readonly sent: Readonly<Record<string, string>>;
    readonly tags: Readonly<Record<string, string>>;
    readonly preExisting?: boolean;
}

export interface RecordedListener {
    readonly lb: string;
    readonly port: number;
    readonly protocol: string;
    readonly status: string;
    readonly serverGroup: string;
    readonly sent: Readonly<Record<string, string>>;
    readonly preExisting?: boolean;
}

export interface RecordedGroup {
    readonly ref: string;
    readonly lb: string;
    readonly name: string;
    readonly backends: readonly RecordedBackend[];
    readonly preExisting?: boolean;
}

export interface RecordedDomainExtension {
    readonly lb: string;
    readonly port: number;
    readonly domain: string;
    readonly certificateId: string;
}

/** The cloud after a step: what the controller sent, and what came of it. */
export interface RecordedCloud {
    readonly loadBalancers: readonly RecordedLoadBalancer[];
    readonly listeners: readonly RecordedListener[];
    readonly serverGroups: readonly RecordedGroup[];
    readonly domainExtensions?: readonly RecordedDomainExtension[];
}

/** What there is in the cloud before the first step. */
export interface CloudBefore {
    readonly loadBalancers?: readonly {
        readonly ref: string;
        readonly product: string;
        readonly attributes: Readonly<Record<string, string>>;
        readonly tags: Readonly<Record<string, string>>;
    }[];
    readonly listeners?: readonly {
        readonly lb: string;
        readonly port: number;
        readonly protocol: string;
        readonly status: string;
        readonly serverGroup: string;
        readonly attributes: Readonly<Record<string, string>>;
    }[];
    readonly serverGroups?: readonly { readonly lb: string; readonly ref: string; readonly name: string; readonly backends: readonly RecordedBackend[] }[];
    readonly eips?: Readonly<Record<string, readonly string[]>>;
    readonly missingCerts?: readonly string[];
    readonly expiredCerts?: readonly string[];
}

/** An error that an API action answers. */
export interface CaseFault {
    readonly code: string;
    readonly message: string;
    /** How often; absent: every time in this step. */
    readonly times?: number;
}

/** A call that the controller made. */
export interface RecordedCall {
    readonly action: string;
    readonly on: string;
    readonly params: Readonly<Record<string, unknown>>;
}

export interface CaseStep {
    readonly op: "apply" | "delete" | "scale" | "node-change" | "resync";
    readonly service?: ServiceObject;
    readonly endpointSlices?: readonly EndpointSliceObject[];
    readonly nodes?: readonly CaseNode[];
    /** Pod addresses and their network interfaces; an empty one is taken away. */
    readonly enis?: Readonly<Record<string, string>>;
    /** Changes from outside before the step. */
    readonly cloudCalls?: readonly { readonly action: string; readonly params: Readonly<Record<string, string>> }[];
    readonly fail?: Readonly<Record<string, CaseFault>>;
    readonly expect: {
        readonly error: string | null;
        readonly enqueued?: Readonly<Record<string, boolean>>;
        readonly status?: readonly { readonly ip?: string; readonly hostname?: string }[];
        readonly cloud: RecordedCloud;
        /** The calls that changed something, in order; `on` is the object, by its reference. */
        readonly mutations?: readonly RecordedCall[];
        /** Labels and finalizers of the Service after the step. */
        readonly serviceLabels?: Readonly<Record<string, string>>;
        readonly finalizers?: readonly string[];
    };
}

/** A recorded case: a world, and what is done to it step by step. */
export interface Case {
    readonly id: string;
    readonly title: string;
    readonly controller: "clb" | "nlb";
    /** Why the outcome, as opposed to the requests, says little. */
    readonly uncertain?: string;
    readonly cluster: {
        readonly vpcId: string;
        readonly regionId: string;
        readonly vswitches: readonly { readonly id: string; readonly zoneId: string; readonly cidr: string }[];
        readonly cloudConfig?: Readonly<Record<string, string>>;
        readonly env?: Readonly<Record<string, string>>;
        readonly featureGates?: Readonly<Record<string, boolean>>;
        readonly networkPlugin: string;
        readonly nodes: readonly CaseNode[];
        readonly enis: Readonly<Record<string, string>>;
        readonly pods?: readonly CasePod[];
    };
    readonly cloudBefore: CloudBefore;
    readonly steps: readonly CaseStep[];
}

/** Subfolders of a corpus that are replayed. */
export const FOLDERS = ["clb", "backends"] as const;

/** Files of the cases of a corpus, in order, and the subfolders that it does not have. */
export function listCases(corpus: string): { readonly files: readonly string[]; readonly missing: readonly string[] } {
    const missing = FOLDERS.filter((folder) => !fs.existsSync(path.join(corpus, folder)));
    const files = FOLDERS.filter((folder) => !missing.includes(folder)).flatMap((folder) =>
        fs
            .readdirSync(path.join(corpus, folder))
            .filter((name) => name.endsWith(".json"))
            .sort()
            .map((name) => path.resolve(corpus, folder, name)),
    );
    return { files, missing };
}

/** Reads a case. */
export function readCase(file: string): Case {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Case;
}

const OWNER_OF_CLUSTER = "ack.aliyun.com";

/**
 * The cluster id that the controller used in names and marks. It is read off what was recorded: the controller may have fallen back to its default.
 */
export function clusterIdOf(recorded: Case): string {
    for (const { expect } of recorded.steps) {
        for (const { tags, preExisting } of expect.cloud.loadBalancers) {
            const id = tags[OWNER_OF_CLUSTER];
            if (id !== undefined && !preExisting) {
                return id;
            }
        }
        for (const { description } of expect.cloud.serverGroups.flatMap(({ backends }) => backends)) {
            const parts = description.split("/");
            if (parts.length === 5 && parts[0] === "k8s" && parts[4]) {
                return parts[4];
            }
        }
    }
    return "clusterid";
}
