/** Asks a cluster for what it says of itself. */

import { CONFIG_MAP, DAEMON_SET, NODE, page, SERVER_VERSION } from "../answers";
import { Client, type ClientOptions } from "../client";
import { EDGE_LABELS, ENS_LABEL } from "../types";
import { ClusterError } from "../error";
import { CONFIG_MAPS, type Discovery, interpret, PROFILE } from "./interpret";
import { defined } from "../../schema/defined";

const SYSTEM = "kube-system";

const NODES = page(NODE);

/** A node of the cluster's own region: those at the edge may be servers of others. */
const IN_CLOUD = [...EDGE_LABELS.map((label) => `${label}!=true`), `!${ENS_LABEL}`].join(",");

/**
 * What the cluster says of itself, by at most seven requests. What is not there, or may not be read, is absent.
 *
 * @throws ClusterError if the cluster cannot be asked at all
 */
export async function discoverCluster(options: ClientOptions = {}): Promise<Discovery> {
    const client = new Client(options);
    const [kubernetesVersion, daemonSets, nodes, ...configMaps] = await Promise.all([
        client.get("get the server's version", "/version", SERVER_VERSION),
        allowed(
            client.list("list daemonsets of kube-system", `/apis/apps/v1/namespaces/${SYSTEM}/daemonsets`, DAEMON_SET),
        ),
        allowed(client.get("get a node", `/api/v1/nodes?limit=1&labelSelector=${encodeURIComponent(IN_CLOUD)}`, NODES)),
        ...CONFIG_MAPS.map((name) => allowed(configMap(client, name))),
    ]);
    const providerId = nodes?.items[0]?.spec?.providerID;
    return interpret({
        configMaps: Object.fromEntries(
            configMaps.flatMap((found) => (found === undefined ? [] : [[found.metadata.name, found.data ?? {}]])),
        ),
        daemonSets: (daemonSets ?? []).map(({ metadata }) => metadata.name),
        ...defined({ kubernetesVersion: kubernetesVersion?.gitVersion, providerId }),
    });
}

/** Id that an ACK cluster says of itself, by one request; undefined if it says none, or may not be asked. */
export async function discoverClusterId(client: Client): Promise<string | undefined> {
    const profile = await allowed(configMap(client, PROFILE));
    return interpret({ configMaps: { [PROFILE]: profile?.data ?? {} }, daemonSets: [] }).clusterId;
}

const configMap = (client: Client, name: string) =>
    client.get(`get configmap ${SYSTEM}/${name}`, `/api/v1/namespaces/${SYSTEM}/configmaps/${name}`, CONFIG_MAP);

/** Undefined for what the caller may not read: it is as if it were not there. */
async function allowed<Value>(asked: Promise<Value>): Promise<Value | undefined> {
    try {
        return await asked;
    } catch (error) {
        if (error instanceof ClusterError && error.kind === "forbidden") return undefined;
        throw error;
    }
}
