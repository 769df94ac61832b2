import { number, object, readAnswer, text } from "./http/answer";
import type { Cloud } from "./http/cloud";
import { CloudError, isVerdict } from "./http/error";
import { defined } from "../schema/defined";
import { REGION } from "../schema/region";

export type CasCertificate =
    /** `expiresAt` is in milliseconds since 1970, and absent if the service does not report it. */
    | { readonly kind: "found"; readonly expired: boolean; readonly expiresAt?: number }
    | { readonly kind: "missing" }
    /** Without permission, or the service is out of reach. */
    | { readonly kind: "unanswered" };

/** Most milliseconds: a network without access to the service must not block a run. */
const PATIENCE_MS = 15_000;
const CERTIFICATE = object({ CertificateStatus: text, NotAfter: number });

/** Number and site of a certificate. Source: CAS API 2020-04-07, CertIdentifier. */
const IDENTIFIER = new RegExp(`^(\\d+)(?:-(${REGION.source.slice(1, -1)}))?$`);

/** Returns the region whose endpoint has a certificate: its site, by default cn-hangzhou. */
export const siteOf = (id: string): string => IDENTIFIER.exec(id)?.[2] ?? "cn-hangzhou";

/**
 * Returns the state of a certificate, without its contents or key (GetCertificateDetail).
 *
 * @param cloud of {@link siteOf} the certificate
 * @param id as NLB names it, `<number>-<site>` or the number alone
 */
export async function getCertificate(cloud: Cloud, id: string): Promise<CasCertificate> {
    const action = "GetCertificateDetail";
    const params = { CertificateId: IDENTIFIER.exec(id)?.[1] ?? id };
    try {
        const answer = await cloud.call("cas", action, params, { signal: AbortSignal.timeout(PATIENCE_MS) });
        const { CertificateStatus, NotAfter } = readAnswer(action, CERTIFICATE, answer);
        return { kind: "found", expired: CertificateStatus === "expired", ...defined({ expiresAt: NotAfter }) };
    } catch (error) {
        if (error instanceof CloudError) {
            // The service refuses ids of another form, such as those of CLB, with another code.
            const missing = error.code.startsWith("NotFound") || (!IDENTIFIER.test(id) && isVerdict(error));
            return { kind: missing ? "missing" : "unanswered" };
        }
        if (error instanceof DOMException && error.name === "TimeoutError") return { kind: "unanswered" };
        throw error;
    }
}
