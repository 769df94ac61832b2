/** Differences between the observed and the desired objects of a Service, as a refresh finds them. */

import type { ClbHealthCheck } from "../../provider/clb/health-check";
import { type ClbListener, type ObservedClbListener, OWN_ADDRESS } from "../../provider/clb/listener";
import { type ClbLoadBalancer, initialCharge, specFor } from "../../provider/clb/load-balancer";
import { type NlbListener, nlbListenerMark, type ObservedNlbListener } from "../../provider/nlb/listener";
import { type NlbLoadBalancer, sourceRules } from "../../provider/nlb/load-balancer";
import { type NlbServerGroup, type ObservedNlbServerGroup, serverGroupOptions } from "../../provider/nlb/server-group";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import { type Attributes, diffAllAttributes, type Differing, diffTexts } from "../../provider/plan/diff";
import { instanceChanges } from "../../provider/plan/reuse/changes";
import { defined } from "../../provider/schema/defined";
import type { ClusterFacts } from "../../provider/schema/facts";
import * as names from "../../provider/schema/names";
import type { ObservedInstance } from "../../provider/plan/observed";
import { buildReuse, sortedIds } from "../../provider/service/reuse";
import type { Service } from "../../provider/service/service";
import { instanceMarkOf, listenerViews, managedGroups, ownerOf } from "./groups";
import type { InspectedService, LiveCloud } from "./model";

export interface Drift extends Differing {
    /** `load balancer`, `listener tcp:80`, `server group tcp-80`. */
    readonly object: string;
    /** True if traffic is the same with both values. */
    readonly harmless: boolean;
    /** True if a run leaves it as it is, because the Service does not set it. */
    readonly leftAlone: boolean;
    /** True if everybody may connect although the Service restricts its clients. */
    readonly opens: boolean;
}

/** Attributes on which no packet depends. */
const HARMLESS = /^(name|description|tags?\b.*|(delete|modification)Protection(Reason)?|resourceGroupId|.*ChargeType)$/;

type Found = Extract<LiveCloud, { kind: "found" }>;

/** Service whose load balancer was read. */
interface Known {
    readonly live: InspectedService;
    readonly cloud: Found;
    readonly service: Service;
    readonly model: ClbDesired | NlbDesired;
    /** Undefined if no object tells the id of the cluster. */
    readonly owner: names.Owner | undefined;
    /** Value of the ownership tag, and default name of the instance. */
    readonly mark: string;
    readonly tags: Readonly<Record<string, string>>;
}

/** Returns the differences between observed and desired managed objects, none without the cloud. */
export function driftOf(live: InspectedService): Drift[] {
    const { object, service, model, cloud } = live;
    if (cloud.kind !== "found" || service === undefined || model === undefined) return [];
    const mark = instanceMarkOf(object);
    const owner = ownerOf(live);
    const clusterId = owner?.clusterId ?? cloud.instance.tags[names.CLUSTER_TAG];
    const tags = { [names.OWNER_TAG]: mark, ...(clusterId !== undefined && { [names.CLUSTER_TAG]: clusterId }) };
    const known = { live, cloud, service, model, owner, mark, tags };
    return [...instanceDrift(known), ...accessDrift(known), ...listenerDrift(known), ...groupDrift(known)];
}

const named = (object: string, found: readonly Differing[], harmless?: true): Drift[] =>
    found.map((one) => ({
        object,
        ...one,
        harmless: harmless ?? HARMLESS.test(one.attribute),
        leftAlone: object.startsWith("listener ") && one.attribute === "cps" && one.desired === "-",
        opens: opens(one),
    }));

const compare = (object: string, desired: Attributes, observed: Attributes): Drift[] =>
    named(object, diffAllAttributes(desired, observed).map(inWords));

const tagDrift = (object: string, desired: Texts, observed: Texts): Drift[] =>
    named(`the tag set of ${object}`, diffTexts("", desired, names.userTags(observed)), true);

type Texts = Readonly<Record<string, string>>;

/** An empty list, or no security group, restricts no client. Source: CLB and NLB, "access control". */
function opens({ attribute, observed, desired }: Differing): boolean {
    if (/^(entries|securityGroupIds)$/.test(attribute))
        return /^(-|\[\])$/.test(observed) && !/^(-|\[\])$/.test(desired);
    return (attribute === "access.status" && observed === "off") || desired === "drop";
}

