export { ApiError } from "./errors";
export { copyOf } from "./copy";
export { collections, toJson, type Collections, type Json, type JsonObject } from "./json";
export { Params, checkParams, missing, type ParamSpec, type ParamSpecs } from "./params";
export { RuleBook, declaredRules, refusal, rule, type Enforcement, type Rule } from "./rules";
export { Ids } from "./ids";
export { Transition } from "./transition";
export {
    PUBLISHED_RATES,
    defaultConfig,
    type Account,
    type Config,
    type Delays,
    type Quotas,
    type RateLimit,
} from "./config";
export { hasTags, numberedPage, tokenPage } from "./paging";
export { CallLog, type CallFilter, type CallRecord } from "./calls";
export { FaultList, type Fault } from "./faults";
export { Throttle } from "./throttle";
