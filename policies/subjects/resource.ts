/** A resource as the subject of a rule, from an engine or a saved preview. */

import { z } from "zod";
import { isMapping } from "../../provider/diagnostics";
import { known, type Settled, settle } from "./known";

export const TEXT_LIST = z.array(z.string());
export const TEXTS = z.record(z.string(), z.string());
export const MAP = z.record(z.string(), z.unknown());

/** A resource as the policy pack and the check command get it. */
export interface PreviewResource {
    readonly type: string;
    readonly urn: string;
    readonly name: string;
    /** Inputs for a rule about one resource, outputs for a rule about a stack. Reading an unknown value may throw. */
    readonly props: unknown;
    /** True if Pulumi refuses to delete it. */
    readonly protect?: boolean;
    /** URN of the provider: that of a Kubernetes resource stands for its cluster. */
    readonly provider?: string | undefined;
    /** Properties before the change, which only a saved preview has. */
    readonly before?: unknown;
    /** URNs of the resources that each property comes from. */
    readonly origins?: Readonly<Record<string, readonly string[]>>;
}

/** A resource with access to its properties. */
export interface ResourceSubject extends Omit<PreviewResource, "props" | "before"> {
    readonly props: Readonly<Record<string, Settled<unknown>>>;
    readonly before: Readonly<Record<string, Settled<unknown>>> | undefined;
    /**
     * Returns a property, a string unless a schema is given.
     *
     * A value that does not fit counts as absent: the resource's plugin refuses it.
     *
     * @throws if it is unknown: it never counts as compliant.
     */
    get(property: string): string | undefined;
    get<T>(property: string, schema: z.ZodType<T>): T | undefined;
}

export function resourceOf(shown: PreviewResource): ResourceSubject {
    const props = mappingOf(settle(shown.props));
    return {
        ...shown,
        props,
        before: shown.before === undefined ? undefined : mappingOf(settle(shown.before)),
        get: <T>(property: string, schema = z.string() as unknown as z.ZodType<T>): T | undefined => {
            const value = Object.hasOwn(props, property) ? known(props[property]) : undefined;
            return schema.safeParse(value).data;
        },
    };
}

export const mappingOf = (value: unknown): Readonly<Record<string, unknown>> => (isMapping(value) ? value : {});

/** Reports whether the resource is inside a component of this package. */
export const isInsideComponent = (urn: string): boolean =>
    /(?:^|\$)ack-loadbalancer:index:\w+\$/.test(urn.split("::")[2] ?? "");
