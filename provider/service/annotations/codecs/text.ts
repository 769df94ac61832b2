import { LIMITS } from "../../../quotas/limits";
import { closest } from "../closest";
import type { CustomTlsPolicy, TlsCipherPolicy } from "../../../schema/settings";

/** Reason why a text is not a value. */
export interface Refusal {
    /** Problem, without the text itself. */
    readonly problem: string;
    readonly remedy: string;
}

export type Reading<Value> = { readonly value: Value } | Refusal;

/** Type of an annotation's value. `parse(print(value))` is `value` for every value that `parse` can return. */
export interface ValueType<Value> {
    /** Allowed values in words, for example `1 to 60`. */
    readonly allowed: string;
    parse(text: string): Reading<Value>;
    /** Returns the text of a value, or `undefined` for anything else, since typed settings are untyped at run time. */
    print(value: unknown): string | undefined;
}

export const refused = (reading: Reading<unknown>): reading is Refusal => "problem" in reading;

const printText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Text that a test accepts. `allowed` completes "must be …". */
const textWhere = (
    allowed: string,
    accepts: (text: string) => boolean,
    remedy = `write ${allowed}`,
): ValueType<string> => ({
    allowed,
    parse: (value) => (accepts(value) ? { value } : { problem: `must be ${allowed}`, remedy }),
    print: printText,
});

/** Exactly one of these words, in this case. */
export function oneOf<const Word extends string>(...words: readonly Word[]): ValueType<Word> {
    const allowed = words.map((word) => `"${word}"`).join(" or ");
    return {
        allowed,
        parse(text) {
            const word = words.find((candidate) => candidate === text);
            if (word !== undefined) return { value: word };
            const near = closest(text, words);
            const miscased = words.some((candidate) => candidate.toLowerCase() === text.toLowerCase());
            return {
                problem: miscased ? `must be ${allowed}; upper and lower case count` : `must be ${allowed}`,
                remedy: near === undefined ? `write ${allowed}` : `write "${near}"`,
            };
        },
        print: printText,
    };
}

export const onOff = oneOf("on", "off");

/** The same words in any case, for NLB annotations: their document itself writes `TCP:80` and `tcpssl:443`. */
export const anyCase = <Word extends string>(type: ValueType<Word>): ValueType<Word> => ({
    ...type,
    parse(text) {
        const words = [...type.allowed.matchAll(/"([^"]+)"/g)].map(([, word = ""]) => word);
        return type.parse(words.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text);
    },
});

/** Parses digits without sign, blank or leading zero, or returns `undefined` for anything else. */
const wholeNumber = (text: string): number | undefined =>
    /^(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : undefined;

export function portNumber(text: string): number | undefined {
    const port = wholeNumber(text);
    return port !== undefined && port >= 1 && port <= 65535 ? port : undefined;
}

/**
 * A whole number in a range, both ends included.
 *
 * @param unit in words, for example `seconds`.
 * @param special allowed value outside the range.
 */
export function integer(from: number, to: number, unit?: string, special?: number): ValueType<number> {
    const values = special === undefined ? "a whole number" : `${special}, or a whole number`;
    const allowed = `${values} from ${from} to ${to}${unit === undefined ? "" : ` (${unit})`}`;
    return {
        allowed,
        parse(text) {
            if (special !== undefined && text === String(special)) return { value: special };
            const value = wholeNumber(text);
            if (value === undefined) return { problem: `must be ${allowed}, digits only`, remedy: `write ${allowed}` };
            if (value < from) return { problem: `must be ${allowed}`, remedy: `write ${from} or more` };
            if (value > to) return { problem: `must be ${allowed}`, remedy: `write ${to} or less` };
            return { value };
        },
        print: (value) => (typeof value === "number" ? String(value) : undefined),
    };
}

/** True for a lower-case DNS name such as `www.example.com`: labels separated by dots, 253 characters at most. */
export const isDnsName = (text: string): boolean => text.length <= 253 && text.split(".").every(isDnsLabel);

/** True for a label of a DNS name: 1 to 63 lower-case letters, digits and inner hyphens. */
export const isDnsLabel = (text: string): boolean => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text);

/** True for an IPv4 address in dotted decimal, without leading zeros. */
export const isIpv4 = (text: string): boolean => /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);

/** Id that becomes known only when its resource is created. Accepted wherever a cloud resource is named. */
export const UNKNOWN_REFERENCE = "(known-after-apply)";

