/** Kubernetes manifests as text: reading them without losing the positions. */
export { documentOf, subjectOf, type EntryPart, type OtherDocument, type ServiceDocument } from "./document";
export { listManifests } from "./files";
export { formatPath, isMapping, valueAt, type FieldPath } from "./path";
export { readManifests, type Manifest } from "./read";
