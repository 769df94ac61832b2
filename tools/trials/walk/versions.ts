import * as fc from "fast-check";
import type { Version } from "../service";
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
/** All of these annotations, or none of them. */
export const together = (values: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Annotations> =>
    fc.option(fc.record(values), { nil: {}, freq: 2 });
export const all = (...parts: readonly fc.Arbitrary<Annotations>[]): fc.Arbitrary<Annotations> =>
    fc.tuple(...parts).map((found) => Object.assign({}, ...found) as Annotations);

/** Lifecycles of a Service: its creation and its updates, in order, with random nodes, pods and traffic policy. */
export function lifecycles<Protocol extends string>(of: {
    readonly kind: "clb" | "nlb";
    readonly protocols: readonly Protocol[];
    /** Immutable fields, which stay. */
    readonly fixed: fc.Arbitrary<Annotations>;
    readonly annotations: (ports: readonly Port<Protocol>[], fixed: Annotations) => fc.Arbitrary<Annotations>;
}): fc.Arbitrary<readonly Version[]> {
    const somePorts = fc.uniqueArray(
        fc.record({ port: fc.constantFrom(53, 80, 443, 8080), protocol: fc.constantFrom(...of.protocols) }),
        {
            minLength: 1,
            maxLength: 4,
            selector: ({ port, protocol }) => `${protocol === "udp" ? "udp" : "tcp"}:${port}`,
        },
    );
    const rest = fc.record({
        policy: fc.constantFrom("Cluster" as const, "Local" as const),
        nodes: fc.array(fc.constantFrom(...NODES), { minLength: 1, maxLength: 6 }),
    });
    const version = (fixed: Annotations): fc.Arbitrary<Version> =>
        somePorts.chain((ports) =>
            of.annotations(ports, fixed).chain((annotations) =>
                rest.map((chosen) => ({
                    kind: of.kind,
                    ports: ports.map(({ port, protocol }) => `${protocol}:${port}`),
                    annotations,
                    ...chosen,
                })),
            ),
        );
    return of.fixed.chain((fixed) => fc.array(version(fixed), { minLength: 2, maxLength: 4 }));
}
