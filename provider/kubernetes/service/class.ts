/** Whose a Service is: by its load balancer class, and by the marks of the Cloud Controller Manager (CCM). */
import type { Finding } from "../../annotations";
import { nlbDocument, notesDocument } from "../../schema/documents";
import { isMapping, valueAt } from "../../diagnostics/path";
import { ccmMarks, RELEASE_REMEDY } from "./ccm-marks";
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
export function checkController(object: unknown): Finding | undefined {
    const metadata = valueAt(object, ["metadata"]);
    const part = (key: "labels" | "finalizers"): unknown => (isMapping(metadata) ? metadata[key] : undefined);
    const [labels, finalizers] = [part("labels"), part("finalizers")];
    const marks = ccmMarks({
        ...(isMapping(labels) ? { labels } : {}),
        ...(Array.isArray(finalizers) ? { finalizers } : {}),
    });
    if (marks.length === 0) return undefined;
    return {
        code: "service-controller",
        severity: "error",
        at: ["metadata", marks[0]?.startsWith("finalizer") ? "finalizers" : "labels"],
        message: `the Cloud Controller Manager (CCM) looks after this Service: ${marks.join(", ")}`,
        remedy: RELEASE_REMEDY,
        source: notesDocument("Notes on CCM-managed load balancers"),
    };
}

/** Whose the Service is, and what the NLB of one needs of Kubernetes and of what is known of the cluster. */
export function checkClass(
    name: string | undefined,
    wanted: LoadBalancerType | undefined,
    facts: ClusterFacts,
): Finding[] {
    const refuse = (message: string, remedy: string, source?: string): Finding[] => [
        {
            code: "service-class",
            severity: "error",
            at: ["spec", "loadBalancerClass"],
            message,
            remedy,
            ...(source === undefined ? {} : { source }),
        },
    ];
    const type = typeOfClass(name);
    const [clb, nlb] = [LOAD_BALANCER_CLASSES.clb, LOAD_BALANCER_CLASSES.nlb];
    if (type === undefined)
        return refuse(
            `"${name}" hands the Service to another controller`,
            `remove spec.loadBalancerClass, or set it to "${clb}" for a CLB or "${nlb}" for an NLB`,
        );
    if (name !== undefined && wanted !== undefined && wanted !== type)
        return refuse(
            `"${name}" asks for ${LOAD_BALANCER_NAMES[type]}, but the program for ${LOAD_BALANCER_NAMES[wanted]}`,
            "keep one of the two",
        );
    if ((wanted ?? type) === "clb") return [];
    const version = facts.kubernetesVersion === undefined ? undefined : parseKubernetesVersion(facts.kubernetesVersion);
    const old = version !== undefined && version[0] === 1 && version[1] < 24;
    const findings = old
        ? refuse(
              `an NLB needs Kubernetes 1.24 or later, but the cluster runs ${facts.kubernetesVersion}`,
              "use a CLB, or upgrade the cluster",
              nlbDocument("Notes"),
          )
        : [];
    if (!isAtLeast(compatibilityOf(facts), NLB_SINCE))
        findings.push(
            ...refuse(
                `an NLB needs Cloud Controller Manager ${NLB_SINCE} or later, but the cluster is at ${compatibilityOf(facts)}`,
                "use a CLB, or upgrade it",
                nlbDocument("Notes"),
            ),
        );
    return findings;
}
