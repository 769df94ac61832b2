/** Certificates of a load balancer's listeners, with the time until which they are valid. */

import { type Cloud, CloudError } from "../../provider/cloud";
import { getCertificate, siteOf } from "../../provider/cloud/certificate";
import { describeServerCertificate } from "../../provider/clb/certificate";
import { defined } from "../../provider/schema/defined";
import type { LiveCertificate, ObservedLiveListener } from "./model";

/** Returns the ids of a listener's certificates. */
export function certificatesOf(listener: ObservedLiveListener): string[] {
    const more =
        listener.kind === "clb"
            ? (listener.tls?.domains ?? []).map(({ certId }) => certId)
            : (listener.tls?.additionalCertIds ?? []);
    return [...new Set([listener.tls?.certId ?? "", ...more])].filter((id) => id !== "");
}

/**
 * Reads the certificates of listeners, each once. One that the caller may not read is absent.
 *
 * @param openSite opens the cloud in a region: the certificates of an NLB are those of a regional service
 */
export async function readCertificates(
    cloud: Cloud,
    type: "clb" | "nlb",
    listeners: readonly ObservedLiveListener[],
    openSite: (region: string) => Cloud,
): Promise<LiveCertificate[]> {
    const ids = [...new Set(listeners.flatMap(certificatesOf))];
    const read = async (id: string): Promise<LiveCertificate[]> => {
        if (type === "nlb") {
            const found = await getCertificate(openSite(siteOf(id)), id);
            if (found.kind !== "found") return [];
            return [{ id, expired: found.expired, ...defined({ expiresAt: found.expiresAt }) }];
        }
        const found = await describeServerCertificate(cloud, id);
        return found === undefined ? [] : [{ ...found, expired: false }];
    };
    const all = ids.map((id) =>
        read(id).catch((error: unknown): LiveCertificate[] => {
            if (error instanceof CloudError) return [];
            throw error;
        }),
    );
    return (await Promise.all(all)).flat();
}