/** Numbers for the backend's own port, of a CLB and of an NLB. */
const OWN_PORT: readonly string[] = ["-520", "0"];

/** Names of attributes with another name in the Service. */
const NAMES: Readonly<Record<string, string>> = {
    "tls.certId": "certificate (cert-id)",
    "tls.additionalCertIds": "further certificates (additional-cert-ids)",
    "tls.caCertId": "CA certificate (cacert-id)",
    "tls.alpnPolicy": "ALPN policy (alpn-policy)",
    "healthCheck.enabled": "health check",
    forwardTo: "redirect (forward-port)",
    drainTimeout: "connection draining",
};

/** Returns the name of an attribute for people, in the words of an annotation and not of the code. */
export const attributeName = (attribute: string): string =>
    NAMES[attribute] ??
    attribute.replace(/^(?:tls|healthCheck|stickySession|access)\./, (prefix) => PARTS[prefix] ?? "");

const PARTS: Readonly<Record<string, string>> = {
    "tls.": "TLS ",
    "healthCheck.": "health check ",
    "stickySession.": "session persistence ",
    "access.": "access control ",
};

/** Words for values of attributes whose own text does not explain them. */
const WORDS: readonly (readonly [attribute: RegExp, word: (text: string) => string])[] = [
    [/connectPort$/i, (text) => (OWN_PORT.includes(text) ? "the backend's port" : text)],
    [/^bandwidth$/, (text) => (text === "-1" ? "unlimited" : text)],
    [/^(?:healthCheck\.)?enabled$/, (text) => (text === "true" ? "on" : text === "false" ? "off" : text)],
    // Absent without the protocol, else an object of what it passes on.
    [/^proxyProtocol$/, (text) => (text === "-" ? "off" : text.startsWith("{") ? "on" : text)],
];

function inWords({ attribute, observed, desired }: Differing): Differing {
    const word = WORDS.find(([pattern]) => pattern.test(attribute))?.[1] ?? ((text: string) => text);
    return { attribute, observed: word(observed), desired: word(desired) };
}

function instanceDrift({ live, cloud, service, model, mark, tags }: Known): Drift[] {
    const { facts } = live.seen;
    const { instance, securityGroup } = cloud;
    const request = buildReuse(service, facts, []);
    if (request !== undefined)
        return [...named("load balancer", instanceChanges(request, instance)), ...reuseTagDrift(instance.tags)];
    const { additionalTags, name = mark } = model.loadBalancer;
    const isNlb = model.kind === "nlb";
    // A shared load balancer has neither the name nor a tag of a load balancer made for a Service.
    const isShared = instance.tags[names.OWNER_TAG] !== mark && instance.tags[names.CLUSTER_TAG] === undefined;
    if (!isNlb && instance.name !== name && isShared) return [];
    const reason = isNlb || name === mark ? names.PROTECTION_REASON : names.markedProtectionReason(mark);
    const attributes = {
        ...(isNlb
            ? nlbAttributes(model.loadBalancer, securityGroup?.id ?? "(deleted)")
            : clbAttributes(model.loadBalancer, service, instance, facts)),
        name,
        ...(model.loadBalancer.modificationProtection === "ConsoleProtection" && {
            modificationProtectionReason: reason,
        }),
    };
    return [
        ...named("load balancer", instanceChanges({ attributes, additionalTags: {} }, instance)),
        // No Service limits new connections.
        ...named("load balancer", instance.kind === "nlb" ? diffAllAttributes({ cps: "" }, { cps: instance.cps }) : []),
        ...tagDrift("the load balancer", { ...additionalTags, ...tags }, instance.tags),
    ];
}

/** Compares the tag of reused instances, which tells a cluster not to delete them. */
const reuseTagDrift = (tags: Texts): Drift[] =>
    named(
        "the tag set of the load balancer",
        diffTexts("", { [names.REUSED_TAG]: "true" }, { [names.REUSED_TAG]: tags[names.REUSED_TAG] ?? "-" }),
        true,
    );

