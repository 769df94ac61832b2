/** Fields of a Service object: their reader, and the names that Kubernetes knows. */
import { didYouMean } from "./annotations/closest";
import { ANY, unknownNames } from "./annotations/unknown-names";
import { isDnsLabel } from "./annotations";
import { z } from "zod";
import { type Collector, type FieldPath, isMapping, valueAt } from "../diagnostics";
import { accepted, fieldReader, mapping, TEXT, texts, type Written } from "./shape";
import { defined } from "../schema/defined";
import type { ClusterFacts } from "../schema/facts";
import { adviseOnFields, checkEnumerations, checkFirstDigit, remedyOfField, SPEC_FIELDS } from "./spec-fields";

/** Fields that a Service has as its object has them. */
export interface CommonFields {
    readonly object: Readonly<Record<string, unknown>>;
    readonly namespace: string;
    readonly name: string;
    readonly uid?: string;
    readonly externalTrafficPolicy: "Cluster" | "Local";
    readonly loadBalancerClass?: string;
    readonly loadBalancerSourceRanges: readonly string[];
}

/** Fields of a Service object, except for its ports and annotations, as far as they could be read. */
export interface ServiceFields extends CommonFields {
    readonly labels: Readonly<Record<string, string>>;
    readonly finalizers: readonly string[];
    readonly annotations: Readonly<Record<string, unknown>>;
    readonly type: string;
    /** Undefined if it is present but not a mapping of strings. */
    readonly selector: Readonly<Record<string, string>> | undefined;
    readonly ports: unknown;
    /** True if Kubernetes requires ports: of Services that are neither headless nor an ExternalName. */
    readonly portsRequired: boolean;
    readonly nodePortsAssigned: boolean;
}

const constant = (field: string, expected: string, article = "") =>
    accepted<string>(
        (value) => value === expected,
        (value) => `expected ${article}${expected}, found ${JSON.stringify(value)}`,
        `set ${field} to ${expected}`,
    );

const KIND = constant("kind", "Service", "a ");
const API_VERSION = constant("apiVersion", "v1");

const FINALIZERS = accepted<unknown[]>(Array.isArray, "must be a list of strings", 'write a list such as ["…"]').pipe(
    z.array(TEXT),
);

const SELECTOR = texts("write the labels of the pods as key: value lines");

const SOURCE_RANGES = accepted<string[]>(
    (value) => Array.isArray(value) && value.every((range) => typeof range === "string"),
    "must be a list of address ranges",
    `write a list such as ["10.0.0.0/8"]`,
);

export const SERVICE_TYPES: readonly string[] = ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"];
const NAME = "write up to 63 lower-case letters, digits and hyphens";

/** Reads the fields and reports their problems, or returns undefined if the object is no mapping. */
export function readFields(
    object: unknown,
    facts: ClusterFacts,
    report: Collector,
    written: Written,
): ServiceFields | undefined {
    if (!isMapping(object)) {
        report.error([], "expected a Service object", "give an object with metadata and spec");
        return undefined;
    }
    const read = fieldReader(object, report, written);
    const text = (...path: FieldPath): string | undefined => read(path, TEXT.nullish(), undefined) || undefined;
    read(["kind"], KIND, "");
    read(["apiVersion"], API_VERSION, "");
    read(["metadata"], mapping().nullish(), {});
    const spec: Record<string, unknown> = read(["spec"], mapping().nullish(), {}) ?? {};
    const name = text("metadata", "name");
    const isNamed = (valueAt(object, ["metadata", "name"]) ?? "") !== "";
    const namespace = text("metadata", "namespace") ?? "default";
    checkNames({ name, isNamed, namespace }, facts, report);
    const uid = text("metadata", "uid");
    const policy = text("spec", "externalTrafficPolicy") ?? "Cluster";
    if (policy !== "Cluster" && policy !== "Local") {
        const cause = `"${policy}" is not a traffic policy`;
        report.error(["spec", "externalTrafficPolicy"], cause, "write Cluster or Local");
    }
    const type = text("spec", "type") ?? "ClusterIP";
    if (type === "LoadBalancer" && spec["clusterIP"] === "None") {
        const cause = 'it is "None", but a Service of type LoadBalancer has an address in the cluster';
        report.error(["spec", "clusterIP"], cause, "remove clusterIP");
    }
    if (!SERVICE_TYPES.includes(type))
        report.error(["spec", "type"], `"${type}" is not a type of Service`, "write LoadBalancer");
    checkEnumerations(spec, facts, report);
    if (type === "LoadBalancer") adviseOnFields(spec, uid !== undefined, report);
    const loadBalancerClass = text("spec", "loadBalancerClass");
    const isSelectorUnset = spec["selector"] === undefined || spec["selector"] === null;
    return {
        object,
        namespace,
        name: name ?? "",
        ...defined({ uid }),
        labels: read(["metadata", "labels"], texts().nullish(), {}) ?? {},
        finalizers: read(["metadata", "finalizers"], FINALIZERS.nullish(), []) ?? [],
        annotations: read(["metadata", "annotations"], mapping().nullish(), {}) ?? {},
        type,
        selector: isSelectorUnset ? {} : read(["spec", "selector"], SELECTOR, undefined),
        ports: spec["ports"] ?? undefined,
        portsRequired: type !== "ExternalName" && spec["clusterIP"] !== "None",
        nodePortsAssigned: spec["allocateLoadBalancerNodePorts"] !== false,
        externalTrafficPolicy: policy === "Local" ? "Local" : "Cluster",
        ...defined({ loadBalancerClass }),
        loadBalancerSourceRanges: (read(["spec", "loadBalancerSourceRanges"], SOURCE_RANGES.nullish(), []) ?? []).map(
            (range) => range.trim(),
        ),
    };
}

