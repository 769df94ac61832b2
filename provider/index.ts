/**
 * API for programs, pipelines and tests without Pulumi: reading manifests and Services, the desired model, plans and
 * verdicts, and the meaning of errors.
 *
 * Pure functions: none reads a file, a cluster or the cloud, except {@link listManifests}, which lists a folder.
 *
 * @packageDocumentation
 */

// Kubernetes objects as text, with positions, and Services with everything that their annotations say.
export { documentOf, listManifests, readManifests } from "./service/manifests";
export type { Manifest, OtherDocument, ServiceDocument } from "./service/manifests";
export { parseService } from "./service/service";
export type { KubernetesObject, ParsedService, Service, ServicePort } from "./service/service";
export type { ClusterFacts } from "./schema/facts";
export { NEWEST_CCM } from "./schema/versions";
export type { LoadBalancerType } from "./schema/load-balancer-type";
export type { SettingName, Settings } from "./schema/settings";

// Problems of manifests and Services, and their format.
export { DiagnosticsError, formatDiagnostic, formatDiagnostics, isError } from "./diagnostics";
export type { Diagnostic, DiagnosticCode, Position, Severity } from "./diagnostics";

// The desired model of a Service.
export { buildClb, buildNlb } from "./plan/desired";
export { disruptiveFields } from "./plan/interruptions";
export { immutableFields } from "./clb/load-balancer";
export { nlbImmutableFields } from "./nlb/load-balancer";
export type { ClbDesired, NlbDesired } from "./plan/desired";

// Plans and verdicts: actions that turn a state into another, unchangeable fields, interruptions of traffic.
export { diffBackends } from "./backends/diff";
export type { DiffOptions, GroupDifference } from "./backends/diff";
export type { Backend, Backends } from "./schema/backend";
export { IMMUTABLE_FIELD_RULES, violations } from "./plan/immutability";
export type { ImmutabilityViolation } from "./plan/immutability";
export { INTERRUPTION_REMEDY, interruptions } from "./plan/interruptions";

// Errors of the cloud and events of the Cloud Controller Manager.
export { diagnose, diagnoses, formatDiagnosis } from "./cloud/diagnose";
export type { Diagnosis, DiagnosisRow, Symptom } from "./cloud/diagnose";
