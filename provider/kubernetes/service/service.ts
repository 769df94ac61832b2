/** A Service as the rest of the package sees it: typed, checked, with its settings. */

import { applyRules, mergeSettings, readAnnotations, readTypedSettings, recognise } from "../../annotations";
import { listenerProtocolOf } from "../../schema/protocols";
import type { SettingName, Settings } from "../../schema/settings";
import { clbDocument, notesDocument } from "../../schema/documents";
import {
    collector,
    type Diagnostic,
    diagnostic,
    type FieldPath,
    inFileOrder,
    isError,
    locate,
} from "../../diagnostics";
import type { ServiceDocument } from "../manifests";
import { checkClass, checkController, chosenType, otherController } from "./class";
import { withoutOwnMark } from "./ccm-marks";
import { checkFacts } from "./check-facts";
import type { ClusterFacts } from "../../schema/facts";
import { readFields } from "./fields";
import { refuseUnknownFields } from "./known-fields";
import { checkPorts, readPorts, type ServicePort } from "./ports";
import { checkNlbSourceRanges, checkSourceRanges } from "./source-ranges";
import { type LoadBalancerType, typeOfClass } from "../../schema/load-balancer-type";
import { defined } from "../../schema/defined";

export type { ServicePort } from "./ports";

/** Annotation of a Service that a stack applies: the stack, as `project/stack`. It distinguishes a Service of an interrupted run from a user-managed one. */
export const STACK_ANNOTATION = "ack-loadbalancer.io/stack";

/** Any Kubernetes object as plain JSON. */
export type KubernetesObject = Readonly<Record<string, unknown>>;

/** A Service of type LoadBalancer in which nothing is wrong. */
export interface Service {
    readonly namespace: string;
    readonly name: string;
    /** Absent for Services that are not in a cluster yet. */
    readonly uid?: string;
    readonly selector: Readonly<Record<string, string>>;
    /** At least one, in the order of the Service. */
    readonly ports: readonly ServicePort[];
    /** Default: Cluster. */
    readonly externalTrafficPolicy: "Cluster" | "Local";
    readonly loadBalancerClass?: string;
    /** What the program, the annotation `type` or {@link loadBalancerClass} asks for. */
    readonly loadBalancerType: LoadBalancerType;
    readonly loadBalancerSourceRanges: readonly string[];
    /** From annotations and typed settings. Defaults are not filled in. */
    readonly settings: Settings;
    /** The object as it was given. */
    readonly object: KubernetesObject;
}

