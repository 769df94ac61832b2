/** Kubernetes manifests as text: reading them without losing the positions. */
export { documentOf, subjectOf, type OtherDocument, type ServiceDocument } from "./document";
export { listManifests, ManifestFileError, readManifest } from "./files";
export { readManifests, type Manifest } from "./read";
