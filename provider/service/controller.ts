/** Controller that manages a Service: this package, the Cloud Controller Manager (CCM) or another. */
import { anyRowOf, external, keyOf, keyOfSetting, legacyKeyOf, missingVersion } from "./annotations";
import { type Collector, collector, type Diagnostic, type FieldPath, isMapping } from "../diagnostics";
import { byText, defined, unlessThrown } from "../schema/defined";
import { nlbDocument, notesDocument } from "../schema/documents";
import { type ClusterFacts, isKubernetesBelow } from "../schema/facts";
import {
    isOwnClass,
    LOAD_BALANCER_CLASSES,
    LOAD_BALANCER_NAMES,
    LOAD_BALANCER_TYPES,
    type LoadBalancerType,
    OWN_CLASS_PREFIX,
    typeOfClass,
} from "../schema/load-balancer-type";
import type { Settings } from "../schema/settings";
import { CCM_SINCE } from "../schema/versions";
import type { ServiceFields } from "./fields";
import type { ServiceObject } from "./objects";

/**
 * Finalizers by which CCM keeps a Service until its load balancer is deleted.
 * Source: "Notes on service load balancing configuration", notes on CCM-managed load balancers.
 */
export const CCM_FINALIZERS: Readonly<Record<LoadBalancerType, string>> = {
    clb: "service.k8s.alibaba/resources",
    nlb: "service.k8s.alibaba/nlb",
};

export const isCcmFinalizer = (name: string): boolean => Object.values(CCM_FINALIZERS).includes(name);

/** Labels that CCM puts on its Services, the last for the source ranges of an NLB. */
export const CCM_LABELS: readonly string[] = [
    "service.beta.kubernetes.io/hash",
    "service.k8s.alibaba/loadbalancer-id",
    "service.k8s.alibaba/security-group-id",
];

/** Annotation that assigns an existing Service to another controller. CCM ignores a Service with any value but "". */
export const CLASS_ANNOTATION = "service.beta.kubernetes.io/class";

/** Annotation of a Service whose class is being changed by way of type NodePort, with all that it loses meanwhile. */
export const CLASS_CHANGE_ANNOTATION = "ack-loadbalancer.io/changing-class";

/** Annotation with the stack that applies a Service, as `project/stack`. It marks Services of interrupted runs. */
export const STACK_ANNOTATION = "ack-loadbalancer.io/stack";

/** Annotation with the settings and references that a program gives in code, as JSON: commands read no program. */
export const SETTINGS_ANNOTATION = "ack-loadbalancer.io/settings";

export interface Marked {
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
}

type Managed = Pick<ServiceObject, "spec"> & {
    readonly metadata: Pick<ServiceObject["metadata"], "annotations" | "finalizers">;
};

export const ccmMarks = ({ labels = {}, finalizers = [] }: Marked): string[] => [
    ...finalizers.filter(isCcmFinalizer).map((name) => `finalizer ${name}`),
    ...CCM_LABELS.filter((label) => label in labels).map((label) => `label ${label}=${labels[label] ?? ""}`),
];

/** Returns a live Service without the marks of the Cloud Controller Manager, with which a manifest is refused. */
export function withoutCcmMarks(live: ServiceObject): ServiceObject {
    const { finalizers, labels = {}, ...metadata } = live.metadata;
    return {
        ...live,
        metadata: {
            ...metadata,
            finalizers: (finalizers ?? []).filter((name) => !isCcmFinalizer(name)),
            labels: Object.fromEntries(Object.entries(labels).filter(([label]) => !CCM_LABELS.includes(label))),
        },
    };
}

/** Removes {@link CLASS_ANNOTATION} if it names this package: it marks a followed Service and is no setting. */
export function withoutOwnMark(annotations: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { [CLASS_ANNOTATION]: mark, ...others } = annotations;
    return isOwnClass(mark) ? others : annotations;
}

export const RELEASE_REMEDY =
    "take the Service over with its load balancer and address: adopt (docs/migrate-from-ccm.md). " +
    "A manifest that was copied from the cluster must lose these marks. Deleting the Service deletes its load " +
    "balancer, and with alibaba-cloud-loadbalancer-preserve-lb-on-delete still its listeners and vServer groups";

