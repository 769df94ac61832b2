/** Services as subjects of rules, read from a component's inputs, from a Kubernetes resource or from a manifest. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import {
    backendTypeOf,
    effectiveSettings,
    readAnnotations,
    recognise,
    UNKNOWN_REFERENCE,
} from "../../provider/service/annotations";
import { type ListenerProtocol, listenerProtocolOf } from "../../provider/schema/protocols";
import type { SettingName, Settings } from "../../provider/schema/settings";
import { type Diagnostic, isMapping, type Position, TYPED_SETTINGS } from "../../provider/diagnostics";
import { documentOf, type ServiceDocument } from "../../provider/service/manifests";
import type { ClusterFacts } from "../../provider/schema/facts";
import { assignmentOf, chosenType, CLASS_ANNOTATION, withoutOwnMark } from "../../provider/service/controller";
import { readPorts } from "../../provider/service/ports";
import { parseService, type ServicePort } from "../../provider/service/service";
import { isOwnClass, type LoadBalancerType, typeOfClass } from "../../provider/schema/load-balancer-type";
import { deserializeService, type SerializedService } from "../../provider/service/serialize";
import { KUBERNETES_SERVICE_TYPE, SERVICE_TYPE } from "../../provider/schema/resource-types";
import { defined } from "../../provider/schema/defined";
import { isKnown, itself, known, lazily, settle, settledOf, Unknown } from "./known";
import { isInsideComponent, mappingOf, type PreviewResource, TEXT_LIST, TEXTS } from "./resource";
import { SERVICE_TYPES } from "../../provider/service/fields";
import { OF_THE_STACK, readable } from "./readable";

/** A Service. Reading an unknown value throws, so it never counts as compliant. */
export interface ServiceSubject {
    /** `namespace/name`. */
    readonly name: string;
    /** Manager of a load balancer, either this package, the Cloud Controller Manager (`ccm`) or another controller. */
    readonly controller: "package" | "ccm" | "other";
    /** `LoadBalancer`, `ClusterIP` or another type of Kubernetes. Anything else counts as a misspelt `LoadBalancer`. */
    readonly type: string;
    /** True if this package or the Cloud Controller Manager gives the Service a load balancer. */
    readonly exposed: boolean;
    /** CLB or NLB. A Service of another type would get a CLB. */
    readonly loadBalancerType: LoadBalancerType;
    readonly labels: Readonly<Record<string, string>>;
    /** True if it has an annotation of a load balancer of either type. */
    readonly annotated: boolean;
    /** As the Service lists them, or undefined if it does not. */
    readonly finalizers: readonly string[] | undefined;
    readonly facts: ClusterFacts;
    /** Readable settings with an effect on the load balancer. */
    readonly settings: Settings;
    /** Settings given, even with a refused value or without an effect. */
    readonly attempted: ReadonlySet<SettingName>;
    /** Readable ports. */
    readonly ports: readonly ServicePort[];
    /** The protocol of each port's listener. */
    readonly protocols: readonly ListenerProtocol[];
    readonly addressType: "internet" | "intranet";
    /** Name of the shared load balancer used by the Service. */
    readonly shared: string | undefined;
    readonly externalTrafficPolicy: "Cluster" | "Local";
    readonly backendType: "ecs" | "eni";
    readonly sourceRanges: readonly string[];
    /** True if Pulumi refuses to delete it, or undefined for a manifest. */
    readonly protect: boolean | undefined;
    /** Position of its name, if it came from a file. */
    readonly at: Position | undefined;
    /** All diagnostics of reading the Service. */
    readonly diagnostics: readonly Diagnostic[];
    /** The Service before the change, if known. */
    readonly before: ServiceSubject | undefined;
}

interface Origin extends Partial<Pick<ServiceSubject, "protect" | "shared" | "addressType" | "before">> {
    readonly document: ServiceDocument;
    readonly facts: ClusterFacts;
    /** True if this package manages the Service, whatever its class is. */
    readonly managed: boolean;
    /** Names of the settings given in code. */
    readonly typed?: readonly string[];
}

/** Returns the subject of a manifest managed by this package. */
export function serviceOfManifest(document: ServiceDocument, facts: ClusterFacts): ServiceSubject {
    return subjectOf({ document: { ...document, object: settle(document.object) }, facts, managed: true });
}

/** Returns a Service by facts about its cluster that a rule states, default none. */
export type ServiceReader = (facts?: Partial<ClusterFacts>) => ServiceSubject | undefined;

/**
 * Returns the reader of the Service that a resource is. Rules that state the same facts in a row share what it reads.
 * Components record their own facts.
 */
