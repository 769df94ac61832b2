/**
 * A refusal as OpenAPI words it: an HTTP status and `{Code, Message, RequestId}`. Callers depend on `code`. Some, such
 * as the alicloud plugin, also match parts of the message, which is therefore part of the contract.
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
