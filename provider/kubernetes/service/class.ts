/** Which controller a Service belongs to: by its load balancer class, and by the marks of the Cloud Controller Manager (CCM). */
import { external, keyOf, keyOfSetting } from "../../annotations";
import type { Settings } from "../../schema/settings";
import { nlbDocument, notesDocument } from "../../schema/documents";
import { collector, type Diagnostic, diagnostic, type FieldPath } from "../../diagnostics";
import { ccmMarks, type Marked, RELEASE_REMEDY } from "./ccm-marks";
import { type ClusterFacts, compatibilityOf } from "../../schema/facts";
import {
    LOAD_BALANCER_CLASSES,
    LOAD_BALANCER_NAMES,
    LOAD_BALANCER_TYPES,
    type LoadBalancerType,
    typeOfClass,
} from "../../schema/load-balancer-type";
import { isAtLeast, parseKubernetesVersion } from "../../schema/versions";

/** The oldest Cloud Controller Manager that knows NLB. Source: "Configure Network Load Balancer (NLB) Using Annotations", notes. */
const NLB_SINCE = "v2.5.0";

/** With our class CCM would never take its finalizer away again, so that the Service could not be deleted; without it CCM serves the Service. */
export function checkController(metadata: Marked): Diagnostic | undefined {
    const marks = ccmMarks(metadata);
    if (marks.length === 0) return undefined;
    return diagnostic({
        code: "service-controller",
        severity: "error",
        about: ["metadata", marks[0]?.startsWith("finalizer") ? "finalizers" : "labels"],
        cause: `the Cloud Controller Manager (CCM) looks after this Service: ${marks.join(", ")}`,
        remedy: RELEASE_REMEDY,
        source: notesDocument("Notes on CCM-managed load balancers"),
    });
}

/** A Service that an annotation leaves to another controller, as it does under CCM: nothing is made for it. */
export function otherController(
    annotations: Readonly<Record<string, unknown>>,
    type: LoadBalancerType,
): Diagnostic | undefined {
    const row = external.find(
        ({ suffix, types, evenEmpty }) =>
            types.includes(type) &&
            Object.hasOwn(annotations, keyOf({ suffix })) &&
            (evenEmpty || annotations[keyOf({ suffix })] !== ""),
    );
    if (row === undefined) return undefined;
    return diagnostic({
        code: "service-class",
        severity: "warning",
        about: { path: ["metadata", "annotations", keyOf(row)], part: "key" },
        cause: "the annotation leaves the Service to another controller: nothing is created, and a load balancer that was created for it before is deleted",
        remedy: "remove the annotation if this package is to serve it",
        source: row.source,
    });
}

/** The kind of load balancer that an annotation or a typed setting asks for, where it is one. What is wrong with the value is said where all values are read. */
export function chosenType(
    annotations: Readonly<Record<string, unknown>>,
    typed: Pick<Settings, "type">,
): LoadBalancerType | undefined {
    const value = annotations[keyOfSetting("type")] ?? typed.type;
    return LOAD_BALANCER_TYPES.find((type) => type === value);
}

/** The kind of load balancer that is asked for other than by the class. */
export interface RequestedTypes {
    readonly program: LoadBalancerType | undefined;
    readonly annotation: LoadBalancerType | undefined;
}

/** Which controller the Service belongs to, and what an NLB needs of Kubernetes and of the facts about the cluster. */
export function checkClass(
    name: string | undefined,
    { program, annotation }: RequestedTypes,
    facts: ClusterFacts,
): readonly Diagnostic[] {
    const report = collector("service-class");
    const path: FieldPath = ["spec", "loadBalancerClass"];
    const nlbNotes = { source: nlbDocument("Notes") };
    const type = typeOfClass(name);
    const [clb, nlb] = [LOAD_BALANCER_CLASSES.clb, LOAD_BALANCER_CLASSES.nlb];
    if (type === undefined) {
        report.error(
            path,
            `"${name}" names another controller`,
            `remove spec.loadBalancerClass, or set it to "${clb}" for a CLB or "${nlb}" for an NLB`,
        );
        return report.diagnostics;
    }
    const requests = [
        ...(program === undefined ? [] : [{ who: "the program", asked: program }]),
        ...(annotation === undefined ? [] : [{ who: keyOfSetting("type"), asked: annotation }]),
    ];
    for (const { who, asked } of name === undefined ? [] : requests) {
        if (asked === type) continue;
        report.error(
            path,
            `"${name}" asks for ${LOAD_BALANCER_NAMES[type]}, but ${who} for ${LOAD_BALANCER_NAMES[asked]}`,
            "keep one of the two",
        );
    }
    if (program !== undefined && annotation !== undefined && program !== annotation)
        report.error(
            "type",
            `asks for ${LOAD_BALANCER_NAMES[annotation]}, but the program for ${LOAD_BALANCER_NAMES[program]}`,
            "keep one of the two",
        );
    if (report.diagnostics.length > 0 || (program ?? annotation ?? type) === "clb") return report.diagnostics;
    const version = facts.kubernetesVersion === undefined ? undefined : parseKubernetesVersion(facts.kubernetesVersion);
    const old = version !== undefined && version[0] === 1 && version[1] < 24;
    if (old)
        report.error(
            path,
            `an NLB needs Kubernetes 1.24 or later, but the cluster runs ${facts.kubernetesVersion}`,
            "use a CLB, or upgrade the cluster",
            nlbNotes,
        );
    if (!isAtLeast(compatibilityOf(facts), NLB_SINCE))
        report.error(
            path,
            `an NLB needs Cloud Controller Manager ${NLB_SINCE} or later, but the cluster is at ${compatibilityOf(facts)}`,
            "use a CLB, or upgrade it",
            nlbNotes,
        );
    return report.diagnostics;
}