/** Refuses a Service with marks of CCM, which would never remove its finalizer from a Service of our class. */
export function refuseManagedByCcm(metadata: Marked, report: Collector): void {
    const marks = ccmMarks(metadata);
    if (marks.length === 0) return;
    const path = ["metadata", marks[0]?.startsWith("finalizer") ? "finalizers" : "labels"];
    const cause = `the Cloud Controller Manager (CCM) manages this Service: ${marks.join(", ")}`;
    const source = notesDocument("Notes on CCM-managed load balancers");
    report.error(path, cause, RELEASE_REMEDY, { code: "service-controller", source });
}

/** Assignment of a Service to another controller. */
interface Assignment {
    readonly path: FieldPath;
    /** Value of the class or annotation, which names the controller. */
    readonly controller: string;
    readonly remedy: string;
    readonly source: string;
}

/**
 * Returns the load balancer class or annotation that assigns a Service to another controller, or undefined if none
 * does. The Cloud Controller Manager leaves the same Services alone. A class under this package's prefix is a mistake.
 */
export function assignmentOf(
    { annotations, loadBalancerClass: name }: Pick<ServiceFields, "annotations" | "loadBalancerClass">,
    type: LoadBalancerType,
): Assignment | undefined {
    if (name !== undefined && typeOfClass(name) === undefined && !name.startsWith(OWN_CLASS_PREFIX)) {
        const { clb, nlb } = LOAD_BALANCER_CLASSES;
        const remedy =
            "if this package is to serve it, create the Service again without spec.loadBalancerClass, or with " +
            `"${clb}" for a CLB or "${nlb}" for an NLB`;
        return { path: ["spec", "loadBalancerClass"], controller: name, remedy, source: nlbDocument("Notes") };
    }
    const row = external.find(({ suffix, types, evenEmpty }) => {
        const key = keyOf({ suffix });
        // The API server reads null as the empty text, and refuses everything else that is no text.
        const value = annotations[key] ?? "";
        const counts = typeof value === "string" && (evenEmpty || value !== "");
        return types.includes(type) && Object.hasOwn(annotations, key) && counts;
    });
    if (row === undefined) return undefined;
    const key = keyOf(row);
    const remedy = "remove the annotation if this package is to serve it";
    const controller = (annotations[key] ?? "") as string;
    return { path: ["metadata", "annotations", key], controller, remedy, source: row.source };
}

/** Warns that another controller serves a Service. */
export function warnOfOther({ path, controller, remedy, source }: Assignment, report: Collector): void {
    const cause = `"${controller}" leaves the Service to another controller: nothing is created`;
    report.warning(path, cause, remedy, { code: "service-class", part: "key", source });
}

/** Returns the type in the annotation `type`, else in the typed settings, or undefined if it is absent or invalid. */
export function chosenType(annotations: Readonly<Record<string, unknown>>, typed: Pick<Settings, "type">) {
    const value = annotations[keyOfSetting("type")] ?? typed.type;
    return LOAD_BALANCER_TYPES.find((type) => type === value);
}

/** Checks the load balancer class against the other requests, and the versions that an NLB needs. */
export function checkClass(
    name: string | undefined,
    { program, annotation }: Readonly<Record<"program" | "annotation", LoadBalancerType | undefined>>,
    facts: ClusterFacts,
): readonly Diagnostic[] {
    const report = collector("service-class");
    const path: FieldPath = ["spec", "loadBalancerClass"];
    const type = typeOfClass(name);
    if (type === undefined) {
        const { clb, nlb } = LOAD_BALANCER_CLASSES;
        const remedy = `remove spec.loadBalancerClass, or set it to "${clb}" for a CLB or "${nlb}" for an NLB`;
        report.error(path, `"${name}" is no load balancer class of this package`, remedy);
        return report.diagnostics;
    }
    const requests = { "the program": program, [keyOfSetting("type")]: annotation };
    for (const [who, asked] of name === undefined ? [] : Object.entries(requests)) {
        if (asked === undefined || asked === type) continue;
        const cause = `"${name}" asks for ${LOAD_BALANCER_NAMES[type]}, but ${who} for ${LOAD_BALANCER_NAMES[asked]}`;
        report.error(path, cause, "keep one of the two");
    }
    if (program !== undefined && annotation !== undefined && program !== annotation) {
        const [asked, given] = [LOAD_BALANCER_NAMES[annotation], LOAD_BALANCER_NAMES[program]];
        const cause = `asks for ${asked}, but the program for ${given}`;
        report.error("type", cause, "keep one of the two");
    }
    if (report.diagnostics.length > 0 || (program ?? annotation ?? type) === "clb") return report.diagnostics;
    const source = nlbDocument("Notes");
    if (isKubernetesBelow(facts, 24)) {
        const cause = `an NLB needs Kubernetes 1.24 or later, but the cluster runs ${facts.kubernetesVersion}`;
        report.error(path, cause, "use a CLB, or upgrade the cluster", { source });
    }
    const lacking = missingVersion(facts, CCM_SINCE.nlb);
    if (lacking !== undefined) report.error(path, `an NLB needs ${lacking}`, "use a CLB, or upgrade it", { source });
    return report.diagnostics;
}

