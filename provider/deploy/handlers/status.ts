/**
 * `status.loadBalancer` of a Service, which only the owner of the load balancer can write.
 *
 * The kubernetes plugin cannot: it writes specs. Without it `kubectl get svc` shows a pending EXTERNAL-IP.
 */
import { ClusterError, type Ingress } from "../../kubernetes";
import { openReference } from "./cluster";
import { plain } from "./values";

/** Inputs of a Service's status. */
export interface StatusInputs {
    readonly namespace: string;
    readonly name: string;
    /** `metadata.uid`: a Service that was deleted and made again needs its status written again. */
    readonly uid: string;
    /** Path of the kubeconfig; absent = as kubectl finds it. Its contents are never kept. */
    readonly kubeconfig?: string;
    readonly context?: string;
    readonly ingress: readonly Ingress[];
}

/** Writes the status. */
export async function create(inputs: StatusInputs): Promise<{ id: string; outs: StatusInputs }> {
    await write(inputs, inputs.ingress);
    return { id: `${inputs.namespace}/${inputs.name}`, outs: plain(inputs) };
}

/** Writes the status anew. */
export async function update(_id: string, _olds: StatusInputs, news: StatusInputs): Promise<{ outs: StatusInputs }> {
    await write(news, news.ingress);
    return { outs: plain(news) };
}

/** The status as it is; gone with its Service. */
export async function read(
    id: string,
    props: StatusInputs,
): Promise<{ id?: string; props?: StatusInputs; inputs?: StatusInputs }> {
    const service = await openReference(props).getService(props.namespace, props.name);
    if (service === undefined) {
        return {};
    }
    const ingress = (service.status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ({
        ...(ip ? { ip } : {}),
        ...(hostname ? { hostname } : {}),
    }));
    const actual = plain({ ...props, uid: service.metadata.uid ?? props.uid, ingress });
    return { id, props: actual, inputs: actual };
}

/** Clears the status, so that no client is sent to an address that is about to be released. */
async function remove(_id: string, props: StatusInputs): Promise<void> {
    await write(props, []);
}
export { remove as delete };

async function write(inputs: StatusInputs, ingress: readonly Ingress[]): Promise<void> {
    try {
        await openReference(inputs).patchServiceStatus(inputs.namespace, inputs.name, { ingress }, inputs.uid);
    } catch (error) {
        // A Service that is gone has no status to clear.
        if (ingress.length > 0 || !(error instanceof ClusterError && error.kind === "not-found")) {
            throw error;
        }
    }
}
