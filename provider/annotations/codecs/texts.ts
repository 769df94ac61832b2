/** Texts with rules of their own. */

import type { CustomTlsPolicy, TlsCipherPolicy } from "../../schema/settings";
import { isDnsName, isIpv4 } from "./dns";
import { printText, type ValueType } from "./type";
import { pattern, text } from "./word";

/** A specification such as `slb.s3.large`. The set is open: new specifications appear without notice. */
export const specification = pattern(
    /^slb(?:\.[a-z0-9]+){2,3}$/,
    'a specification such as "slb.s1.small", "slb.s2.small", "slb.s2.medium", "slb.s3.small", "slb.s3.medium" or "slb.s3.large"',
);

/** A zone id such as `cn-hangzhou-k`. */
export const zone = pattern(/^[a-z]{2,}(?:-[a-z0-9]+)+$/, 'a zone id such as "cn-hangzhou-k"');

/** The name of an instance. */
export const instanceName = pattern(
    /^[A-Za-z\p{Script=Han}][A-Za-z0-9\p{Script=Han}._-]{1,127}$/u,
    '2 to 128 characters that start with a letter or a Chinese character and go on with letters, Chinese characters, digits, ".", "_" and "-"',
);

/** An IPv4 address. */
export const ipv4 = text('an IPv4 address such as "192.168.0.10"', isIpv4);

/** A host name that Kubernetes accepts in the status of a Service. */
export const hostname = text(
    'a DNS name in lower case such as "www.example.com"',
    (value) => isDnsName(value) && !isIpv4(value),
);

/** A cookie name: printable ASCII without comma, semicolon and blank, not starting with a dollar sign. */
export const cookie = pattern(
    /^(?!\$)(?:(?![,;])[\x21-\x7e]){1,200}$/,
    '1 to 200 ASCII characters without ",", ";" and blanks that do not start with "$"',
);

/** The path that an HTTP health check asks for. */
export const uri = pattern(/^\/[\x21-\x7e]{0,79}$/, 'a path of 1 to 80 characters without blanks that starts with "/"');

/** What an HTTP health check sends as its Host header. */
export const checkDomain = pattern(
    /^(?:\$_ip|[A-Za-z0-9.-]{1,80})$/,
    '"$_ip" (the IP address of the backend) or 1 to 80 letters, digits, "." and "-"',
);

/** Any text that is not empty. */
export const anything: ValueType<string> = {
    allowed: "any text",
    parse: (value) => ({ value }),
    print: printText,
};

/** What an HTTP health check of an NLB sends as its Host header. */
export const nlbCheckDomain = pattern(
    /^(?:\$SERVER_IP|[a-z0-9.-]{1,80})$/,
    '"$SERVER_IP" (the IP address of the backend) or 1 to 80 lower-case letters, digits, "." and "-"',
);

const SYSTEM_POLICIES: readonly TlsCipherPolicy[] = [
    "tls_cipher_policy_1_0",
    "tls_cipher_policy_1_1",
    "tls_cipher_policy_1_2",
    "tls_cipher_policy_1_2_strict",
    "tls_cipher_policy_1_2_strict_with_1_3",
];

/** A TLS policy of an NLB listener: one of the system's, or the id of one's own. */
export const tlsPolicy = text(
    `${SYSTEM_POLICIES.map((policy) => `"${policy}"`).join(" or ")} or the id of a policy of your own ("tls-…")`,
    (value) => SYSTEM_POLICIES.some((policy) => policy === value) || /^tls-[A-Za-z0-9]+$/.test(value),
) as ValueType<TlsCipherPolicy | CustomTlsPolicy>;
