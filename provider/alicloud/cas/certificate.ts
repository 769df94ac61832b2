import { object, readAnswer, text } from "../http/answer";
import type { Cloud } from "../http/client";
import { CloudError, isVerdict } from "../http/error";
import { REGION } from "../../schema/region";

/** What the Certificate Management Service says of a certificate. */
export type CasCertificate =
    | { readonly kind: "found"; readonly expired: boolean }
    | { readonly kind: "missing" }
    /** It could not be asked: the credentials may not, or the service is out of reach. */
    | { readonly kind: "unanswered" };

/** Milliseconds for the question: a network without a way to the service must not hold up a run. */
const PATIENCE_MS = 15_000;

const CERTIFICATE = object({ CertificateStatus: text });

/** Number of a certificate, and the site that keeps it. Source: CAS API 2020-04-07, CertIdentifier. */
const IDENTIFIER = new RegExp(`^(\\d+)(?:-(${REGION.source.slice(1, -1)}))?$`);

/** The site of an id that names none. */
const CHINA_SITE = "cn-hangzhou";

/** Region whose endpoint answers for a certificate: that of the site, wherever the load balancer is. */
export const siteOf = (id: string): string => IDENTIFIER.exec(id)?.[2] ?? CHINA_SITE;

/**
 * Looks for a certificate as NLB names it, `<number>-<site>` or the number alone. The answer holds neither the certificate nor its private key (GetCertificateDetail).
 *
 * @param cloud of {@link siteOf} the certificate
 */
export async function getCertificate(cloud: Cloud, id: string): Promise<CasCertificate> {
    const action = "GetCertificateDetail";
    const params = { CertificateId: IDENTIFIER.exec(id)?.[1] ?? id };
    try {
        const answer = await cloud.call("cas", action, params, { signal: AbortSignal.timeout(PATIENCE_MS) });
        return { kind: "found", expired: readAnswer(action, CERTIFICATE, answer).CertificateStatus === "expired" };
    } catch (error) {
        if (error instanceof CloudError) {
            // The service does not say of an id of another form, such as one of CLB, that there is no such certificate.
            const missing = error.code.startsWith("NotFound") || (!IDENTIFIER.test(id) && isVerdict(error));
            return { kind: missing ? "missing" : "unanswered" };
        }
        if (error instanceof DOMException && error.name === "TimeoutError") return { kind: "unanswered" };
        throw error;
    }
}
