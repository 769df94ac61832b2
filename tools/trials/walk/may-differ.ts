/** Differences that a change may leave against a fresh creation. */
import { isDeepStrictEqual } from "node:util";
import type { Version } from "../service";

export type Plain = Readonly<Record<string, unknown>>;

/** Attribute that differs. */
export interface Deviation {
    /** Kind of the object, `slb listeners`. */
    readonly list: string;
    readonly object: string;
    /** Name of the attribute, with the names of those around it before it. Empty if the whole object differs. */
    readonly attribute: string;
    readonly changed: unknown;
    readonly fresh: unknown;
    /** The object as it is, and as it is after a creation. */
    readonly objects: readonly [changed: unknown, fresh: unknown];
}

/** Fields that the cloud makes up. They differ between two equal creations. */
export const MADE_UP: readonly string[] = [
    "id",
    "address",
    "dnsName",
    "privateAddress",
    "publicAddress",
    "ipv6Address",
    "eniId",
    "allocationId",
];

/** Attributes that may differ. */
interface Allowed {
    readonly list: string;
    /** Names of attributes, with the names of those around them. */
    readonly attributes: RegExp;
    readonly reason: string;
    /** True for an object in which they may, as it is after the change and after a creation. */
    readonly when: (object: Plain, service: Version | undefined) => boolean;
    /** True for a value after a creation with which they may. Default: any. */
    readonly fresh?: (value: unknown) => boolean;
    /** Returns what must be equal of the values. Default: nothing. */
    readonly rest?: (value: unknown) => unknown;
}

const attributesOf = (object: Plain): Plain => object["attributes"] as Plain;

/** True if the listener has a value of an attribute. */
const has =
    (name: string, value: string): Allowed["when"] =>
    (object) =>
        attributesOf(object)[name] === value;

const isUnchecked = (listener: Plain): boolean => {
    const { HealthCheckSwitch, HealthCheck } = attributesOf(listener);
    return HealthCheckSwitch === "off" || HealthCheck === "off";
};

const isCheckedByHttp = (listener: Plain): boolean =>
    !isUnchecked(listener) && (listener["protocol"] !== "tcp" || attributesOf(listener)["HealthCheckType"] === "http");

const checkOf = (group: Plain): Plain => group["healthCheck"] as Plain;

/** Returns the members of a group without their weights. */
const withoutWeights = (members: unknown): unknown =>
    (members as readonly Plain[]).map(({ weight: _, ...member }) => member);

const KEPT_WEIGHTS: Pick<Allowed, "reason" | "when" | "rest"> = {
    reason: "with ignore-weight-update a member keeps the weight that it has",
    when: (_, service) => service?.annotations?.["ignore-weight-update"] === "on",
    rest: withoutWeights,
};

const LAST_BACKENDS: Pick<Allowed, "reason" | "when" | "fresh"> = {
    reason: "a group keeps its last backends when the cluster has none for it",
    when: () => true,
    fresh: (members) => Array.isArray(members) && members.length === 0,
};

const FORMER_GROUP: Omit<Allowed, "list"> = {
    attributes: /^resourceGroupId$/,
    reason: "objects stay in their resource group when the annotation that named it is removed",
    when: (_, service) => service?.annotations?.["resource-group-id"] === undefined,
};

