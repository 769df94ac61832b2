/**
 * `status.loadBalancer` of a Service. Without it `kubectl get svc` shows a pending EXTERNAL-IP.
 *
 * The kubernetes plugin writes specs only.
 */
import { formatSentences } from "../../diagnostics";
import { ClusterError } from "../../cluster";
import { type ClusterIdentity, type Ingress } from "../../service/objects";
import { clusterName } from "../../plan/identity";
import { defined } from "../../schema/defined";
import {
    type ClusterReference,
    type Create,
    type Delete,
    openReference,
    plain,
    type ReadMethod,
    type Update,
} from "./handler";

export interface StatusInputs extends ClusterReference {
    readonly namespace: string;
    readonly name: string;
    /** `metadata.uid`: a recreated Service needs its status written again. */
    readonly uid: string;
    /** `status.loadBalancer.ingress`. */
    readonly ingress: readonly Ingress[];
}

export interface StatusOutputs extends StatusInputs {
    /**
     * UID of the namespace kube-system of the Service's cluster. Absent if it could not be read, and in states of 0.1.
     */
    readonly cluster?: string;
}

/** Writes the status, and records its cluster. */
export const create: Create<StatusInputs, StatusOutputs> = async (inputs) => {
    return { id: `${inputs.namespace}/${inputs.name}`, outs: await write(inputs) };
};

export const update: Update<StatusInputs, StatusOutputs> = async (_id, _olds, news) => {
    return { outs: await write(news) };
};

/** Reads the status. In another cluster it stays as recorded: a later destroy must find it. */
export const read: ReadMethod<StatusInputs, StatusOutputs> = async (id, props) => {
    const { cluster, ...inputs } = props;
    const kubernetes = openReference(props);
    const service = await kubernetes.getService(props.namespace, props.name);
    if (service?.metadata.uid !== props.uid && cluster !== undefined && (await kubernetes.identity()).uid !== cluster)
        return { id, props, inputs };
    if (service === undefined) return {};
    const ingress = (service.status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ({
        ...(ip ? { ip } : {}),
        ...(hostname ? { hostname } : {}),
    }));
    const actual = { ...inputs, uid: service.metadata.uid ?? props.uid, ingress };
    return { id, props: plain({ ...actual, cluster }), inputs: plain(actual) };
};

/**
 * Clears the status: no client must connect to an address that is about to be released.
 *
 * A destroy runs without the program, and deletes this first: it detects a kubeconfig of another cluster here.
 *
 * @throws Error if the Service does not exist and the cluster is another one, or none was recorded
 */
const remove: Delete<StatusOutputs> = async (_id, props) => {
    const kubernetes = openReference(props);
    const address = props.ingress.map(({ ip, hostname }) => ip ?? hostname).join(", ");
    try {
        if (await kubernetes.patchServiceStatus(props.namespace, props.name, { ingress: [] }, props.uid))
            await kubernetes.recordServiceEvent(props, {
                type: "Normal",
                reason: "CleanLoadBalancer",
                message: `Clean load balancer [${address}]: the stack no longer manages it`,
            });
    } catch (error) {
        if (!(error instanceof ClusterError && error.kind === "not-found")) throw error;
        const here = await kubernetes.identity();
        if (props.cluster !== undefined && here.uid === props.cluster) return;
        const refusal = new Error(describeAbsence(props, here));
        // The engine prints the stack of an error of a deletion.
        refusal.stack = refusal.message;
        throw refusal;
    }
};
export { remove as delete };

function describeAbsence({ namespace, name, cluster }: StatusOutputs, { uid, server }: ClusterIdentity): string {
    const here = clusterName({ server, ...defined({ cluster: uid }) });
    const correct = "correct kubeconfig or context (KUBECONFIG, kubectl config use-context)";
    const sentences =
        cluster === undefined
            ? {
                  cause:
                      `the cluster ${here} has no such Service, and the state does not say to which cluster it ` +
                      "belongs, so that nothing of it is deleted",
                  remedy: `${correct}; if the Service was deleted in this cluster, run pulumi refresh first`,
              }
            : {
                  cause:
                      `it belongs to the cluster ${cluster}, but this run reaches ${here}, so that nothing of it is ` +
                      "deleted",
                  remedy:
                      `${correct}; if the cluster of the Service is gone for good, pulumi state delete takes its ` +
                      "ServiceStatus out of the state",
              };
    return `Service ${namespace}/${name}: ${formatSentences(sentences)}`;
}

async function write(inputs: StatusInputs): Promise<StatusOutputs> {
    const kubernetes = openReference(inputs);
    const { namespace, name, uid, ingress } = inputs;
    await kubernetes.patchServiceStatus(namespace, name, { ingress }, uid);
    return plain({ ...inputs, cluster: await clusterOf(inputs) });
}

/** Identities of clusters, read once per process. */
const identities = new Map<string, Promise<ClusterIdentity>>();

async function clusterOf(reference: ClusterReference): Promise<string | undefined> {
    const { kubeconfig = process.env["KUBECONFIG"], context } = reference;
    const key = JSON.stringify([kubeconfig, context]);
    const asking = identities.get(key) ?? openReference(reference).identity();
    identities.set(key, asking);
    asking.catch(() => identities.delete(key));
    return (await asking).uid;
}
