import type { ListenerProtocol } from "../../schema/protocols";
import type { SettingName, SettingValue } from "../../schema/settings";
import { CCM_SOURCE } from "../../schema/documents";
import type { ValueType } from "./codecs";

/** The part of a load balancer that an annotation belongs to. */
export type AnnotationGroup = "instance" | "listener" | "health-check" | "backend";

/** Effect of a changed value on an existing load balancer. */
type OnChange =
    /** The new value is applied, and connections stay. */
    | "in place"
    /** The new value is applied, and connections or health are interrupted meanwhile. */
    | "in place, with an interruption"
    | "listener is replaced"
    | "server group is replaced"
    /** The value cannot be changed: delete the Service and create it again. */
    | "create-only"
    /** `PayBySpec` can become `PayByCLCU`, never the other way round. */
    | "one way"
    | "on deletion"
    | "status only";

/** Another annotation that this annotation requires. */
export interface Companion {
    readonly field: SettingName;
    /** Required value of the other annotation. Absent: any. */
    readonly equals?: string;
    /** Value of this annotation that requires the companion. Absent: any. */
    readonly when?: string;
    /** `warning` if the companion has a documented default, or if the annotation only has no effect without it. */
    readonly severity: "error" | "warning";
    /** Reason, in a few words that follow "because". */
    readonly because: string;
}

type Condition = Pick<Companion, "equals" | "when">;

/** Companion without which the annotation is refused. */
export const needs = (field: SettingName, because: string, condition: Condition = {}): Companion => ({
    field,
    ...condition,
    severity: "error",
    because,
});

/** Companion whose absence is a warning. */
export const comesWith = (field: SettingName, because: string, condition: Condition = {}): Companion => ({
    ...needs(field, because, condition),
    severity: "warning",
});

/** A default value, and where it holds. */
export interface Default<Value> {
    readonly value: Value;
    /** Cloud Controller Manager version from which on it holds. Absent: all. */
    readonly since?: string;
    /** Listener protocols for which it holds. Absent: all. */
    readonly protocols?: readonly ListenerProtocol[];
}

/**
 * A plain attribute of a listener: a setting, a parameter of the API, and no logic. Model, plugin arguments, listener
 * options and the comparison of a takeover follow from it. An attribute with logic has code instead.
 */
export interface PlainAttribute {
    /** The API parameter, for example `IdleTimeout`. */
    readonly api: string;
    /**
     * The plugin's input, `outer.inner` inside an object. If absent, it has none and belongs to the listener's options.
     */
    readonly property?: string;
    /** The plugin's input is a boolean: true for `on`. */
    readonly boolean?: true;
    /** Only health checks of this type regard it. Absent: all. */
    readonly check?: HealthCheckType;
}

export type HealthCheckType = SettingValue<"healthCheckType">;

/** Everything about an annotation. Parser, documentation, typed settings and policies derive from it. */
export interface Row<Name extends SettingName = SettingName> {
    readonly field: Name;
    /** Key after `service.beta.kubernetes.io/`. Default in the catalogue: see {@link suffixOf}. */
    readonly suffix: string;
    readonly group: AnnotationGroup;
    readonly type: ValueType<SettingValue<Name>>;
    /** Oldest first, empty if the documents state none. Then nothing is sent and the cloud decides. */
    readonly defaults: readonly Default<SettingValue<Name>>[];
    /** The default in words, if it depends on more than the version. */
    readonly defaultNote?: string;
    /** Listener protocols on which the annotation has an effect. Absent: all. */
    readonly protocols?: readonly ListenerProtocol[];
    readonly companions?: readonly Companion[];
    /** Oldest Cloud Controller Manager version that reads the annotation. */
    readonly since: string;
    readonly onChange: OnChange;
    /** API parameter that gets the value, or else what the value controls. */
    readonly api: string;
    readonly attribute?: PlainAttribute;
    readonly doc: string;
    readonly source: string;
    /** No document describes it, and it is known from the source of the Cloud Controller Manager. */
    readonly undocumented?: true;
    readonly noLegacyKey?: true;
    /** The value names another cloud resource, which may be created in the same run. */
    readonly reference?: true;
}

export type Rows<Name extends SettingName = SettingName> = { readonly [Field in Name]: Row<Field> };

/** Source of a row: a section of the document of its file. */
type Section = string | ReturnType<typeof undocumented>;

/** A row as a catalogue file states it, without what follows from its place or from a plain attribute. */
type Entry<Value> = Omit<Row, "field" | "group" | "type" | "defaults" | Completed> &
    Partial<Pick<Row, Completed>> & {
        readonly type: ValueType<Value>;
        readonly defaults?: readonly Default<Value>[];
        readonly section?: Section;
    };

type Completed = "suffix" | "api" | "since" | "onChange" | "source";

/** Marks a row whose annotation is known only from the source of the Cloud Controller Manager. */
export const undocumented = (name: string): { readonly source: string; readonly undocumented: true } => ({
    source: `${CCM_SOURCE}, "${name}"`,
    undocumented: true,
});

/** Plain attribute that is an input of the plugin, by the same name with a small first letter. */
export const input = (api: string): PlainAttribute => ({ api, property: api.charAt(0).toLowerCase() + api.slice(1) });

/** Sentence of a default that is sent without a document. */
export const OF_API = "No document states a default; that of the API is sent: a removed annotation goes back to it.";

type Rest<Value> = Omit<Entry<Value>, "type" | "source" | "section">;

type Preset<Value> = ValueType<Value> & { readonly preset?: Value };

/** A type with a default that holds in all versions and for all protocols. */
export const preset = <Value>(type: ValueType<Value>, value: NoInfer<Value>): Preset<Value> => ({
    ...type,
    preset: value,
});

export const entry = <Value>(
    { preset: value, ...type }: Preset<Value>,
    section: Section,
    rest: Rest<Value>,
): Entry<Value> => ({ type, section, ...(value === undefined ? {} : { defaults: [{ value }] }), ...rest });

/** Builds an entry. @param api parameter of the API, or the plain attribute that it is. */
export const row = <Value>(
    type: Preset<Value>,
    api: string | PlainAttribute,
    section: Section,
    rest: Omit<Rest<Value>, "api">,
): Entry<Value> => entry(type, section, { ...rest, ...(typeof api === "string" ? { api } : { attribute: api }) });

/** The suffix of a setting's annotation: `healthCheckUri` is `alibaba-cloud-loadbalancer-health-check-uri`. */
export const suffixOf = (field: SettingName): string =>
    `alibaba-cloud-loadbalancer-${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Completes the entries of a catalogue file. Defaults: no `defaults`, `onChange` in place, `api` of the attribute.
 *
 * @param since default of {@link Row.since}.
 * @param documentOf cites a section of the file's document.
 */
export function rows<Name extends SettingName>(
    group: AnnotationGroup,
    since: string,
    documentOf: (section: string) => string,
    entries: { readonly [Field in Name]: Entry<SettingValue<Field>> },
): Rows<Name> {
    const complete = Object.entries<Entry<unknown>>(entries).map(([field, { section, ...entry }]) => {
        const api = entry.attribute?.api;
        const suffix = suffixOf(field as SettingName);
        const source = typeof section === "string" ? { source: documentOf(section) } : section;
        return [field, { field, group, suffix, defaults: [], since, onChange: "in place", api, ...source, ...entry }];
    });
    return Object.fromEntries(complete) as Rows<Name>;
}
