/** The fields of a Service object other than its ports and annotations. */

import { isDnsLabel, type Finding } from "../../annotations";
import { isMapping, type FieldPath } from "../../diagnostics/path";

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

/** Reads the fields. What is wrong is added to the findings; `undefined` if the object has no recognisable shape. */
export function readFields(object: unknown, findings: Finding[]): ServiceFields | undefined {
    const refuse = (at: FieldPath, message: string, remedy: string): void => {
        findings.push({ code: "service-field", severity: "error", at, message, remedy });
    };
    if (!isMapping(object)) {
        refuse([], "expected a Service object", "give an object with metadata and spec");
        return undefined;
    }
    const mapping = (value: unknown, path: FieldPath): Record<string, unknown> => {
        if (isMapping(value)) return value;
        if (value !== undefined && value !== null) refuse(path, "must be a mapping", "write key: value lines");
        return {};
    };
    if (object["kind"] !== "Service")
        refuse(["kind"], `expected a Service, found ${JSON.stringify(object["kind"])}`, "set kind to Service");
    if (object["apiVersion"] !== "v1")
        refuse(["apiVersion"], `expected v1, found ${JSON.stringify(object["apiVersion"])}`, "set apiVersion to v1");
    const metadata = mapping(object["metadata"], ["metadata"]);
    const spec = mapping(object["spec"], ["spec"]);
    const text = (holder: Record<string, unknown>, path: FieldPath): string | undefined => {
        const value = holder[path.at(-1) as string];
        if (value === undefined || value === null || value === "") return undefined;
        if (typeof value === "string") return value;
        refuse(path, "must be a string", "quote it");
        return undefined;
    };
    const name = text(metadata, ["metadata", "name"]);
    if (name === undefined) refuse(["metadata", "name"], "the Service has no name", "add metadata.name");
    else if (!isDnsLabel(name) || /^[0-9]/.test(name))
        refuse(
            ["metadata", "name"],
            `"${name}" is not a Service name`,
            "write up to 63 lower-case letters, digits and hyphens, a letter first",
        );
    const namespace = text(metadata, ["metadata", "namespace"]) ?? "default";
    if (!isDnsLabel(namespace))
        refuse(
            ["metadata", "namespace"],
            `"${namespace}" is not a namespace`,
            "write up to 63 lower-case letters, digits and hyphens",
        );
    const uid = text(metadata, ["metadata", "uid"]);
    const policy = text(spec, ["spec", "externalTrafficPolicy"]) ?? "Cluster";
    if (policy !== "Cluster" && policy !== "Local")
        refuse(["spec", "externalTrafficPolicy"], `"${policy}" is not a traffic policy`, "write Cluster or Local");
    const type = text(spec, ["spec", "type"]) ?? "ClusterIP";
    if (!["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"].includes(type))
        refuse(["spec", "type"], `"${type}" is not a type of Service`, "write LoadBalancer");
    const loadBalancerClass = text(spec, ["spec", "loadBalancerClass"]);
    return {
        namespace,
        name: name ?? "",
        ...(uid === undefined ? {} : { uid }),
        annotations: mapping(metadata["annotations"], ["metadata", "annotations"]),
        type,
        selector: readSelector(spec["selector"], refuse),
        ports: spec["ports"] ?? undefined,
        portsRequired: type !== "ExternalName" && spec["clusterIP"] !== "None",
        nodePortsAssigned: spec["allocateLoadBalancerNodePorts"] !== false,
        externalTrafficPolicy: policy === "Local" ? "Local" : "Cluster",
        ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
        loadBalancerSourceRanges: readSourceRanges(spec["loadBalancerSourceRanges"], findings),
    };
}

function readSelector(
    value: unknown,
    refuse: (at: FieldPath, message: string, remedy: string) => void,
): Record<string, string> | undefined {
    if (value === undefined || value === null) return {};
    if (!isMapping(value)) {
        refuse(["spec", "selector"], "must be a mapping", "write the labels of the pods as key: value lines");
        return undefined;
    }
    let good = true;
    for (const [key, label] of Object.entries(value)) {
        if (typeof label === "string") continue;
        good = false;
        refuse(["spec", "selector", key], "must be a string", `quote it: "${String(label)}"`);
    }
    return good ? (value as Record<string, string>) : undefined;
}

function readSourceRanges(value: unknown, findings: Finding[]): string[] {
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return [];
    const at: FieldPath = ["spec", "loadBalancerSourceRanges"];
    if (!Array.isArray(value) || !value.every((range) => typeof range === "string")) {
        findings.push({
            code: "service-field",
            severity: "error",
            at,
            message: "must be a list of address ranges",
            remedy: `write a list such as ["10.0.0.0/8"]`,
        });
        return [];
    }
    return value.map((range: string) => range.trim());
}