export function readerOf(shown: PreviewResource): ServiceReader {
    if (shown.type !== SERVICE_TYPE && (shown.type !== KUBERNETES_SERVICE_TYPE || isInsideComponent(shown.urn)))
        return () => undefined;
    let last: { readonly facts: object; readonly service: ServiceSubject | undefined } | undefined;
    return (stated = {}) => {
        const facts = shown.type === SERVICE_TYPE ? {} : stated;
        if (last === undefined || !isDeepStrictEqual(last.facts, facts))
            last = { facts, service: shown.type === SERVICE_TYPE ? component(shown) : plain(shown, facts) };
        return last.service;
    };
}

function component({ type, urn, name, ...shown }: PreviewResource): ServiceSubject | undefined {
    // A stack has the outputs of a component, under one key, but a single resource has its inputs.
    const props = settle(shown.props);
    const spec = (isMapping(props) ? props["serviceSpec"] : undefined) ?? props;
    if (!(spec instanceof Unknown) && !(isMapping(spec) && "service" in spec && "cluster" in spec)) return undefined;
    const settled = settledOf(() => known(spec));
    // With unknown inputs, reading any property throws.
    if (settled instanceof Unknown) return new Proxy({} as ServiceSubject, { get: () => itself(settled) });
    // Anything but a Service of this version is left out.
    const service = SERIALIZED.safeParse(settled).data;
    if (service === undefined) return undefined;
    return subjectOf({
        document: documentOf(deserializeService(service)),
        facts: service.cluster,
        managed: true,
        protect: shown.protect === true || service.protect === true,
        addressType: service.addressType,
        shared: service.shared,
        ...defined({ typed: service.typed }),
        before: shown.before === undefined ? undefined : component({ type, urn, name, props: shown.before }),
    });
}

const SERIALIZED = z.looseObject({
    service: z.string(),
    loadBalancerType: z.enum(["clb", "nlb"]),
    addressType: z.enum(["internet", "intranet"]),
    externalTrafficPolicy: z.enum(["Cluster", "Local"]),
    ports: TEXT_LIST,
    targetPorts: z.array(z.union([z.number(), z.string()])),
    settings: z.custom<Settings>(isMapping),
    cluster: z.looseObject({ clusterId: z.string() }),
    shared: z.string().exactOptional(),
    protect: z.boolean().exactOptional(),
    labels: TEXTS.exactOptional(),
    sourceRanges: TEXT_LIST.exactOptional(),
    legacyKeys: TEXT_LIST.exactOptional(),
    typed: TEXT_LIST.exactOptional(),
}) as unknown as z.ZodType<SerializedService>;

function plain({ before, ...shown }: PreviewResource, facts: Partial<ClusterFacts>): ServiceSubject {
    const object = { kind: "Service", apiVersion: "v1", ...(settle(shown.props) as object) };
    const clusterId = shown.provider === undefined ? "(unknown)" : `(of ${shown.provider})`;
    return subjectOf({
        document: documentOf(object, { observed: true }),
        // The rules need no vSwitches of the cluster, because the Cloud Controller Manager chooses a vSwitch by itself.
        facts: { clusterId, vswitches: ["(of the cluster)"], ...facts },
        managed: false,
        protect: shown.protect,
        before: before === undefined ? undefined : plain({ ...shown, props: before }, facts),
    });
}

function subjectOf({ document, facts, managed, typed = [], ...given }: Origin): ServiceSubject {
    const { protect, shared, addressType, before } = given;
    const parts = partsOf(document);
    const { part, annotations } = parts;
    const recognised = () => Object.keys(annotations()).map((key) => recognise(key, subject.loadBalancerType));
    // Node ports assigned by the cluster are in its range, even if the range is unknown.
    const anyNodePort: ClusterFacts = { ...facts, nodePortRange: { from: 1, to: 65535 } };
    const subject: ServiceSubject = lazily({
        name: () => {
            const namespace = text(known(part("metadata", "namespace"))) ?? "default";
            return `${namespace}/${text(known(part("metadata", "name"))) ?? "(no name)"}`;
        },
        controller: () => controllerOf(subject.loadBalancerType, parts, managed),
        type: () => {
            const type = known(part("spec", "type")) || "ClusterIP";
            return SERVICE_TYPES.find((one) => one === type) ?? "LoadBalancer";
        },
        exposed: () => isExposed(subject, parts, managed),
        loadBalancerType: () => chosenType(annotations(), {}) ?? typeOfClass(parts.loadBalancerClass()) ?? "clb",
        labels: () => TEXTS.safeParse(known(part("metadata", "labels"))).data ?? {},
        annotated: () => recognised().some(({ kind }) => kind !== "other"),
        finalizers: () => TEXT_LIST.safeParse(known(part("metadata", "finalizers"))).data,
        facts: () => facts,
        settings: () => settingsOf(subject, annotations()),
        attempted: () => new Set(recognised().flatMap((one) => (one.kind === "setting" ? [one.row.field] : []))),
        ports: () => readPorts(known(part("spec", "ports")), anyNodePort).ports,
        protocols: () => subject.ports.map((port) => listenerProtocolOf(port, subject.settings)),
        addressType: () => addressType ?? subject.settings.addressType ?? "internet",
        shared: () => shared,
        externalTrafficPolicy: () => (known(part("spec", "externalTrafficPolicy")) === "Local" ? "Local" : "Cluster"),
        backendType: () => backendTypeOf(subject.settings, facts),
        sourceRanges: () => {
            const ranges = known(part("spec", "loadBalancerSourceRanges"));
            return Array.isArray(ranges) ? ranges.filter((range) => typeof range === "string") : [];
        },
        protect: () => protect,
        at: () => document.locate(["metadata", "name"]),
        diagnostics: () => diagnosticsOf(subject, document, managed, typed),
        before: () => before,
    });
    return subject;
}