/** A Service, unless something is wrong with it. */
export interface ParsedService {
    /** Absent if there is an error, and also if the Service is not of type LoadBalancer. */
    readonly service?: Service;
    /** Errors and warnings, in the order of the file where positions are known. */
    readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a Service object with its annotations. All problems are reported at once; nothing is thrown.
 * A Service of another type than LoadBalancer, and one that an annotation leaves to another controller, give a warning and no Service: there is nothing to create for them.
 *
 * @param typed settings given in code. They are checked by the same rules and must not contradict the annotations.
 * @param requestedType the kind of load balancer, where the program gives it; it must not contradict the annotation `type` and `spec.loadBalancerClass`. Default: what those ask
 *   for, else a CLB.
 */
export function parseService(
    document: ServiceDocument,
    facts: ClusterFacts,
    typed: Settings = {},
    requestedType?: LoadBalancerType,
): ParsedService {
    const problems = checkFacts(facts);
    if (problems.length > 0) return { diagnostics: problems };
    const report = collector("service-field");
    const located = (settings?: ReadonlyMap<SettingName, FieldPath>): Diagnostic[] => {
        const origin = { subject: document.subject, locate: document.locate, ...(settings && { settings }) };
        return inFileOrder(report.diagnostics.map((diagnostic) => locate(diagnostic, origin)));
    };
    const fields = readFields(document.object, report);
    if (fields === undefined) return { diagnostics: located() };
    if (document.observed !== true) refuseUnknownFields(document.object, report);
    const { ports, diagnostics: wrongPorts } = readPorts(fields.ports, facts);
    if (fields.type !== "LoadBalancer") {
        report.add(otherType(fields.type, fields.annotations), ...preservedByType(fields.type, fields.annotations));
        if (fields.portsRequired) report.add(...wrongPorts);
        return { diagnostics: located() };
    }
    const controlled = checkController(fields);
    if (controlled !== undefined) report.add(controlled);
    const annotations = withoutOwnMark(fields.annotations);
    const chosen = chosenType(annotations, typed);
    const type = requestedType ?? chosen ?? typeOfClass(fields.loadBalancerClass) ?? "clb";
    const leftToOther = otherController(annotations, type);
    if (leftToOther !== undefined) {
        report.add(leftToOther);
        return { diagnostics: located() };
    }
    report.add(...checkClass(fields.loadBalancerClass, { program: requestedType, annotation: chosen }, facts));
    if (fields.selector !== undefined && Object.keys(fields.selector).length === 0)
        report.warning(
            ["spec", "selector"],
            "the Service selects no pods: it serves what is written to its EndpointSlices by hand or by another controller",
            "add spec.selector with the labels of the pods that serve, unless that is meant",
        );
    report.add(...wrongPorts);
    const read = mergeSettings(readAnnotations(annotations, document.written, type), readTypedSettings(typed, type));
    const checkRanges = type === "nlb" ? checkNlbSourceRanges : checkSourceRanges;
    report.add(
        ...read.diagnostics,
        ...checkPorts(ports, read.settings, facts, fields.nodePortsAssigned),
        ...checkRanges(fields.loadBalancerSourceRanges, read.settings),
    );
    const { settings } = read;
    const attempted: ReadonlySet<SettingName> = new Set(read.paths.keys());
    // Rules that compare settings with ports would only repeat what is wrong with the ports.
    const readable = Array.isArray(fields.ports) && fields.ports.length > 0 && fields.ports.length === ports.length;
    const mapped = settings.protocolPort !== undefined || !attempted.has("protocolPort");
    report.add(
        ...applyRules({
            type,
            settings,
            attempted,
            facts,
            ports: readable ? ports : undefined,
            externalTrafficPolicy: fields.externalTrafficPolicy,
            protocols: readable && mapped ? ports.map((port) => listenerProtocolOf(port, settings)) : undefined,
        }),
    );
    const diagnostics = located(read.paths);
    if (diagnostics.some(isError)) return { diagnostics };
    const {
        namespace,
        name,
        uid,
        selector = {},
        externalTrafficPolicy,
        loadBalancerClass,
        loadBalancerSourceRanges,
    } = fields;
    const service: Service = {
        namespace,
        name,
        ...defined({ uid }),
        selector,
        ports,
        externalTrafficPolicy,
        ...defined({ loadBalancerClass }),
        loadBalancerType: type,
        loadBalancerSourceRanges,
        settings,
        object: fields.object,
    };
    return { service, diagnostics };
}

function otherType(type: string, annotations: Readonly<Record<string, unknown>>): Diagnostic {
    const idle = Object.keys(annotations).some((key) => recognise(key).kind !== "other");
    return diagnostic({
        code: "service-type",
        severity: "warning",
        about: ["spec", "type"],
        cause: `not a LoadBalancer Service (its type is ${type}): nothing is created${idle ? ", and its load balancer annotations have no effect" : ""}`,
        remedy: "set spec.type to LoadBalancer if it should be reached through a load balancer",
        source: notesDocument("Notes"),
    });
}

/** Whether annotations ask to preserve the instance when its Service is deleted. */
export function preserves(annotations: Readonly<Record<string, unknown>>): boolean {
    return Object.entries(annotations).some(([key, value]) => isSetting(key, "preserveLbOnDelete") && value !== "");
}

/** Whether annotations name an instance that is there already. */
export function namesInstance(annotations: Readonly<Record<string, unknown>>): boolean {
    return Object.entries(annotations).some(([key, value]) => isSetting(key, "id") && value !== "");
}

function isSetting(key: string, field: SettingName): boolean {
    const known = recognise(key);
    return known.kind === "setting" && known.row.field === field;
}

/** An instance is preserved by deleting its Service, never by changing the type: back at LoadBalancer, the Service would take hold of it again. */
function preservedByType(type: string, annotations: Readonly<Record<string, unknown>>): Diagnostic[] {
    if (!preserves(annotations)) return [];
    return [
        diagnostic({
            code: "service-type",
            severity: "error",
            about: ["spec", "type"],
            cause: `the Service asks to preserve its load balancer, which is done by deleting the Service, not by changing its type to ${type}`,
            remedy: "delete the Service, or remove the annotation that preserves the instance and only then change the type",
            source: clbDocument("Preserve the CLB instance when deleting a Service"),
        }),
    ];
}
