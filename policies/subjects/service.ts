/** A Service as a rule sees it: from a component's inputs, from a program's own resource, or from a manifest. */

import { backendTypeOf, UNKNOWN_REFERENCE, readAnnotations, recognise } from "../../provider/annotations";
import { listenerProtocolOf } from "../../provider/schema/protocols";
import type { ListenerProtocol, Settings } from "../../provider/schema/settings";
import type { Diagnostic, Position } from "../../provider/diagnostics";
import { documentOf, type ServiceDocument } from "../../provider/kubernetes/manifests";
import { isMapping } from "../../provider/diagnostics";
import type { ClusterFacts } from "../../provider/schema/facts";
import { readPorts } from "../../provider/kubernetes/service/ports";
import { parseService, type ServicePort } from "../../provider/kubernetes/service/service";
import { isOwnClass, type LoadBalancerType, typeOfClass } from "../../provider/schema/load-balancer-type";
import { deserializeService, type SerializedService } from "../../provider/kubernetes/service/serialize";
import { KUBERNETES_SERVICE_TYPE, SERVICE_TYPE } from "../types";
import { known, lazily, type Settled, settle, settledOf, Unknown } from "./known";
import { isInsideComponent, type PreviewResource } from "./resource";

/** Who makes the load balancer of a Service: this package, the Cloud Controller Manager, or another controller, which is none of our business. */
export type Controller = "package" | "ccm" | "other";

/** One Service. Whatever is not known yet throws when it is looked at, so that it is never taken for good. */
export interface ServiceSubject {
    /** `namespace/name`. */
    readonly name: string;
    readonly controller: Controller;
    /** `LoadBalancer`, `ClusterIP`, … */
    readonly type: string;
    /** CLB or NLB; a Service of another type would get a CLB. */
    readonly loadBalancerType: LoadBalancerType;
    readonly labels: Readonly<Record<string, string>>;
    /** Whether one of its annotations is a load balancer's, of whatever kind. */
    readonly annotated: boolean;
    /** As the Service lists them; undefined if it does not. */
    readonly finalizers: readonly string[] | undefined;
    readonly facts: ClusterFacts;
    /** Settings that could be read. */
    readonly settings: Settings;
    /** Ports that could be read. */
    readonly ports: readonly ServicePort[];
    /** The protocol of each port's listener. */
    readonly protocols: readonly ListenerProtocol[];
    readonly addressType: "internet" | "intranet";
    /** Name of an instance that the program has made for several Services. */
    readonly shared: string | undefined;
    readonly externalTrafficPolicy: "Cluster" | "Local";
    readonly backendType: "ecs" | "eni";
    readonly sourceRanges: readonly string[];
    /** Whether Pulumi refuses to delete it; undefined for a manifest. */
    readonly protect: boolean | undefined;
    /** Where its name stands, if it came from a file. */
    readonly at: Position | undefined;
    /** Everything that reading the Service finds. */
    readonly diagnostics: readonly Diagnostic[];
    /** The Service before the change, where that is known. */
    readonly before: ServiceSubject | undefined;
}

/** What a subject is made of. */
interface Origin {
    readonly document: ServiceDocument;
    readonly facts: ClusterFacts;
    /** The Service is served by this package whatever its class says. */
    readonly ours: boolean;
    readonly protect?: boolean;
    readonly shared?: string;
    /** Where the instance is not the Service's own, its settings do not tell. */
    readonly addressType?: "internet" | "intranet";
    readonly before?: ServiceSubject;
}

/** Where nothing is known of a cluster. Ids are unknown too, and nothing is refused for being masked: that is for the cloud to say. */
const ANY_CLUSTER: ClusterFacts = { clusterId: "(unknown)" };

/** CCM chooses a vSwitch by itself; which ones the cluster has does not matter then. */
const CCM_VSWITCHES = ["(of the cluster)"];

/** The Service that a manifest asks this package for. */
export function serviceOfManifest(document: ServiceDocument, facts: ClusterFacts): ServiceSubject {
    return subjectOf({ document: { ...document, object: settle(document.object) }, facts, ours: true });
}

/**
 * The Service of a resource, if it is one.
 *
 * @param facts what is known of the cluster of Services that a program applies itself. Components state their own.
 */
export function serviceOfResource(
    shown: PreviewResource,
    facts: Partial<ClusterFacts> = {},
): ServiceSubject | undefined {
    if (shown.type === SERVICE_TYPE) return component(shown);
    if (shown.type !== KUBERNETES_SERVICE_TYPE || isInsideComponent(shown.urn)) return undefined;
    const before = shown.before === undefined ? undefined : plain({ ...shown, props: shown.before }, facts);
    return plain(shown, facts, before);
}

function component(shown: PreviewResource): ServiceSubject | undefined {
    // A stack shows what a component has registered as outputs, under one key; one resource shows its inputs.
    const props = settle(shown.props) as { readonly stated?: unknown };
    const stated = props.stated ?? props;
    if (!isStated(stated)) return undefined;
    const settled = settledOf(() => known(stated));
    if (settled instanceof Unknown) return unknownService(settled);
    const before =
        shown.before === undefined
            ? undefined
            : component({ type: shown.type, urn: shown.urn, name: shown.name, props: shown.before });
    return subjectOf({
        document: documentOf(deserializeService(settled)),
        facts: settled.cluster,
        ours: true,
        protect: shown.protect === true || settled.protect === true,
        addressType: settled.addressType,
        ...(settled.shared === undefined ? {} : { shared: settled.shared }),
        ...(before === undefined ? {} : { before }),
    });
}