const MAY_DIFFER: readonly Allowed[] = [
    { list: "slb loadBalancers", ...FORMER_GROUP },
    { list: "nlb loadBalancers", ...FORMER_GROUP },
    { list: "nlb serverGroups", ...FORMER_GROUP },
    { list: "ecs securityGroups", ...FORMER_GROUP },
    {
        list: "slb loadBalancers",
        attributes: /^(instanceChargeType|spec)$/,
        reason: "an instance keeps its charge type and its size when the annotation that named the type is removed",
        when: (_, service) => service?.annotations?.["instance-charge-type"] === undefined,
    },
    {
        list: "slb loadBalancers",
        attributes: /^(master|slave)ZoneId$/,
        reason: "an instance stays in its zones when the annotations that named them are removed",
        when: (_, service) => service?.annotations?.["master-zoneid"] === undefined,
    },
    {
        list: "slb loadBalancers",
        attributes: /^bandwidth$/,
        reason: "an instance that is charged by traffic keeps the bandwidth of its former charge, which has no effect",
        when: (instance) => instance["internetChargeType"] === "paybytraffic",
    },
    {
        list: "slb listeners",
        attributes: /^attributes\.(HealthCheck\w+|HealthyThreshold|UnhealthyThreshold)$/,
        reason: "a health check that is off keeps its settings, which have no effect",
        when: isUnchecked,
    },
    {
        list: "slb listeners",
        attributes: /^attributes\.HealthCheck(URI|HttpCode|Method|Domain)$/,
        reason: "a health check by connection keeps the settings of one by HTTP, which have no effect",
        when: (listener) => !isCheckedByHttp(listener),
    },
    {
        list: "slb listeners",
        attributes: /^attributes\.HealthCheck(Domain|ConnectPort)$/,
        reason: "a domain and a port that are absent are those of the backend, which can also be written",
        when: () => true,
        rest: (value) => (value === "$_ip" || value === -520 ? undefined : value),
    },
    {
        list: "slb listeners",
        attributes: /^attributes\.HealthCheckMethod$/,
        reason: "a method of health checks stays as it is when the annotation that named it is removed",
        when: (_, service) => service?.annotations?.["health-check-method"] === undefined,
    },
    {
        list: "slb listeners",
        attributes: /^attributes\.ConnectionDrainTimeout$/,
        reason: "draining that is off keeps its time, which has no effect",
        when: has("ConnectionDrain", "off"),
    },
    {
        list: "slb listeners",
        attributes: /^attributes\.(StickySessionType|Cookie|CookieTimeout)$/,
        reason: "session persistence that is off keeps its settings, which have no effect",
        when: has("StickySession", "off"),
    },
    {
        list: "slb listeners",
        attributes: /^attributes\.Cookie$/,
        reason: "session persistence by a cookie of the load balancer keeps the name of the backend's, which has no effect",
        when: has("StickySessionType", "insert"),
    },
    {
        list: "slb listeners",
        attributes: /^attributes\.CookieTimeout$/,
        reason: "session persistence by a cookie of the backend keeps the time of the load balancer's, which has no effect",
        when: has("StickySessionType", "server"),
    },
    {
        list: "slb listeners",
        attributes: /^(attributes\.AclType|aclIds)$/,
        reason: "access control that is off keeps its settings, which have no effect",
        when: has("AclStatus", "off"),
    },
    { list: "slb vServerGroups", attributes: /^backends$/, ...KEPT_WEIGHTS },
    { list: "nlb serverGroups", attributes: /^servers$/, ...KEPT_WEIGHTS },
    { list: "slb vServerGroups", attributes: /^backends$/, ...LAST_BACKENDS },
    { list: "nlb serverGroups", attributes: /^servers$/, ...LAST_BACKENDS },
    {
        list: "nlb serverGroups",
        attributes: /^healthCheck\./,
        reason: "a health check that is off keeps its settings, which have no effect",
        when: (group) => checkOf(group)["HealthCheckEnabled"] === false,
    },
    {
        list: "nlb serverGroups",
        attributes: /^healthCheck\.(HttpCheckMethod|HealthCheck(Url|Domain|HttpCode|HttpVersion))$/,
        reason: "a health check by connection keeps the settings of one by HTTP, which have no effect",
        when: (group) => checkOf(group)["HealthCheckType"] !== "HTTP",
    },
    {
        list: "nlb serverGroups",
        attributes: /^connectionDrainTimeout$/,
        reason: "draining that is off keeps its time, which has no effect",
        when: (group) => group["connectionDrainEnabled"] === false,
    },
    {
        list: "nlb serverGroups",
        attributes: /^preserveClientIpEnabled$/,
        reason: "in groups of addresses the cloud chooses, and its documents do not agree on its choice",
        when: (group, service) => group["type"] === "Ip" && service?.annotations?.["preserve-client-ip"] === undefined,
    },
    {
        list: "nlb listeners",
        attributes: /^proxyProtocolV2Config\./,
        reason: "Proxy Protocol that is off keeps what it carries, which has no effect",
        when: (listener) => listener["proxyProtocolEnabled"] === false,
    },
    {
        list: "nlb listeners",
        attributes: /^caCertificateIds$/,
        reason: "a listener that asks clients for no certificates keeps its list of authorities, which has no effect",
        when: (listener) => listener["caEnabled"] === false,
    },
    {
        list: "nlb listeners",
        attributes: /^idleTimeout$/,
        reason: "for UDP listeners the cloud chooses, and no document says what it chooses",
        when: (listener, service) =>
            listener["protocol"] === "UDP" && service?.annotations?.["idle-timeout"] === undefined,
    },
    {
        list: "nlb listeners",
        attributes: /^cps$/,
        reason: "no limit is absent or 0",
        when: () => true,
        rest: (value) => (value === 0 ? undefined : value),
    },
];

/** True if an attribute may differ. @param service the Service whose object it is, if it is a Service's */
export const isAllowed = (
    { list, attribute, changed, fresh, objects }: Deviation,
    service: Version | undefined,
): boolean =>
    objects.every((object) => object !== undefined) &&
    MAY_DIFFER.some(
        ({ rest = () => undefined, fresh: mayBe = () => true, ...allowed }) =>
            mayBe(fresh) &&
            allowed.list === list &&
            allowed.attributes.test(attribute) &&
            objects.every((object) => allowed.when(object as Plain, service)) &&
            isDeepStrictEqual(rest(changed), rest(fresh)),
    );
