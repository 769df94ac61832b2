/** The annotations of a Service: what they mean, how they are read, and their typed settings. */
export { anyRowOf, external, rowsOf, settingNames, type SettingOf } from "./catalogue";
export {
    attributeTraits,
    listenerOptions,
    observedAttributes,
    optionDefaults,
    plainAttributes,
    pluginArguments,
} from "./attributes";
export * from "./defaults";
export { keyOf, keyOfSetting, legacyKeyOf, PREFIX, recognise } from "./keys";
export { listenerProtocolOf } from "../../schema/protocols";
export type { Row } from "./row";
export { applyRules, effectiveSettings, SYSTEM_TAGS } from "./rules";
export type { SettingName, Settings, SettingValue } from "../../schema/settings";
export { mergeSettings, readAnnotations, type ReadSettings, readTypedSettings, settingsToAnnotations } from "./read";
export { isDnsLabel, UNKNOWN_REFERENCE } from "./codecs";
