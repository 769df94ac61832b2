/** Changes that interrupt traffic, and public addresses that they release, which cannot be recovered. */
import type { Problem } from "../diagnostics";
import type { Service, ServicePort } from "../service/service";
import type { ObservedNlbLoadBalancer } from "../nlb/load-balancer";
import { keepNamed } from "../nlb/zones";
import { defined, filtered } from "../schema/defined";
import type { ClusterFacts } from "../schema/facts";
import { listenerProtocolOf } from "../schema/protocols";
import type { ZoneMap } from "../schema/settings";
import { backendTypeOf, defaultOf, listenersManaged } from "../service/annotations";
import { violations } from "./immutability";

type ServiceResources = Pick<Service, "settings" | "ports" | "loadBalancerType">;

/**
 * Returns the fields that a load balancer changes only with an interruption, as texts to compare: Proxy Protocol, type
 * of backends, and protocol of each listener port, and for an NLB also address type, zones, and type of server groups.
 *
 * Defaults are written out, because stating a default is no change. Sources: "Configure CLB using annotations" and
 * "Configure Network Load Balancer (NLB) Using Annotations".
 */
export function disruptiveFields(service: ServiceResources, facts: ClusterFacts): Record<string, string> {
    const { settings, ports, loadBalancerType } = service;
    const proxyProtocol = settings.proxyProtocol ?? defaultOf("proxyProtocol", facts, loadBalancerType) ?? "off";
    return {
        ...(listenersManaged(settings) && { proxyProtocol }),
        backendType: backendTypeOf(settings, facts),
        ...(loadBalancerType === "nlb" ? nlbFacts(service) : {}),
        ...Object.fromEntries(
            ports.map((port) => [`listener ${port.protocol}:${port.port}`, describeListener(port, service)]),
        ),
    };
}

/** Stands for a listener of a reused instance that is the user's, or that there may not be. */
const USER_MANAGED = "user-managed";

function describeListener(port: ServicePort, { settings }: ServiceResources): string {
    if (!listenersManaged(settings)) return USER_MANAGED;
    const protocol = listenerProtocolOf(port, settings);
    const redirect = protocol === "http" ? settings.forwardPort?.find(({ http }) => http === port.port) : undefined;
    const range = settings.listenerPortRange?.find((one) => one.port === port.port);
    const parts = [
        protocol,
        redirect && `redirected to ${redirect.https}`,
        range && `on ports ${range.from}-${range.to}`,
    ];
    return parts.filter((part) => part !== undefined).join(", ");
}

/** Returns the setting of a zone among the disruptive settings. */
export const zoneSetting = ({ zoneId }: Pick<ZoneMap, "zoneId">): string => `zone ${zoneId}`;
const ZONE_SETTING = /^zone (.*)$/;

const describeZone = ({ vswitchId, privateIpv4, allocationId }: ZoneMap): string =>
    [vswitchId, privateIpv4, allocationId].filter((part) => part !== undefined).join(" ");

function nlbFacts({ settings }: ServiceResources): Record<string, string> {
    const zones = (settings.zoneMaps ?? []).map((zone) => [zoneSetting(zone), describeZone(zone)]);
    return {
        addressType: settings.addressType ?? "internet",
        serverGroupType: settings.serverGroupType ?? "Instance",
        ...Object.fromEntries(zones),
    };
}

/** Values by setting, as `disruptiveFields` returns them. */
type Facts = Readonly<Record<string, string>>;

/**
 * Consequence of a change for connections, by setting. Source: "Configure CLB using annotations" and that of NLB, Proxy
 * Protocol, redirects and backend types.
 */
const CONSEQUENCES: readonly [RegExp, string][] = [
    [
        /^proxyProtocol$/,
        "Proxy Protocol cannot be switched while traffic flows, since load balancer and backends have to change " +
            "at the same moment",
    ],
    [/^(?:backendType|serverGroupType)$/, "the server groups are created again, and every backend with them"],
    [/^listener /, "the listener is deleted and created again, and its connections break"],
    [
        /^addressType$/,
        "who reached the load balancer by its old addresses no longer does, until its DNS name is looked up again",
    ],
    [/^zone /, "the load balancer leaves its address in the zone, and connections to it break"],
];

/** Settings by which an NLB has its addresses. */
const OF_ADDRESS = /^addressType$|^zone /;

/** True if a change gives an NLB other addresses. */
export const movesAddresses = (before: Facts, after: Facts): boolean =>
    Object.entries(before).some(([setting, was]) => OF_ADDRESS.test(setting) && after[setting] !== was);

/**
 * Returns disruptive settings with those by which an NLB has its addresses as it has them.
 *
 * @param asked settings that a run asked for, which may have failed
 * @param observed the NLB, undefined if it could not be read: then it has its addresses as before that run
 * @param former settings before that run
 * @param next settings that this run asks for. Default none
 */
