/** What a program says of a Service. */
import * as pulumi from "@pulumi/pulumi";
import { ANY, type Known, unknownNames } from "../../provider/annotations/unknown-names";
import { type Diagnostic, type FieldPath, formatDiagnostics } from "../../provider/diagnostics";
import { SERVICE_FIELDS } from "../../provider/kubernetes/service/fields";
import { IMMUTABLE_FIELD_RULES, type MoveTo } from "../../provider/plan";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import type { Settings } from "../../provider/schema/settings";
import { isOutput } from "./outputs";

/** A port of a Service that is described in code. */
export interface ServicePortArgs {
    readonly name?: string;
    readonly port: number;
    /** Default TCP. */
    readonly protocol?: "TCP" | "UDP";
    /** Default: the port. An Output only where nodes are the backends: server groups of pods are named after it. */
    readonly targetPort?: pulumi.Input<number | string>;
    /** Default: chosen by the cluster. */
    readonly nodePort?: number;
}

/** A Service that is described in code instead of YAML. */
export interface ServiceArgs {
    /** Default "default". Also that of a Namespace of the same program, whose name Pulumi chooses. */
    readonly namespace?: pulumi.Input<string>;
    readonly name: pulumi.Input<string>;
    /** Labels of the Service. Default none. */
    readonly labels?: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
    /** Labels of the pods; also those of a Deployment of the same program, whose pods are then waited for. */
    readonly selector: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
    readonly ports: readonly ServicePortArgs[];
    /** Default "Cluster". */
    readonly externalTrafficPolicy?: "Cluster" | "Local";
}

/** Settings that refer to other resources; they may be outputs of those. */
export interface ReferenceArgs {
    /** vSwitch of an internal instance. Same as the annotation vswitch-id. */
    readonly vswitchId?: pulumi.Input<string>;
    /** Certificate of the HTTPS listeners. Same as the annotation cert-id. */
    readonly certId?: pulumi.Input<string>;
    /** Access control list of the listeners. Same as the annotation acl-id. */
    readonly aclId?: pulumi.Input<string>;
    /** vSwitches of an NLB, by the id of their zone. Same as the annotation zone-maps. */
    readonly zoneVswitches?: Readonly<Record<string, pulumi.Input<string>>>;
    /** Security groups of an NLB. Same as the annotation security-group-ids. */
    readonly securityGroupIds?: readonly pulumi.Input<string>[];
    /** Internet Shared Bandwidth package of an NLB. Same as the annotation bandwidth-package-id. */
    readonly bandwidthPackageId?: pulumi.Input<string>;
    /** Resource group of the instance. Same as the annotation resource-group-id. */
    readonly resourceGroupId?: pulumi.Input<string>;
}

/**
 * Where a Service comes from: YAML text, an object (or a document that `readManifests` has read), or a description in code; settings say the same as annotations and must not
 * contradict them. In an object, `metadata.namespace`, `metadata.name`, `metadata.labels`, `spec.selector` and the ports' `targetPort` may be Outputs.
 */
export interface ServiceSource {
    readonly manifest?: string | object;
    readonly service?: ServiceArgs;
    readonly settings?: Settings;
    /** Kind of load balancer. Default: as `spec.loadBalancerClass` says, which it must not contradict; a CLB if that says nothing. */
    readonly loadBalancerType?: LoadBalancerType;
    readonly references?: ReferenceArgs;
}

/** The names of some arguments, which the compiler holds against their type. */
export type NamesOf<Args> = { readonly [Name in keyof Args]-?: Known };

export const MOVE_NAMES: NamesOf<MoveTo> = { cluster: ANY, account: ANY, region: ANY };

/** A Service in code: whatever Kubernetes has in the spec of a Service is taken. */
export const SERVICE_NAMES = { namespace: ANY, name: ANY, labels: ANY, ...SERVICE_FIELDS.spec };

export const REFERENCE_NAMES: NamesOf<ReferenceArgs> = {
    vswitchId: ANY,
    certId: ANY,
    aclId: ANY,
    zoneVswitches: ANY,
    securityGroupIds: ANY,
    bandwidthPackageId: ANY,
    resourceGroupId: ANY,
};

/**
 * Refuses arguments that there are not, and the absence of those that there must be.
 *
 * @throws RunError with all of them, each with the nearest name that there is
 */
export function requireArguments<Args extends object>(
    subject: string,
    args: Args,
    known: NamesOf<Args>,
    required: readonly (keyof Args & string)[] = [],
): void {
    const given: Partial<Args> = args ?? {};
    const problems = [
        ...unknownNames(given, known, isOutput).map(({ path, nearest }) =>
            problem(
                subject,
                path,
                "there is no such argument, so that it would have no effect",
                nearest === undefined ? "remove it" : `did you mean "${nearest}"?`,
            ),
        ),
        ...required
            .filter((name) => isMissing(given[name]))
            .map((name) => problem(subject, [name], "it is missing, or empty", `give ${name}`)),
        ...unknownReplacements(subject, (given as { allowReplacement?: unknown }).allowReplacement),
    ];
    if (problems.length > 0) throw new pulumi.RunError(formatDiagnostics(problems));
}

const isMissing = (value: unknown): boolean => (typeof value === "string" ? value.trim() : (value ?? "")) === "";

/** Settings that may change this time, but never could. */
function unknownReplacements(subject: string, settings: unknown): Diagnostic[] {
    return Array.isArray(settings)
        ? settings.flatMap((setting: unknown, index) =>
              unknownNames({ [String(setting)]: undefined }, REPLACEABLE).map(({ nearest }) =>
                  problem(
                      subject,
                      ["allowReplacement", index],
                      `"${String(setting)}" is no immutable setting`,
                      nearest === undefined
                          ? `write one of ${Object.keys(REPLACEABLE).join(", ")}`
                          : `did you mean "${nearest}"?`,
                  ),
              ),
          )
        : [];
}

const REPLACEABLE = Object.fromEntries(Object.keys(IMMUTABLE_FIELD_RULES).map((field) => [field, ANY]));

const problem = (subject: string, path: FieldPath, cause: string, remedy: string): Diagnostic => ({
    code: "component-arguments",
    severity: "error",
    place: { subject, path },
    cause,
    remedy,
});
