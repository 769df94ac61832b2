import type { ServiceObject } from "../../provider/service/objects";

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";
const LEGACY_PREFIX = "service.beta.kubernetes.io/alicloud-loadbalancer-";

/** Annotations that name certificates. */
export const SETTINGS_OF_CERTIFICATES = ["cert-id", "domain-extensions", "additional-cert-ids"] as const;

/**
 * Returns the value of an annotation by its suffix, or `undefined` if absent or empty. The new prefix overrides the
 * legacy prefix, also with an empty value.
 */
export function annotation(service: ServiceObject, suffix: string): string | undefined {
    const annotations = service.metadata.annotations ?? {};
    return (annotations[PREFIX + suffix] ?? annotations[LEGACY_PREFIX + suffix]) || undefined;
}
