/** Comparison of a CLB and its parts with what a Service asks for: what differs, and what a change of it means. */
import type { Tags } from "../cloud/http/answer";
import {
    type Attributes,
    compareAttributes,
    compareDesired,
    type Difference,
    type Traits,
    valuesOf,
} from "../schema/difference";
import type { ClusterFacts } from "../schema/facts";
import { markedProtectionReason, PROTECTION_REASON, userTags } from "../schema/names";
import type { Settings } from "../schema/settings";
import { attributeTraits } from "../service/annotations";
import type { ClbHealthCheck } from "./health-check";
import { type ClbListener, type ObservedClbListener, OWN_ADDRESS, UNLIMITED } from "./listener";
import { type ClbLoadBalancer, initialCharge, type ObservedClbLoadBalancer, specFor } from "./load-balancer";

const MOVES = " and changes addresses: connections to the former ones break";

const INSTANCE: Traits = {
    name: { inputs: ["loadBalancerName"], harmless: true },
    addressType: { change: "replaced", interrupts: MOVES },
    address: { change: "replaced" },
    ipVersion: { inputs: ["addressIpVersion"], change: "replaced", interrupts: MOVES },
    masterZoneId: { change: "replaced" },
    slaveZoneId: { change: "replaced" },
    vswitchId: { change: "replaced" },
    resourceGroupId: { change: "replaced", harmless: true },
    instanceChargeType: { harmless: true },
    // The API answers in lower case, and the plugin in the model's.
    internetChargeType: { harmless: true, anyCase: true },
    spec: { inputs: ["loadBalancerSpec"] },
    deleteProtection: { harmless: true },
    modificationProtection: { inputs: ["modificationProtectionStatus"], harmless: true },
    modificationProtectionReason: { harmless: true },
    tags: { inputs: ["tags"], harmless: true },
};

/** The cloud does not change an instance that is paid for by usage back. */
const BY_USAGE_INSTANCE: Traits = { ...INSTANCE, instanceChargeType: { change: "replaced", harmless: true } };

/**
 * Attributes of an instance that is paid for by usage. Source: SLB API, ModifyLoadBalancerInstanceChargeType. An
 * instance whose traffic is paid for by volume reports the highest bandwidth.
 */
const BY_USAGE: Attributes = { spec: "slb.lcu.elastic", internetChargeType: "PayByTraffic", bandwidth: 5120 };

export type ObservedClbAttributes = Omit<ObservedClbLoadBalancer, "listeners">;

/** Compares the attributes that are desired of an instance, and those that change with them. */
export function compareClbAttributes(desired: Attributes, observed: ObservedClbAttributes): Difference[] {
    const { instanceChargeType } = observed;
    const becomesByUsage = desired["instanceChargeType"] === "PayByCLCU" && instanceChargeType === "PayBySpec";
    return compareDesired(
        instanceChargeType === "PayByCLCU" ? BY_USAGE_INSTANCE : INSTANCE,
        { ...desired, ...(becomesByUsage && BY_USAGE) },
        { ...observed },
    ).filter(({ change }) => change !== "ignored");
}

/** A Service as far as its own instance depends on it. */
interface ClbOwner {
    readonly settings: Settings;
    readonly facts: ClusterFacts;
    /** Default name of the instance, and value of the ownership tag. */
    readonly mark: string;
    /** Ownership tags. */
    readonly tags: Tags;
}

/** Compares an instance that was made for a Service. The cloud chooses absent attributes. */
export function compareClbInstance(
    model: ClbLoadBalancer,
    observed: ObservedClbAttributes,
    { settings, facts, mark, tags }: ClbOwner,
): Difference[] {
    const { vswitch, preserve, sourceRanges, additionalTags, name = mark, ...attributes } = model;
    // An instance keeps its charge if no setting of the Service depends on it.
    const kept = "instanceChargeType" in initialCharge(settings, facts) ? observed.instanceChargeType : undefined;
    const instanceChargeType = kept ?? model.instanceChargeType;
    const reason = name === mark ? PROTECTION_REASON : markedProtectionReason(mark);
    const desired = {
        ...attributes,
        name,
        vswitchId: vswitch?.named,
        instanceChargeType,
        spec: specFor(model, instanceChargeType),
        modificationProtectionReason: model.modificationProtection === "ConsoleProtection" ? reason : undefined,
        tags: { ...additionalTags, ...tags },
    };
    return compareClbAttributes(desired, { ...observed, tags: userTags(observed.tags ?? {}) });
}

const LIST: Traits = { name: { harmless: true }, entries: { restricts: true }, tags: { harmless: true } };

/** Compares the access control list of a Service's source ranges. */
export const compareAcl = (
    { sourceRanges }: Pick<ClbLoadBalancer, "sourceRanges">,
    { name, entries, tags }: { readonly name: string; readonly entries: readonly string[]; readonly tags: Tags },
    owner: Pick<ClbOwner, "mark" | "tags">,
): Difference[] =>
    compareAttributes(
        LIST,
        { name: owner.mark, entries: sourceRanges, tags: owner.tags },
        { name, entries, tags: userTags(tags) },
    );

