/**
 * A refusal as OpenAPI words it: an HTTP status and `{Code, Message, RequestId}`.
 * Callers branch on `code`; some (the alicloud plugin among them) also match parts of the message, so messages are part of the contract.
 */
export class ApiError extends Error {
    constructor(
        readonly code: string,
        message: string,
        readonly status: number = 400,
    ) {
        super(message);
        this.name = "ApiError";
    }
}
