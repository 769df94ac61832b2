/** How the instance and its traffic are paid for. */

import { compatibilityOf } from "../../../schema/facts";
import { instanceChargeTypeOf } from "../../defaults";
import { diagnostic } from "../../../diagnostics";
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
