import { ResourceMonitorFeature as F } from "@pulumi/pulumi/proto/resource_pb";

/** What the monitor can do, for programs that ask for everything at once. */
export const FEATURES: readonly F[] = [
    F.RESOURCE_MONITOR_FEATURE_SECRETS,
    F.RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES,
    F.RESOURCE_MONITOR_FEATURE_OUTPUT_VALUES,
    F.RESOURCE_MONITOR_FEATURE_ALIAS_SPECS,
    F.RESOURCE_MONITOR_FEATURE_REPLACEMENT_TRIGGER,
    F.RESOURCE_MONITOR_FEATURE_DELETED_WITH,
    F.RESOURCE_MONITOR_FEATURE_REPLACE_WITH,
    F.RESOURCE_MONITOR_FEATURE_TRANSFORMS,
    F.RESOURCE_MONITOR_FEATURE_INVOKE_TRANSFORMS,
    F.RESOURCE_MONITOR_FEATURE_RESOURCE_HOOKS,
    F.RESOURCE_MONITOR_FEATURE_ERROR_HOOKS,
    F.RESOURCE_MONITOR_FEATURE_SENDS_OPTIONS_TO_HOOKS,
    F.RESOURCE_MONITOR_FEATURE_INVOKE_DEPENDS_ON,
    F.RESOURCE_MONITOR_FEATURE_INVOKE_PARENT,
];

/** Old names of features, for programs that ask one by one. */
export const FEATURE_NAMES: readonly string[] = [
    "secrets",
    "resourceReferences",
    "outputValues",
    "aliasSpecs",
    "replacementTrigger",
    "deletedWith",
    "replaceWith",
    "transforms",
    "invokeTransforms",
    "parameterization",
    "resourceHooks",
    "errorHooks",
    "sendsOptionsToHooks",
];
