/** What a manifest holds without saying anything: the API server reads it as if it were not there, so that applying it as it stands would be a change again and again. */

import { isMapping } from "../../diagnostics";

/** Values of a port that mean the same as none. Source: Kubernetes API, defaults of a Service's ports. */
const UNSET_IN_PORT: ReadonlyMap<string, readonly unknown[]> = new Map([
    ["name", [""]],
    ["protocol", [""]],
    ["targetPort", ["", 0]],
    ["nodePort", [0]],
]);

/** A port of a Service without the members that are not set. */
export function withoutUnsetInPort(port: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return filtered(port, (member, value) => value !== null && UNSET_IN_PORT.get(member)?.includes(value) !== true);
}

/** The metadata or the spec of a Service without the members that are not set: nothing stands behind them, or an empty text. */
export function withoutUnset(part: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const set = filtered(part, (_, value) => value !== null && value !== "");
    const { ports } = set;
    return Array.isArray(ports)
        ? { ...set, ports: ports.map((port: unknown) => (isMapping(port) ? withoutUnsetInPort(port) : port)) }
        : set;
}

function filtered(
    mapping: Readonly<Record<string, unknown>>,
    isSet: (member: string, value: unknown) => boolean,
): Record<string, unknown> {
    return Object.fromEntries(Object.entries(mapping).filter(([member, value]) => isSet(member, value)));
}
