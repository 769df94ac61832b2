import { z } from "zod";
import { clbDocument, nlbDocument } from "../../../provider/schema/documents";
import type { Rule } from "../../rule";
import { resourceRule } from "../../rule/make";
import { CLB_LISTENER_TYPE, NLB_LISTENER_TYPE, NLB_TLS_POLICY_TYPE } from "../../subjects/types";

/** The policy of a listener that names none. */
const DEFAULT = "tls_cipher_policy_1_0";

/** The oldest TLS version that a policy accepts. Policies of both kinds of load balancer have the same names. */
const OLDEST: ReadonlyMap<string, string> = new Map([
    ["tls_cipher_policy_1_0", "1.0"],
    ["tls_cipher_policy_1_1", "1.1"],
    ["tls_cipher_policy_1_2", "1.2"],
    ["tls_cipher_policy_1_2_strict", "1.2"],
    ["tls_cipher_policy_1_2_strict_with_1_3", "1.2"],
]);

/** Protocols of listeners that terminate TLS: one of a CLB, one of an NLB. */
const TLS_PROTOCOLS = ["https", "tcpssl"] as const;

const OPTIONS = z.object({
    minimum: z.enum(["1.0", "1.1", "1.2"]).default("1.2").describe("The oldest version that is accepted."),
});

/** Requires TLS 1.2: older versions are insecure, and a listener accepts 1.0 by default. */
export const tls: Rule = resourceRule("exposure-tls", "high", "advisory", {
    title: "HTTPS and TCPSSL listeners accept TLS 1.2 or newer only, and so do custom TLS policies.",
    remedy:
        'Set tls-cipher-policy to "tls_cipher_policy_1_2" or stricter. A custom policy (tls-…) is checked where ' +
        "the program defines it.",
    source: `${clbDocument("Configure a TLS security policy")}; ${nlbDocument("Configure TLS Security Policy")}`,
    options: OPTIONS,
    service: ({ protocols, settings }, config) => {
        const protocol = TLS_PROTOCOLS.find((one) => protocols.includes(one));
        return protocol === undefined ? [] : check(protocol, settings.tlsCipherPolicy, config);
    },
    resources: {
        [CLB_LISTENER_TYPE]: (listener, config) =>
            listener.get("protocol") === "https" ? check("https", listener.get("tlsCipherPolicy"), config) : [],
        [NLB_LISTENER_TYPE]: (listener, config) =>
            listener.get("listenerProtocol")?.toLowerCase() === "tcpssl"
                ? check("tcpssl", listener.get("securityPolicyId"), config)
                : [],
        [NLB_TLS_POLICY_TYPE]: (policy, config) =>
            checkVersions(policy.get("tlsVersions", z.array(z.string())) ?? [], config),
    },
});

type Minimum = z.output<typeof OPTIONS>;

function check(
    protocol: (typeof TLS_PROTOCOLS)[number],
    specified: string | undefined,
    { minimum }: Minimum,
): string[] {
    const policy = specified === undefined || specified === "" ? DEFAULT : specified;
    // The name of a custom policy does not say what it accepts.
    const oldest = OLDEST.get(policy);
    if (oldest === undefined || oldest >= minimum) return [];
    return [
        `the ${protocol.toUpperCase()} listeners speak TLS ${oldest} ` +
            `(${policy}${specified === undefined ? ", the default" : ""}); at least ${minimum} is required`,
    ];
}

/** Checks the versions of a custom policy, as the cloud writes them: `TLSv1.2`. */
function checkVersions(versions: readonly string[], { minimum }: Minimum): string[] {
    const old = versions.filter((version) => version.replace(/^TLSv/, "") < minimum);
    return old.length === 0
        ? []
        : [`listeners with this policy speak ${old.join(", ")}; at least TLS ${minimum} is required`];
}
