/** Service as plain JSON in a component's inputs: policies judge it without its program. */

import type { z } from "zod";
import { valueAt } from "../diagnostics";
import { mapping, texts } from "./shape";
import { legacyKeyOf, recognise, settingsToAnnotations } from "./annotations";
import type { Settings } from "../schema/settings";
import type { ClusterFacts } from "../schema/facts";
import type { KubernetesObject, Service, ServicePort } from "./service";
import { LOAD_BALANCER_CLASSES, type LoadBalancerType } from "../schema/load-balancer-type";
import { defined, unlessEmpty } from "../schema/defined";

/** Service, settings and cluster in short form. It changes only with the Service, its settings or the facts. */
export interface SerializedService {
    /** `namespace/name`. */
    readonly service: string;
    readonly clusterId: string;
    readonly loadBalancerType: LoadBalancerType;
    /** The default, `internet`, is filled in. */
    readonly addressType: "internet" | "intranet";
    readonly externalTrafficPolicy: "Cluster" | "Local";
    /** `TCP:80`, in the order of the Service. */
    readonly ports: readonly string[];
    readonly targetPorts: readonly (number | string)[];
    /** Node ports that the Service sets, by the port as in `ports`. */
    readonly nodePorts?: Readonly<Record<string, number>>;
    /** Settings from annotations and code. Defaults are not filled in. */
    readonly settings: Settings;
    readonly cluster: ClusterFacts;
    readonly loadBalancerClass?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly sourceRanges?: readonly string[];
    /** Name of the shared instance that the program has created. */
    readonly shared?: string;
    readonly protect?: boolean;
    readonly legacyKeys?: readonly string[];
    /** Names of the settings that were given in code. */
    readonly typed?: readonly string[];
}

interface SerializeOptions extends Pick<SerializedService, "protect" | "typed"> {
    readonly shared?: { readonly name: string; readonly addressType: "internet" | "intranet" };
}

export function serializeService(service: Service, facts: ClusterFacts, options: SerializeOptions = {}) {
    const { shared, protect, typed } = options;
    const field = <Value>(name: string, schema: z.ZodType<Value>): Value | undefined =>
        schema.safeParse(valueAt(service.object, ["metadata", name])).data;
    const { namespace, name, ports, settings, loadBalancerType, loadBalancerSourceRanges: ranges } = service;
    const legacyKeys = Object.keys(field("annotations", mapping()) ?? {}).filter((key) => {
        const recognised = recognise(key, loadBalancerType);
        return recognised.kind === "setting" && recognised.legacy;
    });
    const nodePorts = ports.flatMap((port) => (port.nodePort === undefined ? [] : [[textOf(port), port.nodePort]]));
    // edgeLink is an acknowledgement: giving it changes neither Service nor component.
    const { edgeLink: _, ...cluster } = facts;
    const serialized: SerializedService = {
        service: `${namespace}/${name}`,
        clusterId: facts.clusterId,
        loadBalancerType,
        addressType: shared?.addressType ?? settings.addressType ?? "internet",
        externalTrafficPolicy: service.externalTrafficPolicy,
        ports: ports.map(textOf),
        targetPorts: ports.map((port) => port.targetPort),
        nodePorts: unlessEmpty(Object.fromEntries(nodePorts)),
        settings,
        cluster,
        ...defined({ loadBalancerClass: service.loadBalancerClass, labels: field("labels", texts()) }),
        sourceRanges: unlessEmpty(ranges),
        ...defined({ shared: shared?.name, protect }),
        legacyKeys: unlessEmpty(legacyKeys),
        typed: unlessEmpty([...(typed ?? [])]),
    };
    // The engine drops undefined members and everything else that is not JSON.
    return JSON.parse(JSON.stringify(serialized)) as SerializedService;
}

const textOf = ({ protocol, port }: ServicePort): string => `${protocol}:${port}`;

/** Returns an equal Service object, in which settings given in code are annotations. */
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
            // A placeholder: the selector is not serialized.
            selector: { service: name },
            loadBalancerClass: serialized.loadBalancerClass ?? LOAD_BALANCER_CLASSES[serialized.loadBalancerType],
            ...defined({ loadBalancerSourceRanges: serialized.sourceRanges }),
            ports: serialized.ports.map((text, index) => {
                const [protocol = "", port] = text.split(":");
                return {
                    name: `${protocol.toLowerCase()}-${port}`,
                    protocol,
                    port: Number(port),
                    targetPort: serialized.targetPorts[index] ?? Number(port),
                    ...defined({ nodePort: serialized.nodePorts?.[text] }),
                };
            }),
        },
    };
}

const annotationsOf = ({ settings, legacyKeys = [], loadBalancerType }: SerializedService): Record<string, string> =>
    Object.fromEntries(
        Object.entries(settingsToAnnotations(settings)).map(([key, value]) => {
            const recognised = recognise(key, loadBalancerType);
            const legacy = recognised.kind === "setting" ? legacyKeyOf(recognised.row) : undefined;
            return [legacy !== undefined && legacyKeys.includes(legacy) ? legacy : key, value];
        }),
    );
