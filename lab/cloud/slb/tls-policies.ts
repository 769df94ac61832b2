/** Policies that every account has. */
export const SYSTEM_TLS_POLICIES: readonly string[] = [
    "tls_cipher_policy_1_0",
    "tls_cipher_policy_1_1",
    "tls_cipher_policy_1_2",
    "tls_cipher_policy_1_2_strict",
    "tls_cipher_policy_1_2_strict_with_1_3",
];
