/** Checks of the cluster: API server, permissions of the caller, parts of ACK, published facts. */

import { z } from "zod";
import { ClusterError } from "../../provider/cluster";
import type { Client } from "../../provider/cluster/client";
import type { Discovery } from "../../provider/cluster/discovery";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../../provider/sync/binding/spec";
import { defined } from "../../provider/schema/defined";
import { parseKubernetesVersion } from "../../provider/schema/versions";
import { describeAbsence, readLeader, restartRemedy } from "../inspect/lease";
import { knowsBindings } from "../inspect/read";
import { type Answer, type Check, failure, ok, REFUSED, skipped, warning } from "./check";

const NAMED = z.object({ metadata: z.object({ name: z.string() }) });
const VERSION = z.object({ gitVersion: z.string() });
const CONTAINERS = z.object({ containers: z.array(z.object({ image: z.string() })) });
const WORKLOAD = z.object({ spec: z.object({ template: z.object({ spec: CONTAINERS }) }) });
const REVIEW = z.object({ status: z.object({ allowed: z.boolean() }) });

/** Checks the cluster, of which a run discovers facts. If the API server does not answer, that is the only check. */
export async function checkCluster(client: Client, discovery: Promise<Discovery>): Promise<Check[]> {
    const server = await attempt("API server", () => version(client));
    if (server.state === "error") return [server];
    const parts = [
        ...PERMISSIONS.map((permission) => checkPermission(client, permission)),
        attempt("network plugin", async () => published((await discovery).networkPlugin, NO_PLUGIN)),
        attempt("kube-proxy mode", async () => published((await discovery).kubeProxyMode, NO_MODE)),
        attempt("Cloud Controller Manager", () => controllerManager(client)),
        attempt("sync controller", () => syncController(client)),
    ];
    return [server, ...(await Promise.all(parts))];
}

/**
 * Runs a check. A refusal is skipped, except that of the version, and any other answer of the cluster fails the check.
 */
async function attempt(what: string, check: () => Promise<Answer>): Promise<Check> {
    const answer = await check().catch((error: unknown) => {
        if (!(error instanceof ClusterError)) throw error;
        return error.kind === "forbidden" && what !== "API server"
            ? skipped(REFUSED, "ask somebody who may read kube-system")
            : failure(`${error.kind}: ${error.cause}`, error.remedy);
    });
    return { area: "cluster", what, ...answer };
}

async function version(client: Client): Promise<Answer> {
    const answer = await client.get("get the server's version", ["version"], VERSION);
    const text = answer?.gitVersion ?? "no version";
    const [major = 0, minor = 0] = parseKubernetesVersion(text) ?? [];
    const old = major < 1 || (major === 1 && minor < 24);
    const found = `${text} at ${await client.server()}`;
    return old ? warning(found, "upgrade the cluster: spec.loadBalancerClass needs Kubernetes 1.24") : ok(found);
}

/** Permissions that a run needs in the cluster: verb, resource, and its API group unless it is that of Services. */
const PERMISSIONS = [
    ["get", "services"],
    ["list", "services"],
    ["create", "services"],
    ["patch", "services"],
    ["delete", "services"],
    ["patch", "services/status"],
    ["list", "nodes"],
    ["list", "pods"],
    ["list", "endpointslices", "discovery.k8s.io"],
    ["get", "namespaces"],
] as const;

/** Checks a permission. Source: Kubernetes API, SelfSubjectAccessReview, which stores nothing. */
function checkPermission(
    client: Client,
    [verb, name, group = ""]: readonly [verb: string, name: string, group?: string],
): Promise<Check> {
    const [resource, subresource] = name.split("/");
    return attempt(`may ${verb} ${name}`, async () => {
        const answer = await client.create(
            `ask whether ${verb} ${name} is allowed`,
            ["apis", "authorization.k8s.io", "v1", "selfsubjectaccessreviews"],
            {
                apiVersion: "authorization.k8s.io/v1",
                kind: "SelfSubjectAccessReview",
                spec: { resourceAttributes: { verb, group, resource, ...defined({ subresource }) } },
            },
        );
        const allowed = REVIEW.safeParse(answer).data?.status.allowed === true;
        return allowed ? ok("yes") : failure("no", `allow ${verb} on ${name} by a ClusterRole`);
    });
}

const STACK_CONFIG = "in the stack's configuration";
const NO_PLUGIN = warning("neither Terway nor Flannel of ACK was found", `set networkPlugin ${STACK_CONFIG}`);
const NO_MODE = skipped("kube-proxy-worker has none", `set kubeProxyMode ${STACK_CONFIG}`);

const published = (fact: string | undefined, otherwise: Answer): Answer => (fact === undefined ? otherwise : ok(fact));

async function controllerManager(client: Client): Promise<Answer> {
    const path = ["apis", "apps", "v1", "namespaces", "kube-system", "daemonsets", "cloud-controller-manager"];
    const set = await client.get("get daemonset cloud-controller-manager", path, WORKLOAD);
    const image = set?.spec.template.spec.containers[0]?.image;
    if (image !== undefined) return ok(image.split(":").at(-1) ?? image);
    return skipped(
        "not in the cluster; ACK managed clusters run it outside",
        "read its version on the console's Add-ons page, and set compatibility in the stack's configuration",
    );
}

async function syncController(client: Client): Promise<Answer> {
    if (!(await knowsBindings(client))) return ok("not installed: backends are those of the last run");
    const leader = await readLeader(client);
    if (leader?.holder !== undefined) return ok(`led by ${leader.holder}`);
    const everywhere = ["apis", API_GROUP, API_VERSION, BINDING_PLURAL];
    const bindings = await client.list("list servergroupbindings", everywhere, NAMED);
    if (bindings.length === 0) return ok("not running, and no Service uses it (sync is off)");
    return failure(`${bindings.length} bindings, and ${describeAbsence(leader)}`, restartRemedy(leader));
}

/** Facts that a stack configures where the cluster does not publish them, and their use. */
const NEEDED = {
    clusterId: "names and ownership marks",
    region: "every call, unless the environment or alicloud:region names it",
    vpcId: "NLBs, and comparing vSwitches",
    vswitches: "internal load balancers that name none",
    networkPlugin: "whether pods or nodes are backends",
} as const;

const SHOWN_OF_CLUSTER: readonly string[] = ["networkPlugin", "kubeProxyMode", "kubernetesVersion"];

/** Returns a check for each other fact that the cluster publishes, and for each needed fact that it does not. */
export function diagnoseFacts(discovery: Discovery): Check[] {
    const published = Object.entries(discovery).filter(([fact]) => !SHOWN_OF_CLUSTER.includes(fact));
    const missing = Object.entries(NEEDED).filter(([fact]) => discovery[fact as keyof typeof NEEDED] === undefined);
    const fact = (what: string, answer: Answer): Check => ({ area: "facts", what, ...answer });
    return [
        ...published.map(([what, value]) => fact(what, ok([value].flat().join(", ")))),
        ...missing.map(([what, use]) => {
            const remedy = what === "region" ? "set ALIBABA_CLOUD_REGION" : `pulumi config set ${what} …`;
            return fact(what, warning(`cannot be detected; it decides ${use}`, remedy));
        }),
    ];
}
