const MASK = "***";

/** Forms in which keys, tokens and signatures turn up in messages of the cloud, of a cluster and of their libraries. */
const FORMS: readonly (readonly [RegExp, string])[] = [
    // A refused signature is answered with the text that the server signed: it holds the key id and every parameter.
    [/((?:server )?string ?to ?sign is)\s*:?[\s\S]*/i, `$1 ${MASK}`],
    [
        /((?:access_?key(?:_?id|_?secret)?|(?:security|sts)_?token|signature|credential|client_secret|id_token|refresh_token)["']?\s*[=:]\s*["']?)[^\s"'&,;<>]+/gi,
        `$1${MASK}`,
    ],
    // A password in a URL, and what kubeconfigs and the plugins that they name call their secrets.
    [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi, `$1${MASK}@`],
    [/((?:token|password|passwd|passphrase|client-key-data)["']?\s*[=:]\s*["']?)[^\s"'&,;<>]+/gi, `$1${MASK}`],
    [/\bTMP\.[A-Za-z0-9]{8,}/g, MASK],
    [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/g, `$1 ${MASK}`],
    [/\b(?:LTAI|STS\.)[A-Za-z0-9]{8,}/g, MASK],
    [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g, MASK],
    [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, MASK],
];

/**
 * Text without secrets, for errors and logs: Pulumi shows them and keeps them.
 *
 * @param secrets values known to be secret; those shorter than 4 characters are left, they would blank out ordinary words
 */
export function redact(text: string, secrets: readonly (string | undefined)[] = []): string {
    let clean = text;
    for (const secret of secrets)
        if (secret !== undefined && secret.length >= 4) clean = clean.replaceAll(secret, MASK);
    for (const [form, replacement] of FORMS) clean = clean.replace(form, replacement);
    return clean;
}

/** Longest part of a value that is quoted, in characters: it tells which value is meant, and a file that was no manifest is not printed. */
const QUOTED = 40;

/** A value from outside as it is quoted in a message: as JSON, without secrets, and no more than its beginning; `nothing` where there is none. */
export function quote(value: unknown): string {
    const cut = (text: string): string => {
        const clean = redact(text);
        return clean.length > QUOTED ? `${clean.slice(0, QUOTED)}…` : clean;
    };
    return typeof value === "string" ? JSON.stringify(cut(value)) : cut(JSON.stringify(value) ?? "nothing");
}

/** The first line of what was thrown, without secrets: what follows it is for a log, or repeats the text around a mistake, which may be a key. */
export const firstLine = (error: unknown): string =>
    redact((error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "");
