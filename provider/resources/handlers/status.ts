/**
 * `status.loadBalancer` of a Service. Without it `kubectl get svc` shows a pending EXTERNAL-IP.
 *
 * The kubernetes plugin writes specs only.
 */
import { formatSentences } from "../../diagnostics";
import { ClusterError } from "../../cluster";
import type { ClusterIdentity, Ingress } from "../../service/objects";
import { clusterName } from "../../plan/identity";
import { defined, once } from "../../schema/defined";
import { type ClusterReference, managing, openReference } from "./handler";

interface StatusInputs extends ClusterReference {
    readonly namespace: string;
    readonly name: string;
    /** `metadata.uid`: a recreated Service needs its status written again. */
    readonly uid: string;
    /** `status.loadBalancer.ingress`. */
    readonly ingress: readonly Ingress[];
}

interface StatusComputed {
    /** UID of the namespace kube-system of the Service's cluster. Absent if it could not be read. */
    readonly cluster?: string;
}

const { create, update, read, remove } = managing<StatusInputs, StatusComputed>(
    {
        create: async (inputs) => ({ id: `${inputs.namespace}/${inputs.name}`, ...(await write(inputs)) }),
        update: (_olds, news) => write(news),
        /** Reads the status. In another cluster it stays as recorded: a later destroy must find it. */
        read: async (props) => {
            const kubernetes = openReference(props);
            const { cluster, uid } = props;
            const service = await kubernetes.getService(props.namespace, props.name);
            if (service?.metadata.uid !== uid && cluster !== undefined && (await kubernetes.identity()).uid !== cluster)
                return {};
            if (service === undefined) return undefined;
            const ingress = (service.status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) =>
                defined({ ip: ip || undefined, hostname: hostname || undefined }),
            );
            return { uid: service.metadata.uid ?? uid, ingress };
        },
        delete: clear,
    },
    ["cluster"],
);
export { create, update, read, remove as delete };

/**
 * Clears the status: no client must connect to an address that is about to be released.
 *
 * A destroy runs without the program, and deletes this first: it detects a kubeconfig of another cluster here.
 *
 * @throws Error if the Service does not exist and the cluster is another, or none was recorded
 */
async function clear(props: StatusInputs & StatusComputed): Promise<void> {
    const { namespace, name, uid, ingress, cluster } = props;
    const kubernetes = openReference(props);
    const address = ingress.map(({ ip, hostname }) => ip ?? hostname).join(", ");
    try {
        if (await kubernetes.patchServiceStatus(namespace, name, { ingress: [] }, uid))
            await kubernetes.recordServiceEvent(props, {
                type: "Normal",
                reason: "CleanLoadBalancer",
                message: `Clean load balancer [${address}]: the stack no longer manages it`,
            });
    } catch (error) {
        if (!(error instanceof ClusterError && error.kind === "not-found")) throw error;
        const here = await kubernetes.identity();
        if (cluster !== undefined && here.uid === cluster) return;
        const refusal = new Error(describeAbsence(props, here));
        // The engine prints the stack of an error of a deletion.
        refusal.stack = refusal.message;
        throw refusal;
    }
}

function describeAbsence(
    { namespace, name, cluster }: StatusInputs & StatusComputed,
    { uid, server }: ClusterIdentity,
): string {
    const here = clusterName({ server, ...defined({ cluster: uid }) });
    const correct = "correct kubeconfig or context (KUBECONFIG, kubectl config use-context)";
    const [problem, otherwise] =
        cluster === undefined
            ? [
                  `the cluster ${here} has no such Service, and the state does not say to which cluster it belongs`,
                  "if the Service was deleted in this cluster, run pulumi refresh first",
              ]
            : [
                  `it belongs to the cluster ${cluster}, but this run reaches ${here}`,
                  "if the cluster of the Service is gone for good, pulumi state delete takes its ServiceStatus " +
                      "out of the state",
              ];
    const sentences = { cause: `${problem}; nothing of it is deleted`, remedy: `${correct}; ${otherwise}` };
    return `Service ${namespace}/${name}: ${formatSentences(sentences)}`;
}

async function write(inputs: StatusInputs): Promise<StatusComputed> {
    const kubernetes = openReference(inputs);
    const { namespace, name, uid, ingress } = inputs;
    await kubernetes.patchServiceStatus(namespace, name, { ingress }, uid);
    return defined({ cluster: await clusterOf(inputs) });
}

/** Identities of clusters, read once per process. */
const identities = new Map<string, Promise<ClusterIdentity>>();

async function clusterOf(reference: ClusterReference): Promise<string | undefined> {
    const { kubeconfig = process.env["KUBECONFIG"], context } = reference;
    const key = JSON.stringify([kubeconfig, context]);
    const asking = once(identities, key, () => openReference(reference).identity());
    asking.catch(() => identities.delete(key));
    return (await asking).uid;
}
