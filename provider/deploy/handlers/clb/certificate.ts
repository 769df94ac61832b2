/**
 * A look at the certificates of a Service before anything is done with them.
 *
 * The cloud refuses a missing or expired certificate only when the listener is made or changed, after other objects were changed, and the plugin passes that on as it is.
 */
import { describeServerCertificate } from "../../../alicloud";
import { type CheckResult, isUnknown } from "../values";
import { type AccountReference, openPlace } from "../place";

/** Inputs of the check. */
export interface CertificateInputs {
    /** `namespace/name`. */
    readonly service: string;
    /** Ids of the server certificates that the listeners of the Service use. */
    readonly certificates: readonly string[];
    readonly region?: string;
    readonly account?: AccountReference;
}

/** Looks at the certificates that were not used before. One that has expired since stays in use until another replaces it. */
export async function check(
    olds: Partial<CertificateInputs>,
    news: CertificateInputs,
): Promise<CheckResult<CertificateInputs>> {
    const known = isUnknown(olds.certificates) ? [] : (olds.certificates ?? []);
    const fresh =
        isUnknown(news.region) || !Array.isArray(news.certificates)
            ? []
            : news.certificates.filter((id) => !isUnknown(id) && !known.includes(id));
    const problems = await Promise.all(fresh.map((id) => problemOf(news, id)));
    return {
        inputs: news,
        failures: problems.flatMap((problem) =>
            problem === undefined ? [] : [{ property: "", reason: `Service ${news.service}: ${problem}` }],
        ),
    };
}

async function problemOf(inputs: CertificateInputs, id: string): Promise<string | undefined> {
    const cloud = openPlace(inputs);
    const certificate = await describeServerCertificate(cloud, id);
    if (certificate === undefined) {
        return `there is no server certificate "${id}" in this region. Remedy: upload it on the Certificate Management page of the CLB console, or correct cert-id or domain-extensions.`;
    }
    if (certificate.expiresAt !== undefined && certificate.expiresAt <= Date.now()) {
        return `server certificate "${id}" expired on ${new Date(certificate.expiresAt).toISOString()}. Remedy: upload a new one and write its id into cert-id or domain-extensions.`;
    }
    return undefined;
}

/** Records what was looked at. */
export async function create(inputs: CertificateInputs): Promise<{ id: string; outs: CertificateInputs }> {
    return { id: inputs.service, outs: inputs };
}

/** Records what was looked at. */
export async function update(
    _id: string,
    _olds: CertificateInputs,
    news: CertificateInputs,
): Promise<{ outs: CertificateInputs }> {
    return { outs: news };
}