/**
 * Returns the desired attributes of a CLB. The cloud chooses absent attributes. A CLB without charge settings keeps its
 * charge.
 */
function clbAttributes(model: ClbLoadBalancer, { settings }: Service, instance: ObservedInstance, facts: ClusterFacts) {
    const { vswitch, additionalTags, preserve, sourceRanges, ...attributes } = model;
    const actual = instance.kind === "clb" ? instance.instanceChargeType : undefined;
    const kept = "instanceChargeType" in initialCharge(settings, facts) ? actual : undefined;
    const instanceChargeType = kept ?? model.instanceChargeType;
    const spec = specFor(model, instanceChargeType);
    return defined({ ...attributes, instanceChargeType, spec, vswitchId: vswitch?.named });
}

/** Returns the desired attributes of an NLB, with the security group of the Service's source ranges. */
function nlbAttributes(model: NlbLoadBalancer, ownGroup: string) {
    const { additionalTags, preserve, sourceRanges, ...attributes } = model;
    const own = sourceRanges.length === 0 ? [] : [ownGroup];
    return { ...attributes, securityGroupIds: sortedIds([...model.securityGroupIds, ...own]) };
}

/** Compares the access control list or the security group, which the Service's source ranges fill. */
function accessDrift({ cloud, model, mark, tags }: Known): Drift[] {
    const { acl, securityGroup } = cloud;
    const { loadBalancer } = model;
    if (acl !== undefined) {
        const { name, entries } = acl;
        const list = `access control list ${acl.id}`;
        return [
            ...compare(list, { name: mark, entries: loadBalancer.sourceRanges }, { name, entries }),
            ...tagDrift(list, tags, acl.tags),
        ];
    }
    if (model.kind === "clb" || securityGroup === undefined) return [];
    const rules = sourceRules(model.loadBalancer);
    return named(`security group ${securityGroup.id}`, diffTexts("", rules, securityGroup.rules));
}

function listenerDrift({ live, cloud, model, owner }: Known): Drift[] {
    return listenerViews(live).flatMap(({ key, own, listener }) => {
        const name = `${listener?.protocol}:${listener?.port}`;
        const observed = cloud.listeners[name];
        const desired = model.listeners.find((one) => one.key === key);
        if (!own || observed === undefined || desired?.protocol !== observed.protocol) return [];
        const isClb = model.kind === "clb";
        const [want, have] = isClb
            ? clbListenerPair(desired as ClbListener, observed as ObservedClbListener, cloud.acl?.id)
            : nlbListenerPair(desired as NlbListener, observed as ObservedNlbListener);
        const description =
            owner && (isClb ? names.ownershipKey(desired.port, owner) : nlbListenerMark(desired as NlbListener, owner));
        return compare(`listener ${name}`, { ...want, description }, have);
    });
}

/** Parts of a listener or server group that place it, or are compared by other checks. */
const PLACE: ReadonlySet<string> = new Set(
    [
        "id key kind name port ports endPort backendPort forwardPort joined range protocol serverGroup serverGroupId",
        "status attributes tags vpcId resourceGroupId loadBalancerIds ipVersion affinity",
    ].flatMap((names) => names.split(" ")),
);

const withoutPlace = (object: object): Attributes =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !PLACE.has(name)));

type Pair = readonly [desired: Attributes, observed: Attributes];

/** Returns the plain attributes of a listener as far as the Service sets them. */
const observedSettings = ({ attributes: desired }: { attributes: object }, { attributes }: { attributes: object }) =>
    Object.fromEntries(Object.entries(attributes).filter(([name]) => name in desired)) as Attributes;

/** Returns both checks. If either is off, only their switches are compared. */
const checkPair = (desired: Attributes, observed: Attributes): Pair =>
    desired["enabled"] === true && observed["enabled"] === true
        ? [desired, observed]
        : [{ enabled: desired["enabled"] }, { enabled: observed["enabled"] }];

/**
 * Returns the attributes of a check. Host and method count in checks by HTTP, with the defaults of the API.
 */
const clbCheck = ({ domain = OWN_ADDRESS, method = "head", ...check }: ClbHealthCheck): Attributes =>
    check.type === "http" ? { ...check, domain, method } : { ...check };

