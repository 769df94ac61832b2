import { dirname, join } from "node:path";
import type { Program } from "./layout";
import type { Tools } from "./sources";

/** Programs that run, in the order in which they start. kubectl is only called. */
export type Server = Exclude<Program, "kubectl">;

/** Order in which they are stopped. An API server whose etcd has gone ignores SIGTERM, so etcd goes last. */
export const STOP_ORDER: readonly Server[] = [
    "kwok",
    "kube-scheduler",
    "kube-controller-manager",
    "kube-apiserver",
    "etcd",
];

/** TCP ports on 127.0.0.1 by program. */
export type Ports = Record<Server, number>;

/** Layout of a cluster. Defaults are those of {@link DEFAULT_NETWORK}. */
export interface Network {
    /** CIDR from which pods get their addresses, unless their node has its own podCIDR. */
    podCidr: string;
    /** CIDR of the ClusterIPs. */
    serviceCidr: string;
}

/** Default network of an ACK cluster with Flannel. */
export const DEFAULT_NETWORK: Readonly<Network> = { podCidr: "172.20.0.0/16", serviceCidr: "172.21.0.0/20" };

/** Controllers that Services, endpoints, nodes and deletion need, without cloud controller and accounts. */
const CONTROLLERS = [
    "deployment-controller",
    "replicaset-controller",
    "statefulset-controller",
    "daemonset-controller",
    "endpointslice-controller",
    "endpoints-controller",
    "node-lifecycle-controller",
    "namespace-controller",
    "garbage-collector-controller",
    "pod-garbage-collector-controller",
];

/** File names inside the folder of a cluster. */
export const FILES = {
    kubeconfig: "kubeconfig",
    tokens: "tokens.csv",
    accountKey: "sa.key",
    logs: "logs",
    /** Certificate of the programs that serve HTTPS. kwok and etcd speak plain HTTP. */
    certificate: "tls.crt",
    certificateKey: "tls.key",
    stages: "stages",
    etcd: "etcd",
    kubectlCache: "kubectl-cache",
    outage: "outage",
} as const;

/** Folder in which kubectl keeps what it knows of a cluster's APIs, for minutes. */
export const kubectlCache = (kubeconfig: string): string => join(dirname(kubeconfig), FILES.kubectlCache);

/** Returns the file with the output of a program. */
export function logFile(dir: string, program: Server | "supervisor"): string {
    return join(dir, FILES.logs, `${program}.log`);
}

export function commandLine(
    program: Server,
    dir: string,
    tools: Tools,
    ports: Ports,
    network: Network,
    stages: readonly string[],
): string[] {
    return [tools.binaries[program], ...argumentsOf(program, dir, ports, network, stages)];
}

function argumentsOf(
    program: Server,
    dir: string,
    ports: Ports,
    network: Network,
    stages: readonly string[],
): string[] {
    const inDir = (name: string): string => join(dir, name);
    const etcd = `http://127.0.0.1:${ports.etcd}`;
    const serving = [
        "--bind-address=127.0.0.1",
        `--secure-port=${ports[program]}`,
        `--tls-cert-file=${inDir(FILES.certificate)}`,
        `--tls-private-key-file=${inDir(FILES.certificateKey)}`,
    ];
    const kubeconfig = `--kubeconfig=${inDir(FILES.kubeconfig)}`;
    switch (program) {
        case "etcd":
            return [
                `--data-dir=${inDir(FILES.etcd)}`,
                `--listen-client-urls=${etcd}`,
                `--advertise-client-urls=${etcd}`,
                "--listen-peer-urls=http://127.0.0.1:0",
                // Nothing here outlives the cluster, so a write need not reach the disk.
                "--unsafe-no-fsync",
            ];
        case "kube-apiserver":
            return [
                ...serving,
                `--etcd-servers=${etcd}`,
                // Without it the program ends on a machine that has no default route.
                "--advertise-address=127.0.0.1",
                "--endpoint-reconciler-type=none",
                `--service-cluster-ip-range=${network.serviceCidr}`,
                "--authorization-mode=RBAC",
                `--token-auth-file=${inDir(FILES.tokens)}`,
                "--service-account-issuer=https://kubernetes.default.svc",
                `--service-account-key-file=${inDir(FILES.accountKey)}`,
                `--service-account-signing-key-file=${inDir(FILES.accountKey)}`,
                "--disable-admission-plugins=ServiceAccount",
                "--allow-privileged=true",
            ];
        case "kube-controller-manager":
            return [
                ...serving,
                kubeconfig,
                "--leader-elect=false",
                `--controllers=${CONTROLLERS.join(",")}`,
                // Greatest age of its knowledge of a node when it judges a pod there, by default 5 s.
                "--node-monitor-period=1s",
            ];
        case "kube-scheduler":
            return [...serving, kubeconfig, "--leader-elect=false"];
        case "kwok":
            return [
                kubeconfig,
                "--manage-all-nodes=true",
                `--cidr=${network.podCidr}`,
                "--node-ip=127.0.0.1",
                "--node-lease-duration-seconds=40",
                `--server-address=127.0.0.1:${ports.kwok}`,
                ...stages.map((file) => `--config=${file}`),
            ];
    }
}

/** URL that answers 200 as soon as a program is up. */
export function healthUrl(program: Server, ports: Ports): string {
    const host = `127.0.0.1:${ports[program]}`;
    switch (program) {
        case "etcd":
            return `http://${host}/health`;
        case "kwok":
            return `http://${host}/healthz`;
        case "kube-apiserver":
            return `https://${host}/readyz`;
        case "kube-controller-manager":
        case "kube-scheduler":
            return `https://${host}/healthz`;
    }
}