interface Names {
    /** Undefined if it is no text. */
    readonly name: string | undefined;
    readonly isNamed: boolean;
    readonly namespace: string;
}

function checkNames({ name, isNamed, namespace }: Names, facts: ClusterFacts, report: Collector): void {
    if (!isNamed) report.error(["metadata", "name"], "the Service has no name", "add metadata.name");
    else if (name !== undefined && !isDnsLabel(name))
        report.error(["metadata", "name"], `"${name}" is not a Service name`, NAME);
    else checkFirstDigit(name ?? "", facts, report);
    if (!isDnsLabel(namespace)) report.error(["metadata", "namespace"], `"${namespace}" is not a namespace`, NAME);
}

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** Returns fields with any value. @param names separated by blanks */
const anyOf = <const Names extends string>(names: Names) =>
    Object.fromEntries(names.split(" ").map((name) => [name, ANY])) as Record<Words<Names>, typeof ANY>;

type SpecNames = Record<keyof typeof SPEC_FIELDS, typeof ANY>;

/**
 * Fields of a Service, v1. Those of a list are the fields of its entries. A test compares them with the newest client.
 * Source: Kubernetes API reference, Service v1 core.
 */
export const SERVICE_FIELDS = {
    apiVersion: ANY,
    kind: ANY,
    metadata: {
        ...anyOf("annotations creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generateName"),
        ...anyOf("generation labels managedFields name namespace ownerReferences resourceVersion selfLink uid"),
    },
    spec: {
        ...(Object.fromEntries(Object.keys(SPEC_FIELDS).map((name) => [name, ANY])) as SpecNames),
        ports: anyOf("appProtocol name nodePort port protocol targetPort"),
        sessionAffinityConfig: { clientIP: anyOf("timeoutSeconds") },
    },
    status: ANY,
};

/**
 * Reports every unknown field and the most similar known field, because the API server drops a misspelt field silently.
 */
export function refuseUnknownFields(object: unknown, report: Collector): void {
    for (const { path, nearest } of unknownNames(object, SERVICE_FIELDS)) {
        const idle = path.length === 2 && path[0] === "spec" ? remedyOfField(nearest ?? "") : undefined;
        const remedy = idle ?? didYouMean(nearest, "remove it; kubectl explain service lists the fields");
        report.error(path, "Kubernetes has no such field: it would have no effect", remedy, { part: "key" });
    }
}

const CREATOR = "pulumi-kubernetes";

const MANAGED_FIELDS = z.looseObject({
    manager: z.string(),
    operation: z.string(),
    subresource: z.string().optional(),
});

const OUTPUTS = z.looseObject({
    __fieldManager: z.string(),
    metadata: z.looseObject({
        namespace: z.string(),
        name: z.string(),
        resourceVersion: z.string(),
        managedFields: z.array(MANAGED_FIELDS),
    }),
});

/**
 * Returns the merge patch that hands over the fields of a Service after its creation, or undefined if there is nothing
 * to hand over, or the plugin's name for updates is unknown.
 *
 * @param outputs of the resource `kubernetes:core/v1:Service`.
 */
export function ownershipPatch(outputs: unknown) {
    const read = OUTPUTS.safeParse(outputs);
    if (!read.success) return undefined;
    const { __fieldManager: manager, metadata } = read.data;
    const { namespace, name, resourceVersion, managedFields: entries } = metadata;
    if (!entries.some(isCreation) || entries.some(({ operation }) => operation === "Apply")) return undefined;
    const managedFields = entries.map((entry) =>
        isCreation(entry) ? { ...entry, manager, operation: "Apply" } : entry,
    );
    return { namespace, name, patch: { metadata: { resourceVersion, managedFields } } };
}

const isCreation = ({ manager, operation, subresource }: z.output<typeof MANAGED_FIELDS>): boolean =>
    manager === CREATOR && operation === "Update" && subresource === undefined;
