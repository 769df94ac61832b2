/** The fields of a Service object other than its ports and annotations. */

import { isDnsLabel } from "../../annotations";
import { type Collector, type FieldPath, isMapping } from "../../diagnostics";

/** What a Service object says, as far as it could be read. */
export interface ServiceFields {
    readonly namespace: string;
    readonly name: string;
    readonly uid?: string;
    readonly annotations: Readonly<Record<string, unknown>>;
    readonly type: string;
    /** `undefined` if it is there but not a mapping of strings. */
    readonly selector: Readonly<Record<string, string>> | undefined;
    /** As it was given. */
    readonly ports: unknown;
    /** Kubernetes demands ports of every Service that is neither headless nor an ExternalName. */
    readonly portsRequired: boolean;
    /** False if Kubernetes was told to assign no node ports. */
    readonly nodePortsAssigned: boolean;
    readonly externalTrafficPolicy: "Cluster" | "Local";
    readonly loadBalancerClass?: string;
    readonly loadBalancerSourceRanges: readonly string[];
}

/** Reads the fields. What is wrong is reported; `undefined` if the object has no recognisable shape. */
export function readFields(object: unknown, report: Collector): ServiceFields | undefined {
    if (!isMapping(object)) {
        report.error([], "expected a Service object", "give an object with metadata and spec");
        return undefined;
    }
    const mapping = (value: unknown, path: FieldPath): Record<string, unknown> => {
        if (isMapping(value)) return value;
        if (value !== undefined && value !== null) report.error(path, "must be a mapping", "write key: value lines");
        return {};
    };
    if (object["kind"] !== "Service")
        report.error(["kind"], `expected a Service, found ${JSON.stringify(object["kind"])}`, "set kind to Service");
    if (object["apiVersion"] !== "v1")
        report.error(
            ["apiVersion"],
            `expected v1, found ${JSON.stringify(object["apiVersion"])}`,
            "set apiVersion to v1",
        );
    const metadata = mapping(object["metadata"], ["metadata"]);
    const spec = mapping(object["spec"], ["spec"]);
    const text = (holder: Record<string, unknown>, path: FieldPath): string | undefined => {
        const value = holder[path.at(-1) as string];
        if (value === undefined || value === null || value === "") return undefined;
        if (typeof value === "string") return value;
        report.error(path, "must be a string", "quote it");
        return undefined;
    };
    const name = text(metadata, ["metadata", "name"]);
    if (name === undefined) report.error(["metadata", "name"], "the Service has no name", "add metadata.name");
    else if (!isDnsLabel(name) || /^[0-9]/.test(name))
        report.error(
            ["metadata", "name"],
            `"${name}" is not a Service name`,
            "write up to 63 lower-case letters, digits and hyphens, a letter first",
        );
    const namespace = text(metadata, ["metadata", "namespace"]) ?? "default";
    if (!isDnsLabel(namespace))
        report.error(
            ["metadata", "namespace"],
            `"${namespace}" is not a namespace`,
            "write up to 63 lower-case letters, digits and hyphens",
        );
    const uid = text(metadata, ["metadata", "uid"]);
    const policy = text(spec, ["spec", "externalTrafficPolicy"]) ?? "Cluster";
    if (policy !== "Cluster" && policy !== "Local")
        report.error(
            ["spec", "externalTrafficPolicy"],
            `"${policy}" is not a traffic policy`,
            "write Cluster or Local",
        );
    const type = text(spec, ["spec", "type"]) ?? "ClusterIP";
    if (!["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"].includes(type))
        report.error(["spec", "type"], `"${type}" is not a type of Service`, "write LoadBalancer");
    const loadBalancerClass = text(spec, ["spec", "loadBalancerClass"]);
    return {
        namespace,
        name: name ?? "",
        ...(uid === undefined ? {} : { uid }),
        annotations: mapping(metadata["annotations"], ["metadata", "annotations"]),
        type,
        selector: readSelector(spec["selector"], report),
        ports: spec["ports"] ?? undefined,
        portsRequired: type !== "ExternalName" && spec["clusterIP"] !== "None",
        nodePortsAssigned: spec["allocateLoadBalancerNodePorts"] !== false,
        externalTrafficPolicy: policy === "Local" ? "Local" : "Cluster",
        ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
        loadBalancerSourceRanges: readSourceRanges(spec["loadBalancerSourceRanges"], report),
    };
}

function readSelector(value: unknown, report: Collector): Record<string, string> | undefined {
    if (value === undefined || value === null) return {};
    if (!isMapping(value)) {
        report.error(["spec", "selector"], "must be a mapping", "write the labels of the pods as key: value lines");
        return undefined;
    }
    let good = true;
    for (const [key, label] of Object.entries(value)) {
        if (typeof label === "string") continue;
        good = false;
        report.error(["spec", "selector", key], "must be a string", `quote it: "${String(label)}"`);
    }
    return good ? (value as Record<string, string>) : undefined;
}

function readSourceRanges(value: unknown, report: Collector): string[] {
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return [];
    const at: FieldPath = ["spec", "loadBalancerSourceRanges"];
    if (!Array.isArray(value) || !value.every((range) => typeof range === "string")) {
        report.error(at, "must be a list of address ranges", `write a list such as ["10.0.0.0/8"]`);
        return [];
    }
    return value.map((range: string) => range.trim());
}
