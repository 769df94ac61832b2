import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { describeAsAck, LAB_CLUSTER } from "./ack-profile";
import {
    addNode,
    Client,
    DEFAULT_NETWORK,
    installTools,
    type Node,
    type NodeSpec,
    startCluster,
    stopCluster,
} from "./cluster";
import { readFacts, startCloudProcess } from "./cloud-process";
import { environment, labVariables } from "./environment";
import { buildPulumi, selectPulumi } from "./pulumi/install";
import { zoneOf } from "./regions";

export interface LabOptions {
    /**
     * Scratch folder, made if missing, by default a new folder. It is removed when the lab stops, unless it was given.
     */
    readonly dir?: string;
    /** Gets a line for each step. */
    readonly report?: (line: string) => void;
    /** The lab outlives this process, until {@link stopLab}. Default false. */
    readonly detached?: boolean;
    /** ACK id that the cluster says of itself. Default {@link LAB_CLUSTER}. */
    readonly clusterId?: string;
    /** The lab is given away before its CLI is built, see {@link Lab.cli}. Default false. */
    readonly isEarly?: boolean;
    /** Region of the cloud and of the cluster's nodes. Default `cn-hangzhou`. */
    readonly region?: string;
}

/** Folder and variables of a lab. */
export interface LabPlace {
    readonly dir: string;
    /** The lab's own variables. */
    readonly variables: Readonly<Record<string, string>>;
    /** Base of the cloud's inspection endpoints. */
    readonly cloudUrl: string;
}

/** A running lab: a Kubernetes control plane, a simulated cloud, and the variables that lead programs to both. */
export interface Lab extends LabPlace {
    /** A whole environment for programs. */
    readonly env: NodeJS.ProcessEnv;
    readonly cluster: Client;
    /** Settles when the CLI is there, or cannot be built. */
    readonly cli: Promise<void>;
    /** Adds a node to the cluster and its machine to the cloud. */
    addNode(spec: NodeSpec): Promise<Node>;
    /** Ends everything and leaves no process. */
    stop(): Promise<void>;
}

/** Starts a cluster and a cloud, side by side. */
export async function startLab(options: LabOptions = {}): Promise<Lab> {
    const dir = path.resolve(options.dir ?? fs.mkdtempSync(path.join(os.tmpdir(), "ack-lab-")));
    const report = options.report ?? (() => undefined);
    fs.mkdirSync(path.join(dir, "state"), { recursive: true });
    const detached = options.detached ?? false;
    const cli = selectPulumi(report);
    const tools = await installTools(report);
    const built = buildPulumi(cli, report);
    if (options.isEarly) built.catch(() => undefined);
    else await built;
    const cloud = startCloudProcess(path.join(dir, "cloud"), {
        detached,
        ...(options.region === undefined ? {} : { region: options.region }),
    });
    try {
        const [facts, cluster] = await Promise.all([
            cloud.ready,
            startCluster({ dir: path.join(dir, "cluster"), detached, tools, report }),
        ]);
        report(`cloud ready at ${facts.url}`);
        const variables = labVariables(
            { dir, cloud: facts, kubeconfig: cluster.kubeconfig, kubectl: cluster.kubectl, cli },
            process.env,
        );
        fs.writeFileSync(path.join(dir, "env.sh"), shellLines(variables), { mode: 0o600 });
        const lab = await openLab({ dir, variables, cloudUrl: facts.url }, async () => {
            await Promise.all([cluster.stop(), cloud.stop()]);
            if (options.dir === undefined) fs.rmSync(dir, { recursive: true, force: true });
        });
        await describeLab(lab, options.clusterId);
        return { ...lab, cli: built };
    } catch (error) {
        await cloud.stop();
        throw error;
    }
}

/** A lab that runs already. */
export async function openLab({ dir, variables, cloudUrl }: LabPlace, stop: () => Promise<void>): Promise<Lab> {
    const client = await Client.open(variables["KUBECONFIG"] ?? "");
    return {
        dir,
        variables,
        cloudUrl,
        env: environment(variables, process.env),
        cluster: client,
        cli: Promise.resolve(),
        addNode: (spec) =>
            addNodeToBoth(client, cloudUrl, { zone: zoneOf(variables["ALIBABA_CLOUD_REGION"] ?? "", "h"), ...spec }),
        stop: async () => {
            client.close();
            await stop();
        },
    };
}

/** Puts what an ACK cluster says of itself into the lab's. */
export function describeLab({ cluster, cloudUrl }: Lab, clusterId = LAB_CLUSTER): Promise<void> {
    return describeAsAck(cluster, cloudUrl, { clusterId, serviceCidr: DEFAULT_NETWORK.serviceCidr });
}

/** Ends a lab from another process. */
export async function stopLab(dir: string): Promise<void> {
    await stopCluster(path.join(dir, "cluster"));
    const facts = readFacts(path.join(dir, "cloud"));
    if (facts !== undefined && isOurCloud(facts.pid)) process.kill(facts.pid, "SIGTERM");
}

/** The variables as a file that a shell can source. */
export function shellLines(variables: Readonly<Record<string, string>>): string {
    return Object.entries(variables)
        .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
        .join("");
}

async function addNodeToBoth(client: Client, cloudUrl: string, spec: NodeSpec): Promise<Node> {
    const node = await addNode(client, spec);
    const id = /\.(i-[\w-]+)$/.exec(node.spec.providerID ?? "")?.[1];
    if (id !== undefined) {
        const privateIp = node.status?.addresses?.find((address) => address.type === "InternalIP")?.address ?? "";
        const answer = await fetch(`${cloudUrl}/_seed`, {
            method: "POST",
            body: JSON.stringify({ instances: [{ id, name: spec.name, privateIp }] }),
        });
        if (!answer.ok) throw new Error(`the cloud refused machine ${id}: ${await answer.text()}`);
    }
    return node;
}

/** A pid may have been given to another program since. */
function isOurCloud(pid: number): boolean {
    try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("lab/cloud/main.js");
    } catch {
        return false;
    }
}
