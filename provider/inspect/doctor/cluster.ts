/** The cluster: whether it answers, what the caller may do, and which parts of ACK are there. */

import { z } from "zod";
import type { Client } from "../../kubernetes/client";
import { parseKubernetesVersion } from "../../schema/versions";
import { knowsBindings } from "../live/installed";
import { type Answer, attempt } from "./attempt";
import type { Check } from "./check";
import { checkPermissions } from "./permissions";

const SYSTEM = "/api/v1/namespaces/kube-system";
const DAEMON_SETS = "/apis/apps/v1/namespaces/kube-system/daemonsets";

const NAMED = z.looseObject({ metadata: z.looseObject({ name: z.string() }) });
const VERSION = z.looseObject({ gitVersion: z.string() });
const CONFIG_MAP = z.looseObject({ data: z.record(z.string(), z.string()).optional() });
const WORKLOAD = z.looseObject({
    spec: z.looseObject({
        template: z.looseObject({ spec: z.looseObject({ containers: z.array(z.looseObject({ image: z.string() })) }) }),
    }),
});
const LEASE = z.looseObject({
    spec: z.looseObject({ holderIdentity: z.string().nullish(), renewTime: z.string().nullish() }).optional(),
});

/** Where the sync controller's Lease is, unless it was installed otherwise. */
export const LEASE_PLACE = { namespace: "ack-loadbalancer", name: "ack-loadbalancer-sync" } as const;

/** A Lease that was not renewed for longer than this has no holder any more, in milliseconds. */
const STALE = 60_000;

/** The checks of the cluster. Without an answer of the API server there is one, which says why. */
export async function checkCluster(client: Client, now: number): Promise<Check[]> {
    const server = await attempt("API server", () => version(client));
    if (server.state === "error") return [server];
    const parts = [
        attempt("network plugin", () => networkPlugin(client)),
        attempt("kube-proxy mode", () => proxyMode(client)),
        attempt("Cloud Controller Manager", () => controllerManager(client)),
        attempt("sync controller", () => syncController(client, now)),
    ];
    return [server, ...(await checkPermissions(client)), ...(await Promise.all(parts))];
}

async function version(client: Client): Promise<Answer> {
    const answer = await client.get("get the server's version", "/version", VERSION);
    const text = answer?.gitVersion ?? "no version";
    const [major = 0, minor = 0] = parseKubernetesVersion(text) ?? [];
    const old = major < 1 || (major === 1 && minor < 24);
    const found = `${text} at ${await client.server()}`;
    return old
        ? { state: "warning", found, remedy: "upgrade the cluster: spec.loadBalancerClass needs Kubernetes 1.24" }
        : { state: "ok", found };
}

/** Source: the DaemonSets that ACK installs in kube-system. */
const PLUGINS = { terway: "terway-eniip", flannel: "kube-flannel-ds", "terway-edge": "terway-edge" } as const;

async function networkPlugin(client: Client): Promise<Answer> {
    const sets = await client.list("list daemonsets of kube-system", DAEMON_SETS, NAMED);
    const names = new Set(sets.map(({ metadata }) => metadata.name));
    const found = Object.entries(PLUGINS).find(([, name]) => names.has(name));
    return found === undefined
        ? {
              state: "warning",
              found: "neither Terway nor Flannel of ACK was found",
              remedy: "set networkPlugin in the stack's configuration",
          }
        : { state: "ok", found: found[0] };
}

async function proxyMode(client: Client): Promise<Answer> {
    const map = await client.get(
        "get configmap kube-proxy-worker",
        `${SYSTEM}/configmaps/kube-proxy-worker`,
        CONFIG_MAP,
    );
    const mode = /^[ \t]*mode:[ \t]*"?(\w+)"?[ \t\r]*$/m.exec(map?.data?.["config.conf"] ?? "")?.[1];
    return mode === undefined
        ? {
              state: "skipped",
              found: "kube-proxy-worker says none",
              remedy: "set kubeProxyMode in the stack's configuration",
          }
        : { state: "ok", found: mode };
}

async function controllerManager(client: Client): Promise<Answer> {
    const set = await client.get(
        "get daemonset cloud-controller-manager",
        `${DAEMON_SETS}/cloud-controller-manager`,
        WORKLOAD,
    );
    const image = set?.spec.template.spec.containers[0]?.image;
    if (image === undefined)
        return {
            state: "skipped",
            found: "not in the cluster; ACK managed clusters run it outside",
            remedy: "read its version on the console's Add-ons page, and set compatibility in the stack's configuration",
        };
    return { state: "ok", found: image.split(":").at(-1) ?? image };
}

async function syncController(client: Client, now: number): Promise<Answer> {
    if (!(await knowsBindings(client)))
        return {
            state: "skipped",
            found: "not installed: backends are those of the last run",
            remedy: "see docs/sync.md if pods change by themselves",
        };
    const { namespace, name } = LEASE_PLACE;
    const lease = await client.get(
        `get lease ${namespace}/${name}`,
        `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`,
        LEASE,
    );
    const renewed = Date.parse(lease?.spec?.renewTime ?? "");
    const holder = lease?.spec?.holderIdentity ?? "";
    if (holder === "" || Number.isNaN(renewed) || now - renewed > STALE)
        return {
            state: "error",
            found: `installed, and no replica holds the lease ${namespace}/${name}`,
            remedy: `look at its pods: kubectl -n ${namespace} get pods; kubectl -n ${namespace} logs deployment/${name}`,
        };
    return { state: "ok", found: `led by ${holder}` };
}
