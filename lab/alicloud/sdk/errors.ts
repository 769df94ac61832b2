/** The errors of the cloud and of the plugin, with the texts of the real plugin. */

/** A refusal, as the older SDK (forms A and B) reports it. */
export class ServerError extends Error {
    constructor(
        readonly status: number,
        readonly code: string,
        readonly text: string,
        details: { recommend: string; requestId: string; headers: string },
    ) {
        super(
            `SDK.ServerError\nErrorCode: ${code}\nRecommend: ${details.recommend}\nRequestId: ${details.requestId}\n` +
                `Message: ${text}\nRespHeaders: ${details.headers}`,
        );
    }
}

/** A refusal, as the newer SDK (form C) reports it. */
export class TeaError extends Error {
    constructor(
        readonly status: number,
        readonly code: string,
        readonly text: string,
        readonly data: string,
    ) {
        super(`SDKError:\n   StatusCode: ${status}\n   Code: ${code}\n   Message: ${text}\n   Data: ${data}\n`);
    }
}

/** Something that the plugin itself found missing. */
export class ProviderError extends Error {
    constructor(
        readonly code: string,
        readonly text: string,
    ) {
        super(`[ERROR] Terraform Alicloud Provider Error: Code: ${code} Message: ${text}`);
    }
}

/** An error with the place in the plugin that passed it on. */
export class PlacedError extends Error {
    constructor(
        readonly inner: Error | undefined,
        readonly note: string | undefined,
        place: string,
    ) {
        const text = inner?.message ?? "<nil cause>";
        super(
            "\u001B[31m[ERROR]\u001B[0m " +
                `terraform-provider-alicloud@v1.285.0/alicloud/${place}:${note === undefined ? "" : ` ${note}:`}\n` +
                `${text}`,
        );
    }
}

/** A programming error in the real plugin that ends its process. */
export class PluginPanic extends Error {
    /** It happened beside the request, where nothing catches and logs it. */
    isUnlogged = false;
}

/** Runs what the real plugin runs beside the request. */
export async function beside<T>(work: () => Promise<T>): Promise<T> {
    try {
        return await work();
    } catch (error) {
        if (error instanceof PluginPanic) error.isUnlogged = true;
        throw error;
    }
}

/** Returns an error with its place, such as `service_alicloud_slb.go:57`. Throws an error that ends the plugin. */
export function placed(error: unknown, place: string, note?: string): PlacedError {
    if (error instanceof PluginPanic) throw error;
    return new PlacedError(error === undefined ? undefined : asError(error), note, place);
}

export const sdkSource = "[SDK alibaba-cloud-sdk-go ERROR]";
export const providerSource = "[Provider ERROR]";

/** Passes on a refused call. */
export const failed = (error: unknown, place: string, subject: string, action: string): PlacedError =>
    placed(error, place, `Resource ${subject} ${action} Failed!!! ${sdkSource}`);

/** Returns a handler of a failed promise, which passes the error on with a place. */
export const rethrowAt =
    (place: string) =>
    (error: unknown): never => {
        throw placed(error, place);
    };

export const notFoundText = (what: string, id: string): Error => new Error(`The specified ${what} ${id} is not found.`);

/** Makes the error of a missing object. `note` follows the words that mark the error as such. */
export const notFound = (inner: unknown, place: string, note: string): PlacedError =>
    placed(inner, place, `ResourceNotfound!!! ${note}`);

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const isNotFoundCode = (code: string): boolean =>
    code === "Instance.Notfound" || code === "Forbidden.InstanceNotFound" || code === "NotFound";

export function isNotFound(error: unknown): boolean {
    if (error instanceof PlacedError)
        return error.note?.startsWith("ResourceNotfound") === true || isNotFound(error.inner);
    if (error instanceof TeaError) return error.status === 404 || error.text.includes("NotFound");
    if (error instanceof ServerError) {
        return (
            isNotFoundCode(error.code) ||
            error.status === 404 ||
            error.text.toLowerCase().includes("instance is not found")
        );
    }
    if (error instanceof ProviderError)
        return isNotFoundCode(error.code) || error.text.toLowerCase().includes("instance is not found");
    return false;
}

/** Reports whether the error has or mentions one of the given codes. */
export function isOneOf(error: unknown, ...codes: string[]): boolean {
    if (error instanceof PlacedError) return isOneOf(error.inner, ...codes);
    if (error instanceof TeaError)
        return codes.some((code) => code.startsWith(error.code) || error.data.includes(code));
    if (error instanceof ServerError || error instanceof ProviderError)
        return codes.some((code) => error.code === code || error.text.includes(code));
    return error instanceof Error && codes.some((code) => error.message.includes(code));
}

/** True for the passing troubles after which every call is made again. */
export function isPassing(error: unknown): boolean {
    if (error instanceof Error && /^Post "*https:\/\//.test(error.message)) return true;
    if (!(error instanceof TeaError) && !(error instanceof ServerError)) return false;
    if (error instanceof TeaError && error.text.includes("Client.Timeout")) return true;
    return error.code === "ServiceUnavailable" || error.code.includes("Throttling") || /^code: 5\d{2}/.test(error.text);
}
