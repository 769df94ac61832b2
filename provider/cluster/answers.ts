/** Schemas of the API server's answers: the fields that this package reads. Other fields are passed on. */

import { z } from "zod";
import { once } from "../schema/defined";
import { formatIssues } from "../service/shape";
import type { EndpointSliceObject, NamespaceObject, NodeObject, PodObject, ServiceObject } from "../service/objects";

const text = z.string().optional();
const texts = z.record(z.string(), z.string()).optional();
const flag = z.boolean().nullish();

const optional = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape).optional();
const list = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.looseObject(shape)).optional();

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

const conditions = list({ type: z.string(), status: z.string(), reason: text });

export const NAMESPACE: z.ZodType<NamespaceObject> = z.looseObject({ metadata });

export const NODE: z.ZodType<NodeObject> = z.looseObject({
    metadata,
    spec: optional({
        providerID: text,
        unschedulable: z.boolean().optional(),
        taints: list({ key: z.string(), value: text, effect: z.string() }),
    }),
    status: optional({ conditions, addresses: list({ type: z.string(), address: z.string() }) }),
});

export const ENDPOINT_SLICE: z.ZodType<EndpointSliceObject> = z.looseObject({
    metadata,
    addressType: z.enum(["IPv4", "IPv6", "FQDN"]),
    endpoints: list({
        addresses: z.array(z.string()),
        nodeName: text,
        conditions: optional({ ready: flag, serving: flag, terminating: flag }),
        targetRef: optional({ kind: text, name: text, uid: text }),
    }).nullable(),
    ports: list({ name: text, port: z.number().optional(), protocol: text }).nullable(),
});

const containers = list({
    name: z.string(),
    restartPolicy: text,
    ports: list({ name: text, containerPort: z.number(), protocol: text }),
});

export const POD: z.ZodType<PodObject> = z.looseObject({
    metadata,
    spec: optional({
        nodeName: text,
        hostNetwork: z.boolean().optional(),
        containers,
        initContainers: containers,
        readinessGates: list({ conditionType: z.string() }),
    }),
    status: optional({ phase: text, podIP: text, podIPs: list({ ip: z.string() }), conditions }),
});

export const SERVICE: z.ZodType<ServiceObject> = z.looseObject({
    metadata,
    spec: optional({
        type: text,
        clusterIP: text,
        selector: texts,
        ports: list({
            name: text,
            port: z.number(),
            protocol: text,
            targetPort: z.union([z.number(), z.string()]).optional(),
            nodePort: z.number().optional(),
        }),
        externalTrafficPolicy: text,
        loadBalancerClass: text,
        loadBalancerSourceRanges: z.array(z.string()).optional(),
    }),
    status: optional({ loadBalancer: optional({ ingress: list({ ip: text, hostname: text, ipMode: text }) }) }),
});

export const CONFIG_MAP = z.looseObject({ metadata, data: texts });

export const OBJECT = z.looseObject({ metadata });

/** Version of the server. `gitVersion` is, for instance, `v1.34.1`. */
export const SERVER_VERSION = z.looseObject({ gitVersion: z.string(), major: z.string(), minor: z.string() });

/** Resources of a version of an API group. */
export const RESOURCES = z.looseObject({ resources: z.array(z.looseObject({ name: z.string() })) });

const newPage = <Item>(item: z.ZodType<Item>) =>
    z.looseObject({
        metadata: z.looseObject({ continue: text, resourceVersion: text }).optional(),
        items: z.array(item),
    });

/** Schemas of pages by item. They are kept, because compiling a schema takes longer than reading a page. */
const pages = new WeakMap<z.ZodType, unknown>();

export const page = <Item>(item: z.ZodType<Item>) =>
    once(pages, item, () => newPage(item)) as ReturnType<typeof newPage<Item>>;

/** Describes why an answer does not have the shape of its object. */
export const describeMismatch = (error: z.ZodError): string =>
    `the answer is no such Kubernetes object: ${formatIssues(error)}`;
