/** A Service as plain data in a component's inputs, so that policies can judge it without its program: plain JSON, no clients, no objects of the program. */

import type { z } from "zod";
import { valueAt } from "../../diagnostics";
import { mapping, texts } from "./shape";
import { legacyKeyOf, recognise, settingsToAnnotations } from "../../annotations";
import type { Settings } from "../../schema/settings";
import type { ClusterFacts } from "../../schema/facts";
import type { KubernetesObject, Service, ServicePort } from "./service";
import { LOAD_BALANCER_CLASSES, type LoadBalancerType } from "../../schema/load-balancer-type";
import { defined } from "../../schema/defined";

/** A Service, its settings and its cluster in few words. Nothing in it changes unless the Service, its settings or what is known of the cluster do. */
export interface SerializedService {
    /** `namespace/name`. */
    readonly service: string;
    readonly clusterId: string;
    readonly loadBalancerType: LoadBalancerType;
    /** The default, `internet`, is written out. */
    readonly addressType: "internet" | "intranet";
    readonly externalTrafficPolicy: "Cluster" | "Local";
    /** `TCP:80`, in the order of the Service. */
    readonly ports: readonly string[];
    /** The targetPort of each of `ports`. */
    readonly targetPorts: readonly (number | string)[];
    /** Node ports that the Service names, by the port as in `ports`. */
    readonly nodePorts?: Readonly<Record<string, number>>;
    /** From annotations and code; defaults are not filled in. */
    readonly settings: Settings;
    /** What is known of the cluster. */
    readonly cluster: ClusterFacts;
    readonly loadBalancerClass?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly sourceRanges?: readonly string[];
    /** Name of an instance that the program has made for several Services. */
    readonly shared?: string;
    /** Whether Pulumi refuses to delete Service and instance. */
    readonly protect?: boolean;
    /** Annotations with their legacy key. */
    readonly legacyKeys?: readonly string[];
}

/** What a program gives for a Service beside its settings. */
export interface SerializeOptions {
    readonly shared?: { readonly name: string; readonly addressType: "internet" | "intranet" };
    readonly protect?: boolean;
}

/** Serializes a Service. */
export function serializeService(
    service: Service,
    facts: ClusterFacts,
    { shared, protect }: SerializeOptions = {},
): SerializedService {
    const field = <Value>(name: string, schema: z.ZodType<Value>): Value | undefined =>
        schema.safeParse(valueAt(service.object, ["metadata", name])).data;
    const labels = field("labels", texts());
    const legacyKeys = Object.keys(field("annotations", mapping()) ?? {}).filter((key) =>
        isLegacy(key, service.loadBalancerType),
    );
    const nodePorts = service.ports.flatMap((port) =>
        port.nodePort === undefined ? [] : [[textOf(port), port.nodePort] as const],
    );
    // An acknowledgement changes nothing of the Service, so that giving it is no change of the component either.
    const { edgeLink: _, ...settled } = facts;
    const serialized: SerializedService = {
        service: `${service.namespace}/${service.name}`,
        clusterId: facts.clusterId,
        loadBalancerType: service.loadBalancerType,
        addressType: shared?.addressType ?? service.settings.addressType ?? "internet",
        externalTrafficPolicy: service.externalTrafficPolicy,
        ports: service.ports.map(textOf),
        targetPorts: service.ports.map((port) => port.targetPort),
        ...(nodePorts.length === 0 ? {} : { nodePorts: Object.fromEntries(nodePorts) }),
        settings: service.settings,
        cluster: settled,
        ...defined({ loadBalancerClass: service.loadBalancerClass, labels }),
        ...(service.loadBalancerSourceRanges.length === 0 ? {} : { sourceRanges: service.loadBalancerSourceRanges }),
        ...defined({ shared: shared?.name, protect }),
        ...(legacyKeys.length === 0 ? {} : { legacyKeys }),
    };
    // Undefined members and whatever else is no JSON would not survive the engine.
    return JSON.parse(JSON.stringify(serialized)) as SerializedService;
}

const textOf = ({ protocol, port }: ServicePort): string => `${protocol}:${port}`;

/** A Service object equal to the serialized one. Settings given in code are annotations of it. */
export function deserializeService(serialized: SerializedService): KubernetesObject {
    const [namespace = "", name = ""] = serialized.service.split("/");
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: {
            namespace,
            name,
            ...defined({ labels: serialized.labels }),
            annotations: annotationsOf(serialized),
        },
        spec: {
            type: "LoadBalancer",
            externalTrafficPolicy: serialized.externalTrafficPolicy,
            // What it selects is not serialized, only that there is something.
            selector: { service: name },
            loadBalancerClass: serialized.loadBalancerClass ?? LOAD_BALANCER_CLASSES[serialized.loadBalancerType],
            ...defined({ loadBalancerSourceRanges: serialized.sourceRanges }),
            ports: serialized.ports.map((text, index) => {
                const [protocol = "", port] = text.split(":");
                const nodePort = serialized.nodePorts?.[text];
                return {
                    name: `${protocol.toLowerCase()}-${port}`,
                    protocol,
                    port: Number(port),
                    targetPort: serialized.targetPorts[index] ?? Number(port),
                    ...defined({ nodePort }),
                };
            }),
        },
    };
}

function annotationsOf(serialized: SerializedService): Record<string, string> {
    const legacy = new Set(serialized.legacyKeys);
    return Object.fromEntries(
        Object.entries(settingsToAnnotations(serialized.settings)).map(([key, value]) => {
            const recognised = recognise(key, serialized.loadBalancerType);
            const old = recognised.kind === "setting" ? legacyKeyOf(recognised.row) : undefined;
            return [old !== undefined && legacy.has(old) ? old : key, value];
        }),
    );
}

function isLegacy(key: string, type: LoadBalancerType): boolean {
    const recognised = recognise(key, type);
    return recognised.kind === "setting" && recognised.legacy;
}
