/** A Service as the subject of a rule: from a component's inputs, from a Kubernetes resource, or from a manifest. */

import { z } from "zod";
import { backendTypeOf, recognise } from "../../provider/service/annotations";
import { listenerProtocolOf, type ListenerProtocol } from "../../provider/schema/protocols";
import type { Settings } from "../../provider/schema/settings";
import { type Diagnostic, isMapping, type Position } from "../../provider/diagnostics";
import { documentOf, type ServiceDocument } from "../../provider/service/manifests";
import type { ClusterFacts } from "../../provider/schema/facts";
import { chosenType } from "../../provider/service/controller";
import { readPorts } from "../../provider/service/ports";
import { parseService, type ServicePort } from "../../provider/service/service";
import { isOwnClass, type LoadBalancerType, typeOfClass } from "../../provider/schema/load-balancer-type";
import { deserializeService, type SerializedService } from "../../provider/service/serialize";
import { KUBERNETES_SERVICE_TYPE, SERVICE_TYPE } from "../../provider/schema/resource-types";
import { itself, readable, readSettings } from "./readable";
import { known, lazily, settle, settledOf, Unknown } from "./known";
import { isInsideComponent, type PreviewResource, TEXTS } from "./resource";
import { defined } from "../../provider/schema/defined";

/** The manager of a load balancer: this package, the Cloud Controller Manager (`ccm`), or another controller. */
export type ServingController = "package" | "ccm" | "other";

/** One Service. Reading an unknown value throws, so that it never counts as compliant. */
export interface ServiceSubject {
    /** `namespace/name`. */
    readonly name: string;
    readonly controller: ServingController;
    /** `LoadBalancer`, `ClusterIP`, … */
    readonly type: string;
    /** CLB or NLB; a Service of another type would get a CLB. */
    readonly loadBalancerType: LoadBalancerType;
    readonly labels: Readonly<Record<string, string>>;
    /** True if it has an annotation of a load balancer of either type. */
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
    /** Name of the shared load balancer that the Service uses. */
    readonly shared: string | undefined;
    readonly externalTrafficPolicy: "Cluster" | "Local";
    readonly backendType: "ecs" | "eni";
    readonly sourceRanges: readonly string[];
    /** True if Pulumi refuses to delete it; undefined for a manifest. */
    readonly protect: boolean | undefined;
    /** Position of its name, if it came from a file. */
    readonly at: Position | undefined;
    /** All diagnostics of reading the Service. */
    readonly diagnostics: readonly Diagnostic[];
    /** The Service before the change, where that is known. */
    readonly before: ServiceSubject | undefined;
}

/** The parts that a subject is made of. */
interface Origin {
    readonly document: ServiceDocument;
    readonly facts: ClusterFacts;
    /** The Service is managed by this package, whatever its class is. */
    readonly managed: boolean;
    readonly protect?: boolean;
    readonly shared?: string;
    /** Absent unless the instance is reused or shared: then the settings do not say it. */
    readonly addressType?: "internet" | "intranet";
    readonly before?: ServiceSubject;
}

/** Facts of an unknown cluster. */
const ANY_CLUSTER: ClusterFacts = { clusterId: "(unknown)" };

/** The Cloud Controller Manager chooses a vSwitch by itself, so that the rules need not know those of the cluster. */
const CCM_VSWITCHES = ["(of the cluster)"];

/** Returns the subject of a manifest that this package manages. */
export function serviceOfManifest(document: ServiceDocument, facts: ClusterFacts): ServiceSubject {
    return subjectOf({ document: { ...document, object: settle(document.object) }, facts, managed: true });
}