export function withAddresses(
    asked: Facts,
    observed: Pick<ObservedNlbLoadBalancer, "addressType" | "zoneMaps"> | undefined,
    former: Facts,
    next: Facts = {},
): Facts {
    const others = filtered(asked, (setting) => !OF_ADDRESS.test(setting));
    if (observed === undefined) return { ...others, ...filtered(former, (setting) => OF_ADDRESS.test(setting)) };
    const zones = observed.zoneMaps.flatMap((zone) => {
        const texts = [asked, former, next].flatMap((settings) => settings[zoneSetting(zone)] ?? []);
        const parts: readonly unknown[] = [zone.vswitchId, zone.privateIpv4, zone.allocationId];
        const fitting = texts.filter((one) => one.split(" ").every((part) => parts.includes(part)));
        // The text that names most addresses of the zone is the longest.
        const text = fitting.toSorted((a, b) => b.length - a.length)[0];
        // A zone that no Service names is the cluster's.
        return texts.length === 0 ? [] : [[zoneSetting(zone), text ?? zone.vswitchId] as const];
    });
    return { ...others, ...defined({ addressType: observed.addressType }), ...Object.fromEntries(zones) };
}

/** Returns the zones of disruptive settings, as {@link describeZone} wrote them. */
const zonesIn = (facts: Facts): ZoneMap[] =>
    Object.entries(facts).flatMap(([setting, text]) => {
        const zoneId = ZONE_SETTING.exec(setting)?.[1];
        const [vswitchId = "", ...addresses] = text.split(" ");
        const isElastic = (address: string): boolean => address.startsWith("eip-");
        const privateIpv4 = addresses.find((address) => !isElastic(address));
        return zoneId === undefined
            ? []
            : [{ zoneId, vswitchId, ...defined({ privateIpv4, allocationId: addresses.find(isElastic) }) }];
    });

/** Returns disruptive settings with the addresses of zones that were named before, which an NLB keeps. */
export function withKeptAddresses(before: Facts, after: Facts): Facts {
    const staysPublic = [before, after].every(({ addressType }) => addressType !== "intranet");
    const zones = keepNamed(zonesIn(after), zonesIn(before), staysPublic);
    return { ...after, ...Object.fromEntries(zones.map((zone) => [zoneSetting(zone), describeZone(zone)])) };
}

/** Returns the interruptions of a change as sentences. New and unknown values interrupt nothing. */
export function interruptions(before: Facts = {}, asked: Facts = {}): string[] {
    const after = withKeptAddresses(before, asked);
    return Object.entries(before).flatMap(([setting, was]) => {
        const is = after[setting];
        const consequence = CONSEQUENCES.find(([pattern]) => pattern.test(setting))?.[1];
        // The reuse of the instance announces a listener that this package takes over.
        if (is === was || consequence === undefined || was === USER_MANAGED) return [];
        if (is === USER_MANAGED)
            return [`${setting} is no longer managed: it is deleted, and the port does not answer until you make one`];
        if (is === undefined) return setting.startsWith("zone ") ? [`${setting} is given up: ${consequence}`] : [];
        return [`${setting} changes from "${was}" to "${is}": ${consequence}`];
    });
}

export const INTERRUPTION_REMEDY =
    "Make the change in a maintenance window, or move the traffic to a second Service first";

interface ContractFacts {
    /** Immutable fields as they were established, empty for a Service that is new. */
    readonly established: Facts;
    readonly requested: Facts;
    /** Disruptive settings before and after. */
    readonly before: Facts;
    readonly after: Facts;
    /** Addresses in the Service's status. */
    readonly addresses: readonly string[];
}

type Release = Pick<Problem, "cause" | "remedy">;

/** A named elastic IP address stays the user's. */
const OWN_ADDRESS = /(?:^| )eip-/;

/** Returns the releases of a change. A reused instance keeps its addresses. */
export function addressReleases({ established, requested, before, after, addresses }: ContractFacts): Release[] {
    const was = established["addressType"] ?? before["addressType"];
    if (was !== "internet" || "id" in established) return [];
    const address = addresses.join(", ") || "its public address";
    const replaced = violations(established, requested).map(({ cause, remedy }) => ({
        cause: `${address} is released: ${cause}; another load balancer gets another address`,
        remedy,
    }));
    return replaced.length > 0 ? replaced : zonesLeft(before, after, address);
}

/** An NLB releases the addresses of removed zones, and all when it becomes internal. */
function zonesLeft(before: Facts, after: Facts, address: string): Release[] {
    if (after["addressType"] !== undefined && after["addressType"] !== "internet")
        return [
            {
                cause: `the public addresses of ${address} are released: it becomes internal`,
                remedy: 'put addressType back to "internet", or give internal callers a second Service first',
            },
        ];
    return Object.entries(before).flatMap(([fact, mapping]) => {
        if (!fact.startsWith("zone ") || after[fact] === mapping || OWN_ADDRESS.test(mapping)) return [];
        return [
            {
                cause: `the public address of ${address} in ${fact} is released`,
                remedy:
                    "keep the zone as it is, or name an elastic IP address of your own for it in zone-maps, which " +
                    "stays yours",
            },
        ];
    });
}
