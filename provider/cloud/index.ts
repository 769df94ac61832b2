/** Alibaba Cloud's OpenAPI: a small client, and its calls except those of CLB and NLB. */
export { createCloud, type CloudOptions } from "./http/client";
export { type Cloud } from "./http/cloud";
export { accountOfRole, CredentialsError, keysOfEnvironment } from "./http/credentials";
export { diagnose, formatDiagnosis } from "./diagnose";
export { CloudError, ignoreCodes, ignoreNotFound } from "./http/error";
export { classifyResponse, type FailureKind } from "./http/failure";
export type { Json, Tags } from "./http/answer";
export { RateLimiter } from "./http/limiter";
export { apiVersions, endpointOf, namedEndpoint, namedRegion, regionOf, type Product } from "./http/product";
export * from "./account";
export * from "./certificate";
export * from "./eni";
export * from "./security-group";
export * from "./vpc";
