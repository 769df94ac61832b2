/** HTTP exchange, waits between tries, and text without secrets: for the cloud client and the cluster reader. */
export { waitBefore, type Backoff } from "./backoff";
export { clockUntil, systemClock, type Clock } from "./clock";
export { parseJsonObject } from "./json";
export { firstLine, quote, redact } from "./redact";
export { exchange, HttpFailure, isTlsFault, retryAfterMs, type HttpRequest, type HttpResponse } from "./request";
