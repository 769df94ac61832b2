/** Kubernetes manifests as text, and the positions of their fields. */
export { documentOf, type OtherDocument, type ServiceDocument } from "./document";
export { listManifests, ManifestFileError, readManifest } from "./files";
export { readManifests, type Manifest } from "./read";