/** Manager of a Service, from its marks in the cluster. */
export type Manager =
    /** A stack that applies it, as `project/stack`. */
    | { readonly kind: "stack"; readonly stack: string }
    /** A program that follows it, while another tool applies it. */
    | { readonly kind: "follower" }
    | { readonly kind: "ccm" }
    | { readonly kind: "other"; readonly controller: string }
    /** None yet. CCM will manage it if it runs. */
    | { readonly kind: "nobody" };

export interface ExposedService {
    readonly namespace: string;
    readonly name: string;
    /** Absent if another controller decides. */
    readonly loadBalancerType?: LoadBalancerType;
    /** `internet` (the default) or `intranet`. Absent if another controller decides. */
    readonly addressType?: string;
    readonly addresses: readonly string[];
    readonly manager: Manager;
}

/** Returns the Services of type LoadBalancer, sorted by namespace and name. */
export const exposedServices = (services: readonly ServiceObject[]): ExposedService[] =>
    services
        .filter(({ spec }) => spec?.type === "LoadBalancer")
        .map((service) => {
            const { metadata, spec, status } = service;
            const manager = managerOf(service);
            const loadBalancerType =
                manager.kind === "other"
                    ? undefined
                    : (chosenType(metadata.annotations ?? {}, {}) ?? typeOfClass(spec?.loadBalancerClass));
            return {
                namespace: metadata.namespace ?? "default",
                name: metadata.name,
                ...defined({ loadBalancerType, addressType: addressTypeOf(service) }),
                addresses: (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip || hostname || []),
                manager,
            };
        })
        .sort((a, b) => byText(a.namespace, b.namespace) || byText(a.name, b.name));

/** Returns the address type of a Service, by default `internet`, or undefined if another controller decides. */
export function addressTypeOf(service: ServiceObject): string | undefined {
    if (managerOf(service).kind === "other") return undefined;
    const { annotations = {} } = service.metadata;
    const row = anyRowOf("addressType");
    const stated = annotations[keyOf(row)] ?? annotations[legacyKeyOf(row) ?? ""];
    const { addressType }: { readonly addressType?: unknown } = settingsInCode(service);
    // The record is an annotation, which anyone can write.
    return stated ?? (typeof addressType === "string" ? addressType : "internet");
}

/** Returns the settings that the program of a Service gives in code, none if their record cannot be read. */
export function settingsInCode({ metadata }: Pick<ServiceObject, "metadata">): Settings {
    const recorded = unlessThrown((): unknown => JSON.parse(metadata.annotations?.[SETTINGS_ANNOTATION] ?? "{}"));
    return isMapping(recorded) ? recorded : {};
}

/**
 * Returns the manager of a Service by its marks. CCM acts on its finalizer, whatever else the Service declares, and
 * ignores a Service that declares another controller.
 */
export function managerOf(service: Managed): Manager {
    const { annotations = {}, finalizers = [] } = service.metadata;
    const { loadBalancerClass = "" } = service.spec ?? {};
    const { [CLASS_ANNOTATION]: mark = "", [STACK_ANNOTATION]: stack } = annotations;
    if (finalizers.some(isCcmFinalizer)) return { kind: "ccm" };
    if (isOwnClass(loadBalancerClass) || isOwnClass(mark))
        return stack === undefined ? { kind: "follower" } : { kind: "stack", stack };
    if (mark !== "") return { kind: "other", controller: mark };
    return loadBalancerClass === "" || typeOfClass(loadBalancerClass) !== undefined
        ? { kind: "nobody" }
        : { kind: "other", controller: loadBalancerClass };
}

/** True if CCM manages a Service, or will manage it where it runs. */
export const isLeftToCcm = (service: Managed): boolean => ["ccm", "nobody"].includes(managerOf(service).kind);
