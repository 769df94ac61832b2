import { printable } from "../diagnostics/format";

const MASK = "***";

/** Forms of keys, tokens and signatures in messages of the cloud, of a cluster and of their libraries. */
const FORMS: readonly (readonly [RegExp, string])[] = [
    // A refused signature is answered with the text that the server signed: it holds the key id and every parameter.
    [/((?:server )?string ?to ?sign is)\s*:?[\s\S]*/i, `$1 ${MASK}`],
    [
        /((?:access_?key(?:_?id|_?secret)?|(?:security|sts)_?token|signature)[\\"']*\s*[=:]\s*[\\"']*)[^\s"'&,;<>]+/gi,
        `$1${MASK}`,
    ],
    [/((?:credential|client_secret|id_token|refresh_token)[\\"']*\s*[=:]\s*[\\"']*)[^\s"'&,;<>]+/gi, `$1${MASK}`],
    // A password in a URL, and what kubeconfigs and the plugins that they name call their secrets.
    [/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, `$1${MASK}@`],
    [/((?:token|password|passwd|passphrase|client-key-data)[\\"']*\s*[=:]\s*[\\"']*)[^\s"'&,;<>]+/gi, `$1${MASK}`],
    [/\bTMP\.[A-Za-z0-9]{8,}/g, MASK],
    [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/g, `$1 ${MASK}`],
    [/\b(?:LTAI|STS\.)[A-Za-z0-9]{8,}/g, MASK],
    [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g, MASK],
    [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, MASK],
];

/**
 * Removes secrets from text for errors and logs, which Pulumi shows and keeps.
 *
 * @param secrets known secrets. Those shorter than 4 characters are ignored, since they would mask ordinary words
 */
export function redact(text: string, secrets: readonly (string | undefined)[] = []): string {
    let clean = text;
    for (const secret of secrets)
        if (secret !== undefined && secret.length >= 4) clean = clean.replaceAll(secret, MASK);
    for (const [form, replacement] of FORMS) clean = clean.replace(form, replacement);
    return clean;
}

/** Longest text from outside in a message, in characters. */
const LONGEST = 1_000;

/**
 * Returns a text from outside (cloud, cluster, network or library) for a message. It is a line of at most 1,000
 * characters, without secrets, control characters and commands to a terminal or pipeline.
 */
export function shortLine(text: string, secrets: readonly (string | undefined)[] = []): string {
    const line = redact(text.slice(0, 16 * LONGEST), secrets)
        .trim()
        .replace(/\s+/g, " ");
    const shown = printable(line);
    return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
}

/** Longest quoted part of a value, in characters. */
const MAX_QUOTED = 40;

/** Quotes the beginning of a value from outside, as JSON and without secrets, or `nothing` for undefined. */
export function quote(value: unknown): string {
    const cut = (text: string): string => {
        const clean = redact(text.slice(0, LONGEST));
        return clean.length > MAX_QUOTED ? `${clean.slice(0, MAX_QUOTED)}…` : clean;
    };
    return printable(typeof value === "string" ? JSON.stringify(cut(value)) : cut(JSON.stringify(value) ?? "nothing"));
}

/** Returns the message of anything that was thrown. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the first line of an error as a {@link shortLine}. Further lines may repeat the text around a mistake. */
export const firstLine = (error: unknown): string => shortLine(errorMessage(error).split("\n", 1)[0] ?? "");
