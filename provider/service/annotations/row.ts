import type { ListenerProtocol } from "../../schema/protocols";
import type { SettingName, SettingValue } from "../../schema/settings";
import { CCM_SOURCE } from "../../schema/documents";
import type { ValueType } from "./codecs";

/** Part of a load balancer to which an annotation belongs. */
export type AnnotationGroup = "instance" | "listener" | "health-check" | "backend";

/** Effect of a changed value on an existing load balancer. */
type OnChange =
    /** The new value is applied, and connections stay. */
    | "in place"
    /** The new value is applied, and connections or health are interrupted meanwhile. */
    | "in place, with an interruption"
    | "listener is replaced"
    | "server group is replaced"
    /** The value cannot be changed. The Service must be deleted and created again. */
    | "create-only"
    /** `PayBySpec` can become `PayByCLCU`, never the other way round. */
    | "one way"
    | "on deletion"
    | "status only";

/** Annotation required by another annotation. */
export interface Companion {
    readonly field: SettingName;
    /** Required value of the companion, any if absent. */
    readonly equals?: string;
    /** Value of this annotation for which it requires the companion, any if absent. */
    readonly when?: string;
    /** `warning` if the companion has a documented default, or if the annotation only has no effect without it. */
    readonly severity: "error" | "warning";
    /** Reason, in a few words to follow "because". */
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

/** Default value, and the conditions under which it holds. */
export interface Default<Value> {
    readonly value: Value;
    /** Cloud Controller Manager version from which on it holds. If absent, it holds in all. */
    readonly since?: string;
    /** Listener protocols for which it holds, all if absent. */
    readonly protocols?: readonly ListenerProtocol[];
}

/**
 * Plain attribute of a listener, which is a setting and a parameter of the API without logic. Model, plugin arguments,
 * listener options and the comparison of a takeover follow from it. An attribute with logic has code instead.
 */
export interface PlainAttribute {
    /** The API parameter, for example `IdleTimeout`. */
    readonly api: string;
    /**
     * The plugin's input, `outer.inner` inside an object. If absent, the plugin has none, and the attribute belongs to
     * the listener's options.
     */
    readonly property?: string;
    /** True if the plugin's input is a boolean, true for `on`. */
    readonly boolean?: true;
    /** Type of the health checks that regard the attribute, all if absent. */
    readonly check?: HealthCheckType;
}

export type HealthCheckType = SettingValue<"healthCheckType">;

/** Everything about an annotation. Parser, documentation, typed settings and policies derive from it. */
export interface Row<Name extends SettingName = SettingName> {
    readonly field: Name;
    /** Key after `service.beta.kubernetes.io/`. The catalogue defaults to {@link suffixOf}. */
    readonly suffix: string;
    readonly group: AnnotationGroup;
    readonly type: ValueType<SettingValue<Name>>;
    /** Oldest first, empty if the documents state none. Then nothing is sent and the cloud decides. */
    readonly defaults: readonly Default<SettingValue<Name>>[];
    /** The default in words, if it depends on more than the version. */
    readonly defaultNote?: string;
    /** Listener protocols on which the annotation has an effect, all if absent. */
    readonly protocols?: readonly ListenerProtocol[];
    readonly companions?: readonly Companion[];
    /** Oldest Cloud Controller Manager version to read the annotation. */
    readonly since: string;
    readonly onChange: OnChange;
    /** API parameter that gets the value, or else what the value controls. */
    readonly api: string;
    readonly attribute?: PlainAttribute;
    readonly doc: string;
    readonly source: string;
    /** True if no document describes it. It is known from the source of the Cloud Controller Manager. */
    readonly undocumented?: true;
    readonly noLegacyKey?: true;
    /** True if the value names another cloud resource, which may be created in the same run. */
    readonly reference?: true;
}

export type Rows<Name extends SettingName = SettingName> = { readonly [Field in Name]: Row<Field> };

/** Source of a row, a section of the document of its file. */
type Section = string | ReturnType<typeof undocumented>;

/** Row as stated in a catalogue file, without the fields implied by its place or by a plain attribute. */
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

/** Returns the plain attribute for an input of the plugin with the same name, but for a small first letter. */
export const input = (api: string): PlainAttribute => ({ api, property: api.charAt(0).toLowerCase() + api.slice(1) });

/** Sentence about a default sent without a document. */
export const OF_API = "No document states a default; that of the API is sent: a removed annotation goes back to it.";

type Rest<Value> = Omit<Entry<Value>, "type" | "source" | "section">;

type Preset<Value> = ValueType<Value> & { readonly preset?: Value };

/** Adds a default for all versions and all protocols to a type. */
export const preset = <Value>(type: ValueType<Value>, value: NoInfer<Value>): Preset<Value> => ({
    ...type,
    preset: value,
});

export const entry = <Value>(
    { preset: value, ...type }: Preset<Value>,
    section: Section,
    rest: Rest<Value>,
): Entry<Value> => ({ type, section, ...(value === undefined ? {} : { defaults: [{ value }] }), ...rest });

/** Builds an entry. @param api parameter of the API, or a plain attribute. */
export const row = <Value>(
    type: Preset<Value>,
    api: string | PlainAttribute,
    section: Section,
    rest: Omit<Rest<Value>, "api">,
): Entry<Value> => entry(type, section, { ...rest, ...(typeof api === "string" ? { api } : { attribute: api }) });

/** Returns the suffix of an annotation, `alibaba-cloud-loadbalancer-health-check-uri` for `healthCheckUri`. */
export const suffixOf = (field: SettingName): string =>
    `alibaba-cloud-loadbalancer-${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Completes the entries of a catalogue file. If absent, there are no `defaults`, `onChange` is in place, and `api`
 * comes from the attribute.
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
