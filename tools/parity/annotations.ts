import type { ServiceObject } from "../../provider/cluster";

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";
const LEGACY_PREFIX = "service.beta.kubernetes.io/alicloud-loadbalancer-";

/** Annotations that name certificates. */
export const SETTINGS_OF_CERTIFICATES = ["cert-id", "domain-extensions", "additional-cert-ids"] as const;

/**
 * Value of an annotation by its suffix; the new prefix overrides the legacy one, also with an empty value. Undefined if
 * absent or empty.
 */
export function annotation(service: ServiceObject, suffix: string): string | undefined {
    const annotations = service.metadata.annotations ?? {};
    return (annotations[PREFIX + suffix] ?? annotations[LEGACY_PREFIX + suffix]) || undefined;
}
