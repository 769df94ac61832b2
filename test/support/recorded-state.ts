/** States of stacks as versions of the package have written them, without what differs between two clusters. */
import type { Session } from "../../lab";
import { REPOSITORY } from "../../lab";
import { defaultLoadBalancerName } from "../../provider/schema/names";
import { stateOf } from "./world";

/** Fields of an exported state that tests look at. */
export interface ExportedState {
    readonly deployment: {
        secrets_providers?: unknown;
        readonly resources: readonly { readonly urn: string; readonly type: string }[];
    };
}

/** Ids, addresses and ports of a lab, each with a name that it has in every lab. */
export type Names = Readonly<Record<string, string>>;

interface Service {
    readonly metadata: { readonly name: string; readonly uid: string };
    readonly spec: {
        readonly clusterIP: string;
        readonly healthCheckNodePort?: number;
        readonly ports: readonly { readonly name: string; readonly nodePort: number }[];
    };
}

interface Node {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly providerID: string };
    readonly status: { readonly addresses: readonly { readonly type: string; readonly address: string }[] };
}

/** The names of a lab, once a stack is there. */
export async function namesOf(session: Session): Promise<Names> {
    const { cluster, dir, cloudUrl } = session.lab;
    const { items: services } = await cluster.get<{ items: Service[] }>("/api/v1/namespaces/default/services");
    const { items: nodes } = await cluster.get<{ items: Node[] }>("/api/v1/nodes");
    const system = await cluster.get<{ metadata: { uid: string } }>("/api/v1/namespaces/kube-system");
    const names: Record<string, string> = {
        "cluster uid": system.metadata.uid,
        "cloud port": new URL(cloudUrl).port,
        "lab folder": dir,
        repository: REPOSITORY,
    };
    for (const { metadata, spec } of services.filter(({ metadata: { name } }) => name !== "kubernetes")) {
        names[`${metadata.name} uid`] = metadata.uid;
        names[`${metadata.name} load balancer`] = defaultLoadBalancerName(metadata.uid);
        names[`${metadata.name} clusterIP`] = spec.clusterIP;
        if (spec.healthCheckNodePort !== undefined)
            names[`${metadata.name} healthCheckNodePort`] = String(spec.healthCheckNodePort);
        for (const { name, nodePort } of spec.ports) names[`${metadata.name} nodePort ${name}`] = String(nodePort);
    }
    for (const { metadata, spec, status } of nodes) {
        names[`${metadata.name} instance`] = spec.providerID.replace(/^[^.]*\./, "");
        names[`${metadata.name} address`] = status.addresses.find(({ type }) => type === "InternalIP")?.address ?? "";
    }
    return { ...names, ...(await idsOf(session, names)) };
}

/** Ids and addresses in the cloud, by the name of their object. */
async function idsOf(session: Session, known: Names): Promise<Names> {
    const { slb, nlb, ecs } = await stateOf(session);
    const objects: readonly (readonly [kind: string, objects: readonly object[]])[] = [
        ["clb", slb.loadBalancers],
        ["vServer group", slb.vServerGroups],
        ["acl", slb.acls],
        ["domain", slb.domainExtensions],
        ["nlb", nlb.loadBalancers],
        ["server group", nlb.serverGroups],
        ["listener", nlb.listeners],
        ["security group", ecs.securityGroups],
    ];
    return Object.fromEntries(
        objects.flatMap(([kind, of]) =>
            of.flatMap((object) => {
                const { name, description, domain } = object as Readonly<Record<string, string>>;
                const label = scrub(`${kind} ${name ?? description ?? domain}`, known).replaceAll(/[{}]/g, "");
                return leaves(object)
                    .filter(
                        ([path, value]) =>
                            /(?:^|\.)(?:id|address|dnsName|\w+Address|allocationId|eniId)$/.test(path) && value !== "",
                    )
                    .map(([path, value]) => [`${label} ${path}`, value]);
            }),
        ),
    );
}

function leaves(value: unknown, path = ""): [path: string, value: string][] {
    if (typeof value === "string") return [[path, value]];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, member]) => leaves(member, path === "" ? key : `${path}.${key}`));
}

const token = (name: string): string => `{{${name}}}`;

/** Replaces this lab's values in a text by names, longer values first, for a value can be part of another. */
function scrub(text: string, names: Names): string {
    return Object.entries(names)
        .filter(([, value]) => value !== "")
        .sort(([, one], [, other]) => other.length - one.length)
        .reduce((whole, [name, value]) => whole.replaceAll(value, token(name)), text);
}

/**
 * Fields about the position of resources in a program's source, and about encryption, of no interest to another lab.
 */
const LEFT_OUT = new Set(["sourcePosition", "stackTrace", "secrets_providers"]);

/** An exported state as it is recorded. */
export function record(exported: string, names: Names): string {
    const kept = JSON.stringify(
        JSON.parse(exported),
        (key, value: unknown) => (LEFT_OUT.has(key) ? undefined : value),
        1,
    );
    return `${scrub(kept, names)}\n`;
}

/** The reverse. @throws Error if the text has a name that this lab does not know */
export function fill(text: string, names: Names): string {
    return text.replaceAll(/\{\{([^{}]+)\}\}/g, (_whole, name: string) => {
        const value = names[name];
        if (value === undefined) throw new Error(`the recorded state names "${name}", which this lab does not have`);
        return value;
    });
}