/** Attributes without a meaning on a redirecting listener. */
const ONLY_SERVING = ["healthCheck", "stickySession", "addsAddress", "addsId", "compresses"];

/** Returns the access to compare. Any is right without the Service's own list, which is a finding of its own. */
const desiredAccess = (access: ClbListener["access"], ownAcl: string | undefined) =>
    access.status === "off" || access.aclIds !== undefined ? access : ownAcl && { ...access, aclIds: [ownAcl] };

function clbListenerPair(desired: ClbListener, observed: ObservedClbListener, ownAcl: string | undefined): Pair {
    const { access, forwardTo, tls } = desired;
    // No Service sets it for UDP.
    const attributes = { ...(desired.protocol === "udp" ? { persistenceTimeout: 0 } : {}), ...desired.attributes };
    const [want, have] = checkPair(clbCheck(desired.healthCheck), clbCheck(observed.healthCheck));
    const isServing = forwardTo === undefined;
    const domains = Object.fromEntries((tls?.domains ?? []).map(({ domain, certId }) => [domain, certId]));
    const others = (observed.tls?.domains ?? []).filter(({ domain }) => domain in domains);
    const certificates = (certId: string | undefined, further: Texts) => ({ tls: { certId, domains: further } });
    return [
        {
            ...withoutPlace(desired),
            ...attributes,
            access: desiredAccess(access, ownAcl),
            // The cloud gives http listeners no bandwidth of their own.
            bandwidth: desired.protocol === "http" ? undefined : -1,
            ...(isServing
                ? { healthCheck: want, addsAddress: false, addsId: false, compresses: true }
                : Object.fromEntries(ONLY_SERVING.map((name) => [name, undefined]))),
            ...(tls && certificates(tls.certId, domains)),
        },
        {
            ...withoutPlace(observed),
            ...observedSettings({ attributes }, observed),
            healthCheck: have,
            ...(observed.tls &&
                certificates(
                    observed.tls.certId,
                    Object.fromEntries(others.map(({ domain, certId }) => [domain, certId])),
                )),
        },
    ];
}

/** Returns the limit of new connections, empty if there is none. The API may write no limit as 0. */
const limitOf = ({ cps }: NlbListener["attributes"]) => (cps === 0 ? "" : (cps ?? ""));

function nlbListenerPair(desired: NlbListener, observed: ObservedNlbListener): Pair {
    const { tls, attributes } = desired;
    // Additional certificates are managed only if the Service names some.
    const isAny = tls?.additionalCertIds.length === 0;
    return [
        {
            ...withoutPlace(desired),
            ...attributes,
            cps: limitOf(attributes),
            tags: {},
            ...(tls && { tls: { ...tls, ...(isAny ? { additionalCertIds: undefined } : {}) } }),
        },
        {
            ...withoutPlace(observed),
            ...observedSettings(desired, observed),
            cps: limitOf(observed.attributes),
            tags: names.userTags(observed.tags),
        },
    ];
}

function groupDrift({ live, cloud, model, tags }: Known): Drift[] {
    return managedGroups(live).flatMap(({ model: desired, group, name }) => {
        const object = `server group ${desired.key}`;
        const observed = cloud.groups[group.id];
        const renamed = compare(object, { name }, { name: group.name });
        if (observed === undefined || model.kind === "clb") return renamed;
        const [want, have] = nlbGroupPair(desired as NlbServerGroup, observed);
        return [...compare(object, want, have), ...renamed, ...tagDrift(object, tags, observed.tags)];
    });
}

/** Returns both groups. The API may write the scheduler in another case, and a dual-stack group stays dual-stack. */
function nlbGroupPair(desired: NlbServerGroup, observed: ObservedNlbServerGroup): Pair {
    const [want, have] = checkPair({ ...desired.healthCheck }, { ...observed.healthCheck });
    const scheduler = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
    return [
        {
            preserveClientIp: undefined,
            ...withoutPlace(desired),
            healthCheck: want,
            affinity: serverGroupOptions(desired)["IpVersionAffinityMode"],
        },
        {
            ...withoutPlace(observed),
            healthCheck: have,
            scheduler: scheduler(observed.scheduler),
            affinity: observed.affinity,
        },
    ];
}
