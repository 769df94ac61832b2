/** Comparison of an NLB and its parts with what a Service asks for: what differs, and what a change of it means. */
import type { Tags } from "../cloud/http/answer";
import { defined } from "../schema/defined";
import {
    type Attributes,
    compareAttributes,
    compareDesired,
    type Difference,
    diffTexts,
    type Traits,
    valuesOf,
} from "../schema/difference";
import { PROTECTION_REASON, userTags } from "../schema/names";
import type { ZoneMap } from "../schema/settings";
import { attributeTraits } from "../service/annotations";
import { sortedIds } from "../service/reuse";
import type { NlbListener, ObservedNlbListener } from "./listener";
import { type NlbLoadBalancer, type ObservedNlbLoadBalancer, sourceRules } from "./load-balancer";
import {
    addressIpVersionOf,
    type NlbServerGroup,
    type ObservedNlbServerGroup,
    serverGroupOptions,
} from "./server-group";

const MOVES = " and changes addresses: connections to the former ones break";

const INSTANCE: Traits = {
    name: { inputs: ["loadBalancerName"], harmless: true },
    addressType: { interrupts: MOVES },
    ipVersion: { inputs: ["addressIpVersion"], change: "replaced", interrupts: MOVES },
    // A resource of its own sets them.
    zoneMaps: { inputs: [], interrupts: MOVES },
    vpcId: { change: "replaced" },
    securityGroupIds: { restricts: true },
    // A resource attaches the package, and another package replaces it.
    bandwidthPackageId: { inputs: [], change: "replaced" },
    resourceGroupId: { harmless: true },
    deleteProtection: { inputs: ["deletionProtectionEnabled"], harmless: true },
    modificationProtection: { inputs: ["modificationProtectionStatus"], harmless: true },
    modificationProtectionReason: { harmless: true },
    tags: { inputs: ["tags"], harmless: true },
};

/** Compares the attributes that are desired of an instance. Addresses of zones count where they are specified. */
export function compareNlbAttributes(desired: Attributes, observed: ObservedNlbLoadBalancer): Difference[] {
    const zones = desired["zoneMaps"] as readonly ZoneMap[] | undefined;
    return compareDesired(
        INSTANCE,
        { ...desired, ...(zones && { zoneMaps: zones.map(zoneText) }) },
        { ...observed, zoneMaps: observed.zoneMaps.map((zone) => zoneText(asAsked(zone, zones ?? []))) },
    );
}

function asAsked({ zoneId, vswitchId, privateIpv4, allocationId }: ZoneMap, zones: readonly ZoneMap[]): ZoneMap {
    const asked = zones.find((zone) => zone.zoneId === zoneId);
    return defined({
        zoneId,
        vswitchId,
        privateIpv4: asked?.privateIpv4 && privateIpv4,
        allocationId: asked?.allocationId && allocationId,
    });
}

/** Returns a zone as the annotation writes it. */
const zoneText = ({ zoneId, vswitchId, privateIpv4 = "", allocationId = "" }: ZoneMap): string =>
    `${zoneId}:${vswitchId}:${privateIpv4}:${allocationId}`.replace(/:+$/, "");

/** A Service as far as its own instance depends on it. */
interface NlbOwner {
    /** Default name of the instance, and value of the ownership tag. */
    readonly mark: string;
    /** Ownership tags. */
    readonly tags: Tags;
    /** Absent = any. */
    readonly vpcId?: string | undefined;
    /** Security group of the Service's source ranges. */
    readonly ownGroup: string;
}

/** Compares an instance that was made for a Service. The cloud chooses absent attributes. */
export function compareNlbInstance(
    model: NlbLoadBalancer,
    observed: ObservedNlbLoadBalancer,
    { mark, tags, vpcId, ownGroup }: NlbOwner,
): Difference[] {
    const { additionalTags, preserve, sourceRanges, name = mark, ...attributes } = model;
    const desired = {
        ...attributes,
        name,
        vpcId,
        securityGroupIds:
            model.securityGroupIds &&
            sortedIds([...model.securityGroupIds, ...(sourceRanges.length === 0 ? [] : [ownGroup])]),
        modificationProtectionReason:
            model.modificationProtection === "ConsoleProtection" ? PROTECTION_REASON : undefined,
        // No Service limits new connections, and the plugin would lift a limit.
        cps: "",
        tags: { ...additionalTags, ...tags },
    };
    return compareNlbAttributes(desired, { ...observed, tags: userTags(observed.tags) });
}

/** Compares the rules of the security group of a Service's source ranges: policies by range. */
export const compareSourceRules = (model: NlbLoadBalancer, observed: Readonly<Record<string, string>>): Difference[] =>
    diffTexts("", sourceRules(model), observed).map((one) => ({
        ...one,
        inputs: [],
        change: "in place",
        harmless: false,
        opens: one.desired === "drop",
    }));

