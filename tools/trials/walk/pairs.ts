/** Changes of a Service: two of its parts change in a run. */
import { isDeepStrictEqual } from "node:util";
import type { Version } from "../service";
import { type Draft, isService } from "./versions";

/** Annotations that say something of single ports, and change with them. */
const OF_PORTS = [
    "listener-port-range",
    "protocol-port",
    "cert-id",
    "forward-port",
    "domain-extensions",
    "additional-cert-ids",
    "scheduler",
];

/** Annotations that need each other. Others are parts of their own. */
const TOGETHER: readonly (readonly string[])[] = [
    OF_PORTS,
    ["acl-status", "acl-id", "acl-type"],
    ["connection-drain", "connection-drain-timeout"],
    ["sticky-session", "sticky-session-type", "cookie", "cookie-timeout"],
    ["alpn", "alpn-policy"],
    ["cacert", "cacert-id"],
    ["charge-type", "bandwidth"],
    ["id", "vgroup-port"],
    ["address-type", "bandwidth-package-id"],
];

/** Fields of a version that are parts. */
const FIELDS = ["nodes", "leaving", "policy", "sourceRanges"] as const;

/** Sets a part of a version to what it is in another. */
type Part = (version: Version) => Version;

function partsOf(from: Version, to: Version): Part[] {
    const [before, after] = [from.annotations ?? {}, to.annotations ?? {}];
    const single = Object.keys({ ...before, ...after }).filter((name) => !TOGETHER.flat().includes(name));
    const ofPorts = (group: readonly string[]): boolean => group === OF_PORTS;
    const annotations = [...TOGETHER, ...single.toSorted().map((name) => [name])];
    const differing = annotations.filter(
        (group) =>
            group.some((name) => before[name] !== after[name]) ||
            (ofPorts(group) && !isDeepStrictEqual(from.ports, to.ports)),
    );
    return [
        ...differing.map((group): Part => (version) => ({
            ...version,
            ...(ofPorts(group) ? { ports: to.ports } : {}),
            annotations: withGroup(version.annotations ?? {}, after, group),
        })),
        ...FIELDS.filter((field) => !isDeepStrictEqual(from[field], to[field])).map((field): Part => (version) => {
            const { [field]: _, ...others } = version;
            return { ...others, ...(to[field] === undefined ? {} : { [field]: to[field] }) } as Version;
        }),
    ];
}

function withGroup(
    annotations: Readonly<Record<string, string>>,
    after: Readonly<Record<string, string>>,
    group: readonly string[],
): Record<string, string> {
    const others = Object.entries(annotations).filter(([name]) => !group.includes(name));
    const set = Object.entries(after).filter(([name]) => group.includes(name));
    return Object.fromEntries([...others, ...set]);
}

/** Returns the version after a change: two parts of the other version, or if no two make a Service, all of it. */
export function changed(from: Version, { to, parts: [first, second] }: Pick<Draft, "to" | "parts">): Version {
    const parts = partsOf(from, to);
    for (let attempt = 0; attempt < parts.length; attempt++) {
        const one = parts[(first + attempt) % parts.length];
        const rest = parts.filter((part) => part !== one);
        const other = rest[second % Math.max(1, rest.length)] ?? ((version: Version) => version);
        const version = one === undefined ? from : other(one(from));
        if (isService(version)) return version;
    }
    return to;
}
