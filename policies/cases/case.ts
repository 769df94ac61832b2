/** What the tests of rules are made of: cases, and the subjects in them. */

import { PREFIX, type Settings } from "../../provider/annotations";
import { documentOf } from "../../provider/manifest";
import type { ClusterFacts } from "../../provider/model/facts";
import { parseService } from "../../provider/model/service";
import { stateService } from "../../provider/model/stated";
import type { ShownResource } from "../subjects";
import { CONTRACT_TYPE, KUBERNETES_SERVICE_TYPE, SERVICE_TYPE } from "../types";

/** By this text an engine stands for what is not known yet. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** What a rule is expected to say: reports in their order, that it is about other resources, or that it cannot tell yet. */
export type Expected = readonly RegExp[] | "not applicable" | "not known";

/** One subject, and what a rule says of it. */
export interface Case {
    readonly rule: string;
    readonly what: string;
    readonly given: ShownResource | readonly ShownResource[];
    readonly config?: Readonly<Record<string, unknown>>;
    readonly expect: Expected;
}

/** What a test says of a Service; the rest is the same in all of them. */
export interface ServiceSpec {
    readonly name?: string;
    /** By suffix; a key with a slash is taken whole. */
    readonly annotations?: Readonly<Record<string, unknown>>;
    readonly labels?: unknown;
    readonly finalizers?: readonly string[];
    readonly spec?: Readonly<Record<string, unknown>>;
}

/** A Service object of type LoadBalancer with one port. */
export function serviceObject({ name = "web", annotations = {}, labels, finalizers, spec }: ServiceSpec = {}): Record<
    string,
    unknown
> {
    const keys = Object.entries(annotations).map(([key, value]) => [
        key.includes("/") ? key : `${PREFIX}alibaba-cloud-loadbalancer-${key}`,
        value,
    ]);
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: {
            namespace: "shop",
            name,
            annotations: Object.fromEntries(keys) as object,
            ...(labels === undefined ? {} : { labels }),
            ...(finalizers === undefined ? {} : { finalizers }),
        },
        spec: {
            type: "LoadBalancer",
            selector: { app: name },
            ports: [{ name: "main", protocol: "TCP", port: 80, targetPort: 8080 }],
            ...spec,
        },
    };
}

/** A Service that a program applies, for the Cloud Controller Manager to serve. */
export function plain(spec?: ServiceSpec, more: Partial<ShownResource> = {}): ShownResource {
    return resource(KUBERNETES_SERVICE_TYPE, serviceObject(spec), { name: spec?.name ?? "web", ...more });
}

/** A component as it states its Service; the Service has to be in order. */
export function component(
    spec?: ServiceSpec & { readonly facts?: Partial<ClusterFacts>; readonly settings?: Settings },
    more: Partial<ShownResource> = {},
): ShownResource {
    const facts: ClusterFacts = { clusterId: "c1", ...spec?.facts };
    const { service, issues } = parseService(documentOf(serviceObject(spec)), facts, spec?.settings);
    if (service === undefined) throw new Error(`the Service of a case is not in order: ${JSON.stringify(issues)}`);
    return resource(SERVICE_TYPE, stateService(service, facts), { name: `shop/${service.name}`, ...more });
}

/** A component of whose inputs something is not known, or that states what no component would. */
export const stated = (change: object): ShownResource => {
    const shown = component();
    return { ...shown, props: { ...(shown.props as object), ...change } };
};

/** The contract of Service shop/web. */
export const contract = (props: object): ShownResource =>
    resource(CONTRACT_TYPE, { service: "shop/web", requested: {}, ...props }, { name: "shop/web" });

/** Any resource. */
export function resource(type: string, props: unknown, more: Partial<ShownResource> = {}): ShownResource {
    const name = more.name ?? "one";
    return { type, urn: `urn:pulumi:dev::test::${type}::${name}`, name, props, protect: false, ...more };
}

/** A resource that a component has made. */
export const inside = (shown: ShownResource): ShownResource => ({
    ...shown,
    urn: `urn:pulumi:dev::test::${SERVICE_TYPE}$${shown.type}::${shown.name}`,
});
