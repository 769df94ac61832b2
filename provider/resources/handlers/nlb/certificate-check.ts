/**
 * Check of the certificates of an NLB's listeners.
 *
 * The cloud refuses an unknown certificate only with its listener, after other listeners were created.
 */
import { getCertificate, siteOf } from "../../../cloud";
import { defined } from "../../../schema/defined";
import { type CheckMethod, isUnknown, openPlace, type Place, recording, refuseService } from "../handler";

interface CertificateCheckInputs extends Pick<Place, "account"> {
    /** `namespace/name`. */
    readonly service: string;
    /** Server certificates by listener, `tcpssl:443`. */
    readonly listeners: Readonly<Record<string, readonly string[]>>;
}

export const { create, update } = recording<CertificateCheckInputs>();

/** Checks new certificates. A certificate whose state cannot be read is accepted. */
export const check: CheckMethod<CertificateCheckInputs> = async (olds, news) => {
    const known = new Set(Object.values(olds.listeners ?? {}).flat());
    const fresh = Object.entries(isUnknown(news.account) ? {} : news.listeners).flatMap(([listener, ids]) =>
        ids.filter((id) => !isUnknown(id) && !known.has(id)).map((id) => ({ listener, id })),
    );
    return refuseService(news, await Promise.all(fresh.map(({ listener, id }) => problemOf(news, listener, id))));
};

async function problemOf({ account }: Place, listener: string, id: string): Promise<string | undefined> {
    const found = await getCertificate(openPlace({ region: siteOf(id), ...defined({ account }) }), id);
    if (found.kind === "missing")
        return (
            `listener ${listener}: the Certificate Management Service has no certificate "${id}". Remedy: upload it ` +
            "there, or correct cert-id or additional-cert-ids; an NLB takes ids such as 12315790-cn-hangzhou, not " +
            "those of CLB."
        );
    if (found.kind === "found" && found.expired)
        return (
            `listener ${listener}: certificate "${id}" has expired. Remedy: upload a new one to the Certificate ` +
            "Management Service and write its id into cert-id or additional-cert-ids."
        );
    return undefined;
}