/**
 * Returns the Service of a resource, if it is one.
 *
 * @param facts of the cluster of Services that a program applies itself. Components record their own.
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
    // A stack has the outputs of a component, under one key; a single resource has its inputs. Previews that an
    // earlier version saved have it under `stated`.
    const props = settle(shown.props);
    const spec = (isMapping(props) ? (props["serviceSpec"] ?? props["stated"]) : undefined) ?? props;
    if (!isServiceSpec(spec)) return undefined;
    const settled = settledOf(() => known(spec));
    if (settled instanceof Unknown) return unknownService(settled);
    // Components of older versions serialize less, and are left out.
    const service = SERIALIZED.safeParse(settled).data;
    if (service === undefined) return undefined;
    const before =
        shown.before === undefined
            ? undefined
            : component({ type: shown.type, urn: shown.urn, name: shown.name, props: shown.before });
    return subjectOf({
        document: documentOf(deserializeService(service)),
        facts: service.cluster,
        managed: true,
        protect: shown.protect === true || service.protect === true,
        addressType: service.addressType,
        ...defined({ shared: service.shared, before }),
    });
}

/** Returns a Service with unknown inputs: reading any property throws. */
function unknownService({ error }: Unknown): ServiceSubject {
    return new Proxy({} as ServiceSubject, {
        get: () => {
            throw error;
        },
    });
}

const isServiceSpec = (value: unknown): boolean =>
    value instanceof Unknown || (isMapping(value) && "service" in value && "cluster" in value);

/** The shape that the subject relies on. */
const SERIALIZED = z.looseObject({
    service: z.string(),
    loadBalancerType: z.enum(["clb", "nlb"]),
    addressType: z.enum(["internet", "intranet"]),
    externalTrafficPolicy: z.enum(["Cluster", "Local"]),
    ports: z.array(z.string()),
    targetPorts: z.array(z.union([z.number(), z.string()])),
    settings: z.custom<Settings>(isMapping),
    cluster: z.looseObject({ clusterId: z.string() }),
    shared: z.string().exactOptional(),
    protect: z.boolean().exactOptional(),
    labels: TEXTS.exactOptional(),
    sourceRanges: z.array(z.string()).exactOptional(),
    legacyKeys: z.array(z.string()).exactOptional(),
}) as unknown as z.ZodType<SerializedService>;

function plain(shown: PreviewResource, facts: Partial<ClusterFacts>, before?: ServiceSubject): ServiceSubject {
    return subjectOf({
        document: documentOf(
            { kind: "Service", apiVersion: "v1", ...(settle(shown.props) as object) },
            { observed: true },
        ),
        facts: { ...ANY_CLUSTER, vswitches: CCM_VSWITCHES, ...facts },
        managed: false,
        ...defined({ protect: shown.protect, before }),
    });
}

function subjectOf({ document, facts, managed, protect, shared, addressType, before }: Origin): ServiceSubject {
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
    const loadBalancerType = lazily(() => chosenType(annotations(), {}) ?? typeOfClass(loadBalancerClass()) ?? "clb");
    const settings = lazily(() => readSettings(annotations(), loadBalancerType()));
    // Node ports that the cluster assigned are in its range, whether or not the range is known.
    const ports = lazily(
        () => readPorts(known(part("spec", "ports")), { ...facts, nodePortRange: { from: 1, to: 65535 } }).ports,
    );
    const diagnostics = lazily(
        () => parseService({ ...document, object: readable(document.object, loadBalancerType()) }, facts).diagnostics,
    );
    return {
        get name() {
            const namespace = text(known(part("metadata", "namespace"))) ?? "default";
            return `${namespace}/${text(known(part("metadata", "name"))) ?? "(no name)"}`;
        },
        get controller() {
            const name = loadBalancerClass();
            if (managed || isOwnClass(name)) return "package";
            return name === undefined || name.startsWith("alibabacloud.com/") ? "ccm" : "other";
        },
        get type() {
            return text(known(part("spec", "type"))) ?? "ClusterIP";
        },
        get loadBalancerType() {
            return loadBalancerType();
        },
        get labels() {
            return TEXTS.safeParse(known(part("metadata", "labels"))).data ?? {};
        },
        get annotated() {
            return Object.keys(annotations()).some((key) => recognise(key, loadBalancerType()).kind !== "other");
        },
        get finalizers() {
            return z.array(z.string()).safeParse(known(part("metadata", "finalizers"))).data;
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
