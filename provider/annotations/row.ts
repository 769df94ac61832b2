/** The shape of the catalogue: what is known about one annotation. */

import type { ListenerProtocol } from "../schema/protocols";
import type { SettingName, Settings, SettingValue } from "../schema/settings";
import { CCM_SOURCE } from "../schema/documents";
import type { ValueType } from "./codecs";

/** The part of a load balancer that an annotation belongs to. */
export type Group = "instance" | "listener" | "health-check" | "backend";

/** What changing the value of an annotation does to a load balancer that exists. */
export type OnChange =
    /** The new value is applied; connections stay. */
    | "in place"
    /** The new value is applied, and connections or health are interrupted while that happens. */
    | "in place, with an interruption"
    /** The listeners in question are deleted and created again. */
    | "listener is replaced"
    /** The server groups in question are created anew. */
    | "server group is replaced"
    /** The value cannot be changed: delete the Service and create it again. */
    | "create-only"
    /** `PayBySpec` can become `PayByCLCU`, never the other way round. */
    | "one way"
    /** Nothing in the cloud changes until the Service is deleted. */
    | "on deletion"
    /** Only the status of the Service changes. */
    | "status only";

/** Another annotation that has to be there, or has to have a certain value, for this one to make sense. */
export interface Companion {
    readonly field: SettingName;
    /** The value that the other one must have. Absent: any value. */
    readonly equals?: string;
    /** The companion is asked for only while this annotation has this value. Absent: always. */
    readonly when?: string;
    /** `warning` where the documents state a default for the companion, or where the annotation merely has no effect without it. */
    readonly severity: "error" | "warning";
    /** Why, in a few words, to follow "because". */
    readonly because: string;
}

/** A default value, and where it holds. */
export interface Default<Value> {
    readonly value: Value;
    /** The Cloud Controller Manager version from which on it holds. Absent: in all. */
    readonly since?: string;
    /** The listener protocols for which it holds. Absent: all. */
    readonly protocols?: readonly ListenerProtocol[];
}

/**
 * A plain attribute of a listener: one setting, one parameter of the API, no logic. Model, plugin arguments, listener options and the comparison of a takeover follow from it.
 * An attribute with logic has none of this in its row and code of its own instead.
 */
export interface PlainAttribute {
    /** The API parameter, for example `IdleTimeout`. */
    readonly api: string;
    /** The plugin's input, `outer.inner` for one inside an object. Absent: the plugin has none, so that the parameter is one of the listener's options. */
    readonly property?: string;
    /** The plugin's input is a boolean: true for `on`. */
    readonly boolean?: true;
    /** It has an effect on health checks of this type only. Absent: all. */
    readonly check?: HealthCheckType;
}

/** How backends are checked. */
export type HealthCheckType = SettingValue<"healthCheckType">;

/** Everything about one annotation. Parser, documentation, typed settings and policies derive from it. */
export interface Row<Name extends SettingName = SettingName> {
    readonly field: Name;
    /** The key after `service.beta.kubernetes.io/`. */
    readonly suffix: string;
    readonly group: Group;
    readonly type: ValueType<SettingValue<Name>>;
    /** Oldest first; empty if the documents state none, in which case nothing is sent and the cloud decides. */
    readonly defaults: readonly Default<SettingValue<Name>>[];
    /** The default in words, where it depends on more than the version. */
    readonly defaultNote?: string;
    /** The listener protocols on which the annotation has an effect. Absent: it does not depend on the protocol. */
    readonly protocols?: readonly ListenerProtocol[];
    readonly companions?: readonly Companion[];
    /** The oldest Cloud Controller Manager version that knows the annotation. */
    readonly since: string;
    readonly onChange: OnChange;
    /** Where the value ends up: an API parameter, or what else it steers. */
    readonly api: string;
    readonly attribute?: PlainAttribute;
    /** What it is for, in one or two sentences. */
    readonly doc: string;
    /** Document and section. */
    readonly source: string;
    /** No document describes it; it is known from the source of the Cloud Controller Manager. */
    readonly undocumented?: true;
    /** It never had a legacy key. */
    readonly noLegacyKey?: true;
    /** The value names another cloud resource, so that it may become known only while that resource is created. */
    readonly reference?: true;
}

/** One row per setting. */
export type Rows<Name extends SettingName = SettingName> = { readonly [Field in Name]: Row<Field> };

/** What a catalogue file says about a row; field and group follow from its place, and the API parameter of a plain attribute from that. */
export type Entry<Name extends SettingName> = Omit<
    Row<Name>,
    "field" | "group" | "suffix" | "defaults" | "api" | "attribute"
> & {
    readonly suffix?: string;
    readonly defaults?: readonly Default<SettingValue<Name>>[];
} & (
        | { readonly api: string; readonly attribute?: PlainAttribute }
        | { readonly api?: undefined; readonly attribute: PlainAttribute }
    );

/** What a row says of an annotation that only the source of the Cloud Controller Manager knows. */
export const undocumented = (name: string): { readonly source: string; readonly undocumented: true } => ({
    source: `${CCM_SOURCE}, "${name}"`,
    undocumented: true,
});

/** The suffix of a setting's annotation: `healthCheckUri` is `alibaba-cloud-loadbalancer-health-check-uri`. */
export function suffixOf(field: keyof Settings): string {
    return `alibaba-cloud-loadbalancer-${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Completes the entries of one catalogue file. */
export function rows<Name extends SettingName>(
    group: Group,
    entries: { readonly [Field in Name]: Entry<Field> },
): Rows<Name> {
    const complete = Object.entries<Entry<SettingName>>(entries).map(([field, entry]) => {
        const api = entry.attribute?.api ?? entry.api;
        return [field, { field, group, suffix: suffixOf(field as SettingName), defaults: [], ...entry, api }];
    });
    return Object.fromEntries(complete) as Rows<Name>;
}
