/**
 * State that the controller leaves for a Service in the cloud and on the Service: the recorded calls, applied to
 * another Service of the same shape.
 */
import type { Seed, SeedCall } from "../../lab/cloud";
import type { ServiceObject } from "../../provider/service/objects";
import { defaultLoadBalancerName } from "../../provider/schema/names";
import type { Case, RecordedCall } from "./case";
import { aclsOf, certificatesOf } from "./cloud";
import { nlbFootprint } from "./nlb/footprint";

/** Service in the cluster that replaces the recorded Service. */
export interface LivingService {
    readonly name: string;
    readonly uid: string;
    /** In the order of the recorded Service's ports. */
    readonly nodePorts: readonly number[];
}

/** Objects that the controller has left. */
export interface Footprint {
    readonly seed: Seed;
    readonly loadBalancerId: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly finalizers: readonly string[];
}

/** A case in another place: ids of its VPC and vSwitches, of its cluster and addresses, by those of the recording. */
export function relocated(recorded: Case, ids: Readonly<Record<string, string>>): Case {
    const names = Object.keys(ids).map((id) => id.replaceAll(".", "\\."));
    const any = new RegExp(`(?<![\\w-])(${names.join("|")})(?![\\w-])`, "g");
    return JSON.parse(JSON.stringify(recorded).replace(any, (id) => ids[id] ?? id)) as Case;
}

/** The recorded Service under another name, for a cluster that chooses UID and nodePorts itself. */
export function livingService(recorded: Case, name: string): ServiceObject {
    const { metadata, spec, ...rest } = serviceOf(recorded);
    const { uid: _, ...own } = metadata;
    return {
        ...rest,
        metadata: { ...own, name },
        spec: {
            ...spec,
            ports: (spec?.ports ?? []).map(({ nodePort: __, ...port }, index) => ({ name: `port-${index}`, ...port })),
        },
    };
}

/** The footprint of the first step of a case, as it would be for a living Service. */
export function footprint(recorded: Case, living: LivingService): Footprint {
    const { expect } = recorded.steps[0] ?? fail(recorded);
    const rename = renaming(recorded, living);
    const left = {
        labels: rename(expect.serviceLabels ?? {}) as Record<string, string>,
        finalizers: expect.finalizers ?? [],
    };
    if (recorded.controller === "nlb") {
        const id = left.labels["service.k8s.alibaba/loadbalancer-id"] ?? "";
        return { seed: nlbFootprint(recorded, rename), loadBalancerId: id, ...left };
    }
    const calls = (expect.mutations ?? []).map((call) => seedCall(rename(call) as RecordedCall));
    const [loadBalancer] = expect.cloud.loadBalancers;
    const id = String(rename(loadBalancer?.ref ?? ""));
    return {
        seed: {
            certificates: certificatesOf(recorded),
            calls: [...aclsOf(recorded), ...calls],
            loadBalancers: { [id]: { tags: rename(loadBalancer?.tags ?? {}) as Record<string, string> } },
        },
        loadBalancerId: id,
        ...left,
    };
}

function serviceOf(recorded: Case): ServiceObject {
    return recorded.steps[0]?.service ?? fail(recorded);
}

function fail({ id }: Case): never {
    throw new Error(`case ${id} does not begin with a Service`);
}

/** Replaces names, ids and ports of the recorded Service by those of the Service in the cluster. */
function renaming(recorded: Case, living: LivingService): (value: unknown) => unknown {
    const { metadata, spec } = serviceOf(recorded);
    const ports = new Map((spec?.ports ?? []).map(({ nodePort }, index) => [nodePort, living.nodePorts[index]]));
    const nlb = recorded.controller === "nlb";
    const ids: Readonly<Record<string, (number: string) => string>> = {
        lb: () => `${nlb ? "nlb" : "lb"}-${living.name}`,
        sg: (number) => `${nlb ? "sgp" : "rsp"}-${living.name}-${number}`,
        lsn: (number) => `lsn-${living.name}@${number}`,
        secg: () => `sg-${living.name}`,
    };
    const text = (value: string): string =>
        value
            .replaceAll(defaultLoadBalancerName(metadata.uid ?? ""), defaultLoadBalancerName(living.uid))
            .replace(/^(lb|sg|lsn|secg)#(\d+)$/, (_, kind: string, number: string) => ids[kind]?.(number) ?? kind)
            .replace(
                new RegExp(`^k8s\\.(\\w+)\\.(\\w+)\\.${metadata.name}\\.`),
                (_, port: string, protocol: string) =>
                    `k8s.${ports.get(Number(port)) ?? port}.${protocol}.${living.name}.`,
            )
            .replace(
                new RegExp(`^k8s/(\\w+)/${metadata.name}/`),
                (_, port: string) => `k8s/${ports.get(Number(port)) ?? port}/${living.name}/`,
            )
            .replace(
                new RegExp(`^k8s\\.(\\w+)\\.${metadata.name}\\.`),
                (_, namespace: string) => `k8s.${namespace}.${living.name}.`,
            );
    const rename = (value: unknown): unknown => {
        if (typeof value === "string") return text(value);
        if (Array.isArray(value)) return value.map(rename);
        if (typeof value !== "object" || value === null) return value;
        return Object.fromEntries(
            Object.entries(value).map(([key, part]) => [
                key,
                key === "port" || /(^|\.)Port$/.test(key) ? (ports.get(Number(part)) ?? part) : rename(part),
            ]),
        );
    };
    return rename;
}

/**
 * Converts a recorded call for the simulated cloud: tags are set separately, tokens are removed, and a parameter with
 * another wire name gets it.
 */
function seedCall({ action, on, params }: RecordedCall): SeedCall {
    const { Tags: _, ClientToken: __, BackendServers: backends, ...rest } = params;
    const creates = action === "CreateLoadBalancer" || action === "CreateVServerGroup";
    const sent = Object.entries(rest as Record<string, string>).map(([name, value]) => [
        /Create.*(TCP|UDP)Listener/.test(action) && name === "HealthCheckInterval" ? "healthCheckInterval" : name,
        value,
    ]);
    return {
        action,
        ...(creates ? { id: on } : {}),
        params: {
            ...Object.fromEntries(sent),
            ...(backends === undefined
                ? {}
                : { BackendServers: JSON.stringify((backends as object[]).map(capitalised)) }),
        },
    };
}

/** Fields of a member as the API spells them. */
function capitalised(member: object): object {
    return Object.fromEntries(
        Object.entries(member).map(([key, value]) => [key.charAt(0).toUpperCase() + key.slice(1), value]),
    );
}