/** Returns the parts of a Service, any of which may be unknown. */
function partsOf({ object }: ServiceDocument) {
    const part = (holder: "metadata" | "spec", key: string): unknown =>
        isMapping(object) ? mappingOf(itself(object[holder]))[key] : undefined;
    return {
        part,
        annotations: () => mappingOf(itself(part("metadata", "annotations"))),
        loadBalancerClass: () => text(known(part("spec", "loadBalancerClass"))),
    };
}

type Parts = ReturnType<typeof partsOf>;

function controllerOf(type: LoadBalancerType, parts: Parts, managed: boolean): ServiceSubject["controller"] {
    const name = parts.loadBalancerClass();
    if (managed || isOwnClass(name)) return "package";
    // The Cloud Controller Manager ignores this annotation of a Service with an NLB.
    const mark = type === "clb" ? text(known(parts.annotations()[CLASS_ANNOTATION])) : undefined;
    if (mark !== undefined) return isOwnClass(mark) ? "package" : "other";
    return name === undefined || name.startsWith("alibabacloud.com/") ? "ccm" : "other";
}

function isExposed(subject: ServiceSubject, parts: Parts, managed: boolean): boolean {
    if (subject.type !== "LoadBalancer" || subject.controller === "other") return false;
    if (!managed) return true;
    const annotations = withoutOwnMark(parts.annotations());
    const assigned = { annotations, ...defined({ loadBalancerClass: parts.loadBalancerClass() }) };
    return assignmentOf(assigned, subject.loadBalancerType) === undefined;
}

function diagnosticsOf(
    { loadBalancerType, facts }: ServiceSubject,
    document: ServiceDocument,
    managed: boolean,
    typed: readonly string[],
): readonly Diagnostic[] {
    const object = readable(document.object, loadBalancerType, managed ? OF_THE_STACK : []);
    return parseService({ ...document, object }, facts).diagnostics.map((one) =>
        one.setting !== undefined && typed.includes(one.setting)
            ? { ...one, place: { ...one.place, path: [TYPED_SETTINGS, one.setting] } }
            : one,
    );
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/**
 * Returns the settings of annotations, if they have an effect. Reading an unknown setting throws. A setting with an
 * invalid value is absent.
 */
function settingsOf(subject: ServiceSubject, annotations: Readonly<Record<string, unknown>>): Settings {
    const { loadBalancerType: type, facts } = subject;
    const unknown = Object.entries(annotations).flatMap(([key, value]) => {
        const recognised = recognise(key, type);
        return value instanceof Unknown && recognised.kind === "setting" ? [{ key, value, row: recognised.row }] : [];
    });
    const placeholders = unknown.filter(({ row }) => row.reference).map(({ key }) => [key, UNKNOWN_REFERENCE] as const);
    const given = Object.entries(annotations).filter(([, value]) => !(value instanceof Unknown));
    const read = readAnnotations(Object.fromEntries([...given, ...placeholders]), () => undefined, type);
    const [ports, policy] = [settledOf(() => subject.ports), settledOf(() => subject.externalTrafficPolicy)];
    const listened = isKnown(ports) ? ports : undefined;
    const effective = effectiveSettings({
        type,
        settings: read.settings,
        attempted: new Set(read.paths.keys()),
        facts,
        ports: listened,
        externalTrafficPolicy: isKnown(policy) ? policy : "Cluster",
        protocols: listened?.map((port) => listenerProtocolOf(port, read.settings)),
    });
    const settings = { ...effective };
    for (const { row, value } of unknown) {
        const { field } = row;
        if (field in read.settings && !(field in settings)) continue;
        Object.defineProperty(settings, field, { enumerable: true, get: () => itself(value) });
    }
    return settings;
}
