/** Services with unknown values, as the parser can read them. */
import { isMapping } from "../../provider/diagnostics";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import { recognise, UNKNOWN_REFERENCE } from "../../provider/service/annotations";
import { SERVICE_FIELDS } from "../../provider/service/fields";
import { itself, known, Unknown } from "./known";

/**
 * Returns an object for the parser.
 *
 * Unknown ids become placeholders, and unknown node ports are left out. Any other unknown value throws.
 *
 * @param more fields of metadata and spec to read.
 */
export function readable(object: unknown, type: LoadBalancerType, more: readonly string[]): unknown {
    if (!isMapping(object)) return known(object);
    const metadata = itself(object["metadata"]);
    const spec = itself(object["spec"]);
    const { apiVersion, kind } = object;
    if (!isMapping(metadata) || !isMapping(spec)) return known({ apiVersion, kind, metadata, spec });
    return read(object, SERVICE_FIELDS, ["apiVersion", "kind"], {
        metadata: () =>
            read(metadata, SERVICE_FIELDS.metadata, ["name", "namespace", ...more], {
                annotations: (given) => mapped(given, (value, key) => annotation(key, value, type)),
            }),
        spec: () =>
            read(spec, SERVICE_FIELDS.spec, [...KNOWN_SPEC, ...more], {
                ...UNREAD,
                clusterIP: (value) => (value instanceof Unknown ? undefined : known(value)),
                selector: (given) => mapped(given, (value) => [value instanceof Unknown ? "later" : value]),
                ports: readablePorts,
            }),
    });
}

/** Fields of `spec` needed by the parser. They must be known. */
const KNOWN_SPEC = [
    ...["type", "externalTrafficPolicy", "loadBalancerClass", "loadBalancerSourceRanges"],
    "allocateLoadBalancerNodePorts",
];

/** Fields of `spec` allowed to be unknown. Only advice and the checks of their own values depend on them. */
const UNREAD: Readers = Object.fromEntries(
    [
        ...["externalIPs", "externalName", "healthCheckNodePort", "internalTrafficPolicy", "ipFamilies"],
        ...["ipFamilyPolicy", "loadBalancerIP", "sessionAffinity", "trafficDistribution"],
    ].map((name) => [name, (value: unknown) => (value instanceof Unknown ? undefined : known(value))]),
);

/** Further fields checked by a run of this package. Services of the Cloud Controller Manager have its marks there. */
export const OF_THE_STACK = ["labels", "finalizers", "sessionAffinityConfig"];

type Mapping = Readonly<Record<string, unknown>>;
type Readers = Readonly<Record<string, (value: unknown) => unknown>>;

/** Returns the fields to read, and mistyped fields, which are refused whatever their value is. */
function read(holder: Mapping, fields: object, knownFields: readonly string[], readers: Readers): Mapping {
    const mistyped = Object.keys(holder).filter((key) => !Object.hasOwn(fields, key));
    const present = [...knownFields, ...Object.keys(readers)].filter((key) => key in holder);
    return Object.fromEntries([
        ...mistyped.map((key) => [key, undefined]),
        ...present.map((key) => [key, (readers[key] ?? known)(holder[key])]),
    ]) as Mapping;
}

/** Returns a mapping with each value replaced, or left out if its replacement is empty. */
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
