import type { ClbListener } from "../../provider/clb/listener";
import type { NlbListener } from "../../provider/nlb/listener";
import type { NlbServerGroup, ObservedNlbServerGroup } from "../../provider/nlb/server-group";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import { type Attributes, diffAttributes, type Differing } from "../../provider/plan/diff";
import { defaultLoadBalancerName, OWNER_TAG } from "../../provider/schema/names";
import { listenerViews } from "./groups";
import type { InspectedService, ObservedLiveListener } from "./model";

interface Drift extends Differing {
    /** `load balancer`, `listener tcp:80`, `server group tcp-80`. */
    readonly object: string;
}

/** Returns the attributes of managed objects that differ from what the Service asks for; none without the cloud. */
export function driftOf(live: InspectedService): Drift[] {
    const { service, model, cloud } = live;
    if (cloud.kind !== "found" || service === undefined || model === undefined) return [];
    const managed = listenerViews(live).filter(({ own }) => own);
    const listeners = managed.flatMap(({ key, listener }) => {
        const object = `${listener?.protocol}:${listener?.port}`;
        const observed = cloud.listeners[object];
        const desired = model.listeners.find((one) => one.key === key);
        return observed === undefined || desired === undefined || desired.protocol !== observed.protocol
            ? []
            : compare(`listener ${object}`, listenerAttributes(desired), listenerAttributes(observed));
    });
    const groups = model.serverGroups.flatMap((desired) => {
        const keys = model.listeners.filter(({ serverGroup }) => serverGroup === desired.key).map(({ key }) => key);
        const { listener } = managed.findLast(({ key }) => keys.includes(key)) ?? {};
        const observed = cloud.groups[listener?.serverGroupId ?? ""];
        return desired.joined !== undefined || observed === undefined || !isOfNlb(desired)
            ? []
            : compare(`server group ${desired.key}`, groupOf(desired), groupOf(observed));
    });
    const instance = service.settings.id === undefined ? compareInstance(live, model) : [];
    return [...instance, ...listeners, ...groups];
}

const isOfNlb = (group: object): group is NlbServerGroup => "anyPort" in group;

const compare = (object: string, desired: Attributes, observed: Attributes): Drift[] =>
    diffAttributes(desired, observed).map((differing) => ({ object, ...differing }));

/** Attributes of a listener that its Service sets, desired or observed, without those that are off. */
function listenerAttributes(listener: ClbListener | NlbListener | ObservedLiveListener): Attributes {
    if (!("healthCheck" in listener)) {
        const { attributes, tls, proxyProtocol } = listener;
        const { certId, alpnPolicy: alpn } = tls ?? {};
        return { ...attributes, proxyProtocol: proxyProtocol !== undefined, certId, alpn };
    }
    const { scheduler, access, healthCheck, stickySession, tls, drainTimeout, forwardTo, attributes } = listener;
    const { enabled, type, timeout } = healthCheck;
    const isServing = forwardTo === undefined;
    return {
        ...attributes,
        scheduler,
        aclStatus: access.status,
        ...(access.status === "on" ? { aclType: access.type, aclId: access.aclIds } : {}),
        healthCheck: isServing ? enabled : undefined,
        ...(isServing && enabled ? { healthCheckType: type, healthCheckTimeout: timeout } : {}),
        connectionDrain: drainTimeout !== undefined,
        connectionDrainTimeout: drainTimeout,
        stickySession: stickySession?.kind,
        certId: tls?.certId,
    };
}

/** The API may write the scheduler in another case. */
function groupOf(group: NlbServerGroup | ObservedNlbServerGroup): Attributes {
    const { scheduler, drainTimeout, preserveClientIp, healthCheck } = group;
    const { http, ...check } = healthCheck.enabled ? healthCheck : { ...healthCheck, http: undefined };
    const checks = Object.entries({ ...check, ...http });
    return {
        scheduler: scheduler.charAt(0).toUpperCase() + scheduler.slice(1),
        connectionDrain: drainTimeout !== undefined,
        preserveClientIp,
        ...Object.fromEntries(checks.map(([name, value]) => [`healthCheck.${name}`, value as unknown])),
    };
}

function compareInstance({ object, cloud }: InspectedService, { loadBalancer }: ClbDesired | NlbDesired): Drift[] {
    if (cloud.kind !== "found") return [];
    const { instance, aclEntries } = cloud;
    const { deleteProtection, modificationProtection, additionalTags, name, sourceRanges } = loadBalancer;
    const mark = defaultLoadBalancerName(object.metadata.uid ?? "");
    // A shared load balancer has neither the name nor the tag of one that was made for the Service.
    if (instance.name !== (name ?? mark) && instance.tags[OWNER_TAG] !== mark) return [];
    const isOn = (state: string | boolean | undefined): boolean => state === true || state === "on";
    const tags = { [OWNER_TAG]: mark, ...additionalTags };
    return [
        ...compare(
            "load balancer",
            { name, deleteProtection: isOn(deleteProtection) ? "on" : "off", modificationProtection },
            { ...instance },
        ),
        ...compare("the tag set of the load balancer", tags, instance.tags),
        ...(aclEntries === undefined
            ? []
            : compare("access control list", { entries: sourceRanges }, { entries: aclEntries })),
    ];
}