/** A Service of which something is not known yet that stands for all of it: whoever asks anything gives up. */
function unknownService({ error }: Unknown): ServiceSubject {
    return new Proxy({} as ServiceSubject, {
        get: () => {
            throw error;
        },
    });
}

/** A component of an older version states less; such a one cannot be judged. */
const isStated = (value: unknown): value is Settled<SerializedService> =>
    value instanceof Unknown || (isMapping(value) && "service" in value && "cluster" in value);

function plain(shown: PreviewResource, facts: Partial<ClusterFacts>, before?: ServiceSubject): ServiceSubject {
    return subjectOf({
        document: documentOf({ kind: "Service", apiVersion: "v1", ...(settle(shown.props) as object) }),
        facts: { ...ANY_CLUSTER, vswitches: CCM_VSWITCHES, ...facts },
        ours: false,
        ...(shown.protect === undefined ? {} : { protect: shown.protect }),
        ...(before === undefined ? {} : { before }),
    });
}

function subjectOf({ document, facts, ours, protect, shared, addressType, before }: Origin): ServiceSubject {
    const part = (holder: "metadata" | "spec", key: string): unknown => {
        const object = document.object;
        const value = isMapping(object) ? itself(object[holder]) : undefined;
        return isMapping(value) ? value[key] : undefined;
    };
    const annotations = lazily(() => {
        const value = itself(part("metadata", "annotations"));
        return isMapping(value) ? value : {};
    });
    const loadBalancerClass = lazily(() => text(known(part("spec", "loadBalancerClass"))));
    const loadBalancerType = lazily(() => typeOfClass(loadBalancerClass()) ?? "clb");
    const settings = lazily(() => readSettings(annotations(), loadBalancerType()));
    // Node ports that the cluster has given are in its range, whatever is known of that.
    const ports = lazily(
        () => readPorts(known(part("spec", "ports")), { ...facts, nodePortRange: { from: 1, to: 65535 } }).ports,
    );
    const diagnostics = lazily(
        () => parseService({ ...document, object: readable(document.object, loadBalancerType()) }, facts).diagnostics,
    );
    return {
        get name() {
            return `${text(known(part("metadata", "namespace"))) ?? "default"}/${text(known(part("metadata", "name"))) ?? "(no name)"}`;
        },
        get controller() {
            const name = loadBalancerClass();
            if (ours || isOwnClass(name)) return "package";
            return name === undefined || name.startsWith("alibabacloud.com/") ? "ccm" : "other";
        },
        get type() {
            return text(known(part("spec", "type"))) ?? "ClusterIP";
        },
        get loadBalancerType() {
            return loadBalancerType();
        },
        get labels() {
            return (known(part("metadata", "labels")) ?? {}) as Record<string, string>;
        },
        get annotated() {
            return Object.keys(annotations()).some((key) => recognise(key, loadBalancerType()).kind !== "other");
        },
        get finalizers() {
            return known(part("metadata", "finalizers")) as string[] | undefined;
        },
        facts,
        get settings() {
            return settings();
        },
        get ports() {
            return ports();
        },
        get protocols() {
            return ports().map((port) => listenerProtocolOf(port, settings()));
        },
        get addressType() {
            return addressType ?? settings().addressType ?? "internet";
        },
        shared,
        get externalTrafficPolicy() {
            return known(part("spec", "externalTrafficPolicy")) === "Local" ? "Local" : "Cluster";
        },
        get backendType() {
            return backendTypeOf(settings(), facts);
        },
        get sourceRanges() {
            const ranges = known(part("spec", "loadBalancerSourceRanges"));
            return Array.isArray(ranges) ? ranges.filter((range) => typeof range === "string") : [];
        },
        protect,
        at: document.locate(["metadata", "name"]),
        get diagnostics() {
            return diagnostics();
        },
        before,
    };
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** A value that is known itself, whatever its parts are. */
function itself(value: unknown): unknown {
    if (value instanceof Unknown) throw value.error;
    return value;
}

/** Settings of annotations. One whose annotation is not known yet throws when it is asked for; one that cannot be read is absent. */
function readSettings(annotations: Readonly<Record<string, unknown>>, type: LoadBalancerType): Settings {
    const entries = Object.entries(annotations);
    const given = Object.fromEntries(entries.filter(([, value]) => !(value instanceof Unknown)));
    const settings = { ...readAnnotations(given, () => undefined, { allowMasked: true }, type).settings };
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

/** An object of which the parser can read everything: ids that are not known yet stand as such, node ports are the cluster's matter. Anything else that is not known yet throws. */
function readable(object: unknown, type: LoadBalancerType): unknown {
    if (!isMapping(object)) return known(object);
    const metadata = itself(object["metadata"]);
    const spec = itself(object["spec"]);
    const { apiVersion, kind } = object;
    if (!isMapping(metadata) || !isMapping(spec)) return known({ apiVersion, kind, metadata, spec });
    const annotations = itself(metadata["annotations"]);
    const { selector, ports, ...rest } = spec;
    return {
        apiVersion: known(apiVersion),
        kind: known(kind),
        metadata: {
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
    // Only its name counts.
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
