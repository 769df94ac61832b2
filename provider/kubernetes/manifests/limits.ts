/** How much is read of manifests: far more than any Service needs, and so little that reading ends within seconds. */

/** Longest manifest, in characters; as a file in bytes. The API server takes 3 MB in one request. Source: Kubernetes, maxRequestBodyBytes. */
export const MAX_MANIFEST = 3 * 1024 * 1024;

/** Most anchors in one document. */
export const MAX_ANCHORS = 1_000;

/** How often aliases may be followed in one document before it counts as an attack on memory. */
export const MAX_ALIAS_COUNT = 10_000;

/** Why a manifest is not read. @param size characters, or bytes of a file */
export const tooLarge = (size: number): string =>
    `it holds ${Math.ceil(size / 1024 / 1024)} MB, and at most ${MAX_MANIFEST / 1024 / 1024} MB are read`;
