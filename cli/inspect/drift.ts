/** Attributes of listeners, groups and instance that differ from what the Service asks for. */

import type { ClbDesired, NlbDesired } from "../../provider/builder";
import { type ClbListener, isLayer4 } from "../../provider/clb/model";
import type { NlbListener, NlbServerGroup } from "../../provider/nlb/model";
import { type Attributes, compareAttributes, type Difference } from "../../provider/plan/adoption";
import { defaultLoadBalancerName, OWNER_TAG } from "../../provider/schema/names";
import { listenerOptions, observedArguments, pluginArguments } from "../../provider/service/annotations";
import { listenerViews } from "./groups";
import type { InspectedService } from "./model";

/** Returns the differences of the objects that the Service manages; none of a load balancer that was not read. */
export function differencesOf(live: InspectedService): Difference[] {
    const { service, model, cloud } = live;
    if (cloud.kind !== "found" || service === undefined || model === undefined) return [];
    const managed = listenerViews(live).filter(({ own }) => own);
    const listeners = managed.flatMap(({ key, listener }) => {
        const attributes = listener && cloud.attributes[`${listener.protocol}:${listener.port}`];
        const desired = model.listeners.find((one) => one.key === key);
        if (attributes === undefined || desired === undefined || desired.protocol !== listener?.protocol) return [];
        const object = `listener ${listener.protocol}:${listener.port}`;
        return "scheduler" in desired
            ? compareClbListener(object, desired, attributes)
            : compareNlbListener(object, desired, attributes);
    });
    const groups = managed.flatMap(({ key, listener }) => {
        const { serverGroup } = model.listeners.find((one) => one.key === key) ?? {};
        const desired = model.serverGroups.find((one) => one.key === serverGroup);
        const attributes = cloud.attributes[listener?.serverGroupId ?? ""];
        if (desired === undefined || desired.joined !== undefined || attributes === undefined) return [];
        return isNlbGroup(desired) ? compareGroup(`server group ${desired.key}`, desired, attributes) : [];
    });
    const instance = service.settings.id === undefined ? compareInstance(live, model) : [];
    return [...instance, ...listeners, ...once(groups)];
}

const isNlbGroup = (group: object): group is NlbServerGroup => "anyPort" in group;

const once = (all: readonly Difference[]): Difference[] => [
    ...new Map(all.map((one) => [`${one.object} ${one.attribute}`, one])).values(),
];

function compareInstance({ object, cloud }: InspectedService, { loadBalancer }: ClbDesired | NlbDesired): Difference[] {
    if (cloud.kind !== "found") return [];
    const { instance, aclEntries } = cloud;
    const { deleteProtection, modificationProtection, additionalTags, name } = loadBalancer;
    const { uid = "" } = object.metadata;
    const isOn = (state: string | boolean | undefined): boolean => state === true || state === "on";
    const ranges = "addressType" in loadBalancer ? loadBalancer.sourceRanges : [];
    const tags = { [OWNER_TAG]: defaultLoadBalancerName(uid), ...additionalTags };
    return [
        ...compareAttributes(
            "load balancer",
            { name, deleteProtection: isOn(deleteProtection) ? "on" : "off", modificationProtection },
            { ...instance },
        ),
        ...compareAttributes("the tag set of the load balancer", tags, instance.tags),
        ...(aclEntries === undefined
            ? []
            : compareAttributes("access control list", { entries: ranges }, { entries: aclEntries })),
    ];
}

function compareClbListener(object: string, model: ClbListener, observed: Attributes): Difference[] {
    const { access, healthCheck, stickySession, tls, drainTimeout } = model;
    const layer4 = isLayer4(model);
    const listed = observed["AclId"];
    const plain = compareAttributes(
        object,
        pluginArguments<Record<string, unknown>>("clb", model.attributes),
        observedArguments("clb", observed),
    );
    const onOff = (is: boolean): string => (is ? "on" : "off");
    const desired = {
        Scheduler: model.scheduler,
        AclStatus: access.status,
        ...(access.status === "on" ? { AclType: access.type } : {}),
        ...(access.status === "on" && access.aclIds !== undefined ? { AclId: access.aclIds } : {}),
        ...(model.forwardTo === undefined
            ? {
                  HealthCheck: onOff(healthCheck.enabled),
                  ...(healthCheck.enabled
                      ? { [layer4 ? "HealthCheckConnectTimeout" : "HealthCheckTimeout"]: healthCheck.timeout }
                      : {}),
                  ...(model.protocol === "tcp" ? { HealthCheckType: healthCheck.type } : {}),
              }
            : {}),
        ...(layer4 ? { ConnectionDrain: onOff(drainTimeout !== undefined) } : {}),
        ConnectionDrainTimeout: drainTimeout,
        StickySession: stickySession === undefined ? undefined : onOff(stickySession.kind !== "off"),
        ServerCertificateId: tls?.certId,
        ...listenerOptions("clb", model.attributes),
    };
    const answered = Object.fromEntries(Object.keys(desired).map((name) => [name, observed[name] ?? DEFAULTS[name]]));
    const actual = { ...answered, AclId: String(listed ?? "").split(",") };
    return [...plain, ...compareAttributes(object, answeredOnly(desired, actual), actual)];
}

/** Attributes that an answer leaves out where they are off. Source: SLB API. */
const DEFAULTS: Attributes = { ConnectionDrain: "off", AclStatus: "off", StickySession: "off", HealthCheck: "on" };

/** Leaves out what the answer does not have: it cannot be compared. */
const answeredOnly = (desired: Attributes, actual: Attributes): Attributes =>
    Object.fromEntries(Object.entries(desired).filter(([name]) => actual[name] !== undefined));

function compareNlbListener(object: string, model: NlbListener, observed: Attributes): Difference[] {
    const { tls, proxyProtocol } = model;
    const desired = {
        ...pluginArguments<Record<string, unknown>>("nlb", model.attributes),
        ProxyProtocolEnabled: proxyProtocol !== undefined,
        ...(tls === undefined ? {} : { CertificateIds: [tls.certId], AlpnEnabled: tls.alpnPolicy !== undefined }),
    };
    const actual = {
        ...observedArguments<Record<string, unknown>>("nlb", observed),
        ProxyProtocolEnabled: observed["ProxyProtocolEnabled"] === true,
        CertificateIds: observed["CertificateIds"] ?? [],
        AlpnEnabled: observed["AlpnEnabled"] === true,
    };
    return compareAttributes(object, desired, actual);
}

function compareGroup(object: string, model: NlbServerGroup, observed: Attributes): Difference[] {
    const { healthCheck: check, drainTimeout } = model;
    const desired = {
        Scheduler: model.scheduler,
        ConnectionDrainEnabled: drainTimeout !== undefined,
        PreserveClientIpEnabled: model.preserveClientIp,
    };
    const compared = compareAttributes(object, desired, observed);
    const answered = (observed["HealthCheck"] ?? {}) as Attributes;
    const health = {
        HealthCheckEnabled: check.enabled,
        ...(check.enabled
            ? {
                  HealthCheckType: check.type,
                  HealthCheckConnectPort: check.connectPort,
                  HealthCheckConnectTimeout: check.connectTimeout,
                  HealthCheckInterval: check.interval,
                  HealthyThreshold: check.healthyThreshold,
                  UnhealthyThreshold: check.unhealthyThreshold,
                  ...(check.http === undefined ? {} : { HealthCheckUrl: check.http.url }),
              }
            : {}),
    };
    return [...compared, ...compareAttributes(object, answeredOnly(health, answered), answered)];
}
