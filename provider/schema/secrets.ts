/** Secrets as the engine's protocol writes them. Source: pulumi/pulumi, sdk/go/common/resource, SecretSig. */

/** Key of a value that is more than plain data: its value tells what. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";

const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** Returns a value marked as a secret. */
export const asSecret = (value: unknown) => ({ [SIGNATURE]: SECRET, value });

/** Reports whether a value is a secret or has secrets, at any depth. */
export const hasSecret = (value: unknown): boolean =>
    isObject(value) && (isSecret(value) || Object.values(value).some(hasSecret));

/** Returns a copy with the values of secrets in their place, at any depth. */
export function withoutSecrets<Value>(value: Value): Value {
    if (!isObject(value)) return value;
    if (isSecret(value)) return withoutSecrets((value as Mapping)["value"]) as Value;
    if (Array.isArray(value)) return value.map(withoutSecrets) as Value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutSecrets(part)])) as Value;
}

type Mapping = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const isSecret = (value: object): boolean => (value as Mapping)[SIGNATURE] === SECRET;
