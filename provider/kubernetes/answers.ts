/** Schemas of the API server's answers: the fields that this package reads. Other fields are passed on. */

import { z } from "zod";
import { formatIssues } from "./service/shape";
import type {
    EndpointSliceObject,
    NamespaceObject,
    NodeObject,
    PodObject,
    ServerVersion,
    ServiceObject,
} from "./types";

const text = z.string().optional();
const texts = z.record(z.string(), z.string()).optional();

const metadata = z.looseObject({
    name: z.string(),
    namespace: text,
    uid: text,
    resourceVersion: text,
    deletionTimestamp: text,
    labels: texts,
    annotations: texts,
    finalizers: z.array(z.string()).optional(),
});

export const NAMESPACE: z.ZodType<NamespaceObject> = z.looseObject({ metadata });

const conditions = z.array(z.looseObject({ type: z.string(), status: z.string(), reason: text })).optional();

export const NODE: z.ZodType<NodeObject> = z.looseObject({
    metadata,
    spec: z
        .looseObject({
            providerID: text,
            unschedulable: z.boolean().optional(),
            taints: z.array(z.looseObject({ key: z.string(), value: text, effect: z.string() })).optional(),
        })
        .optional(),
    status: z
        .looseObject({
            conditions,
            addresses: z.array(z.looseObject({ type: z.string(), address: z.string() })).optional(),
        })
        .optional(),
});

const flag = z.boolean().nullish();

export const ENDPOINT_SLICE: z.ZodType<EndpointSliceObject> = z.looseObject({
    metadata,
    addressType: z.enum(["IPv4", "IPv6", "FQDN"]),
    endpoints: z
        .array(
            z.looseObject({
                addresses: z.array(z.string()),
                nodeName: text,
                conditions: z.looseObject({ ready: flag, serving: flag, terminating: flag }).optional(),
            }),
        )
        .nullish(),
    ports: z.array(z.looseObject({ name: text, port: z.number().optional(), protocol: text })).nullish(),
});

const container = z.looseObject({
    name: z.string(),
    restartPolicy: text,
    ports: z.array(z.looseObject({ name: text, containerPort: z.number(), protocol: text })).optional(),
});

export const POD: z.ZodType<PodObject> = z.looseObject({
    metadata,
    spec: z
        .looseObject({
            nodeName: text,
            hostNetwork: z.boolean().optional(),
            containers: z.array(container).optional(),
            initContainers: z.array(container).optional(),
        })
        .optional(),
    status: z
        .looseObject({
            phase: text,
            podIP: text,
            podIPs: z.array(z.looseObject({ ip: z.string() })).optional(),
            conditions,
        })
        .optional(),
});

const ingress = z.looseObject({ ip: text, hostname: text, ipMode: text });

export const SERVICE: z.ZodType<ServiceObject> = z.looseObject({
    metadata,
    spec: z
        .looseObject({
            type: text,
            clusterIP: text,
            selector: texts,
            ports: z
                .array(
                    z.looseObject({
                        name: text,
                        port: z.number(),
                        protocol: text,
                        targetPort: z.union([z.number(), z.string()]).optional(),
                        nodePort: z.number().optional(),
                    }),
                )
                .optional(),
            externalTrafficPolicy: text,
            loadBalancerClass: text,
            loadBalancerSourceRanges: z.array(z.string()).optional(),
        })
        .optional(),
    status: z
        .looseObject({ loadBalancer: z.looseObject({ ingress: z.array(ingress).optional() }).optional() })
        .optional(),
});

export const CONFIG_MAP = z.looseObject({ metadata, data: texts });

export const DAEMON_SET = z.looseObject({ metadata });

export const SERVER_VERSION: z.ZodType<ServerVersion> = z.looseObject({
    gitVersion: z.string(),
    major: z.string(),
    minor: z.string(),
});

/** Resources of a version of an API group. */
export const RESOURCES = z.looseObject({ resources: z.array(z.looseObject({ name: z.string() })) });

const newPage = <Item>(item: z.ZodType<Item>) =>
    z.looseObject({ metadata: z.looseObject({ continue: text }).optional(), items: z.array(item) });

/** Schemas of pages by item: to compile one takes longer than to read a page. */
const pages = new WeakMap<z.ZodType, unknown>();

/** Returns the schema of a page of a list. */
export function page<Item>(item: z.ZodType<Item>): ReturnType<typeof newPage<Item>> {
    const schema = (pages.get(item) as ReturnType<typeof newPage<Item>> | undefined) ?? newPage(item);
    pages.set(item, schema);
    return schema;
}

/** Describes why an answer does not have the shape of its object. */
export const describeMismatch = (error: z.ZodError): string =>
    `the answer is no such Kubernetes object: ${formatIssues(error)}`;
