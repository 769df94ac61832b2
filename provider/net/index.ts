/** HTTP exchange, waits between tries, and text without secrets: for the cloud client and the cluster reader. */
export { clockUntil, systemClock, waitBefore, type Backoff, type Clock } from "./clock";
export { firstLine, quote, redact } from "./redact";
export {
    exchange,
    HttpFailure,
    isTlsFault,
    parseJsonObject,
    retryAfterMs,
    type HttpRequest,
    type HttpResponse,
} from "./request";
