import type { Problem } from "../diagnostics";
import type { ObservedClbLoadBalancer } from "../clb/load-balancer";
import type { ObservedInstance } from "./observed";
import type { ImmutableFields } from "../schema/settings";
import { LOAD_BALANCER_NAMES, type LoadBalancerType } from "../schema/load-balancer-type";

/** Immutable field requested with another value than established. */
export interface ImmutabilityViolation extends Problem<"immutable-field"> {
    readonly field: string;
    readonly established: string;
    readonly requested: string;
    /** True if not even a new instance makes the change possible. */
    readonly final: boolean;
    readonly source: string;
}

interface Rule {
    readonly cause: string;
    readonly source: string;
    /** Attribute that has the value on each instance, even if no Service states it. Absent if there is none. */
    readonly attribute?: keyof ObservedClbLoadBalancer;
    /** Settings whose change explains this change. Then only their change is reported. */
    readonly follows?: readonly string[];
    readonly consequence?: (established: string, requested: string) => string;
    /** True if the removal of the setting is a violation too. */
    readonly sticks?: boolean;
    /** True if not even a new instance makes the change possible. Then nothing else is reported. */
    readonly final?: boolean;
    /** Name of the field in manifests. If absent, the setting's. */
    readonly field?: string;
    /** Returns a value as written in manifests. If absent, values are quoted. */
    readonly valueName?: (value: string) => string;
    /** Alternative without a new address. */
    readonly otherWay?: string;
    /** True for lists without an order. */
    readonly set?: boolean;
    /** Returns true for changes allowed by the cloud. */
    readonly allows?: (established: string, requested: string) => boolean;
}

const CLB_DOCUMENT = '"Configure CLB using annotations"';
const FAQ = '"FAQ about Services"';

/** Rules of immutable settings, for the contract, the policy pack and the documentation. */
export const IMMUTABLE_FIELD_RULES: Readonly<Record<string, Rule>> = {
    addressType: {
        attribute: "addressType",
        cause: "the address type of an instance is fixed when it is created",
        source: `${FAQ}, errors: the CLB type cannot be changed`,
    },
    instanceChargeType: {
        attribute: "instanceChargeType",
        cause: "an instance that is paid by usage (PayByCLCU) cannot go back to pay-by-specification",
        source: `${FAQ}, errors: billing method`,
        allows: (established, requested) => established === "PayBySpec" && requested === "PayByCLCU",
    },
    vswitchId: {
        attribute: "vswitchId",
        cause: "an instance cannot move to another vSwitch",
        source: `${CLB_DOCUMENT}, vSwitch of an internal instance`,
        follows: ["addressType"],
    },
    masterZoneid: {
        attribute: "masterZoneId",
        cause: "zones cannot be changed after creation",
        source: `${CLB_DOCUMENT}, primary and secondary zones`,
    },
    slaveZoneid: {
        attribute: "slaveZoneId",
        cause: "zones cannot be changed after creation",
        source: `${CLB_DOCUMENT}, primary and secondary zones`,
    },
    ip: {
        attribute: "address",
        cause: "a static address cannot be changed after creation",
        source: `${CLB_DOCUMENT}, static IP`,
        follows: ["addressType"],
    },
    ipVersion: {
        attribute: "ipVersion",
        cause: "the IP version cannot be changed after creation",
        source: `${CLB_DOCUMENT}, IPv6 instance`,
        follows: ["id"],
    },
    resourceGroupId: {
        attribute: "resourceGroupId",
        cause: "the resource group cannot be changed after assignment",
        source: `${CLB_DOCUMENT}, resource group`,
    },
    id: {
        cause: "a Service stays bound to its instance",
        source: `${FAQ}, errors: the Service is already bound`,
        sticks: true,
        consequence: (established, requested) =>
            established === ""
                ? "; the instance that was made for the Service would be left behind, and nothing would delete it"
                : requested === ""
                  ? `; ${established} would keep what is not managed any more`
                  : `; its listeners and groups on ${established} would be left behind`,
    },
    vgroupPort: {
        cause: "backends stay in the vServer group that they joined",
        source: `${CLB_DOCUMENT}, reuse an existing vServer group`,
        sticks: true,
        set: true,
        follows: ["id"],
    },
    vpcId: {
        attribute: "vpcId",
        cause: "an instance cannot move to another VPC",
        source: "NLB API, CreateLoadBalancer, VpcId",
        follows: ["id"],
    },
    loadBalancerType: {
        cause:
            "a CLB and an NLB cannot be converted into each other, and spec.loadBalancerClass, which tells them " +
            "apart, is fixed when a Service is created",
        source: '"Configure Network Load Balancer (NLB) Using Annotations", notes',
        final: true,
        field: "spec.loadBalancerClass",
        valueName: (type) => LOAD_BALANCER_NAMES[type as LoadBalancerType],
        otherWay: "add a second Service and move its clients (docs/migrate-clb-to-nlb.md)",
    },
    clusterId: { cause: "names and ownership marks carry the cluster id", source: "the names that CCM gives" },
};

