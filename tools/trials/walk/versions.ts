import * as fc from "fast-check";
import { isError } from "../../../provider/diagnostics";
import { documentOf } from "../../../provider/service/manifests";
import { parseService } from "../../../provider/service/service";
import { clusterOf, EDGE_NODE, MOST_PODS, serviceOf, type Version } from "../service";
import { NODES } from "../world";

/** Annotations by what follows their common prefix. */
export type Annotations = Readonly<Record<string, string>>;

/** A port of the Service, and the protocol of its listener. */
export interface Port<Protocol> {
    readonly port: number;
    readonly protocol: Protocol;
}

/** Certificates that listeners have first. */
export const CERTIFICATES = ["cert-1", "cert-2"] as const;

export const pick = (...values: readonly (string | number)[]): fc.Arbitrary<string> =>
    fc.constantFrom(...values.map(String));
/** Each of these annotations or not. */
export const some = (values: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Annotations> =>
    fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Annotations>;
/** Mostly none of these annotations. */
export const seldom = (values: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Annotations> =>
    fc.oneof({ arbitrary: fc.constant<Annotations>({}), weight: 3 }, some(values));
/** All of these annotations, or none of them. */
export const together = (values: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Annotations> =>
    fc.option(fc.record(values), { nil: {}, freq: 2 });
export const all = (...parts: readonly fc.Arbitrary<Annotations>[]): fc.Arbitrary<Annotations> =>
    fc.tuple(...parts).map((found) => Object.assign({}, ...found) as Annotations);

/** True if the annotations of a version fit each other, its ports and its nodes: no pod at the edge with Local. */
export function isService(version: Version): boolean {
    if (version.policy === "Local" && version.nodes.includes(EDGE_NODE)) return false;
    const { service, diagnostics } = parseService(documentOf(serviceOf(version)), clusterOf(version));
    return service !== undefined && !diagnostics.some(isError);
}

/** A change: what the Service gets of another version. */
export interface Draft {
    readonly to: Version;
    /** Numbers by which two of the parts that differ are chosen. */
    readonly parts: readonly [number, number];
    /** The Service leaves instead, until a later change. */
    readonly leaves: Version["away"];
}

/** A Service: its first version, and its changes in order. */
export interface Life {
    readonly first: Version;
    readonly changes: readonly Draft[];
}

/** Random Services of a kind of load balancer. */
export interface Ways<Protocol extends string> {
    readonly kind: "clb" | "nlb";
    readonly network?: "terway";
    readonly protocols: readonly Protocol[];
    /** Immutable fields, which stay. */
    readonly fixed: fc.Arbitrary<Annotations>;
    /** Immutable fields that a change asks for now and then, and is refused. Default: those of another Service. */
    readonly moved?: fc.Arbitrary<Annotations>;
    /** True for a Service that never leaves. */
    readonly stays?: true;
    readonly annotations: (ports: readonly Port<Protocol>[], fixed: Annotations) => fc.Arbitrary<Annotations>;
}

/** Changes that a Service stays for, to each that it leaves by. */
const STAYING = 9;

const PORTS = [53, 80, 443, 8080] as const;

const nodesOf = (...names: readonly string[]): fc.Arbitrary<string[]> =>
    fc.array(fc.constantFrom(...names), { maxLength: MOST_PODS });

/**
 * Lives of a Service, with random nodes, pods, source ranges and traffic policy.
 *
 * @param lane number of the Service among those of an instance, which have different ports
 * @param changes number of changes
 */
export function lives<Protocol extends string>(
    { kind, network, protocols, fixed, moved = fixed, stays, annotations }: Ways<Protocol>,
    lane: number,
    changes: number,
): fc.Arbitrary<Life> {
    const somePorts = fc.uniqueArray(
        fc.record({
            port: fc.constantFrom(...PORTS.map((port) => port + lane * 1000)),
            protocol: fc.constantFrom(...protocols),
        }),
        {
            minLength: 1,
            maxLength: 4,
            selector: ({ port, protocol }) => `${protocol === "udp" ? "udp" : "tcp"}:${port}`,
        },
    );
    const rest = fc.record(
        {
            policy: fc.constantFrom("Cluster" as const, "Local" as const),
            nodes: fc.oneof({ arbitrary: nodesOf(...NODES), weight: 4 }, nodesOf(...NODES, EDGE_NODE)),
            leaving: fc.array(fc.constantFrom(...NODES), { maxLength: 2 }),
            sourceRanges: fc.constantFrom(["10.0.0.0/8"], ["10.0.0.0/9", "192.168.0.0/16"]),
        },
        { requiredKeys: ["policy", "nodes"] },
    );
    const version = (always: Annotations): fc.Arbitrary<Version> =>
        somePorts
            .chain((ports) =>
                annotations(ports, always).chain((made) =>
                    rest.map((chosen) => ({
                        kind,
                        ...(network && { network }),
                        ports: ports.map(({ port, protocol }) => `${protocol}:${port}`),
                        annotations: made,
                        ...chosen,
                        policy: chosen.nodes.includes(EDGE_NODE) ? "Cluster" : chosen.policy,
                    })),
                ),
            )
            .filter(isService);
    return fixed.chain((always) => {
        const to = fc.oneof({ arbitrary: version(always), weight: 7 }, moved.chain(version));
        const leaves = fc.oneof(
            { arbitrary: fc.constant(undefined), weight: STAYING },
            stays ? fc.constant(undefined) : fc.constantFrom<Version["away"]>("deleted", "stays"),
        );
        const draft = fc.record({ to, parts: fc.tuple(fc.nat(), fc.nat()), leaves });
        const drafts = fc.array(draft, { minLength: changes, maxLength: changes });
        return fc.record({ first: version(always), changes: drafts });
    });
}

/** Returns a version as that of the Service of a number. */
export function named(version: Version, index: number): Version {
    const { name, ip, "zone-maps": zones, ...annotations } = version.annotations ?? {};
    const own = {
        ...(name && { name: `${name}-${index}` }),
        ...(ip && { ip: ip.replace(/\d+$/, String(100 + index)) }),
        ...(zones && { "zone-maps": zones.replaceAll(/\b100\b/g, String(100 + index)) }),
    };
    return { ...version, name: `s${index}`, annotations: { ...annotations, ...own } };
}
