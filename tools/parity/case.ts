import * as fs from "node:fs";
import * as path from "node:path";
import type { EndpointSliceObject, ServiceObject } from "../../provider/service/objects";

/** A node as a case describes it. */
export interface CaseNode {
    readonly name: string;
    readonly providerID: string;
    readonly instanceId: string | null;
    readonly labels: Readonly<Record<string, string>>;
    /** Ready condition. `"missing"` has conditions, but none of type Ready. `"none"` has no conditions at all. */
    readonly ready: boolean | "Unknown" | "missing" | "none";
    readonly internalIP: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** Pod as a case describes it. Only cases about readiness gates have any. */
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
    /** `lb#1`, or the id of an instance that existed before. */
    readonly ref: string;
    readonly product: string;
    /** Parameters that were sent. For an NLB some values are objects or lists. */
    readonly sent: Sent;
    readonly tags: Readonly<Record<string, string>>;
    /** Only for an NLB. */
    readonly securityGroupIds?: readonly string[];
    readonly preExisting?: boolean;
}

/** Request parameters. CLB has only texts. */
export type Sent = Readonly<Record<string, string>>;

export interface RecordedListener {
    readonly lb: string;
    /** `lsn#1`. Only an NLB's listener has an id. */
    readonly ref?: string;
    /** 0 for a range of ports, which an NLB may have. */
    readonly port: number;
    /** An NLB's is in capitals. */
    readonly protocol: string;
    readonly status: string;
    readonly serverGroup: string;
    readonly sent: Sent;
    /** Only for an NLB. */
    readonly additionalCertificates?: readonly string[];
    readonly preExisting?: boolean;
}

export interface RecordedGroup {
    readonly ref: string;
    /** Absent for an NLB's group, which belongs to the VPC. */
    readonly lb?: string;
    readonly name: string;
    readonly backends: readonly RecordedBackend[];
    /** Only for an NLB. */
    readonly sent?: Sent;
    readonly tags?: Readonly<Record<string, string>>;
    readonly preExisting?: boolean;
}

/** A security group that guards an NLB. */
export interface RecordedSecurityGroup {
    readonly name: string;
    readonly ref: string;
    readonly sent: Sent;
    readonly tags: Readonly<Record<string, string>>;
    readonly rules: readonly Readonly<Record<string, string>>[];
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
    readonly securityGroups?: readonly RecordedSecurityGroup[];
}

/** Objects in the cloud before the first step. */
export interface CloudBefore {
    readonly loadBalancers?: readonly {
        readonly ref: string;
        readonly product: string;
        readonly attributes: Readonly<Record<string, string>>;
        readonly tags: Readonly<Record<string, string>>;
        /** Only for an NLB. */
        readonly zoneMappings?: readonly Readonly<Record<string, string>>[];
        readonly securityGroups?: readonly string[];
    }[];
    readonly listeners?: readonly {
        readonly lb: string;
        readonly ref?: string;
        readonly port: number;
        readonly protocol: string;
        readonly status: string;
        readonly serverGroup: string;
        readonly attributes: Readonly<Record<string, string>>;
    }[];
    readonly serverGroups?: readonly {
        /** Absent for an NLB's group. */
        readonly lb?: string;
        readonly ref: string;
        readonly name: string;
        readonly backends: readonly RecordedBackend[];
        /** Only for an NLB. */
        readonly attributes?: Readonly<Record<string, string>>;
        readonly tags?: Readonly<Record<string, string>>;
    }[];
    readonly eips?: Readonly<Record<string, readonly string[]>>;
    readonly missingCerts?: readonly string[];
    readonly expiredCerts?: readonly string[];
}

/** An error that an API action answers. */
export interface CaseFault {
    readonly code: string;
    readonly message: string;
    /** Number of times. If absent, every time in this step. */
    readonly times?: number;
}

/** A call of the controller. */
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
    /** Pod addresses and their network interfaces. An empty interface is taken away. */
    readonly enis?: Readonly<Record<string, string>>;
    /** Changes from outside before the step. */
    readonly cloudCalls?: readonly {
        readonly action: string;
        readonly version?: string;
        readonly params: Readonly<Record<string, string>>;
    }[];
    readonly fail?: Readonly<Record<string, CaseFault>>;
    readonly expect: {
        readonly error: string | null;
        readonly status?: readonly { readonly ip?: string; readonly hostname?: string }[];
        readonly cloud: RecordedCloud;
        /** Calls that changed something, in order. `on` is the object, by its reference. */
        readonly mutations?: readonly RecordedCall[];
        /** Labels and finalizers of the Service after the step. */
        readonly serviceLabels?: Readonly<Record<string, string>>;
        readonly finalizers?: readonly string[];
    };
}

/** A recorded case: a cluster and a cloud, and the steps that change them. */
export interface Case {
    readonly id: string;
    readonly title: string;
    readonly controller: "clb" | "nlb";
    readonly cluster: {
        readonly clusterId: string;
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
export const FOLDERS = ["clb", "backends", "nlb"] as const;

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
    const recorded = JSON.parse(fs.readFileSync(file, "utf8")) as Case;
    const steps = recorded.steps.map((step) => {
        const { cloud } = step.expect;
        const securityGroups = cloud.securityGroups?.map((group) =>
            renamed(group, recorded.cluster.clusterId, clusterIdOf(recorded)),
        );
        return {
            ...step,
            expect: {
                ...step.expect,
                cloud: { ...cloud, ...(securityGroups === undefined ? {} : { securityGroups }) },
            },
        };
    });
    return { ...recorded, steps };
}

const OWNER_OF_CLUSTER = "ack.aliyun.com";

/**
 * The recorded controller reads the cluster id for security groups from its configuration, and uses a default for
 * everything else. Both mean the same cluster.
 */
function renamed(group: RecordedSecurityGroup, from: string, to: string): RecordedSecurityGroup {
    const mark = (text: string): string => (text.endsWith(`.${from}`) ? `${text.slice(0, -from.length)}${to}` : text);
    const marks = (texts: Sent): Sent =>
        Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, mark(text)]));
    const tags = group.tags[OWNER_OF_CLUSTER] === from ? { ...group.tags, [OWNER_OF_CLUSTER]: to } : group.tags;
    return { ...group, sent: marks(group.sent), rules: group.rules.map(marks), tags };
}

/**
 * Cluster id in the controller's names and tags. It is read from the recording: the controller may have used its
 * default.
 */
export function clusterIdOf(recorded: Case): string {
    for (const { expect } of recorded.steps) {
        for (const { tags, preExisting } of expect.cloud.loadBalancers) {
            const id = tags[OWNER_OF_CLUSTER];
            if (id !== undefined && !preExisting) return id;
        }
        for (const { description } of expect.cloud.serverGroups.flatMap(({ backends }) => backends)) {
            const parts = description.split(description.includes("/") ? "/" : ".");
            const id = parts.at(-1);
            if (parts.length >= 5 && parts[0] === "k8s" && id) return id;
        }
    }
    return "clusterid";
}
