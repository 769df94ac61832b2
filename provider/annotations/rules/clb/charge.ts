/** How the instance and its traffic are paid for. */

import { compatibilityOf } from "../../../schema/facts";
import { instanceChargeTypeOf } from "../../defaults";
import { diagnostic } from "../../../diagnostics";
import { isAtLeast } from "../../../schema/versions";
import { clbDocument } from "../../../schema/documents";
import { keyOf, type Rule } from "../context";

/** A specification is the price list of one way to pay; the other way has none. */
export const specification: Rule = ({ settings, attempted, facts }) => {
    if (settings.spec === undefined) return [];
    // A refused charge type does not tell which one was meant.
    if (settings.instanceChargeType === undefined && attempted.has("instanceChargeType")) return [];
    if (instanceChargeTypeOf(settings, facts) !== "PayByCLCU") return [];
    // A reused instance has a way to pay already; only one that the Service asks for by name excludes a specification.
    if (settings.id !== undefined && settings.instanceChargeType === undefined) return [];
    const explicit = settings.instanceChargeType !== undefined;
    return [
        diagnostic({
            code: "annotation-exclusion",
            severity: "error",
            about: "spec",
            cause: explicit
                ? `a specification cannot be combined with ${keyOf("instanceChargeType")}: "PayByCLCU"`
                : `a specification cannot be combined with PayByCLCU, which is the default of ${keyOf("instanceChargeType")} at Cloud Controller Manager ${compatibilityOf(facts)}`,
            remedy: explicit
                ? `set ${keyOf("instanceChargeType")}: "PayBySpec", or drop ${keyOf("spec")}`
                : `add ${keyOf("instanceChargeType")}: "PayBySpec", or drop ${keyOf("spec")}`,
            source: clbDocument("Specify the CLB instance type"),
        }),
    ];
};

/** The sources name two versions from which on instances are paid for by usage unless something else is said. */
const DISPUTED = { from: "v2.5.0", to: "v2.12.1" } as const;

/** Where the sources disagree about the default, a Service should say what it means. */
export const disputedDefault: Rule = ({ settings, attempted, facts }) => {
    const version = compatibilityOf(facts);
    if (!isAtLeast(version, DISPUTED.from) || isAtLeast(version, DISPUTED.to)) return [];
    if (attempted.has("instanceChargeType") || settings.id !== undefined || settings.spec !== undefined) return [];
    if (instanceChargeTypeOf(settings, facts) !== "PayByCLCU") return [];
    return [
        diagnostic({
            code: "annotation-effect",
            severity: "warning",
            about: "instanceChargeType",
            cause: `is not set, so that a new instance is paid for by usage (PayByCLCU); the default is that from Cloud Controller Manager ${DISPUTED.from} on by its documents, but from ${DISPUTED.to} on by its release notes, and the cluster is at ${version}`,
            remedy: `set ${keyOf("instanceChargeType")}: "PayByCLCU" or "PayBySpec"`,
            source: clbDocument("Specify the CLB instance type"),
        }),
    ];
};

/** Instances that are paid for by usage are sold by traffic only. */
export const bandwidth: Rule = ({ settings }) => {
    if (settings.instanceChargeType !== "PayByCLCU" || settings.chargeType !== "paybybandwidth") return [];
    return [
        diagnostic({
            code: "annotation-exclusion",
            severity: "error",
            about: "chargeType",
            cause: `traffic cannot be paid for by bandwidth with ${keyOf("instanceChargeType")}: "PayByCLCU"`,
            remedy: `set ${keyOf("instanceChargeType")}: "PayBySpec", or ${keyOf("chargeType")}: "paybytraffic"`,
            source: "SLB API, CreateLoadBalancer, InternetChargeType",
        }),
    ];
};

/** Only public traffic is charged for. */
export const traffic: Rule = ({ settings }) => {
    if (settings.addressType !== "intranet") return [];
    return (["chargeType", "bandwidth"] as const)
        .filter((field) => settings[field] !== undefined)
        .map((field) =>
            diagnostic({
                code: "annotation-exclusion",
                severity: "error",
                about: field,
                cause: `an internal load balancer (${keyOf("addressType")}: "intranet") has no public traffic to pay for`,
                remedy: `remove ${keyOf(field)}`,
                source: clbDocument("Create a pay-by-bandwidth CLB instance"),
            }),
        );
};
