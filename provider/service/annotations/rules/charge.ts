import { clbDocument } from "../../../schema/documents";
import { compatibilityOf } from "../../../schema/facts";
import { isAtLeast } from "../../../schema/versions";
import { instanceChargeTypeOf } from "../defaults";
import { keyOfSetting as keyOf } from "../keys";
import { rule, type SettingsRule } from "./context";

const specification = rule("annotation-exclusion", clbDocument("Specify the CLB instance type"), (context, report) => {
    const { settings, attempted, facts } = context;
    const { spec, instanceChargeType, id } = settings;
    if (spec === undefined || instanceChargeTypeOf(settings, facts) !== "PayByCLCU") return;
    if (instanceChargeType !== undefined) {
        const cause = `a specification cannot be combined with ${keyOf("instanceChargeType")}: "PayByCLCU"`;
        report.error("spec", cause, `set ${keyOf("instanceChargeType")}: "PayBySpec", or drop ${keyOf("spec")}`);
        return;
    }
    // A refused charge type may have been PayBySpec, and a reused instance already has a charge type.
    if (attempted.has("instanceChargeType") || id !== undefined) return;
    const cause =
        "a specification cannot be combined with PayByCLCU, which is the default of " +
        `${keyOf("instanceChargeType")} at Cloud Controller Manager ${compatibilityOf(facts)}`;
    report.error("spec", cause, `add ${keyOf("instanceChargeType")}: "PayBySpec", or drop ${keyOf("spec")}`);
});

/** Versions from which on instances are paid for by usage by default: the sources name both. */
const DISPUTED = { from: "v2.5.0", to: "v2.12.1" } as const;

const disputedDefault = rule("annotation-effect", clbDocument("Specify the CLB instance type"), (context, report) => {
    const { settings, attempted, facts } = context;
    const version = compatibilityOf(facts);
    if (!isAtLeast(version, DISPUTED.from) || isAtLeast(version, DISPUTED.to)) return;
    if (attempted.has("instanceChargeType") || settings.id !== undefined || settings.spec !== undefined) return;
    if (instanceChargeTypeOf(settings, facts) !== "PayByCLCU") return;
    const cause =
        "is not set, so that a new instance is paid for by usage (PayByCLCU); the default is that from " +
        `Cloud Controller Manager ${DISPUTED.from} on by its documents, but from ${DISPUTED.to} on by its ` +
        `release notes, and the cluster is at ${version}`;
    report.warning("instanceChargeType", cause, `set ${keyOf("instanceChargeType")}: "PayByCLCU" or "PayBySpec"`);
});

const bandwidth = rule("annotation-exclusion", "SLB API, CreateLoadBalancer, InternetChargeType", (context, report) => {
    const { settings } = context;
    if (settings.instanceChargeType !== "PayByCLCU" || settings.chargeType !== "paybybandwidth") return;
    const cause = `traffic cannot be paid for by bandwidth with ${keyOf("instanceChargeType")}: "PayByCLCU"`;
    const remedy = `set ${keyOf("instanceChargeType")}: "PayBySpec", or ${keyOf("chargeType")}: "paybytraffic"`;
    report.error("chargeType", cause, remedy);
});

const traffic = rule(
    "annotation-exclusion",
    clbDocument("Create a pay-by-bandwidth CLB instance"),
    ({ settings }, report) => {
        if (settings.addressType !== "intranet") return;
        for (const field of ["chargeType", "bandwidth"] as const) {
            if (settings[field] === undefined) continue;
            const internal = `an internal load balancer (${keyOf("addressType")}: "intranet")`;
            const cause = `${internal} has no public traffic to pay for`;
            report.error(field, cause, `remove ${keyOf(field)}`);
        }
    },
);

export const chargeRules: readonly SettingsRule[] = [specification, disputedDefault, bandwidth, traffic];
