/**
 * Differences between desired and observed objects, in the words of the model. The comparison of each noun returns them
 * (`compare.ts` of CLB and NLB). Adoption, reuse and drift read them.
 */
import { isDeepStrictEqual } from "node:util";
import { defined, filtered, isMapping } from "./defined";
import type { Owner } from "./names";

export type Attributes = Readonly<Record<string, unknown>>;

/** Attribute in which desired and observed differ, as texts, with `-` for nothing. */
export interface Differing {
    readonly attribute: string;
    readonly observed: string;
    readonly desired: string;
}

/** Effect of a run on an attribute that differs. */
type Change =
    | "in place"
    /** The cloud does not change it: its object is made again, or the change is refused. */
    | "replaced"
    /** The value stays, because the Service does not set it. */
    | "kept"
    /** Both values have the same effect. */
    | "ignored";

/** Nature of an attribute, the same for all its differences. */
export interface Trait {
    /** Inputs of the alicloud plugin with its value. Default: the input with its name, for a part that of the whole. */
    readonly inputs?: readonly string[];
    /** Default `in place`. */
    readonly change?: Change;
    /** True if everybody may connect without it. Default false. */
    readonly restricts?: boolean;
    /** Loss of clients by a change, a clause to follow what a run does. If absent, none. */
    readonly interrupts?: string;
    /** True for a word that the API takes in any case. Default false. */
    readonly anyCase?: boolean;
}

/** Traits by attribute. The parts of an attribute have its trait, unless they have their own. */
export type Traits = Readonly<Record<string, Trait>>;

export interface Difference extends Differing, Required<Pick<Trait, "inputs" | "change">>, Pick<Trait, "interrupts"> {
    /** True if no packet depends on it. */
    readonly harmless: boolean;
    /** True if everybody may connect although the Service restricts its clients. */
    readonly opens: boolean;
}

/** Service in the cloud: its marks, and ids of objects to which others refer. An undefined id may be any. */
export interface Place {
    /** Default name of the instance, and value of the ownership tag. */
    readonly mark: string;
    readonly tags: Readonly<Record<string, string>>;
    /** Owner in the marks of listeners. Any if undefined. */
    readonly owner: Owner | undefined;
    /** Access control list of a CLB, and security group of an NLB, for the Service's source ranges. */
    readonly aclId?: string | undefined;
    readonly securityGroupId?: string | undefined;
    readonly vpcId?: string | undefined;
    readonly resourceGroupId?: string | undefined;
    readonly serverGroupId?: string | undefined;
}

/**
 * Returns the attributes that differ, also those that only one side has. A part of an attribute has a point in its
 * name. An attribute that is desired as undefined may have any value.
 */
export const compare = (traits: Traits, desired: Attributes, observed: Attributes): Difference[] =>
    differing(desired, observed).map((one) => differenceOf(one, traitOf(traits, one.attribute)));

/** Returns the values of the attributes that are desired. */
export const valuesOf = <Value>(observed: Readonly<Record<string, Value>>, desired: object): Record<string, Value> =>
    filtered(observed, (name) => Object.hasOwn(desired, name));

/** Attributes of any object on which no packet depends. */
const HARMLESS =
    /^(?:name|description|tags|(?:delete|modification)Protection(?:Reason)?|resourceGroupId|\w*ChargeType)(?:\.|$)/;

function differenceOf(one: Differing, trait: Trait): Difference {
    const { inputs = one.attribute.split(".", 1), change = "in place", restricts, anyCase, interrupts } = trait;
    const isSame = anyCase === true && one.observed.toLowerCase() === one.desired.toLowerCase();
    return {
        ...one,
        ...defined({ interrupts }),
        inputs,
        change: isSame ? "ignored" : change,
        harmless: HARMLESS.test(one.attribute),
        opens: (restricts === true && /^(-|off)$/.test(one.observed)) || one.desired === "drop",
    };
}

const traitOf = (traits: Traits, attribute: string): Trait =>
    traits[attribute] ??
    (attribute.includes(".") ? traitOf(traits, attribute.slice(0, attribute.lastIndexOf("."))) : {});

function differing(desired: Attributes, observed: Attributes, prefix = ""): Differing[] {
    const names = new Set([...Object.keys(desired), ...Object.keys(observed)]);
    return [...names].flatMap((name) => {
        const want = Object.hasOwn(desired, name) ? desired[name] : "";
        const have = Object.hasOwn(observed, name) ? observed[name] : undefined;
        if (isMapping(want) && isMapping(have)) return differing(want, have, `${prefix}${name}.`);
        if (want === undefined) return [];
        if (isDeepStrictEqual(comparable(want), comparable(have))) return [];
        const attribute = prefix + name;
        return [{ attribute, observed: shown(attribute, have), desired: shown(attribute, want) }];
    });
}

/** Numbers and texts that read the same are equal, an empty list is nothing, and lists have no order. */
function comparable(value: unknown): unknown {
    if (Array.isArray(value)) return value.length === 0 ? "" : value.map(String).sort();
    if (isMapping(value))
        return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, comparable(part)]));
    return value === undefined || value === null ? "" : String(value);
}

function shown(attribute: string, value: unknown): string {
    const text = isMapping(value) ? JSON.stringify(value) : String(value ?? "");
    return wordOf(attribute, text) ?? (text === "" ? "-" : text);
}

/** Returns a word for a value whose own text does not explain it. */
export const wordOf = (attribute: string, text: string): string | undefined =>
    WORDS.find(([pattern]) => pattern.test(attribute))?.[1](text);

/** Numbers for the backend's own port, of a CLB and of an NLB. */
const OWN_PORT: readonly string[] = ["-520", "0"];

/** Words for values of attributes whose own text does not explain them. */
const WORDS: readonly (readonly [attribute: RegExp, word: (text: string) => string | undefined])[] = [
    [/connectPort$/i, (text) => (OWN_PORT.includes(text) ? "the backend's port" : undefined)],
    [/^bandwidth$/, (text) => (text === "-1" ? "unlimited" : undefined)],
    [/^(?:healthCheck\.)?enabled$/, (text) => ({ true: "on", false: "off" })[text]],
    // Absent without the protocol, else an object of what it passes on.
    [/^proxyProtocol$/, (text) => (text === "" ? "off" : text.startsWith("{") ? "on" : undefined)],
];

/** Names of attributes in the words of annotations, or of their first parts, the longest first. */
const NAMES: readonly (readonly [attribute: string, name: string])[] = [
    ["tls.certId", "certificate (cert-id)"],
    ["tls.additionalCertIds", "further certificates (additional-cert-ids)"],
    ["tls.caCertId", "CA certificate (cacert-id)"],
    ["tls.alpnPolicy", "ALPN policy (alpn-policy)"],
    ["tls.domains.", "certificate of "],
    ["tls.", "TLS "],
    ["healthCheck.enabled", "health check"],
    ["healthCheck.http.", "health check "],
    ["healthCheck.", "health check "],
    ["checkRequest", "health check request"],
    ["checkAnswer", "health check answer"],
    ["stickySession.", "session persistence "],
    ["access.", "access control "],
    ["tags.", "tag "],
    ["forwardTo", "redirect (forward-port)"],
    ["drainTimeout", "connection draining"],
    ["type", "server group type"],
];

/** Returns the name of an attribute for people, in the words of an annotation and not of the code. */
export function attributeName(attribute: string): string {
    const [part, name] = NAMES.find(([first]) => attribute.startsWith(first)) ?? ["", ""];
    return name + attribute.slice(part.length);
}
