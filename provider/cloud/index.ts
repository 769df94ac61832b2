/** Alibaba Cloud's OpenAPI: one small client, and the calls of this package by noun. */
export { createCloud, type CallOptions, type Cloud, type CloudOptions } from "./client";
export { CredentialsError, keySource, keysOfEnvironment, type Keys, type KeySource } from "./credentials";
export { diagnose, diagnoses, formatDiagnosis, type Diagnosis, type Symptom } from "./diagnose";
export { CloudError, isNotFound, type Findable } from "./error";
export { type FailureKind } from "./failure";
export type { Json } from "./json";
export { RateLimiter, type Rate } from "./limiter";
export { endpointOf, regionOf, type Product } from "./product";
export * from "./ecs/eni";
export * from "./ecs/security-group";
export * as network from "./nlb";
export * from "./slb/acl";
export * from "./slb/certificate";
export * from "./slb/listener";
export * from "./slb/loadbalancer";
export * from "./slb/servergroup";
export { listTags, removeTags, setTags, type TaggedType, type Tags } from "./slb/tags";
export * from "./vpc/vswitch";
