/** Reads the parts of a Service of which some values are unknown. */

import { readAnnotations, recognise, UNKNOWN_REFERENCE } from "../../provider/service/annotations";
import { isMapping } from "../../provider/diagnostics";
import { SERVICE_FIELDS } from "../../provider/service/fields";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import type { Settings } from "../../provider/schema/settings";
import { known, Unknown } from "./known";

/** Returns a value that is known itself; its parts may be unknown. */
export function itself(value: unknown): unknown {
    if (value instanceof Unknown) throw value.error;
    return value;
}

/** Returns the settings of annotations. Reading an unknown one throws; one with an invalid value is absent. */
export function readSettings(annotations: Readonly<Record<string, unknown>>, type: LoadBalancerType): Settings {
    const entries = Object.entries(annotations);
    const given = Object.fromEntries(entries.filter(([, value]) => !(value instanceof Unknown)));
    const settings = { ...readAnnotations(given, () => undefined, type).settings };
    for (const [key, value] of entries) {
        const recognised = recognise(key, type);
        if (!(value instanceof Unknown) || recognised.kind !== "setting") continue;
        Object.defineProperty(settings, recognised.row.field, {
            enumerable: true,
            get: () => {
                throw value.error;
            },
        });
    }
    return settings;
}

/**
 * Returns an object that the parser can read.
 *
 * Unknown ids become placeholders, unknown node ports are left out. Any other unknown value throws.
 */
export function readable(object: unknown, type: LoadBalancerType): unknown {
    if (!isMapping(object)) return known(object);
    const metadata = itself(object["metadata"]);
    const spec = itself(object["spec"]);
    const { apiVersion, kind } = object;
    if (!isMapping(metadata) || !isMapping(spec)) return known({ apiVersion, kind, metadata, spec });
    const annotations = itself(metadata["annotations"]);
    const { selector, ports, ...rest } = spec;
    return {
        ...mistyped(object, SERVICE_FIELDS),
        apiVersion: known(apiVersion),
        kind: known(kind),
        metadata: {
            ...mistyped(metadata, SERVICE_FIELDS.metadata),
            ...pick(metadata, ["name", "namespace"]),
            ...(isMapping(annotations)
                ? {
                      annotations: Object.fromEntries(
                          Object.entries(annotations).flatMap(([key, value]) => annotation(key, value, type)),
                      ),
                  }
                : { annotations }),
        },
        spec: {
            ...mistyped(rest, SERVICE_FIELDS.spec),
            ...pick(rest, [
                "type",
                "externalTrafficPolicy",
                "loadBalancerClass",
                "loadBalancerSourceRanges",
                "allocateLoadBalancerNodePorts",
                "clusterIP",
            ]),
            ...(selector === undefined ? {} : { selector: laterText(itself(selector)) }),
            ...(ports === undefined ? {} : { ports: readablePorts(itself(ports)) }),
        },
    };
}

/** Returns the unknown field names, which are refused whatever their value is. */
const mistyped = (holder: Readonly<Record<string, unknown>>, fields: object): Record<string, undefined> =>
    Object.fromEntries(
        Object.keys(holder)
            .filter((key) => !Object.hasOwn(fields, key))
            .map((key) => [key, undefined]),
    );

function pick(holder: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(
        keys
            .filter((key) => key in holder)
            .map((key) => [
                key,
                key === "clusterIP" && holder[key] instanceof Unknown ? undefined : known(holder[key]),
            ]),
    );
}

function annotation(key: string, value: unknown, type: LoadBalancerType): [string, unknown][] {
    if (!(value instanceof Unknown)) return [[key, value]];
    const recognised = recognise(key, type);
    if (recognised.kind === "other") return [];
    // Only the key matters.
    if (recognised.kind === "elsewhere") return [[key, UNKNOWN_REFERENCE]];
    if (recognised.kind === "setting" && recognised.row.reference === true) return [[key, UNKNOWN_REFERENCE]];
    throw value.error;
}

function laterText(selector: unknown): unknown {
    return isMapping(selector)
        ? Object.fromEntries(
              Object.entries(selector).map(([key, value]) => [key, value instanceof Unknown ? "later" : value]),
          )
        : selector;
}

function readablePorts(ports: unknown): unknown {
    if (!Array.isArray(ports)) return known(ports);
    return ports.map((port: unknown) =>
        isMapping(port) && port["nodePort"] instanceof Unknown ? known({ ...port, nodePort: undefined }) : known(port),
    );
}
