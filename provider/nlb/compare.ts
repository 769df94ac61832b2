/** Comparison of an NLB and its parts with what a Service asks for: what differs, and what a change of it means. */
import { MOVES } from "../clb/compare";
import { defined } from "../schema/defined";
import { type Attributes, compare, type Difference, type Place, type Traits, valuesOf } from "../schema/difference";
import { PROTECTION_REASON, userTags } from "../schema/names";
import type { ZoneMap } from "../schema/settings";
import { attributeTraits } from "../service/annotations";
import { sortedIds } from "../service/reuse";
import { type NlbListener, nlbListenerMark, type ObservedNlbListener } from "./listener";
import { type NlbLoadBalancer, type ObservedNlbLoadBalancer, sourceRules } from "./load-balancer";
import {
    addressIpVersionOf,
    type NlbServerGroup,
    type ObservedNlbServerGroup,
    serverGroupOptions,
} from "./server-group";

const INSTANCE: Traits = {
    name: { inputs: ["loadBalancerName"] },
    addressType: { interrupts: MOVES },
    ipVersion: { inputs: ["addressIpVersion"], change: "replaced", interrupts: MOVES },
    modificationProtection: { inputs: ["modificationProtectionStatus"] },
    // A resource of its own sets them.
    zoneMaps: { inputs: [], interrupts: MOVES },
    vpcId: { change: "replaced" },
    securityGroupIds: { restricts: true },
    // A resource attaches the package, and another package replaces it.
    bandwidthPackageId: { inputs: [], change: "replaced" },
    deleteProtection: { inputs: ["deletionProtectionEnabled"] },
};

/** Compares the attributes that are desired of an instance. Addresses of zones count where they are specified. */
export function compareNlbAttributes(desired: Attributes, observed: ObservedNlbLoadBalancer): Difference[] {
    const zones = desired["zoneMaps"] as readonly ZoneMap[] | undefined;
    const zoneMaps = observed.zoneMaps.map((zone) => zoneText(asAsked(zone, zones ?? [])));
    const wanted = { ...desired, ...(zones && { zoneMaps: zones.map(zoneText) }) };
    return compare(INSTANCE, wanted, valuesOf({ ...observed, zoneMaps }, desired));
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

/** Compares an instance that was made for a Service. The cloud chooses absent attributes. */
export function compareNlbInstance(
    model: NlbLoadBalancer,
    observed: ObservedNlbLoadBalancer,
    { mark, tags, vpcId, securityGroupId = "(deleted)" }: Place,
): Difference[] {
    const { additionalTags, preserve, sourceRanges, name = mark, ...attributes } = model;
    const desired = {
        ...attributes,
        name,
        vpcId,
        securityGroupIds: sortedIds(model.securityGroupIds.concat(sourceRanges.length === 0 ? [] : securityGroupId)),
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
    compare({}, sourceRules(model), observed);

const LISTENER: Traits = {
    ...attributeTraits("nlb"),
    description: { inputs: ["listenerDescription"] },
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
};

/** Returns the limit of new connections, empty if there is none. The API may write no limit as 0. */
const limitOf = ({ cps }: NlbListener["attributes"]) => (cps === 0 ? "" : (cps ?? ""));

/** Compares a listener. Further certificates are managed if the Service names some. Undefined places are any. */
export function compareNlbListener(
    model: NlbListener,
    observed: ObservedNlbListener,
    { owner, serverGroupId }: Place,
): Difference[] {
    const { key, port, endPort, protocol, serverGroup, attributes, tls, ...desired } = model;
    const { kind, id, port: _, endPort: __, protocol: ___, attributes: others, ...found } = observed;
    const limit = limitOf(attributes);
    return compare(
        // A run leaves a limit alone that the Service does not set.
        limit === "" ? { ...LISTENER, cps: { change: "kept" } } : LISTENER,
        {
            ...desired,
            ...attributes,
            description: owner && nlbListenerMark(model, owner),
            serverGroupId,
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
    name: { inputs: ["serverGroupName"] },
    protocol: { change: "replaced" },
    type: { inputs: ["serverGroupType"], change: "replaced", anyCase: true },
    anyPort: { inputs: ["anyPortEnabled"], change: "replaced" },
    ipVersion: { inputs: ["addressIpVersion"], change: "replaced" },
    vpcId: { change: "replaced" },
    // The API gives words back as they were written.
    scheduler: { anyCase: true },
    "healthCheck.type": { inputs: ["healthCheck"], anyCase: true },
    checkRequest: { inputs: ["healthCheck"] },
    checkAnswer: { inputs: ["healthCheck"] },
    drainTimeout: { inputs: ["connectionDrainEnabled", "connectionDrainTimeout"] },
    preserveClientIp: { inputs: ["preserveClientIpEnabled"] },
    affinity: { inputs: [] },
};

/** Compares a server group without its members. A dual-stack group stays so. A name that is not known may be any. */
export function compareNlbGroup(
    model: NlbServerGroup,
    observed: ObservedNlbServerGroup,
    { tags, vpcId, resourceGroupId }: Place,
    name: string | undefined,
): Difference[] {
    const { key, kind, ports, backendPort, joined, range, ipVersion, healthCheck, ...desired } = model;
    const { id, loadBalancerIds, backends, ...found } = observed;
    const isChecked = healthCheck.enabled && found.healthCheck.enabled;
    const checkOf = (check: NlbServerGroup["healthCheck"]) => (isChecked ? check : { enabled: check.enabled });
    return compare(
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