/** Compares a vServer group, whose attributes are those of its listeners. */
export const compareClbGroup = (name: string | undefined, observed: { readonly name: string }): Difference[] =>
    compareAttributes({ name: { harmless: true } }, { name }, { name: observed.name });

const LISTENER: Traits = {
    ...attributeTraits("clb"),
    description: { harmless: true },
    // No input, and no attribute of the model: the listener is started by its options.
    status: { inputs: [] },
    "access.status": { inputs: ["aclStatus"], restricts: true },
    "access.type": { inputs: ["aclType"] },
    "access.aclIds": { inputs: ["aclIds"] },
    // A check that is off has no timeout and no method in the plugin.
    "healthCheck.enabled": { inputs: ["healthCheck", "healthCheckTimeout", "healthCheckMethod"] },
    "healthCheck.type": { inputs: ["healthCheckType"] },
    "healthCheck.timeout": { inputs: ["healthCheckTimeout"] },
    "healthCheck.method": { inputs: ["healthCheckMethod"] },
    "healthCheck.domain": { inputs: [] },
    drainTimeout: { inputs: [] },
    "stickySession.kind": { inputs: ["stickySession", "stickySessionType"] },
    "stickySession.timeout": { inputs: ["cookieTimeout"] },
    "stickySession.cookie": { inputs: ["cookie"] },
    "tls.certId": { inputs: ["serverCertificateId"] },
    "tls.domains": { inputs: [] },
    forwardTo: {
        inputs: ["listenerForward", "forwardPort"],
        change: "replaced",
        interrupts: " and replaces the listener: its connections break",
    },
    addsAddress: { inputs: ["xForwardedFor"] },
    addsId: { inputs: ["xForwardedFor"] },
    compresses: { inputs: ["gzip"] },
};

/** Ids and marks that a desired listener has in the cloud. Undefined stands for any. */
interface ClbPlace {
    readonly description: string | undefined;
    /** Access control list of the Service's source ranges. */
    readonly aclId: string | undefined;
    /** Default any. */
    readonly serverGroupId?: string | undefined;
}

/** Compares a listener. Certificates of domains that the Service does not name are user-managed. */
export function compareClbListener(
    model: ClbListener,
    observed: ObservedClbListener,
    { description, aclId, serverGroupId }: ClbPlace,
): Difference[] {
    const { key, port, protocol, serverGroup, attributes, access, tls, ...desired } = model;
    const { kind, port: _, protocol: __, forwardPort, attributes: others, ...found } = observed;
    // No Service sets it for UDP.
    const plain: Attributes = { ...(protocol === "udp" && { persistenceTimeout: 0 }), ...attributes };
    const domains = Object.fromEntries((tls?.domains ?? []).map(({ domain, certId }) => [domain, certId]));
    const named = (found.tls?.domains ?? []).filter(({ domain }) => domain in domains);
    const wanted: Attributes = {
        ...desired,
        ...plain,
        description,
        serverGroupId,
        status: "running",
        access:
            access.status === "off" || access.aclIds !== undefined ? access : aclId && { ...access, aclIds: [aclId] },
        // The cloud gives http listeners no bandwidth of their own.
        bandwidth: protocol === "http" ? undefined : UNLIMITED,
        healthCheck: checkOf(model.healthCheck),
        addsAddress: false,
        addsId: false,
        compresses: true,
        ...(tls && { tls: { certId: tls.certId, domains } }),
        ...(model.forwardTo === undefined ? {} : REDIRECTED),
    };
    const isChecked = model.healthCheck.enabled && observed.healthCheck.enabled;
    return compareAttributes(LISTENER, wanted, {
        ...found,
        ...valuesOf({ ...others }, plain),
        status: found.status === "stopped" ? "stopped" : "running",
        healthCheck: checkOf(observed.healthCheck),
        ...(found.tls && {
            tls: { ...found.tls, domains: Object.fromEntries(named.map((one) => [one.domain, one.certId])) },
        }),
    }).map((one) =>
        !isChecked && /^healthCheck\.(?!enabled)/.test(one.attribute) ? { ...one, change: "ignored" } : one,
    );
}

/** Attributes without an effect on a redirecting listener. */
const REDIRECTED: Attributes = {
    healthCheck: undefined,
    stickySession: undefined,
    addsAddress: undefined,
    addsId: undefined,
    compresses: undefined,
};

/** Returns a check with the defaults of the API. Host and method count in checks by HTTP alone. */
const checkOf = ({ domain = OWN_ADDRESS, method = "head", ...check }: ClbHealthCheck): Attributes =>
    check.type === "http" ? { ...check, domain, method } : { ...check };
