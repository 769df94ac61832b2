/** The annotations of a Service: what they mean, how they are read, and their typed settings. */
export {
    anyRowOf,
    catalogue,
    external,
    rowOf,
    rowsOf,
    settingNames,
    typesOf,
    type ExternalRow,
    type SettingOf,
} from "./catalogue";
export {
    type ListenerKind,
    listenerOptions,
    observedArguments,
    optionDefaults,
    plainAttributes,
    pluginArguments,
} from "./attributes";
export {
    backendTypeOf,
    defaultOf,
    instanceChargeTypeOf,
    ipVersionOf,
    resourceGroupOf,
    settingsOfPayBySpec,
    settled,
} from "./defaults";
export { keyOf, keyOfSetting, legacyKeyOf, PREFIX, recognise, type Recognised } from "./keys";
export { listenerProtocolOf, transportOf, type PortOfService } from "../schema/protocols";
export { readAnnotations, type ReadSettings } from "./read";
export type { Companion, Default, Group, HealthCheckType, OnChange, PlainAttribute, Row, Rows } from "./row";
export { applyRules, type RuleContext, SYSTEM_TAGS } from "./rules";
export type {
    AlpnPolicy,
    CustomTlsPolicy,
    DomainExtension,
    ForwardPort,
    HttpCode,
    ListenerPortRange,
    OnOff,
    ProtocolPort,
    SettingName,
    Settings,
    SettingValue,
    TlsCipherPolicy,
    VgroupPort,
    ZoneMap,
} from "../schema/settings";
export type { ListenerProtocol } from "../schema/protocols";
export { mergeSettings, readTypedSettings, settingsToAnnotations } from "./typed";
export { isDnsLabel, isDnsName, isIpv4, UNKNOWN_REFERENCE, type ValueType } from "./codecs";
export { compareVersions } from "../schema/versions";
