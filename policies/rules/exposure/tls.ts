import { clbDocument } from "../../../provider/annotations/sources";
import type { ResourceRule } from "../../rule";
import { LISTENER_TYPE } from "../../types";

/** What an HTTPS listener speaks that names no policy. */
const DEFAULT = "tls_cipher_policy_1_0";

/** The oldest TLS version that a policy lets in. */
const OLDEST: Readonly<Record<string, string>> = {
    tls_cipher_policy_1_0: "1.0",
    tls_cipher_policy_1_1: "1.1",
    tls_cipher_policy_1_2: "1.2",
    tls_cipher_policy_1_2_strict: "1.2",
    tls_cipher_policy_1_2_strict_with_1_3: "1.2",
};

/** TLS 1.0 and 1.1 are broken, and 1.0 is what a listener speaks by default. */
export const tls: ResourceRule = {
    name: "exposure-tls",
    title: "HTTPS listeners speak TLS 1.2 or newer.",
    group: "exposure",
    severity: "high",
    level: "advisory",
    remedy: 'Set tls-cipher-policy to "tls_cipher_policy_1_2" or stricter.',
    source: clbDocument("Configure a TLS security policy"),
    options: { minimum: { type: "string", enum: ["1.0", "1.1", "1.2"], default: "1.2", description: "The oldest version that is accepted." } },
    service: ({ protocols, settings }, config) => (protocols.includes("https") ? judge(settings.tlsCipherPolicy, String(config["minimum"])) : []),
    resources: {
        [LISTENER_TYPE]: (listener, config) => (listener.get("protocol") === "https" ? judge(listener.get("tlsCipherPolicy"), String(config["minimum"])) : []),
    },
};

function judge(stated: string | undefined, minimum: string): string[] {
    const policy = stated === undefined || stated === "" ? DEFAULT : stated;
    // A policy of the user's own making says nothing by its name.
    const oldest = OLDEST[policy];
    if (oldest === undefined || oldest >= minimum) return [];
    return [`the HTTPS listeners speak TLS ${oldest} (${policy}${stated === undefined ? ", the default" : ""}); at least ${minimum} is wanted`];
}
