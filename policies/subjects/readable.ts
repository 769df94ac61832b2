/** Reads the parts of a Service of which some values are unknown. */

import { readAnnotations, recognise, UNKNOWN_REFERENCE } from "../../provider/service/annotations";
import { isMapping } from "../../provider/diagnostics";
import { SERVICE_FIELDS } from "../../provider/service/fields";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import type { Settings } from "../../provider/schema/settings";
import { itself, known, Unknown } from "./known";

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
    return read(object, SERVICE_FIELDS, {
        apiVersion: known,
        kind: known,
        metadata: () =>
            read(metadata, SERVICE_FIELDS.metadata, {
                name: known,
                namespace: known,
                annotations: (given) => mapped(given, (value, key) => annotation(key, value, type)),
            }),
        spec: () =>
            read(spec, SERVICE_FIELDS.spec, {
                type: known,
                externalTrafficPolicy: known,
                loadBalancerClass: known,
                loadBalancerSourceRanges: known,
                allocateLoadBalancerNodePorts: known,
                clusterIP: (value) => (value instanceof Unknown ? undefined : known(value)),
                selector: (given) => mapped(given, (value) => [value instanceof Unknown ? "later" : value]),
                ports: readablePorts,
            }),
    });
}

type Mapping = Readonly<Record<string, unknown>>;

/** Returns the fields that have a reader, and unknown field names, which are refused whatever their value is. */
function read(
    holder: Mapping,
    fields: object,
    readers: Readonly<Record<string, (value: unknown) => unknown>>,
): Mapping {
    const mistyped = Object.keys(holder).filter((key) => !Object.hasOwn(fields, key));
    const present = Object.entries(readers).filter(([key]) => key in holder);
    return Object.fromEntries([
        ...mistyped.map((key) => [key, undefined]),
        ...present.map(([key, reader]) => [key, reader(holder[key])]),
    ]) as Mapping;
}

/** Returns a mapping with each value replaced, or left out where there is none. */
function mapped(given: unknown, replace: (value: unknown, key: string) => readonly unknown[]): unknown {
    if (!isMapping(itself(given))) return given;
    return Object.fromEntries(
        Object.entries(given as Mapping).flatMap(([key, value]) => replace(value, key).map((one) => [key, one])),
    );
}

function annotation(key: string, value: unknown, type: LoadBalancerType): unknown[] {
    if (!(value instanceof Unknown)) return [value];
    const recognised = recognise(key, type);
    if (recognised.kind === "other") return [];
    // Only the key matters.
    if (recognised.kind === "elsewhere") return [UNKNOWN_REFERENCE];
    if (recognised.kind === "setting" && recognised.row.reference === true) return [UNKNOWN_REFERENCE];
    throw value.error;
}

function readablePorts(ports: unknown): unknown {
    if (!Array.isArray(itself(ports))) return known(ports);
    return (ports as unknown[]).map((port) =>
        known(isMapping(port) && port["nodePort"] instanceof Unknown ? { ...port, nodePort: undefined } : port),
    );
}
