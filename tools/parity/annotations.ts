import type { ServiceObject } from "../../provider/service/objects";
import type { Case } from "./case";

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

/** Entries of an annotation that is a list. */
export function entriesOf(service: ServiceObject | undefined, suffix: string): string[] {
    const text = service === undefined ? "" : (annotation(service, suffix) ?? "");
    return text
        .split(",")
        .map((entry) => entry.trim())
        .filter((entry) => entry !== "");
}

/** Entries of annotations of the Services of a case, each once. */
export function named({ steps }: Case, ...suffixes: readonly string[]): string[] {
    return [...new Set(steps.flatMap(({ service }) => suffixes.flatMap((suffix) => entriesOf(service, suffix))))];
}

/** Zones in the annotation `zone-maps`, by the names of the request parameters. */
export function zonesOf(service: ServiceObject | undefined) {
    return entriesOf(service, "zone-maps").map((entry) => {
        const [ZoneId = "", VSwitchId = "", PrivateIPv4Address = "", AllocationId = ""] = entry.split(":");
        return { ZoneId, VSwitchId, PrivateIPv4Address, AllocationId };
    });
}