/** True for a value that only documents contain: `vsw-bp1****`, `rg-xxxx`, `192.168.x.x`, `<your-acl-id>`. */
export const isMasked = (value: string): boolean =>
    /\*{2,}/.test(value) || /^<[^<>]*>$/.test(value) || /(?:^|\.)x+\.|\.x+$|^x{2,}$|-x{3,}$/i.test(value);

/** Id of a cloud resource. `prefix` is its documented beginning, or `""`. */
export function identifier(prefix: string, what: string): ValueType<string> {
    const shape = new RegExp(`^${prefix}[A-Za-z0-9][A-Za-z0-9_-]{0,127}$`);
    const characters = 'letters, digits, "_" and "-"';
    return textWhere(
        prefix === "" ? `${what} (${characters})` : `${what} ("${prefix}" followed by ${characters})`,
        (value) => value === UNKNOWN_REFERENCE || (shape.test(value) && !isMasked(value)),
        `write ${what}, as the console shows it`,
    );
}

const pattern = (expression: RegExp, allowed: string): ValueType<string> =>
    textWhere(allowed, (value) => expression.test(value));

/** A specification such as `slb.s3.large`. The set is open: new specifications appear without notice. */
export const specification = pattern(
    /^slb(?:\.[a-z0-9]+){2,3}$/,
    'a specification such as "slb.s1.small", "slb.s2.small", "slb.s2.medium", "slb.s3.small", "slb.s3.medium" ' +
        'or "slb.s3.large"',
);

export const zone = pattern(/^[a-z]{2,}(?:-[a-z0-9]+)+$/, 'a zone id such as "cn-hangzhou-k"');

export const instanceName = pattern(
    new RegExp(`^[A-Za-z\\p{Script=Han}][A-Za-z0-9\\p{Script=Han}._-]{1,${LIMITS.instanceName.most - 1}}$`, "u"),
    `2 to ${LIMITS.instanceName.most} characters that start with a letter or a Chinese character and go on with ` +
        'letters, Chinese characters, digits, ".", "_" and "-"',
);

export const ipv4 = textWhere('an IPv4 address such as "192.168.0.10"', isIpv4);

/** A host name that Kubernetes accepts in the status of a Service. */
export const hostname = textWhere(
    'a DNS name in lower case such as "www.example.com"',
    (value) => isDnsName(value) && !isIpv4(value),
);

export const cookie = pattern(
    new RegExp(`^(?!\\$)(?:(?![,;])[\\x21-\\x7e]){1,${LIMITS.cookie.most}}$`),
    `1 to ${LIMITS.cookie.most} ASCII characters without ",", ";" and blanks that do not start with "$"`,
);

/** Path of an HTTP health check. */
export const uri = pattern(
    new RegExp(`^/[\\x21-\\x7e]{0,${LIMITS.checkUri.most - 1}}$`),
    `a path of 1 to ${LIMITS.checkUri.most} characters without blanks that starts with "/"`,
);

/** Host header of an HTTP health check of a CLB. */
export const checkDomain = pattern(
    new RegExp(`^(?:\\$_ip|[A-Za-z0-9.-]{1,${LIMITS.checkDomain.most}})$`),
    `"$_ip" (the IP address of the backend) or 1 to ${LIMITS.checkDomain.most} letters, digits, "." and "-"`,
);

/** Host header of an HTTP health check of an NLB. */
export const nlbCheckDomain = pattern(
    new RegExp(`^(?:\\$SERVER_IP|[a-z0-9.-]{1,${LIMITS.checkDomain.most}})$`),
    `"$SERVER_IP" (the IP address of the backend) or 1 to ${LIMITS.checkDomain.most} lower-case letters, digits, ` +
        '"." and "-"',
);

export const anything = textWhere("any text", () => true);

export const SYSTEM_POLICIES: readonly TlsCipherPolicy[] = [
    "tls_cipher_policy_1_0",
    "tls_cipher_policy_1_1",
    "tls_cipher_policy_1_2",
    "tls_cipher_policy_1_2_strict",
    "tls_cipher_policy_1_2_strict_with_1_3",
];

/** TLS policy of an NLB listener: a policy of the system, or the id of a custom policy. */
export const tlsPolicy = textWhere(
    `${SYSTEM_POLICIES.map((policy) => `"${policy}"`).join(" or ")} or the id of a policy of your own ("tls-…")`,
    (value) => SYSTEM_POLICIES.some((policy) => policy === value) || /^tls-[A-Za-z0-9]+$/.test(value),
) as ValueType<TlsCipherPolicy | CustomTlsPolicy>;
