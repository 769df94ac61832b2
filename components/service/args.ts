/** Arguments that describe a Service. */
import * as pulumi from "@pulumi/pulumi";
import { type Diagnostic, formatDiagnostics } from "../../provider/diagnostics";
import { REPLACEABLE } from "../../provider/plan/immutability";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import type { Settings } from "../../provider/schema/settings";
import { ANY, type Known, unknownNames } from "../../provider/service/annotations/unknown-names";
import { SERVICE_FIELDS } from "../../provider/service/fields";
import { isOutput, problem } from "./outputs";

/** Port of a {@link ServiceArgs}. */
export interface ServicePortArgs {
    readonly name?: string;
    readonly port: number;
    /** Default TCP. */
    readonly protocol?: "TCP" | "UDP";
    /** Default: `port`. */
    readonly targetPort?: number | string;
    /** Default: chosen by the cluster. */
    readonly nodePort?: number;
}

/** Service described in code instead of YAML. */
export interface ServiceArgs {
    /** Default "default". May be the name of a Namespace of the same program. */
    readonly namespace?: pulumi.Input<string>;
    readonly name: pulumi.Input<string>;
    /** Default none. */
    readonly labels?: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
    /** Labels of the pods. If they come from a Deployment of the same program, the run waits for its pods. */
    readonly selector: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
    readonly ports: readonly ServicePortArgs[];
    /** Default "Cluster". */
    readonly externalTrafficPolicy?: "Cluster" | "Local";
}

/** Settings that refer to other resources and may be their outputs. */
export interface ReferenceArgs {
    /** vSwitch of an internal instance. Same as the annotation vswitch-id. */
    readonly vswitchId?: pulumi.Input<string>;
    /** Certificate of the HTTPS listeners. Same as the annotation cert-id. */
    readonly certId?: pulumi.Input<string>;
    /** Access control list of the listeners. Same as the annotation acl-id. */
    readonly aclId?: pulumi.Input<string>;
    /** vSwitches of an NLB by zone id. Same as the annotation zone-maps. */
    readonly zoneVswitches?: Readonly<Record<string, pulumi.Input<string>>>;
    /** Security groups of an NLB. Same as the annotation security-group-ids. */
    readonly securityGroupIds?: readonly pulumi.Input<string>[];
    /** Internet Shared Bandwidth package of an NLB. Same as the annotation bandwidth-package-id. */
    readonly bandwidthPackageId?: pulumi.Input<string>;
    /** Resource group of the instance. Same as the annotation resource-group-id. */
    readonly resourceGroupId?: pulumi.Input<string>;
}

/**
 * Source of a Service: YAML text, an object (or a document that `readManifests` has read), or a description in code.
 *
 * In an object, `metadata.namespace`, `metadata.name`, `metadata.labels` and `spec.selector` may be Outputs.
 */
export interface ServiceSource {
    /** Service as YAML text or as an object. */
    readonly manifest?: string | object;
    /** Service described in code, instead of a manifest. */
    readonly service?: ServiceArgs;
    /** Same as annotations, which they must not contradict. */
    readonly settings?: Settings;
    /** Default: according to `spec.loadBalancerClass`, which it must not contradict. Without a class it is `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    /** Settings that refer to other resources. */
    readonly references?: ReferenceArgs;
}

/** Names of the arguments of a type, all of them required by the compiler. */
export type NamesOf<Args> = { readonly [Name in keyof Args]-?: Known };

/** Returns names of arguments with any value. */
export function anyOf<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, typeof ANY>> {
    return Object.fromEntries(names.map((name) => [name, ANY])) as Record<Name, typeof ANY>;
}

/** Names in a {@link ServiceArgs}: any field of a Kubernetes Service spec is accepted. */
export const SERVICE_NAMES = { namespace: ANY, name: ANY, labels: ANY, ...SERVICE_FIELDS.spec };

export const REFERENCE_NAMES: NamesOf<ReferenceArgs> = {
    ...anyOf("vswitchId", "certId", "aclId", "resourceGroupId"),
    ...anyOf("zoneVswitches", "securityGroupIds", "bandwidthPackageId"),
};

/**
 * Refuses unknown and missing arguments.
 *
 * @throws RunError with all problems, each unknown name with the nearest known name
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
                "unknown argument: it would have no effect",
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

/** Entries of `allowReplacement` that are not immutable settings. */
function unknownReplacements(subject: string, settings: unknown): Diagnostic[] {
    return Array.isArray(settings)
        ? settings.flatMap((setting: unknown, index) =>
              unknownNames({ [String(setting)]: undefined }, REPLACEABLE_NAMES).map(({ nearest }) =>
                  problem(
                      subject,
                      ["allowReplacement", index],
                      `"${String(setting)}" is no immutable setting`,
                      nearest === undefined ? `write one of ${REPLACEABLE.join(", ")}` : `did you mean "${nearest}"?`,
                  ),
              ),
          )
        : [];
}

const REPLACEABLE_NAMES = anyOf(...REPLACEABLE);
