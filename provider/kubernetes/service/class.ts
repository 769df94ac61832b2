/** Which controller a Service belongs to: by its load balancer class, and by the marks of the Cloud Controller Manager (CCM). */
import { nlbDocument, notesDocument } from "../../schema/documents";
import { collector, type Diagnostic, diagnostic, type FieldPath } from "../../diagnostics";
import { ccmMarks, type Marked, RELEASE_REMEDY } from "./ccm-marks";
import { type ClusterFacts, compatibilityOf } from "../../schema/facts";
import {
    LOAD_BALANCER_CLASSES,
    LOAD_BALANCER_NAMES,
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

/** Which controller the Service belongs to, and what an NLB needs of Kubernetes and of the facts about the cluster. */
export function checkClass(
    name: string | undefined,
    requestedType: LoadBalancerType | undefined,
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
    if (name !== undefined && requestedType !== undefined && requestedType !== type) {
        report.error(
            path,
            `"${name}" asks for ${LOAD_BALANCER_NAMES[type]}, but the program for ${LOAD_BALANCER_NAMES[requestedType]}`,
            "keep one of the two",
        );
        return report.diagnostics;
    }
    if ((requestedType ?? type) === "clb") return [];
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
