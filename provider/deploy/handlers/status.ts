/**
 * `status.loadBalancer` of a Service, which only the owner of the load balancer can write.
 *
 * The kubernetes plugin cannot: it writes specs. Without it `kubectl get svc` shows a pending EXTERNAL-IP.
 */
import { ClusterError, type ClusterIdentity, type Ingress } from "../../kubernetes";
import { formatSentences } from "../../diagnostics";
import { clusterName } from "../../plan";
import { type ClusterReference, openReference } from "./cluster";
import { plain } from "./values";
import { defined } from "../../schema/defined";

/** Inputs of a Service's status. */
export interface StatusInputs {
    readonly namespace: string;
    readonly name: string;
    /** `metadata.uid`: a Service that was deleted and made again needs its status written again. */
    readonly uid: string;
    /** Path of the kubeconfig; absent = as kubectl finds it. Its contents are never kept. */
    readonly kubeconfig?: string;
    readonly context?: string;
    /** `status.loadBalancer.ingress`. */
    readonly ingress: readonly Ingress[];
}

/** A status as it is recorded. */
export interface StatusOutputs extends StatusInputs {
    /** UID of the namespace kube-system of the Service's cluster. Absent where it could not be read, and in what earlier versions recorded. */
    readonly cluster?: string;
}

/** Writes the status, and records which cluster it is in. */
export async function create(inputs: StatusInputs): Promise<{ id: string; outs: StatusOutputs }> {
    return { id: `${inputs.namespace}/${inputs.name}`, outs: await write(inputs) };
}

/** Writes the status anew. */
export async function update(_id: string, _olds: StatusOutputs, news: StatusInputs): Promise<{ outs: StatusOutputs }> {
    return { outs: await write(news) };
}

/**
 * The status as it is; gone with its Service.
 *
 * Another cluster says nothing of it: it stays as it was recorded, so that a destroy that follows still finds it.
 */
export async function read(
    id: string,
    props: StatusOutputs,
): Promise<{ id?: string; props?: StatusOutputs; inputs?: StatusInputs }> {
    const { cluster, ...inputs } = props;
    const kubernetes = openReference(props);
    const service = await kubernetes.getService(props.namespace, props.name);
    if (service?.metadata.uid !== props.uid && cluster !== undefined && (await kubernetes.identity()).uid !== cluster) {
        return { id, props, inputs };
    }
    if (service === undefined) {
        return {};
    }
    const ingress = (service.status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ({
        ...(ip ? { ip } : {}),
        ...(hostname ? { hostname } : {}),
    }));
    const actual = { ...inputs, uid: service.metadata.uid ?? props.uid, ingress };
    return { id, props: plain({ ...actual, cluster }), inputs: plain(actual) };
}

/**
 * Clears the status, so that no client is sent to an address that is about to be released.
 *
 * A deletion runs without the program, and deletes this before anything in the cloud: here is where a kubeconfig that leads to another cluster is noticed.
 *
 * @throws Error where the Service is not there and the cluster is another one than the Service's, or it is not known which that was
 */
async function remove(_id: string, props: StatusOutputs): Promise<void> {
    const kubernetes = openReference(props);
    try {
        await kubernetes.patchServiceStatus(props.namespace, props.name, { ingress: [] }, props.uid);
    } catch (error) {
        if (!(error instanceof ClusterError && error.kind === "not-found")) {
            throw error;
        }
        const here = await kubernetes.identity();
        if (props.cluster === undefined || here.uid !== props.cluster) {
            const refusal = new Error(describeAbsence(props, here));
            // The engine prints the stack of what a deletion throws, which says nothing to whoever has another kubeconfig.
            refusal.stack = refusal.message;
            throw refusal;
        }
    }
}
export { remove as delete };

function describeAbsence({ namespace, name, cluster }: StatusOutputs, { uid, server }: ClusterIdentity): string {
    const here = clusterName({ server, ...defined({ cluster: uid }) });
    const correct = "correct kubeconfig or context (KUBECONFIG, kubectl config use-context)";
    return `Service ${namespace}/${name}: ${
        cluster === undefined
            ? formatSentences({
                  cause: `the cluster ${here} has no such Service, and the state does not say to which cluster it belongs, so that nothing of it is deleted`,
                  remedy: `${correct}; if the Service was deleted in this cluster, run pulumi refresh first`,
              })
            : formatSentences({
                  cause: `it belongs to the cluster ${cluster}, but this run reaches ${here}, so that nothing of it is deleted`,
                  remedy: `${correct}; if the cluster of the Service is gone for good, pulumi state delete takes its ServiceStatus out of the state`,
              })
    }`;
}

async function write(inputs: StatusInputs): Promise<StatusOutputs> {
    const kubernetes = openReference(inputs);
    await kubernetes.patchServiceStatus(inputs.namespace, inputs.name, { ingress: inputs.ingress }, inputs.uid);
    return plain({ ...inputs, cluster: await clusterOf(inputs) });
}

/** UIDs of the clusters that this process has reached: a run that makes many Services asks once. */
const asked = new Map<string, Promise<ClusterIdentity>>();

async function clusterOf(reference: ClusterReference): Promise<string | undefined> {
    const { kubeconfig = process.env["KUBECONFIG"], context } = reference;
    const key = JSON.stringify([kubeconfig, context]);
    const asking = asked.get(key) ?? openReference(reference).identity();
    asked.set(key, asking);
    asking.catch(() => asked.delete(key));
    return (await asking).uid;
}