const LISTENER: Traits = {
    ...attributeTraits("nlb"),
    description: { inputs: ["listenerDescription"], harmless: true },
    status: { anyCase: true },
    proxyProtocol: {
        inputs: ["proxyProtocolEnabled", "proxyProtocolConfig"],
        interrupts: ": connections break that expect the other header",
    },
    "tls.certId": { inputs: ["certificateIds"] },
    "tls.caCertId": { inputs: ["caEnabled", "caCertificateIds"] },
    "tls.alpnPolicy": { inputs: ["alpnEnabled", "alpnPolicy"] },
    // A resource of its own adds and removes them.
    "tls.additionalCertIds": { inputs: [] },
    tags: { inputs: ["tags"], harmless: true },
};

/** Returns the limit of new connections, empty if there is none. The API may write no limit as 0. */
const limitOf = ({ cps }: NlbListener["attributes"]) => (cps === 0 ? "" : (cps ?? ""));

/** Compares a listener. Further certificates are managed if the Service names some. Undefined places are any. */
export function compareNlbListener(
    model: NlbListener,
    observed: ObservedNlbListener,
    place: { readonly description: string | undefined; readonly serverGroupId?: string | undefined },
): Difference[] {
    const { key, port, endPort, protocol, serverGroup, attributes, tls, ...desired } = model;
    const { kind, id, port: _, endPort: __, protocol: ___, attributes: others, ...found } = observed;
    const limit = limitOf(attributes);
    return compareAttributes(
        // A run leaves a limit alone that the Service does not set.
        limit === "" ? { ...LISTENER, cps: { change: "kept" } } : LISTENER,
        {
            serverGroupId: undefined,
            ...desired,
            ...attributes,
            ...place,
            status: "Running",
            cps: limit,
            // The plugin would remove them from a listener.
            mss: "",
            tags: {},
            ...(tls && {
                tls: { ...tls, ...(tls.additionalCertIds.length === 0 && { additionalCertIds: undefined }) },
            }),
        },
        { ...found, ...valuesOf({ ...others }, attributes), cps: limitOf(others), tags: userTags(found.tags) },
    );
}

const GROUP: Traits = {
    name: { inputs: ["serverGroupName"], harmless: true },
    protocol: { change: "replaced" },
    type: { inputs: ["serverGroupType"], change: "replaced", anyCase: true },
    anyPort: { inputs: ["anyPortEnabled"], change: "replaced" },
    ipVersion: { inputs: ["addressIpVersion"], change: "replaced" },
    vpcId: { change: "replaced" },
    resourceGroupId: { harmless: true },
    // The API gives words back as they were written.
    scheduler: { anyCase: true },
    "healthCheck.type": { inputs: ["healthCheck"], anyCase: true },
    healthCheck: { inputs: ["healthCheck"] },
    checkRequest: { inputs: ["healthCheck"] },
    checkAnswer: { inputs: ["healthCheck"] },
    drainTimeout: { inputs: ["connectionDrainEnabled", "connectionDrainTimeout"] },
    preserveClientIp: { inputs: ["preserveClientIpEnabled"] },
    affinity: { inputs: [] },
    tags: { inputs: ["tags"], harmless: true },
};

/** Name, tags and place of a server group. Undefined stands for any. */
interface GroupPlace {
    readonly name: string | undefined;
    readonly tags: Tags;
    readonly vpcId?: string | undefined;
    readonly resourceGroupId?: string | undefined;
}

/** Compares a server group without its members. A dual-stack group stays dual-stack. */
export function compareNlbGroup(
    model: NlbServerGroup,
    observed: ObservedNlbServerGroup,
    { name, tags, vpcId, resourceGroupId }: GroupPlace,
): Difference[] {
    const { key, kind, ports, backendPort, joined, range, ipVersion, healthCheck, ...desired } = model;
    const { id, loadBalancerIds, backends, ...found } = observed;
    const isChecked = healthCheck.enabled && found.healthCheck.enabled;
    const checkOf = (check: NlbServerGroup["healthCheck"]) => (isChecked ? check : { enabled: check.enabled });
    return compareAttributes(
        GROUP,
        {
            preserveClientIp: undefined,
            ...desired,
            name,
            vpcId,
            resourceGroupId,
            ipVersion: addressIpVersionOf({ ipVersion })?.toLowerCase(),
            affinity: serverGroupOptions(model)["IpVersionAffinityMode"],
            healthCheck: checkOf(healthCheck),
            tags,
        },
        { ...found, healthCheck: checkOf(found.healthCheck), tags: userTags(found.tags) },
    );
}
