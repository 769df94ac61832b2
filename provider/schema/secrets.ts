/** Secrets as the engine's protocol writes them. Source: pulumi/pulumi, sdk/go/common/resource, SecretSig. */

/** Marker of a special value, such as a secret: its value is the kind. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";

const SECRET = "1b47061264138c4ac30d75fd1eb44270";

export const asSecret = (value: unknown) => ({ [SIGNATURE]: SECRET, value });

/** Reports whether a value is a secret or has secrets, at any depth. */
export const hasSecret = (value: unknown): boolean =>
    isObject(value) && (isSecret(value) || Object.values(value).some(hasSecret));

/**
 * Returns a copy with the values of secrets in their place, at any depth. In a secret the engine gives null for what is
 * absent: the copy leaves such fields out.
 */
export function withoutSecrets<Value>(value: Value): Value {
    return withoutSignatures(value, false) as Value;
}

function withoutSignatures(value: unknown, inSecret: boolean): unknown {
    if (!isObject(value)) return value;
    if (isSecret(value)) return withoutSignatures((value as Mapping)["value"], true);
    if (Array.isArray(value)) return value.map((part) => withoutSignatures(part, inSecret));
    const isAbsent = (part: unknown): boolean =>
        isObject(part) && isSecret(part) ? (part as Mapping)["value"] === null : inSecret && part === null;
    const present = Object.entries(value).filter(([, part]) => !isAbsent(part));
    return Object.fromEntries(present.map(([key, part]) => [key, withoutSignatures(part, inSecret)]));
}

/** Returns the texts of secrets, at any depth. */
export function textsOfSecrets(value: unknown, isWithin = false): string[] {
    if (!isObject(value)) return isWithin && value !== null && value !== undefined ? [String(value)] : [];
    if (isSecret(value)) return textsOfSecrets((value as Mapping)["value"], true);
    return Object.values(value).flatMap((part) => textsOfSecrets(part, isWithin));
}

type Mapping = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const isSecret = (value: object): boolean => (value as Mapping)[SIGNATURE] === SECRET;