/** Values of `allowReplacement`, the immutable settings and the identity of cluster, account and region. */
export const REPLACEABLE: readonly string[] = [...Object.keys(IMMUTABLE_FIELD_RULES), "identity"];

/**
 * Returns the immutable settings requested with another value than established.
 *
 * The removal of a setting is no violation, unless the setting selects the instance or group. A setting specified for
 * the first time is a violation, unless each instance has a value. See {@link unobserved}.
 *
 * @param askedBy settings that request the value of a field. If absent, the field itself.
 * @param former settings requested before. A setting not among them is to be removed, not put back. If absent, what is
 *   established.
 */
export function violations(
    established: ImmutableFields,
    requested: ImmutableFields,
    askedBy: Readonly<Record<string, readonly string[]>> = {},
    former: ImmutableFields = established,
): ImmutabilityViolation[] {
    const sticking = Object.keys(established).filter(
        (field) => IMMUTABLE_FIELD_RULES[field]?.sticks && !(field in requested),
    );
    const fields = Object.keys(requested).concat(sticking);
    const found = fields.flatMap((field): ImmutabilityViolation[] => {
        const before = established[field] ?? "";
        const after = requested[field] ?? "";
        const rule = Object.hasOwn(IMMUTABLE_FIELD_RULES, field) ? IMMUTABLE_FIELD_RULES[field] : undefined;
        if (before === after || rule === undefined || rule.allows?.(before, after)) return [];
        if ((before === "" && rule.attribute !== undefined) || (rule.set && sorted(before) === sorted(after)))
            return [];
        return [
            {
                code: "immutable-field",
                severity: "error",
                place: {},
                field,
                established: before,
                requested: after,
                final: rule.final === true,
                ...describe({ field, established: before, requested: after }, askedBy[field], rule, field in former),
            },
        ];
    });
    const final = found.filter((violation) => violation.final);
    if (final.length > 0) return final;
    return found.filter(({ field }) => !isExplained(field, found));
}

/** True if the change of another field explains the change of this field. */
const isExplained = (field: string, found: readonly ImmutabilityViolation[]): boolean =>
    found.some((other) => other.final || IMMUTABLE_FIELD_RULES[field]?.follows?.includes(other.field));

/**
 * Returns the settings specified for the first time, if only the instance tells their values. A setting is left out if
 * a change of another setting explains it. A public CLB about to become internal, for example, has no vSwitch.
 */
export function unobserved(established: ImmutableFields, requested: ImmutableFields): string[] {
    const found = violations(established, requested);
    return Object.keys(requested).filter(
        (field) => !(field in established) && isObserved(field) && !isExplained(field, found),
    );
}

/** True if each instance has a value of the setting. */
export const isObserved = (field: string): boolean =>
    Object.hasOwn(IMMUTABLE_FIELD_RULES, field) && IMMUTABLE_FIELD_RULES[field]?.attribute !== undefined;

/** Returns the values of an instance, by setting. */
export const observedFields = (found: ObservedInstance): ImmutableFields =>
    Object.fromEntries(
        Object.entries(IMMUTABLE_FIELD_RULES).flatMap(([field, { attribute }]) => {
            const value = attribute && (found as Partial<ObservedClbLoadBalancer>)[attribute];
            return value === undefined ? [] : [[field, String(value)]];
        }),
    );

const sorted = (list: string): string => list.split(",").sort().join();

/**
 * Returns the settings established by a successful run.
 *
 * A setting stays established after its removal, unless it selects the instance or group.
 */
export function establish(before: ImmutableFields, requested: ImmutableFields): ImmutableFields {
    const lasting = Object.entries(before).filter(([setting]) => !IMMUTABLE_FIELD_RULES[setting]?.sticks);
    return { ...Object.fromEntries(lasting), ...requested };
}

function describe(
    { field, established, requested }: Pick<ImmutabilityViolation, "field" | "established" | "requested">,
    askedBy: readonly string[] | undefined,
    rule: Rule,
    wasRequested: boolean,
): Pick<ImmutabilityViolation, "cause" | "remedy" | "source"> {
    const { field: shown = field, valueName = JSON.stringify, otherWay } = rule;
    const name = (value: string): string => (value === "" ? "unset" : valueName(value));
    const change = `${shown} cannot change from ${name(established)} to ${name(requested)}`;
    const asked =
        askedBy === undefined ? "" : `${listOf(askedBy)} ${askedBy.length === 1 ? "asks" : "ask"} for it, but `;
    const back =
        askedBy !== undefined
            ? `remove ${listOf(askedBy)}`
            : established === "" || !wasRequested
              ? `remove ${field}`
              : `put ${shown} back to ${name(established)}`;
    return {
        cause: `${asked}${change}: ${rule.cause}${rule.consequence?.(established, requested) ?? ""}`,
        remedy:
            `${back}, or ${otherWay === undefined ? "" : `${otherWay}, or `}` +
            "delete the Service and create it again (its address changes)",
        source: rule.source,
    };
}

const listOf = (names: readonly string[]): string => new Intl.ListFormat("en").format(names);
