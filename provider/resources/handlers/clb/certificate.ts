/**
 * Check of the certificates of a Service with a CLB.
 *
 * The cloud refuses a missing or expired certificate only after other objects were changed.
 */
import { describeServerCertificate } from "../../../clb/certificate";
import { type CheckMethod, isUnknown, openPlace, type Place, recording, refuseService } from "../handler";

interface CertificateInputs extends Place {
    /** `namespace/name`. */
    readonly service: string;
    /** Ids of the server certificates that the listeners of the Service use. */
    readonly certificates: readonly string[];
}

export const { create, update } = recording<CertificateInputs>();

/** Checks new certificates. A certificate that expires while it is in use is accepted. */
export const check: CheckMethod<CertificateInputs> = async (olds, news) => {
    const known = isUnknown(olds.certificates) ? [] : (olds.certificates ?? []);
    const fresh =
        isUnknown(news.region) || !Array.isArray(news.certificates)
            ? []
            : news.certificates.filter((id) => !isUnknown(id) && !known.includes(id));
    return refuseService(news, await Promise.all(fresh.map((id) => problemOf(news, id))));
};

async function problemOf(inputs: CertificateInputs, id: string): Promise<string | undefined> {
    const certificate = await describeServerCertificate(openPlace(inputs), id);
    if (certificate === undefined)
        return (
            `there is no server certificate "${id}" in this region. Remedy: upload it on the Certificate Management ` +
            "page of the CLB console, or correct cert-id or domain-extensions."
        );
    if (certificate.expiresAt !== undefined && certificate.expiresAt <= Date.now())
        return (
            `server certificate "${id}" expired on ${new Date(certificate.expiresAt).toISOString()}. Remedy: upload ` +
            "a new one and write its id into cert-id or domain-extensions."
        );
    return undefined;
}
