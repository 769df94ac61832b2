/** Comparison of a CLB and its parts with what a Service asks for: what differs, and what a change of it means. */
import type { Tags } from "../cloud/http/answer";
import { type Attributes, compare, type Difference, type Place, type Traits, valuesOf } from "../schema/difference";
import type { ClusterFacts } from "../schema/facts";
import { markedProtectionReason, ownershipKey, PROTECTION_REASON, userTags } from "../schema/names";
import type { Settings } from "../schema/settings";
import { attributeTraits } from "../service/annotations";
import type { ClbHealthCheck } from "./health-check";
import { type ClbListener, type ObservedClbListener, UNLIMITED } from "./listener";
import { OWN_ADDRESS } from "./listener-options";
import { type ClbLoadBalancer, initialCharge, type ObservedClbLoadBalancer, specFor } from "./load-balancer";

export const MOVES = " and changes addresses: connections to the former ones break";

const INSTANCE: Traits = {
    name: { inputs: ["loadBalancerName"] },
    addressType: { change: "replaced", interrupts: MOVES },
    ipVersion: { inputs: ["addressIpVersion"], change: "replaced", interrupts: MOVES },
    modificationProtection: { inputs: ["modificationProtectionStatus"] },
    address: { change: "replaced" },
    masterZoneId: { change: "replaced" },
    slaveZoneId: { change: "replaced" },
    vswitchId: { change: "replaced" },
    resourceGroupId: { change: "replaced" },
    // The API answers in lower case, and the plugin in the model's.
    internetChargeType: { anyCase: true },
    spec: { inputs: ["loadBalancerSpec"] },
};

/** The cloud does not change an instance that is paid for by usage back. */
const BY_USAGE_INSTANCE: Traits = { ...INSTANCE, instanceChargeType: { change: "replaced" } };

/**
 * Attributes of an instance that is paid for by usage. Source: SLB API, ModifyLoadBalancerInstanceChargeType. An
 * instance whose traffic is paid for by volume reports the highest bandwidth.
 */
const BY_USAGE: Attributes = { spec: "slb.lcu.elastic", internetChargeType: "PayByTraffic", bandwidth: 5120 };

type ObservedClbAttributes = Omit<ObservedClbLoadBalancer, "listeners">;

/** Compares the attributes that are desired of an instance, and those that change with them. */
export function compareClbAttributes(desired: Attributes, observed: ObservedClbAttributes): Difference[] {
    const isByUsage = observed.instanceChargeType === "PayByCLCU";
    const becomesByUsage = desired["instanceChargeType"] === "PayByCLCU" && !isByUsage;
    const wanted = { ...desired, ...(becomesByUsage && BY_USAGE) };
    const found = compare(isByUsage ? BY_USAGE_INSTANCE : INSTANCE, wanted, valuesOf({ ...observed }, wanted));
    return found.filter(({ change }) => change !== "ignored");
}

/** Compares an instance that was made for a Service. The cloud chooses absent attributes. */
export function compareClbInstance(
    model: ClbLoadBalancer,
    observed: ObservedClbAttributes,
    { mark, tags }: Place,
    { settings, facts }: { readonly settings: Settings; readonly facts: ClusterFacts },
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

/** Compares the access control list of a Service's source ranges. */
export const compareAcl = (
    { sourceRanges }: Pick<ClbLoadBalancer, "sourceRanges">,
    { name, entries, tags }: { readonly name: string; readonly entries: readonly string[]; readonly tags: Tags },
    place: Place,
): Difference[] =>
    compare(
        { entries: { restricts: true } },
        { name: place.mark, entries: sourceRanges, tags: place.tags },
        { name, entries, tags: userTags(tags) },
    );

/** Compares a vServer group, whose attributes are those of its listeners. A name that is not known may be any. */
export const compareClbGroup = (observed: { readonly name: string }, name: string | undefined): Difference[] =>
    compare({}, { name }, { name: observed.name });

const LISTENER: Traits = {
    ...attributeTraits("clb"),
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
    // Resources, which an import takes with their certificates or not at all.
    "tls.domains": { inputs: [], change: "replaced" },
    forwardTo: {
        inputs: ["listenerForward", "forwardPort"],
        change: "replaced",
        interrupts: " and replaces the listener: its connections break",
    },
    addsAddress: { inputs: ["xForwardedFor"] },
    addsId: { inputs: ["xForwardedFor"] },
    compresses: { inputs: ["gzip"] },
};

/** Compares a listener. Certificates of domains that the Service does not name are user-managed. */
export function compareClbListener(
    model: ClbListener,
    observed: ObservedClbListener,
    { owner, aclId, serverGroupId }: Place,
): Difference[] {
    const { key, port, protocol, serverGroup, attributes, access, tls, ...desired } = model;
    const { kind, port: _, protocol: __, status, forwardPort, attributes: others, ...found } = observed;
    // No Service sets it for UDP.
    const plain: Attributes = { ...(protocol === "udp" && { persistenceTimeout: 0 }), ...attributes };
    const domains = Object.fromEntries((tls?.domains ?? []).map(({ domain, certId }) => [domain, certId]));
    const named = (found.tls?.domains ?? []).filter(({ domain }) => domain in domains);
    const wanted: Attributes = {
        ...desired,
        ...plain,
        description: owner && ownershipKey(port, owner),
        serverGroupId,
        access:
            access.status === "off" || access.aclIds !== undefined ? access : aclId && { ...access, aclIds: [aclId] },
        // The cloud gives http listeners no bandwidth of their own.
        bandwidth: protocol === "http" ? undefined : UNLIMITED,
        healthCheck: checkOf(model.healthCheck),
        addsAddress: false,
        addsId: false,
        compresses: true,
        ...(tls && { tls: { certId: tls.certId, domains } }),
        ...(model.forwardTo !== undefined && Object.fromEntries(SERVING.map((name) => [name, undefined]))),
    };
    const isChecked = model.healthCheck.enabled && observed.healthCheck.enabled;
    return compare(LISTENER, wanted, {
        ...found,
        ...valuesOf({ ...others }, plain),
        healthCheck: checkOf({ method: "head", ...observed.healthCheck }),
        ...(found.tls && {
            tls: { ...found.tls, domains: Object.fromEntries(named.map((one) => [one.domain, one.certId])) },
        }),
    }).map((one) =>
        !isChecked && /^healthCheck\.(?!enabled)/.test(one.attribute) ? { ...one, change: "ignored" } : one,
    );
}

/** Attributes without an effect on a redirecting listener. */
const SERVING = ["healthCheck", "stickySession", "addsAddress", "addsId", "compresses"];

/**
 * Returns a check with the default host of the API. Host and method count in checks by HTTP alone. A method that is not
 * asked for is the cloud's.
 */
const checkOf = ({ domain = OWN_ADDRESS, method, ...check }: ClbHealthCheck): Attributes =>
    check.type === "http" ? { ...check, domain, method } : { ...check };
