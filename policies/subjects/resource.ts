/** A resource as a rule sees it, whoever shows it: an engine, a saved preview, or nobody yet. */

import { z } from "zod";
import { known, type Settled, settle } from "./known";

const TEXT = z.string();

/** A mapping of texts. */
export const TEXTS = z.record(z.string(), z.string());

/** What hosts know of a resource. */
export interface PreviewResource {
    readonly type: string;
    readonly urn: string;
    readonly name: string;
    /** Inputs for a rule about one resource, outputs for one about a stack. May throw where something is not known yet. */
    readonly props: unknown;
    /** Whether Pulumi refuses to delete it. */
    readonly protect?: boolean;
    /** Properties before the change, where the host knows them: a saved preview does, a policy pack does not. */
    readonly before?: unknown;
    /** URNs of the resources that each property comes from. */
    readonly origins?: Readonly<Record<string, readonly string[]>>;
}

/** A resource with its properties at hand. */
export interface ResourceSubject extends Omit<PreviewResource, "props" | "before"> {
    readonly props: Readonly<Record<string, Settled<unknown>>>;
    readonly before: Readonly<Record<string, Settled<unknown>>> | undefined;
    /**
     * A property, a text unless a schema is given. One that does not fit counts as absent: the resource's plugin refuses it.
     *
     * @throws if it is not known yet, so that it is never taken for a good one.
     */
    get(property: string): string | undefined;
    get<T>(property: string, schema: z.ZodType<T>): T | undefined;
}

/** A resource, ready to be looked at. */
export function resourceOf(shown: PreviewResource): ResourceSubject {
    const props = record(shown.props);
    return {
        ...shown,
        props,
        before: shown.before === undefined ? undefined : record(shown.before),
        get: <T>(property: string, schema: z.ZodType<T> = TEXT as unknown as z.ZodType<T>): T | undefined => {
            const value = Object.hasOwn(props, property) ? known(props[property]) : undefined;
            return schema.safeParse(value).data;
        },
    };
}

function record(value: unknown): Record<string, Settled<unknown>> {
    const settled = settle(value);
    return typeof settled === "object" && settled !== null ? (settled as Record<string, unknown>) : {};
}

/** Whether a component of this package has made the resource. */
export const isInsideComponent = (urn: string): boolean =>
    /(?:^|\$)ack-loadbalancer:index:\w+\$/.test(urn.split("::")[2] ?? "");
